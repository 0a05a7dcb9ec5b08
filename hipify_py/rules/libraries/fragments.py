"""Shapes of matrix fragments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.matrix_fragments import fragment_types

if TYPE_CHECKING:
    from tree_sitter import Node

_SQUARE = ((16, 16), (32, 32))


class FragmentShapes(Rule):
    """rocWMMA multiplies blocks of 16x16 and, on data-centre GPUs, of 32x32; CUDA also has 32x8, 8x32 and 8x8.

    A fragment of another shape is not documented to compile. The matrices have to be divided into blocks of 16x16,
    which
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
        for fragment in fragment_types(unit):
            sizes = [_size(unit, node) for node in fragment.shape]
            if len(sizes) == 3 and all(sizes) and (sizes[0], sizes[1]) not in _SQUARE:
                shape, use = "x".join(map(str, sizes)), fragment.use
                yield unit.finding("HIP502", use.start, name=use.row.name, library=use.row.library, detail=shape)


def _size(unit: Unit, node: Node) -> int:
    """A number, or the value of a name in the source; 0 where that is unknown."""
    inner = node.child_by_field_name("type") if node.type == "type_descriptor" else node
    if inner is not None and inner.type == "type_identifier":
        return constants_of(unit).named_value(text_of(inner)) or 0
    return constants_of(unit).value(inner) or 0
