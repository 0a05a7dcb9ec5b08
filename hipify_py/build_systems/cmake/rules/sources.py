"""`.cu` sources keep their names: CMake is told that they are HIP."""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import QUOTED, UNQUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile

ADDING = frozenset({"target_sources"})
MAKING = frozenset({"add_executable", "add_library", "cuda_add_executable", "cuda_add_library"}) | ADDING
ENDING = ".cu"
MOST = 6
"""More sources of one target than this are not named one by one."""

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


def apply(file: CMakeFile) -> None:
    """Set the language of literal sources, where that is not done for the whole project."""
    if not file.told.has_cuda or file.told.walks:
        return
    for command in file.commands:
        sources = literal_sources(command)
        if not sources:
            continue
        names = " ".join(sources)
        where = f" TARGET_DIRECTORY {command.words[0]}" if command.name == "target_sources" else ""
        file.insert_behind(
            command.start, command.end, [f"set_source_files_properties({names}{where} PROPERTIES {_BEHIND}"]
        )
