"""`.cu` sources that keep their names: a property declares them as HIP to CMake."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from hipify_py.build_systems.cmake.lexer import QUOTED, UNQUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.linked import filled, held
from hipify_py.build_systems.cmake.rules.renames import respelled
from hipify_py.build_systems.cmake.rules.variables import references

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
_OF_TARGET = (
    "# To CMake .cu files are CUDA; those of this target are HIP.",
    "get_target_property(hip_sources {} SOURCES)",
    'list(FILTER hip_sources INCLUDE REGEX "[.]cu$")',
    "set_property(SOURCE ${hip_sources} PROPERTY " + _BEHIND,
)
_WITHOUT_SOURCES = frozenset({"ALIAS", "IMPORTED", "INTERFACE"})
_OBJECTS = frozenset({"cuda_compile", "cuda_wrap_srcs"})
TRYING = frozenset({"try_compile", "try_run"})
"""Commands that compile a source to see whether that works."""
_QUIET = TRYING | (
    {"set", "unset", "file", "foreach", "endforeach", "aux_source_directory", "message", "install"}
    | {"if", "elseif", "else", "endif", "while", "endwhile"}
    | {"source_group", "set_source_files_properties", "set_target_properties", "target_include_directories"}
    | {"configure_file", "add_custom_command", "add_custom_target", "add_test", "execute_process"}
)
"""Commands that give no sources to a target."""
_OPEN_ENDS = ("}", ">")
"""How a word ends that may stand for `.cu` sources without showing it."""
_PARTS = frozenset({"DIRECTORY", "PATH", "NAME_WE", "NAME_WLE", "EXT", "LAST_EXT"})
"""Parts of a file's name without its ending, or without the rest."""
_MAKERS = ("_executable", "_library", "_module")
"""How commands are called that make targets, such as those of pybind11."""
_IN_PLACE = frozenset({"APPEND", "PREPEND", "REMOVE_ITEM", "REMOVE_DUPLICATES", "SORT", "FILTER", "LENGTH"})


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


def source_variables(commands: Iterable[Command]) -> frozenset[str]:
    """The variables that commands fill with `.cu` sources; a glob without an ending may find some."""
    found = set()
    for command in commands:
        words = command.words
        if command.name == "aux_source_directory":
            found.update(words[1:2])
        elif command.name == "file":
            is_glob = words[:1] in (["GLOB"], ["GLOB_RECURSE"])
            if is_glob and any(word.endswith((ENDING, "*")) for word in words[2:]):
                found.add(words[1])
        elif filled(command) and any(_names_source(words[index]) for index in held(command)):
            found.add(filled(command))
    return frozenset(found)


def marked(commands: Sequence[Command], variables: Collection[str]) -> list[Command]:
    """The commands that give `.cu` sources to targets in variables, or too many to be named one by one.

    In a function, every variable may have some.
    """
    made = _made(commands)
    found = []
    for command in commands:
        words = command.words
        if not words or command.name not in MAKING - _OBJECTS or words[0] not in made:
            continue
        held_by = {name for word in words[1:] if word.endswith(_OPEN_ENDS) for _, _, name, _ in references(word)}
        if (
            len(literal_sources(command)) > MOST
            or any(_names_source(word) and "$<" in word for word in words)
            or not held_by.isdisjoint(variables)
            or (command.block and held_by)
        ):
            found.append(command)
    return found


def loses_sources(commands: Sequence[Command], variables: Collection[str], functions: Collection[str]) -> bool:
    """Whether commands may give `.cu` sources to targets in a way that is not followed."""
    made = _made(commands)
    return any(_loses(command, variables) for command in commands if not _is_followed(command, made, functions))


def _made(commands: Sequence[Command]) -> frozenset[str]:
    """The targets that commands make of sources."""
    making = MAKING - ADDING - _OBJECTS
    return frozenset(
        command.words[0]
        for command in commands
        if command.name in making and command.words and not _WITHOUT_SOURCES & set(command.words[1:4])
    )


def _is_followed(command: Command, made: Collection[str], functions: Collection[str]) -> bool:
    words = command.words
    if not words or command.name in _QUIET or command.name in functions:
        return True
    if command.name in MAKING - _OBJECTS:
        return command.name not in ADDING or words[0] in made
    if command.name == "list":
        return words[0] in _IN_PLACE
    return command.name == "get_filename_component" and words[2:3] != [] and words[2] in _PARTS


def _loses(command: Command, variables: Collection[str]) -> bool:
    words = command.words
    used = {name for word in words for _, _, name, _ in references(word)} | set(words)
    if not used.isdisjoint(variables):
        return True
    if any(word.endswith(_OPEN_ENDS) for word in words[1:]) and (
        command.name in MAKING or (command.block and command.name.endswith(_MAKERS))
    ):
        return True
    if command.name in MAKING:
        return len(literal_sources(command)) > MOST
    return any(map(_names_source, words))


def _names_source(word: str) -> bool:
    return word.rstrip(">").endswith(ENDING) or f"{ENDING};" in word


def apply(file: CMakeFile) -> None:
    """Set the language of literal sources, unless that is done for the whole project."""
    if not file.context.has_cuda:
        return
    for command in file.commands:
        if command.name in TRYING:
            _tried(file, command)
    if file.context.walks:
        return
    marking = marked(file.commands, file.context.source_variables) if file.context.marks_targets else []
    for command in file.commands:
        if command in marking:
            lines = [line.format(command.words[0]) if "{}" in line else line for line in _OF_TARGET]
            file.insert_behind(command.start, command.end, lines)
            continue
        names = " ".join(name for source in literal_sources(command) for name in _written(file, source))
        if not names:
            continue
        where = f" TARGET_DIRECTORY {command.words[0]}" if command.name == "target_sources" else ""
        file.insert_behind(
            command.start, command.end, [f"set_source_files_properties({names}{where} PROPERTIES {_BEHIND}"]
        )


def _tried(file: CMakeFile, command: Command) -> None:
    """Give a source that a check compiles an ending that CMake recognizes: properties do not apply to checks."""
    for argument in command.arguments:
        folder, _, name = argument.text.rpartition("/")
        if not name.endswith(ENDING) or respelled(file, argument.text) is not None:
            continue
        if "$" in name:
            file.finding("HIP605", argument.inner, argument.text, "a check compiles sources as HIP that end in .hip")
            continue
        copy = f'"${{CMAKE_CURRENT_BINARY_DIR}}/{name.removesuffix(ENDING)}{KNOWN}"'
        source = f"{folder}/{name}" if folder else name
        file.insert_before(command.start, [f'configure_file("{source}" {copy} COPYONLY)'])
        file.replace(argument.start, argument.end, copy)
        file.converted(argument.inner, argument.text, "file")


def _written(file: CMakeFile, source: str) -> list[str]:
    """A source under its new name, with its quotes; empty if the new name is enough for CMake to know it as HIP."""
    quote = '"' if source.startswith('"') else ""
    name = source.strip('"')
    found = respelled(file, name)
    return [f"{quote}{new}{quote}" for new in ([name] if found is None else found) if not new.endswith(KNOWN)]
