"""`.cu` sources that keep their names: a property declares them as HIP to CMake."""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.build_systems.cmake.lexer import QUOTED, UNQUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.renames import respelled

ADDING = frozenset({"target_sources"})
OF_FIND_CUDA = frozenset({"cuda_add_executable", "cuda_add_library", "cuda_compile", "cuda_wrap_srcs"})
"""FindCUDA's commands whose arguments are sources, and nvcc's options for them."""
MAKING = frozenset({"add_executable", "add_library"}) | OF_FIND_CUDA | ADDING
ENDING = ".cu"
KNOWN = ".hip"
"""The ending by which CMake recognizes HIP's sources."""
MOST = 6
"""If one target has more sources than this, they are not named one by one."""

_BEHIND = "LANGUAGE HIP)"


def literal_sources(command: Command) -> list[str]:
    """The `.cu` sources that a command names as its target's, as they are written."""
    if command.name not in MAKING:
        return []
    found: list[str] = []
    for argument in command.arguments[1:]:
        if argument.kind == QUOTED and argument.text.endswith(ENDING) and ";" not in argument.text:
            found.append(f'"{argument.text}"')
        elif argument.kind == UNQUOTED and "$<" not in argument.text:
            found += [name for name in argument.text.split(";") if name.endswith(ENDING)]
    return found


def interface_libraries(commands: Iterable[Command]) -> frozenset[str]:
    """The libraries that have no sources of their own, and nothing to compile or link: `add_library(x INTERFACE)`."""
    made = [command.words for command in commands if command.name == "add_library" and command.words]
    return frozenset(words[0] for words in made if words[1:2] == ["INTERFACE"]) - {
        words[0] for words in made if words[1:2] != ["INTERFACE"]
    }


def apply(file: CMakeFile) -> None:
    """Set the language of literal sources, unless that is done for the whole project."""
    if not file.context.has_cuda or file.context.walks:
        return
    for command in file.commands:
        names = " ".join(name for source in literal_sources(command) for name in _written(file, source))
        if not names:
            continue
        where = f" TARGET_DIRECTORY {command.words[0]}" if command.name == "target_sources" else ""
        file.insert_behind(
            command.start, command.end, [f"set_source_files_properties({names}{where} PROPERTIES {_BEHIND}"]
        )


def _written(file: CMakeFile, source: str) -> list[str]:
    """A source under its new name, with its quotes; empty if the new name is enough for CMake to know it as HIP."""
    quote = '"' if source.startswith('"') else ""
    name = source.strip('"')
    found = respelled(file, name)
    return [f"{quote}{new}{quote}" for new in ([name] if found is None else found) if not new.endswith(KNOWN)]
