"""The names by which a file gives a warp its size."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.warp_constants import is_ported, means_a_warp
from hipify_py.project.warp_hints import NAMES_SIZES
from hipify_py.records import NamedTuple

_HINT = re.compile(rb"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"|(?P<hint>" + b"|".join(NAMES_SIZES) + rb")")
_REST_OF_NAME = re.compile(rb"\w*")
_DEFINE = re.compile(rb"[ \t]*#[ \t]*define[ \t]+")
_LINE = re.compile(rb"(?:[^\r\n\\]|\\\r?\n?)*")
_BLANKS = re.compile(rb"(?:\s|\\\r?\n|/\*(?s:.*?)\*/|//[^\n]*)*")
_BRACE = re.compile(
    rb"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    rb"|(?P<opening>(?:\bnamespace\b[^{};()]*)?\{)|(?P<closing>\})"
)
_CONSTANT = re.compile(rb"(?:[^\n]*[;{}])?(?=[^\n;{}]*\bconst)[\w\s:]+")
_VALUE = re.compile(rb"(?:[^;,{}=\r\n/]|/(?![/*]))*")
_GETTER = re.compile(
    rb"\s*\(\s*(?:void\s*)?\)(?:\s|const\b|noexcept\b)*"
    rb"\{\s*return\b(?P<value>[^;{}\n]*);\s*\}"
)
_THIRTY_TWO = re.compile(rb"\(?\s*(?:32|0x20)[uUlL]*\s*\)?")

BUILT_IN = b"warpSize"
"""The name that the compiler gives the size of a warp; a project may hide it with a constant of its own."""


class Sizes(NamedTuple):
    """The names that mean a warp's size: those that are 32 wherever a file defines them, and those that are not."""

    are_32: frozenset[bytes] = frozenset()
    others: frozenset[bytes] = frozenset()

    @property
    def agreed(self) -> frozenset[bytes]:
        """The names on which all definitions agree."""
        return self.are_32 - self.others


def sizes_in(data: bytes) -> Sizes:
    """What a file defines; one with branches for AMD GPUs is believed to know what it does, and no name of it is 32."""
    are_32: set[bytes] = set()
    others: set[bytes] = set()
    done = 0
    for hint in _HINT.finditer(data):
        if hint["hint"] is None or hint.start() < done:
            continue
        start, done = _name_start(data, hint.start()), _end(_REST_OF_NAME, data, hint.end())
        name = data[start:done]
        value = _value(data, start, done) if means_a_warp(name) else None
        if value is not None and (name != BUILT_IN or _is_for_others(data, start)):
            is_32 = _THIRTY_TWO.fullmatch(value) is not None
            (are_32 if is_32 and not is_ported(data) else others).add(name)
    return Sizes(frozenset(are_32), frozenset(others))


def _is_for_others(data: bytes, place: int) -> bool:
    """The definition at a place is a macro, or a constant in no braces but those of namespaces.

    That is asked of `warpSize` alone: everywhere else the name is the compiler's own.
    """
    line = data.rfind(b"\n", 0, place) + 1
    if _DEFINE.fullmatch(data, line, place) is not None:
        return True
    if _CONSTANT.fullmatch(data, line, place) is None:
        return False  # a variable, a parameter or one of a template
    inside: list[bool] = []
    for brace in _BRACE.finditer(data, 0, place):
        if brace["opening"]:
            inside.append(brace["opening"] != b"{")
        elif brace["closing"] and inside:
            inside.pop()
    return all(inside)


def _name_start(data: bytes, place: int) -> int:
    """Where the name begins that goes on at a place."""
    while place > 0 and (data[place - 1 : place].isalnum() or data[place - 1] == 0x5F):
        place -= 1
    return place


def _value(data: bytes, start: int, end: int) -> bytes | None:
    """What the name in `[start, end)` is defined as there; None where it is only used."""
    if _DEFINE.fullmatch(data, data.rfind(b"\n", 0, start) + 1, start) is not None:
        line_end = _end(_LINE, data, end)
        first = _end(_BLANKS, data, end, line_end)
        value = data[first : _end(_VALUE, data, first, line_end)].strip()
        return value if first > end and value else None
    getter = _GETTER.match(data, end)
    if getter is not None:
        return getter["value"].strip()
    sign = _end(_BLANKS, data, end)
    if data[sign : sign + 1] not in (b"=", b"{") or data[sign : sign + 2] == b"==":
        return None
    first = _end(_BLANKS, data, sign + 1)
    last = _end(_VALUE, data, first)
    behind = _end(_BLANKS, data, last)
    return data[first:last].strip() if data[behind : behind + 1] in (b";", b",", b"}") else None


def _end(pattern: re.Pattern[bytes], data: bytes, start: int, end: int | None = None) -> int:
    """Where what begins at a place and matches ends; the place itself where nothing does."""
    found = pattern.match(data, start, len(data) if end is None else end)
    return start if found is None else found.end()
