"""The types of integers as they are written, and how wide they are."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import NamedTuple

_NARROW = re.compile(rb"(?:std::|::|cuda::std::)?u?int32_t|uint|u32|(?:unsigned|signed)(?:\s+int)?|int(?:\s+unsigned)?")
_WIDE = re.compile(
    rb"(?:std::|::|cuda::std::)?u?int64_t|size_t|std::size_t|u64|ull|ulonglong|(?:un)?signed\s+long(?:\s+long)?(?:\s+int)?"
    rb"|long\s+long(?:\s+unsigned)?(?:\s+int)?|long(?:\s+unsigned)?(?:\s+int)?|long\s+(?:long\s+)?unsigned(?:\s+int)?"
)
_QUALIFIERS = re.compile(
    rb"(?:\b(?:const|volatile|constexpr)\s+)*+(.*?)(?:\s+(?:const|volatile|constexpr)\b)*+\Z", re.DOTALL
)
_LONGEST = 64  # bytes; no spelling of these types is longer


class Width(Enum):
    """How wide the integers of a type are."""

    NARROW = 32
    WIDE = 64
    DEDUCED = 0
    """`auto`: as wide as its value."""
    OTHER = -1


class Spelling(NamedTuple):
    """A type's width, and the part of its text that says so."""

    width: Width
    start: int
    end: int


@cache
def spelling(text: bytes) -> Spelling:
    """What a type's text says; qualifiers around it are left out of the part."""
    if len(text) > _LONGEST or (match := _QUALIFIERS.match(text)) is None:
        return Spelling(Width.OTHER, 0, 0)
    core = match[1]
    if core in (b"auto", b"decltype(auto)"):
        width = Width.DEDUCED
    elif _NARROW.fullmatch(core):
        width = Width.NARROW
    else:
        width = Width.WIDE if _WIDE.fullmatch(core) else Width.OTHER
    return Spelling(width, *match.span(1))
