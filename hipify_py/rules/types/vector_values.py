"""Initializers of vector types that leave elements out."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.builtin_types import vector

_MARKS = lazy_pattern(rb"""[();{#"']|/[/*]""")


class VectorValues(Rule):
    """`float4 v = {0}` is an aggregate in CUDA, whose other elements are zero; HIP's type has constructors.

    One value in braces is rejected after `=`, and fills all elements without it; two for four are rejected; so are
    designators, and an array's flat list of numbers. The missing zeros, and the braces of an array's elements, are
    written out.
    """

    id = "vector-values"
    triggers = facts(Fact.USED_TYPES)
    VALID = (
        Example("float4 a = {1, 2, 3, 4}; float2 b = {}; float4 c{a};"),
        Example("struct S { float4 f; }; int3 g() { return make_int3(1, 2, 3); }"),
    )
    INVALID = (
        Example("__constant__ uint4 z = {0};", "__constant__ uint4 z = {0, 0, 0, 0};"),
        Example("__constant__ float3 a{x, y};", "__constant__ float3 a{x, y, 0};"),
        Example("__constant__ int2 d[2] = {{1}, {2, 3}};", "__constant__ int2 d[2] = {{1, 0}, {2, 3}};"),
        Example("__constant__ int2 d[] = {1, 2, 3, 4};", "__constant__ int2 d[] = {{1, 2}, {3, 4}};"),
        Example("__constant__ float2 v = {.x = 1, .y = 2};", "__constant__ float2 v = {1, 2};"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for use in unit.uses:
            type = vector(use.row.name) if use.row.kind == "type" else None
            if type is None or type.size < 2 or not _may_have_braces(unit, use):
                continue
            from hipify_py.rules.types.vector_lists import complete, initializer_lists

            for values, depth in initializer_lists(unit.tree.leaf(use.start, use.end)):
                yield from complete(values, type.size, depth)


def _may_have_braces(unit: Unit, use: Use) -> bool:
    """Whether braces precede the end of the statement, or of the list around a type; nearly none needs a tree."""
    depth = 0
    for mark in _MARKS.finditer(unit.source.data, use.end):
        text = mark[0]
        if text in (b"(", b")"):
            depth += 1 if text == b"(" else -1
        if depth < 0 or text == b";":
            return False
        if text not in (b"(", b")"):
            return True  # braces, or what may hide them
    return False
