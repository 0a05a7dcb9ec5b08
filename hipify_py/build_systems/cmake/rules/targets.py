"""Libraries to link: `CUDA::cublas`, `cublas` and `-lcublas`, by themselves or in variables and properties."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.build_systems.cmake.lexer import QUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.linked import LINKING, filled, first_linked, held
from hipify_py.build_systems.cmake.rules.target_loops import PREFIX, Loop, loops_of
from hipify_py.build_systems.cmake.words import Word
from hipify_py.build_systems.facts import Library

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
    rows, own = file.facts.libraries, file.told.targets
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
                    found.append((index, word, text, rows.get(text.removeprefix(PREFIX))))
            elif word.argument in linked and word.is_plain and text not in _KEYWORDS:
                name = text.removeprefix("-l")
                if name in rows and not rows[name].imported and name not in own and name != "toolkit":
                    found.append((index, word, text, rows[name]))
    return found


def _linked(file: CMakeFile, command: Command) -> range:
    """The arguments of a command that are linked."""
    if command.name in LINKING:
        return range(first_linked(command), len(command.arguments))
    if command.name in {"set_property", "set_target_properties"}:
        name = next((index for index, word in enumerate(command.words) if word in _PROPERTIES), len(command.words))
        last = len(command.words) if command.name == "set_property" else name + 2
        return range(name + 1, min(last, len(command.words)))
    return held(command) if filled(command) in file.told.linked else range(0)


def apply(file: CMakeFile) -> None:
    """Write the targets of HIP's packages."""
    dropped: dict[int, list[Word]] = {}
    strings: set[Argument] = set()
    loops = loops_of(file)
    for index, word, text, library in libraries_of(file, loops):
        if library is None:
            file.left("HIP601", word.start, text, "library", "no ROCm target is known for it")
        elif library.unsupported:
            file.left("HIP601", word.start, text, "library", library.unsupported)
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
