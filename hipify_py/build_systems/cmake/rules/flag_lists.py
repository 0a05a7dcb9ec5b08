"""FindCUDA's lists of options, which become strings, because CMake's own variables are strings."""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import BRACKET, QUOTED, UNQUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.variables import references

_SCOPES = frozenset({"CACHE", "PARENT_SCOPE"})


def as_string(file: CMakeFile, command: Command, name: str, emptied: set[int]) -> None:
    """Make a string of `list(APPEND CUDA_NVCC_FLAGS a b)` or `set(CUDA_NVCC_FLAGS a b)`.

    Args:
        file: the list file.
        command: the command.
        name: the variable's new name.
        emptied: the indexes of its arguments that are taken out.
    """
    words, arguments = command.words, command.arguments
    if command.name not in {"set", "list"}:
        return
    first = 1 if command.name == "set" else 2
    scope = next((n for n, word in enumerate(words) if word in _SCOPES and n >= first), len(words))
    values = [n for n in range(first, scope) if n not in emptied]
    if command.name == "set" and scope < len(words):
        _quote(file, command, values)
    elif any(_may_be_list(file, arguments[n]) for n in range(first, scope)):
        _join(file, command, name, values)
    elif command.name == "list" or len(values) > 1:
        file.replace(command.start, command.name_end, "string")
        if command.name == "set":
            file.replace(command.opened + 1, command.opened + 1, "CONCAT ")
        for n in values:
            _as_part(file, arguments[n], " ")
            _spaced(file, command, n)
    elif values:
        _as_part(file, arguments[values[0]], "")
        _spaced(file, command, values[0])


def _may_be_list(file: CMakeFile, argument: Argument) -> bool:
    """Whether an argument has the value of one of the project's variables in it, which may be a list."""
    found = [name for _, _, name, _ in references(argument.text)]
    is_whole = argument.text.startswith("${") and argument.text.find("}") == len(argument.text) - 1
    return any("holds" not in file.facts.variables.get(name, {}) for name in found) and (
        argument.kind == UNQUOTED or is_whole
    )


def _join(file: CMakeFile, command: Command, name: str, values: list[int]) -> None:
    """Write `string(JOIN " " variable …)`, which turns lists into strings."""
    arguments = command.arguments
    file.replace(command.start, command.name_end, "string")
    if command.name == "set":
        file.replace(command.opened + 1, command.opened + 1, 'JOIN " " ')
    else:
        file.replace(arguments[0].start, arguments[0].end, 'JOIN " "')
        place = arguments[1 if arguments[0].text == "APPEND" else values[-1]].end
        file.replace(place, place, f" ${{{name}}}")
    for n in values:
        argument = arguments[n]
        if argument.kind == QUOTED and _may_be_list(file, argument):
            file.replace(argument.start, argument.inner, "")
            file.replace(argument.inner_end, argument.end, "")


def _quote(file: CMakeFile, command: Command, values: list[int]) -> None:
    """Make one quoted argument of several, before `CACHE` or `PARENT_SCOPE`."""
    arguments = command.arguments
    if not values or any(arguments[n].kind == BRACKET for n in values):
        return
    if any(arguments[values[0]].end <= start < arguments[values[-1]].start for start, _ in file.comments):
        file.finding("HIP605", command.start, command.words[0], "it is a string now: write its options as one string")
        return
    for n in values:
        argument = arguments[n]
        if argument.kind == QUOTED:
            file.replace(argument.start, argument.inner, "")
            file.replace(argument.inner_end, argument.end, "")
        _spaced(file, command, n)
    for before, after in pairwise(values):
        file.replace(arguments[before].end, arguments[after].start, " ")
    file.replace(arguments[values[0]].start, arguments[values[0]].start, '"')
    file.replace(arguments[values[-1]].end, arguments[values[-1]].end, '"')


def _as_part(file: CMakeFile, argument: Argument, blank: str) -> None:
    """Quote an argument, with a blank first if it is appended to something else."""
    if argument.kind == UNQUOTED:
        file.replace(argument.start, argument.start, f'"{blank}')
        file.replace(argument.end, argument.end, '"')
    elif argument.kind == QUOTED and blank:
        file.replace(argument.inner, argument.inner, blank)


def _spaced(file: CMakeFile, command: Command, number: int) -> None:
    """Write blanks in place of semicolons between the words of an argument."""
    argument = command.arguments[number]
    data = file.source.data
    ends = [word.end for word in file.words(command) if word.argument == number and not word.within]
    for end in ends:
        if end < argument.inner_end and data[end : end + 1] == b";":
            file.replace(end, end + 1, " ")
