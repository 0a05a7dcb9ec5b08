"""CUDA's vector types: `float4`, `uchar2`."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = re.compile(r"(u?)(char|short|int|long|longlong|float|double)([1-4])")


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
