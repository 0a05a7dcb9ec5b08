"""References of Make (`$(NAME)`, `${NAME}`, `$@`, `$(function …)`) with their bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

DEEPEST = 24
"""How deep references may nest; deeper ones are parts of those around them, and nothing more is known of them."""

_UP_TO: Mapping[int, str] = {
    0: "or and call",
    1: "strip sort words firstword lastword dir notdir suffix basename wildcard realpath abspath error info warning"
    " shell origin flavor eval value guile",
    2: "findstring filter filter-out word addsuffix addprefix join file",
    3: "subst patsubst wordlist let foreach if",
    5: "intcmp",
}

FUNCTIONS: Mapping[str, int] = {name: most for most, names in _UP_TO.items() for name in names.split()}
"""Make's functions, and how many arguments each takes: the last one may hold commas; 0 for any number."""

_MARK = re.compile(rb"\$(?:\$|.)?|[(){},]", re.DOTALL)
_NAME = re.compile(rb"[^\s:#=(){}$,]+")
_DOUBLED = re.compile(rb"[({][\w.-]+[)}:]")


class Reference(NamedTuple):
    """A reference to a variable, or a call of a function.

    Attributes:
        start: its dollar sign.
        end: just after its bracket.
        inner: where its name begins.
        name: the variable's name, or the function's; empty if it is computed.
        arguments: of a function, where its arguments are; of a reference with substitutions (`$(A:.cu=.o)`), none.
        is_function: whether it calls a function.
        depth: how many references contain it.
    """

    start: int
    end: int
    inner: int
    name: str
    arguments: tuple[tuple[int, int], ...] = ()
    is_function: bool = False
    depth: int = 0


class _Open:
    __slots__ = ("closer", "commas", "inner", "is_reference", "start")

    def __init__(self, closer: bytes, start: int, inner: int, is_reference: bool) -> None:
        self.closer, self.start, self.inner, self.is_reference = closer, start, inner, is_reference
        self.commas: list[int] = []


def references(data: bytes, start: int, end: int, *, is_template: bool = False) -> list[Reference]:
    """The references of a range in the order of their beginnings, nested ones too.

    Args:
        data: the bytes.
        start: where the range begins.
        end: where it ends.
        is_template: whether it is expanded twice, like the argument of `$(eval)`: `$$(NAME)` is a reference as well.
    """
    found: list[Reference] = []
    opened: list[_Open] = []
    at, depth = start, 0
    while (match := _MARK.search(data, at, end)) is not None:
        mark, place, at = match[0], match.start(), match.end()
        first = mark[:1]
        if first == b"$":
            if mark == b"$$":
                if not is_template or _DOUBLED.match(data, at, end) is None:
                    continue
                mark, at = data[place : at + 1], at + 1
            if mark[-1:] in b"({" and len(mark) > 1:
                opened.append(_Open(b")" if mark[-1:] == b"(" else b"}", place, at, True))
                depth += 1
            elif len(mark) == 2 and not mark[1:].isspace() and depth <= DEEPEST:
                found.append(Reference(place, at, place + 1, _text(mark[1:]), (), False, depth))
        elif not opened:
            continue
        elif first == b",":
            if opened[-1].is_reference:
                opened[-1].commas.append(place)
        elif first in b"({":
            if (opened[-1].closer == b")") == (first == b"("):
                opened.append(_Open(opened[-1].closer, place, at, False))
        elif opened[-1].closer == first:
            last = opened.pop()
            if last.is_reference:
                depth -= 1
                if depth <= DEEPEST:
                    found.append(_reference(data, last, place, at, depth))
    found.sort()
    return found


def outermost(found: Sequence[Reference]) -> dict[int, int]:
    """Where the outermost references begin and end."""
    ends: dict[int, int] = {}
    last = -1
    for item in found:
        if item.start >= last:
            ends[item.start] = last = item.end
    return ends


def _reference(data: bytes, opened: _Open, inner_end: int, end: int, depth: int) -> Reference:
    match = _NAME.match(data, opened.inner, inner_end)
    name = "" if match is None else _text(match[0])
    behind = opened.inner if match is None else match.end()
    if name in FUNCTIONS and behind < inner_end and data[behind : behind + 1].isspace():
        most = FUNCTIONS[name]
        commas = opened.commas[: most - 1] if most else opened.commas
        starts = [behind + 1, *(comma + 1 for comma in commas)]
        ends = [*commas, inner_end]
        return Reference(opened.start, end, opened.inner, name, tuple(zip(starts, ends, strict=True)), True, depth)
    if behind < inner_end and data[behind : behind + 1] != b":":
        name = ""
    return Reference(opened.start, end, opened.inner, name, (), False, depth)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
