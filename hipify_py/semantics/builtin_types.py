"""Built-in types as they are written: integers and their widths, and vectors."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern

# CUDA's vector types: `float4`, `uchar2`.

_NAME = lazy_pattern(r"(u?)(char|short|int|long|longlong|float|double)([1-4])")


class Vector(NamedTuple):
    """A vector type: the type and the number of its elements."""

    element: str
    size: int


def vector(type: str) -> Vector | None:
    """The vector type of a name; None for any other type."""
    match = _NAME.fullmatch(type)
    if match is None or (match[1] and match[2] in ("float", "double")):
        return None
    return Vector(("unsigned " if match[1] else "") + match[2].replace("longlong", "long long"), int(match[3]))


_NARROW = lazy_pattern(
    rb"(?:std::|::|cuda::std::)?u?int32_t|uint|u32|(?:unsigned|signed)(?:\s+int)?|int(?:\s+unsigned)?"
)
_WIDE = lazy_pattern(
    rb"(?:std::|::|cuda::std::)?u?int64_t|size_t|std::size_t|u64|ull|ulonglong|(?:un)?signed\s+long(?:\s+long)?(?:\s+int)?"
    rb"|long\s+long(?:\s+unsigned)?(?:\s+int)?|long(?:\s+unsigned)?(?:\s+int)?|long\s+(?:long\s+)?unsigned(?:\s+int)?"
)
_WORD = lazy_pattern(rb"\S+")
_QUALIFIERS = frozenset((b"const", b"volatile", b"constexpr"))
_MOST_WORDS = 5
"""Words of a type, without qualifiers: `unsigned long long int`, and one more that makes it another type."""


class Width(Enum):
    """The width of an integer type."""

    NARROW = 32
    WIDE = 64
    DEDUCED = 0
    """`auto`: as wide as its value."""
    OTHER = -1


class Spelling(NamedTuple):
    """A type's width, and the part of its text that determines it."""

    width: Width
    start: int
    end: int


@lru_cache(maxsize=1 << 14)
def spelling(text: bytes) -> Spelling:
    """The width of a type's text; qualifiers around it are not in the part."""
    words = list(islice(_WORD.finditer(text), _MOST_WORDS + 3 * len(_QUALIFIERS)))
    while words and words[0][0] in _QUALIFIERS:
        words.pop(0)
    while words and words[-1][0] in _QUALIFIERS:
        words.pop()
    if not 0 < len(words) < _MOST_WORDS:
        return Spelling(Width.OTHER, 0, 0)
    span = words[0].start(), words[-1].end()
    core = text[slice(*span)]
    if core in (b"auto", b"decltype(auto)"):
        width = Width.DEDUCED
    elif _NARROW.fullmatch(core):
        width = Width.NARROW
    else:
        width = Width.WIDE if _WIDE.fullmatch(core) else Width.OTHER
    return Spelling(width, *span)
