"""Variables that hold options for nvcc's host compiler: `-Xcompiler=${HOST_FLAGS}`.

nvcc accepts commas between the options; clang gets them one by one.
"""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.variables import references, sets
from hipify_py.build_systems.cmake.words import Word

_COMMA = ","
_KEEPING = ("-Wl,", "-Wa,", "-Wp,")


def note(file: CMakeFile, word: Word, value: str, *, is_list: bool) -> None:
    """Note the variables in a value of `-Xcompiler`, and whether it goes into a list of options or into a string."""
    for _, _, name, kind in references(value):
        if not kind:
            file.host_values.setdefault(name, (word.start, set()))[1].add(is_list)


def separate(file: CMakeFile) -> None:
    """Separate the options in those variables as their places need it; report what cannot be followed."""
    for name, (place, lists) in file.host_values.items():
        definitions = [command for command in file.commands if _defines(command, name)]
        separator = ";" if True in lists else " "
        parts = [part for command in definitions for part in _commas(command)]
        is_elsewhere = not definitions and name in file.context.variables
        if not parts and not is_elsewhere:
            continue
        if len(lists) > 1 or is_elsewhere:
            file.finding("HIP605", place, name, "clang does not accept commas between its options")
            continue
        for start in parts:
            file.replace(start, start + 1, separator)


def _defines(command: Command, name: str) -> bool:
    words = command.words
    if sets(command) == name:
        return command.name != "unset"
    kind = (command.name, words[0] if words else "")
    if kind in {("string", "REPLACE"), ("list", "JOIN")}:
        return words[3:4] == [name]
    return kind == ("string", "JOIN") and words[2:3] == [name]


def _commas(command: Command) -> list[int]:
    """Where commas separate the options in a variable's value."""
    found = []
    if command.name in {"string", "list"} and command.words[0] in {"REPLACE", "JOIN"}:
        number = 1 if command.words[0] == "JOIN" and command.name == "string" else 2
        glue = command.arguments[number]
        return [glue.inner] if glue.text == _COMMA else []
    for argument in command.arguments[1:]:
        at = argument.text.find(_COMMA) if argument.text.isascii() else -1
        while at >= 0:
            begin = max(argument.text.rfind(blank, 0, at) for blank in " ;,") + 1
            if not argument.text.startswith(_KEEPING, begin) and argument.text[at + 1 : at + 2] == "-":
                found.append(argument.inner + at)
            at = argument.text.find(_COMMA, at + 1)
    return found
