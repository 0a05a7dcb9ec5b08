"""Where options end up: in a list, which semicolons separate, or in a string, which blanks separate."""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import QUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.programs import RUNNING
from hipify_py.build_systems.cmake.rules.properties import PAIRS
from hipify_py.build_systems.cmake.rules.sources import OF_FIND_CUDA
from hipify_py.build_systems.cmake.rules.variables import described, references, sets
from hipify_py.build_systems.cmake.words import Word

LIST, ARGUMENTS, STRING, UNKNOWN = "list", "arguments", "string", "unknown"
_SHELL = "SHELL:"
COMPILING = frozenset({"target_compile_options", "add_compile_options"})
LISTING = COMPILING | {"target_link_options", "add_link_options"}
_ARGUMENTS = frozenset({*RUNNING, *OF_FIND_CUDA, "add_definitions"})
_SCOPES = frozenset({"CACHE", "PARENT_SCOPE"})
_STRINGS = ("CMAKE_", "ENV{")


def between(file: CMakeFile, command: Command, word: Word) -> str:
    """What separates the options that replace a word; empty if the use of its value is unknown."""
    argument = command.arguments[word.argument]
    element, is_several = _element(file, argument, word)
    blank = " " if argument.kind == QUOTED else "\\ "
    if element.startswith(_SHELL) or (" " in element and not word.within):
        return blank
    if word.within or is_several:
        return ";"
    place = _place(file, command, word.argument)
    if place == STRING:
        return " " if _is_list_of_flags(file, command) else blank
    if place == ARGUMENTS:
        return '" "' if argument.kind == QUOTED else " "
    if place == LIST:
        if argument.kind == QUOTED:
            return ";"
        return "\\;" if command.name in PAIRS or _is_single(command) else " "
    return ""


def loses_doubles(command: Command, number: int) -> bool:
    """Whether CMake removes duplicates from the list, such as a second `-include`; `SHELL:` holds words together."""
    return command.name in LISTING or (
        (command.name == "set_property" or command.name in PAIRS) and _property(command, number) == LIST
    )


def _element(file: CMakeFile, argument: Argument, word: Word) -> tuple[str, bool]:
    """The element of a list in one argument that contains a word, and whether there are others."""
    data = file.source.data
    first = data.rfind(b";", argument.inner, word.start) + 1 or argument.inner
    last = data.find(b";", word.end, argument.inner_end)
    last = argument.inner_end if last < 0 else last
    if word.within:
        first = max(first, data.rfind(b":" + _SHELL.encode(), argument.inner, word.start + len(_SHELL)) + 1)
    element = data[first:last].decode("utf-8", "surrogateescape")
    return element, (first, last) != (argument.inner, argument.inner_end)


def _place(file: CMakeFile, command: Command, number: int) -> str:
    """What becomes of an argument of a command."""
    if command.name in LISTING:
        return LIST
    if command.name in _ARGUMENTS:
        return ARGUMENTS
    if command.name == "set_property" or command.name in PAIRS:
        return _property(command, number)
    if _is_list_of_flags(file, command):
        return STRING
    if command.name == "list":
        return LIST
    if command.name in {"string", "append"}:
        return STRING
    if command.name == "set":
        return _of_variable(file, sets(command)) if _is_single(command) else LIST
    return UNKNOWN


def _is_list_of_flags(file: CMakeFile, command: Command) -> bool:
    """Whether the command fills a list that becomes a string (`CUDA_NVCC_FLAGS`)."""
    return (described(file, sets(command)) or {}).get("holds") == "list of flags"


def _is_single(command: Command) -> bool:
    """Whether `set` gets one argument as its value."""
    words = command.words
    return command.name == "set" and (len(words) < 3 or words[2] in _SCOPES)


def _property(command: Command, number: int) -> str:
    words = command.words
    name = ""
    if command.name == "set_property" and "PROPERTY" in words:
        name = words[words.index("PROPERTY") + 1]
        if "APPEND_STRING" in words[:number]:
            return STRING
    elif command.name in PAIRS and "PROPERTIES" in words and (number - words.index("PROPERTIES")) % 2 == 0:
        name = words[number - 1]
    if name.endswith("_OPTIONS"):
        return LIST
    return STRING if name.endswith("_FLAGS") else UNKNOWN


def _of_variable(file: CMakeFile, name: str) -> str:
    """What becomes of a variable's value, through other variables too, as long as the file is consistent about it."""
    waiting, seen = [name], {name}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name.startswith(_STRINGS) and ("FLAGS" in name or name.startswith("CMAKE_CUDA_")):
            found.add(STRING)
            continue
        uses = _uses(file).get(name, [])
        if not uses:
            found.add(UNKNOWN)
        for command, number in uses:
            argument = command.arguments[number]
            if sets(command) == name:
                found.add(LIST if command.name == "list" else _itself(command, number))
            elif not _is_single(command):
                place = _place(file, command, number)
                if place == ARGUMENTS:
                    place = UNKNOWN if argument.kind == QUOTED else LIST
                found.add(place)
            elif argument.text != f"${{{name}}}":
                found.add(STRING if " " in argument.text else UNKNOWN)
            elif sets(command) not in seen:
                seen.add(sets(command))
                waiting.append(sets(command))
    found.discard("")
    return found.pop() if len(found) == 1 else UNKNOWN


def _itself(command: Command, number: int) -> str:
    """How a variable's own value goes into its new one; empty if the argument does not show it."""
    text = command.arguments[number].text
    if command.name == "string" or " " in text:
        return STRING
    return LIST if ";" in text or not _is_single(command) else ""


_SILENT = frozenset({"message", "if", "elseif", "while", "foreach", "unset"})


def _uses(file: CMakeFile) -> dict[str, list[tuple[Command, int]]]:
    """Where the values of variables go: the commands and the numbers of their arguments."""
    if file.uses is None:
        file.uses = {}
        for command in file.commands:
            if command.name in {"list", "string"} and sets(command):
                file.uses.setdefault(sets(command), []).append((command, 1))
            if command.name in _SILENT:
                continue
            for number, argument in enumerate(command.arguments):
                for _, _, name, kind in references(argument.text):
                    if not kind:
                        file.uses.setdefault(name, []).append((command, number))
    return file.uses
