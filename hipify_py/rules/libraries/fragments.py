"""Shapes of matrix fragments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.unit import Unit

_SHAPE = re.compile(rb"\s*<\s*[\w:]+\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,")
_SQUARE = ((16, 16), (32, 32))


class FragmentShapes(Rule):
    """rocWMMA multiplies blocks of 16x16 and, on data-centre GPUs, of 32x32; CUDA also has 32x8, 8x32 and 8x8.

    A fragment of another shape is not documented to compile. The matrices have to be cut into blocks of 16x16, which
    changes the loop around them, not the arithmetic.
    """

    id = "HIP502"
    triggers = uses("nvcuda::wmma::fragment")
    VALID = (
        Example("template <int N> struct fragment;\nfragment<3> f;"),
        Example("rocwmma::fragment<rocwmma::matrix_a, 32, 8, 16, float> f;"),
    )
    INVALID = (
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 32, 8, 16, float> f;",
            "rocwmma::fragment<rocwmma::accumulator, 32, 8, 16, float> f;",
            ("HIP502",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for use in unit.uses:
            if use.row.name != "nvcuda::wmma::fragment":
                continue
            match = _SHAPE.match(unit.source.data, use.end)
            sizes = [_size(unit, word) for word in match.groups()] if match else []
            if len(sizes) == 3 and all(sizes) and (sizes[0], sizes[1]) not in _SQUARE:
                shape = "x".join(map(str, sizes))
                yield unit.finding("HIP502", use.start, name=use.row.name, library=use.row.library, detail=shape)


def _size(unit: Unit, word: bytes) -> int:
    """A number, or what the source's only definition of a constant makes of a name; 0 where that is not to be seen."""
    if word.isdigit():
        return int(word)
    found = re.findall(rb"(?:define\s+|int\s+|,\s*)" + re.escape(word) + rb"\s*=?\s*([0-9]{1,3})\b", unit.source.data)
    return int(found[0]) if len(found) == 1 else 0
