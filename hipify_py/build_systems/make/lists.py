"""Lists whose words get something before them: `$(addprefix -l,$(LIBS))`, `$(DIRS:%=-I%)`, `$(foreach x,…,-l$(x))`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hipify_py.build_systems.make.references import Reference
from hipify_py.records import NamedTuple

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
"""Functions, and which of their arguments their words are from."""
_CHOOSING = frozenset({"filter", "filter-out", "findstring", "subst", "patsubst"})
_ENDS = frozenset(" \t\r\n,)}\"'")


class Prefixed(NamedTuple):
    """A list, and what its words become.

    Attributes:
        start: where the list begins.
        end: behind it.
        prefix: what each word gets before it.
        suffix: what it gets behind it.
        whole: the reference that makes the new list.
        name: the variable that is the list, where that is named and not referred to (`$(NAME:%=-l%)`, `-l$(NAME)`).
    """

    start: int
    end: int
    prefix: str
    suffix: str
    whole: Reference
    name: str = ""

    @property
    def links(self) -> bool:
        """Its words are names of libraries that are linked."""
        return self.prefix == LIBRARY and not self.suffix

    @property
    def is_searched(self) -> bool:
        """Its words are folders of headers, or lie above those."""
        return self.prefix in _FOLDERS and self.suffix.strip("/") in {"", "include"}

    @property
    def is_own(self) -> bool:
        """Its words are names of files or folders of the project."""
        return self.prefix.endswith(("/", "lib")) or (self.suffix[:1] in {".", "/"} and self.prefix not in _FOLDERS)

    def variables(self, file: MakeFile) -> frozenset[str]:
        """The variables that the list is made of."""
        return frozenset({self.name}) if self.name else passed(file, self.start, self.end)


def passing(file: MakeFile, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A range and those in it whose words functions hand on: both of `A $(if $(X),B)`, but not the condition."""
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
    """All lists of a makefile whose words get something before or behind them."""
    data = file.source.data
    loops = [one for one in file.made_references if one.is_function and one.name == "foreach" and _has(one, 3)]
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
        elif not one.is_function:
            yield from _reference(data, one, loops)


def _has(one: Reference, count: int) -> bool:
    return len(one.arguments) == count


def _reference(data: bytes, one: Reference, loops: Sequence[Reference]) -> Iterator[Prefixed]:
    """A reference with a pattern (`$(A:%=-l%)`), or one that something stands before (`-l$(A)`)."""
    behind = one.inner + len(one.name)
    if one.name and data[behind : behind + 2] == b":%":
        pattern, equals, new = data[behind + 1 : one.end - 1].decode("utf-8", "surrogateescape").partition("=")
        before, percent, after = new.partition("%")
        if equals and percent and pattern == "%":
            yield Prefixed(one.inner, behind, before, after, one, one.name)
    loop = next((loop for loop in reversed(loops) if _binds(data, loop, one)), None)
    first = one.start
    least = loop.arguments[2][0] if loop is not None else 0
    while first > least and data[first - 1] not in b" \t\r\n,=\"'()":
        first -= 1
    before = data[first : one.start].decode("utf-8", "surrogateescape")
    if not before or not one.name:
        return
    last = one.end
    most = loop.arguments[2][1] if loop is not None else len(data)
    while last < most and chr(data[last]) not in _ENDS:
        last += 1
    suffix = data[one.end : last].decode("utf-8", "surrogateescape")
    if loop is not None:
        yield Prefixed(*loop.arguments[1], before, suffix, loop)
    elif before == LIBRARY:
        yield Prefixed(one.inner, behind, before, suffix, one, one.name)


def _binds(data: bytes, loop: Reference, one: Reference) -> bool:
    """A `foreach` gives the name of a reference its value."""
    start, end = loop.arguments[2]
    return start <= one.start < end and data[slice(*loop.arguments[0])].strip().decode("utf-8", "replace") == one.name


def compared(file: MakeFile, lists: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where words stand that functions look for in some lists: `$(filter cudart,$(LIBS))`."""
    for one in file.made_references:
        is_choice = one.is_function and one.name in _CHOOSING and len(one.arguments) > 1
        if is_choice and passed(file, *one.arguments[-1]) & lists:
            yield from one.arguments[:-1]
