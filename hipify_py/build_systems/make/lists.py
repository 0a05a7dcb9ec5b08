"""Lists whose words get a prefix: `$(addprefix -l,$(LIBS))`, `$(DIRS:%=-I%)`, `$(foreach x,…,-l$(x))`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.build_systems.make.references import Reference

if TYPE_CHECKING:
    from hipify_py.build_systems.make.makefile import MakeFile

LIBRARY, FOLDER = "-l", "-I"
_FOLDERS = frozenset({FOLDER, "-isystem", "-isystem ", "-idirafter", "-idirafter "})
_HANDED_ON = {
    **dict.fromkeys(("sort", "strip", "firstword", "lastword"), (0,)),
    **dict.fromkeys(("filter", "filter-out", "word"), (1,)),
    **dict.fromkeys(("subst", "patsubst", "wordlist"), (2,)),
    "if": (1, 2),
    "or": (0, 1, 2, 3),
    "and": (0, 1, 2, 3),
}
"""Functions, and the arguments that their words come from."""
_CHOOSING = frozenset({"filter", "filter-out", "findstring", "subst", "patsubst"})
_BREAK = re.compile(rb"[ \t\r\n,=\"'()]")
_WORD = re.compile(rb"[^ \t\r\n,)}\"']*")
_LONGEST_AFFIX = 256
"""How many bytes before or after a reference are looked at."""


class Prefixed(NamedTuple):
    """A list, and what its words become.

    Attributes:
        start: where the list begins.
        end: just after its end.
        prefix: what is added before each word.
        suffix: what is added after each word.
        whole: the reference that makes the new list.
        name: the variable that is the list, if it is named and not referred to (`$(NAME:%=-l%)`, `-l$(NAME)`).
    """

    start: int
    end: int
    prefix: str
    suffix: str
    whole: Reference
    name: str = ""

    @property
    def links(self) -> bool:
        """Whether its words are names of libraries that are linked."""
        return self.prefix == LIBRARY and not self.suffix

    @property
    def is_searched(self) -> bool:
        """Whether its words are folders of headers, or lie above those."""
        return self.prefix in _FOLDERS and self.suffix.strip("/") in {"", "include"}

    @property
    def is_own(self) -> bool:
        """Whether its words are names of files or folders of the project."""
        return self.prefix.endswith(("/", "lib")) or (self.suffix[:1] in {".", "/"} and self.prefix not in _FOLDERS)

    def variables(self, file: MakeFile) -> frozenset[str]:
        """The variables that make up the list."""
        return frozenset({self.name}) if self.name else passed(file, self.start, self.end)


def passing(file: MakeFile, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A range and those in it whose words functions pass on: both of `A $(if $(X),B)`, but not the condition."""
    yield start, end
    for one in _outermost(file, start, end):
        if one.is_function:
            for index in _HANDED_ON.get(one.name, ()):
                if index < len(one.arguments):
                    yield from passing(file, *one.arguments[index])


def passed(file: MakeFile, start: int, end: int) -> frozenset[str]:
    """The variables whose words are among those of a range."""
    return frozenset(
        one.name
        for place in passing(file, start, end)
        for one in _outermost(file, *place)
        if one.name and not one.is_function
    )


def _outermost(file: MakeFile, start: int, end: int) -> Iterator[Reference]:
    last = -1
    for one in file.references_in(start, end):
        if one.start >= last:
            last = one.end
            yield one


def prefixed(file: MakeFile) -> Iterator[Prefixed]:
    """All lists of a makefile whose words get a prefix or a suffix."""
    data = file.source.data
    loops: dict[str, list[Reference]] = {}  # by the variable that they give values, the innermost last
    for one in file.made_references:
        texts = [data[slice(*place)].decode("utf-8", "surrogateescape") for place in one.arguments]
        if one.is_function and one.name == "addprefix" and _has(one, 2):
            yield Prefixed(*one.arguments[1], texts[0].strip(), "", one)
        elif one.is_function and one.name == "addsuffix" and _has(one, 2):
            yield Prefixed(*one.arguments[1], "", texts[0].strip(), one)
        elif one.is_function and one.name == "patsubst" and _has(one, 3) and texts[0].strip() == "%":
            before, percent, behind = texts[1].strip().partition("%")
            if percent:
                yield Prefixed(*one.arguments[2], before, behind, one)
        elif one.is_function and one.name == "foreach" and _has(one, 3):
            loops.setdefault(texts[0].strip(), []).append(one)
        elif not one.is_function and one.name:
            yield from _pattern(data, one)
            loop = _loop(loops.get(one.name, []), one)
            yield from _in_list(data, one) if loop is None else _in_loop(data, one, loop)


def _has(one: Reference, count: int) -> bool:
    return len(one.arguments) == count


def _pattern(data: bytes, one: Reference) -> Iterator[Prefixed]:
    """A reference that itself gives the words of a list a prefix: `$(A:%=-l%)`."""
    behind = one.inner + len(one.name)
    if data[behind : behind + 2] == b":%":
        pattern, equals, new = data[behind + 1 : one.end - 1].decode("utf-8", "surrogateescape").partition("=")
        before, percent, after = new.partition("%")
        if equals and percent and pattern == "%":
            yield Prefixed(one.inner, behind, before, after, one, one.name)


def _in_list(data: bytes, one: Reference) -> Iterator[Prefixed]:
    """A reference with a prefix before it: `-l$(A)`."""
    before = data[max(0, one.start - len(LIBRARY) - 1) : one.start]
    if _last_word(before) == LIBRARY:
        yield Prefixed(one.inner, one.inner + len(one.name), LIBRARY, _suffix(data, one.end, len(data)), one, one.name)


def _in_loop(data: bytes, one: Reference, loop: Reference) -> Iterator[Prefixed]:
    """The variable of a loop with a prefix before it: `$(foreach x,$(A),-l$(x))`."""
    least, most = loop.arguments[2]
    before = _last_word(data[max(least, one.start - _LONGEST_AFFIX) : one.start])
    if before:
        yield Prefixed(*loop.arguments[1], before, _suffix(data, one.end, most), loop)


def _loop(loops: list[Reference], one: Reference) -> Reference | None:
    """The innermost of the loops that gives a reference its value; loops that have ended are dropped."""
    while loops and loops[-1].end <= one.start:
        loops.pop()
    for loop in reversed(loops):
        start, end = loop.arguments[2]
        if start <= one.start < end:
            return loop
    return None


def _last_word(data: bytes) -> str:
    return _BREAK.split(data)[-1].decode("utf-8", "surrogateescape")


def _suffix(data: bytes, start: int, most: int) -> str:
    match = _WORD.match(data, start, min(most, start + _LONGEST_AFFIX))
    assert match is not None
    return match[0].decode("utf-8", "surrogateescape")


def compared(file: MakeFile, lists: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The places of words that functions look for in some lists: `$(filter cudart,$(LIBS))`."""
    for one in file.made_references:
        is_choice = one.is_function and one.name in _CHOOSING and len(one.arguments) > 1
        if is_choice and passed(file, *one.arguments[-1]) & lists:
            yield from one.arguments[:-1]
