"""Loops over the names of libraries: `foreach(library cudart cublas)` with `CUDA::${library}` in the block."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.linked import LINKING
from hipify_py.build_systems.cmake.rules.variables import references
from hipify_py.build_systems.cmake.words import Word

PREFIX = "CUDA::"
_IN_NAMES = frozenset("_-.+:/$@{}")
"""What names of targets may hold besides letters and digits, and what represents a part of one."""


class Loop(NamedTuple):
    """A `foreach` whose block writes its variable after `CUDA::`.

    Attributes:
        at: the command's index.
        prefixes: where `CUDA::` precedes the variable.
        values: the names that the variable takes; empty if the loop stays as it is: it also uses the variable in
            another way, or HIP has no target for one of its values.
    """

    at: int
    prefixes: tuple[int, ...]
    values: tuple[Word, ...]


class _Open:
    """A loop that is not closed yet."""

    __slots__ = ("at", "is_used_otherwise", "links_only", "prefixes")

    def __init__(self, at: int) -> None:
        self.at = at
        self.prefixes: list[int] = []
        self.is_used_otherwise = False
        self.links_only = True


def loops_of(file: CMakeFile) -> list[Loop]:
    """The loops of a file over names of libraries, in one pass over its commands."""
    found: list[_Open] = []
    open_loops: list[str] = []
    by_variable: dict[str, list[_Open]] = {}
    for at, command in enumerate(file.commands):
        if command.name == "endforeach":
            if open_loops:
                by_variable[open_loops.pop()].pop()
            continue
        if open_loops:
            _note(command, by_variable)
        if command.name == "foreach":
            variable = command.words[0] if command.words else ""
            open_loops.append(variable)
            by_variable.setdefault(variable, []).append(_Open(at))
            found.append(by_variable[variable][-1])
    return [Loop(loop.at, tuple(loop.prefixes), _values(file, loop)) for loop in found if loop.prefixes]


def _note(command: Command, by_variable: dict[str, list[_Open]]) -> None:
    """Note how a command uses the variables of the loops around it."""
    for argument in command.arguments:
        for loop in by_variable.get(argument.text, ()):  # asked for or set by its name, by a nested loop too
            loop.is_used_otherwise = True
        for start, end, name, kind in references(argument.text):
            loops = by_variable.get(name)
            if kind or not loops:
                continue
            place = _prefix(argument, start, end)
            if place is None:
                loops[-1].is_used_otherwise = True
            else:
                loops[-1].prefixes.append(place)
                loops[-1].links_only &= command.name in LINKING


def _prefix(argument: Argument, start: int, end: int) -> int | None:
    """Where a `CUDA::` is that makes a whole name with a variable; None if there is none."""
    text = argument.text
    first = start - len("${") - len(PREFIX)
    if first < 0 or not text.startswith(PREFIX, first):
        return None
    before, after = text[:first], text[end + 1 :]
    if before.endswith("::") or (_is_in_name(before[-1:]) and not before.endswith(":")) or _is_in_name(after[:1]):
        return None
    return argument.at(first)


def _is_in_name(sign: str) -> bool:
    return sign.isalnum() or sign in _IN_NAMES


def _values(file: CMakeFile, loop: _Open) -> tuple[Word, ...]:
    """The new names for a loop, if each of its names has a target that fits all places."""
    command = file.commands[loop.at]
    first = 3 if [word.upper() for word in command.words[1:3]] == ["IN", "ITEMS"] else 1
    words = tuple(word for word in file.words(command) if word.argument >= first)
    if loop.is_used_otherwise:
        return ()
    for word in words:
        row = file.facts.libraries.get(word.text)
        if row is None or row.unsupported or row.drop or not row.target or not word.is_plain:
            return ()
        if PREFIX + word.text in file.told.targets or not (loop.links_only or "::" in row.target):
            return ()
    return words
