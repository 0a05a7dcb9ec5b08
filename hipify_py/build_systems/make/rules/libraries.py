"""`-lcublas` and similar options, wherever they are, and names in lists that get their `-l` later."""

from __future__ import annotations

from hipify_py.build_systems.facts import Library
from hipify_py.build_systems.make.lists import compared, passing, prefixed
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.reader import ASSIGNMENT
from hipify_py.build_systems.shell_words import Word

OPTION, _RUNTIME = "-l", "amdhip64"
_TARGETS_ONLY = frozenset({"toolkit", "cuda_driver"})
"""Names of libraries that are CMake targets, and not files."""


def apply(file: MakeFile) -> None:
    """Link HIP's libraries."""
    lists = _lists(file)
    for line in file.lines:
        if not line.is_text:
            _line(file, line, is_list=(line.shell.start, line.shell.end) in lists)


def _lists(file: MakeFile) -> set[tuple[int, int]]:
    """Where the words of a value or an argument are names of libraries."""
    places = [(one.start, one.end) for one in prefixed(file) if one.links]
    places += [
        item.value for item in file.read.statements if item.kind == ASSIGNMENT and item.name in file.context.linked
    ]
    found = {place for start, end in places for place in passing(file, start, end)}
    return found.union(compared(file, file.context.linked))


def _line(file: MakeFile, line: Line, *, is_list: bool) -> None:
    linked = {word.text for word in line.words}
    before: Word | None = None
    for word in line.words:
        name = linked_name(word.text)
        prefix = "" if is_list and name is None else OPTION
        name = word.text if not prefix else name
        found = None if name is None else library_of(file, name)
        if name is None or found is None:
            before = word
            continue
        if found.unsupported:
            file.left("HIP613", word.start, word.text, "library", found.unsupported)
            before = word
            continue
        file.converted(word.start, word.text, "library")
        is_alone = found.drop and not prefix and len(line.words) == 1  # something has to follow the -l
        library = _RUNTIME if is_alone else found.library
        new = f"{prefix}{library}"
        if (found.drop and not is_alone) or new in linked:
            if before is not None:
                file.replace_whole(before.end, word.end, "")
            else:
                file.drop_word(word.start, word.end)
            continue
        linked.add(new)
        bare = word.text[len(prefix) :]
        place = file.source.data.rindex(bare.encode("utf-8", "surrogateescape"), word.start, word.end)
        if not word.text.startswith("-l:"):
            file.replace(place, place + len(bare), library)
        else:
            file.replace_whole(word.start, word.end, new)
        before = word


def linked_name(text: str) -> str | None:
    """The library that a word links (`-lcublas`, `-l:libcublas_static.a`); None for other words."""
    if not text.startswith(OPTION) or len(text) < 3:
        return None
    return name_of(text[3:]) if text.startswith("-l:") else text[2:]


def name_of(path: str) -> str:
    """The library of a file's name; empty for a file that is not a library."""
    name = path.rpartition("/")[2]
    if not name.startswith("lib"):
        return ""
    for ending in (".so", ".a", ".dylib"):
        stem, found, rest = name[3:].partition(ending)
        if found and not rest.strip(".0123456789"):
            return stem
    return ""


def library_of(file: MakeFile, name: str) -> Library | None:
    """What replaces one of NVIDIA's libraries; None for the project's own and for others."""
    if name in _TARGETS_ONLY or name in file.context.libraries:
        return None
    found = file.facts.libraries.get(name)
    return None if found is None or found.imported else found
