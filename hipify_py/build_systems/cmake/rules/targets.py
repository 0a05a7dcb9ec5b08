"""Libraries to link: `CUDA::cublas`, `cublas` and `-lcublas`, by themselves or in variables and properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import QUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.linked import LINKING, filled, first_linked, held
from hipify_py.build_systems.cmake.rules.variables import references
from hipify_py.build_systems.cmake.words import Word
from hipify_py.build_systems.facts import Library

# Loops over the names of libraries: `foreach(library cudart cublas)` with `CUDA::${library}` in the block.

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
        if PREFIX + word.text in file.context.targets or not (loop.links_only or "::" in row.target):
            return ()
    return words


_KEYWORDS = frozenset(
    {"PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE", "debug", "optimized", "general"}
)
_SILENT = frozenset({"message"})
_PROPERTIES = frozenset({"LINK_LIBRARIES", "INTERFACE_LINK_LIBRARIES"})
_BLANKS = " \t\r\n"


def libraries_of(
    file: CMakeFile, loops_of_names: Sequence[Loop] | None = None
) -> list[tuple[int, Word, str, Library | None]]:
    """NVIDIA's libraries that commands name: the command's index, the word, the name, and what replaces it.

    Args:
        file: the list file.
        loops_of_names: its loops over names of libraries; None if they have to be looked for.
    """
    found: list[tuple[int, Word, str, Library | None]] = []
    rows, own = file.facts.libraries, file.context.targets
    loops = {loop.at: loop for loop in (loops_of(file) if loops_of_names is None else loops_of_names)}
    in_loops = {place for loop in loops.values() if loop.values for place in loop.prefixes}
    for index, command in enumerate(file.commands):
        if command.name in _SILENT:
            continue
        if index in loops:
            found += [(index, word, word.text, rows[word.text]) for word in loops[index].values]
            continue
        linked = _linked(file, command)
        for word in file.words(command):
            text = word.text
            if text.startswith(PREFIX) and not word.is_head:
                if text not in own and word.start not in in_loops:
                    found.append((index, word, text, _of_all(rows, text.removeprefix(PREFIX))))
            elif word.argument in linked and word.is_plain and text not in _KEYWORDS:
                name = text.removeprefix("-l")
                if name in rows and not rows[name].imported and name not in own and name != "toolkit":
                    found.append((index, word, text, rows[name]))
    return found


def _of_all(rows: Mapping[str, Library], name: str) -> Library | None:
    """What replaces a library, or all whose names begin so if a variable holds the end (`cudart${STATIC}`)."""
    beginning, mark, end = name.partition("${")
    if not mark or not end.endswith("}") or beginning not in rows:
        return rows.get(name)
    targets = {row.target for other, row in rows.items() if other.startswith(beginning)}
    return rows[beginning] if targets == {rows[beginning].target} else None


def _linked(file: CMakeFile, command: Command) -> range:
    """The arguments of a command that are linked."""
    if command.name in LINKING:
        return range(first_linked(command), len(command.arguments))
    if command.name in {"set_property", "set_target_properties"}:
        name = next((index for index, word in enumerate(command.words) if word in _PROPERTIES), len(command.words))
        last = len(command.words) if command.name == "set_property" else name + 2
        return range(name + 1, min(last, len(command.words)))
    return held(command) if filled(command) in file.context.linked else range(0)


def apply(file: CMakeFile) -> None:
    """Write the targets of HIP's packages."""
    dropped: dict[int, list[Word]] = {}
    strings: set[Argument] = set()
    loops = loops_of(file)
    for index, word, text, library in libraries_of(file, loops):
        if library is None:
            file.left("HIP601", word.start, text, "library", "no ROCm target is known for it")
        elif library.unsupported:
            file.left("HIP613", word.start, text, "library", library.unsupported)
        elif library.drop:
            file.converted(word.start, text, "library")
            dropped.setdefault(index, []).append(word)
        else:
            file.converted(word.start, text, "library")
            is_file = library.file and _asks_for_file(file.commands[index], word)
            file.replace(word.start, word.end, library.file if is_file else library.target)
            argument = file.commands[index].arguments[word.argument]
            if argument.kind == QUOTED and text.startswith("-l"):
                strings.add(argument)
    for argument in strings:
        _separate(file, argument)
    for loop in loops:
        for place in loop.prefixes if loop.values else ():
            file.replace(place, place + len(PREFIX), "")
    for index, words in dropped.items():
        command = file.commands[index]
        for word in words:
            argument = command.arguments[word.argument]
            if (argument.inner, argument.inner_end) == (word.start, word.end):
                file.drop_argument(argument)
            else:
                file.replace(word.start, word.end, "")


def _asks_for_file(command: Command, word: Word) -> bool:
    """Whether the expression asks where the library is, not how to link it."""
    if command.name == "get_target_property":
        return any(name.startswith("IMPORTED_") for name in command.words)
    return bool(word.within) and word.within[-1].startswith("TARGET_") and "FILE" in word.within[-1]


def _separate(file: CMakeFile, argument: Argument) -> None:
    """Make a list of a string of options: a target in it is linked only if it is a separate element."""
    text, end = argument.text, 0
    for start, sign in enumerate(text):
        if sign not in _BLANKS or start < end:
            continue
        end = start + 1
        while end < len(text) and text[end] in _BLANKS:
            end += 1
        between = ";" if text[:start] and text[end:] else ""
        file.replace(argument.at(start), argument.at(end), between)
