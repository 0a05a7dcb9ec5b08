"""Initializers of vector types that leave elements out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.frontend.brackets import match_forward
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.vector_types import vector
from hipify_py.unit import Unit

_HEAD = re.compile(rb"\s*(?:[A-Za-z_]\w*\s*((?:\[[^\[\]]*\]\s*)*)(?:=\s*)?)?(?=\{)")
_NUMBER = re.compile(rb"[-+]?(?:0[xX][\da-fA-F]+|\d*\.?\d+\.?(?:[eE][-+]?\d+)?)[uUlLfF]*")
_ZERO = re.compile(rb"0[uUlL]*|0?\.0*[fF]?|0\.?[fF]?")
_DESIGNATOR = re.compile(rb"\.\s*([xyzw])\s*=\s*")


class VectorValues(Rule):
    """`float4 v = {0}` is an aggregate in CUDA, whose other elements are zero; HIP's type has constructors.

    One value in braces is refused after `=`, and fills all elements without it; two for four are refused; so are
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
        data = unit.source.data
        for use in unit.uses:
            type = vector(use.row.name) if use.row.kind == "type" else None
            head = _HEAD.match(data, use.end) if type is not None and type.size > 1 else None
            if type is None or head is None:
                continue
            yield from _completed(unit, head.end(), type.size, (head[1] or b"").count(b"["))


def _completed(unit: Unit, opening: int, size: int, depth: int) -> Iterator[Edit]:
    """The edits that complete the list that opens at a brace, `depth` array dimensions above its vectors."""
    data, lexemes = unit.source.data, unit.lexemes
    found = match_forward(lexemes, opening, len(data))
    if found is None or found[0] - opening > 100_000:
        return
    closing, commas = found
    items = []
    for before, end in zip([opening, *commas], [*commas, closing], strict=True):
        start = lexemes.after(before + 1)
        if start < end:
            items.append((start, lexemes.before(end) + 1))
    if not items:
        return
    if depth:
        inner = [start for start, _ in items if data[start : start + 1] == b"{"]
        for start in inner:
            yield from _completed(unit, start, size, depth - 1)
        if not inner and all(_NUMBER.fullmatch(data, *item) is not None for item in items):
            if len(items) == 1 and _ZERO.fullmatch(data, *items[0]) is not None:
                yield Edit(*items[0], b"")
            elif depth == 1:
                yield from _grouped(items, size)
        return
    designators = [_DESIGNATOR.match(data, start, end) for start, end in items]
    names = b"".join(match[1] for match in designators if match is not None)
    if any(designators):
        if len(names) != len(items) or not b"xyzw".startswith(names):
            return
        for match in designators:
            if match is not None:
                yield Edit(*match.span(), b"")
    elif len(items) == 1 and _NUMBER.fullmatch(data, *items[0]) is None:
        return  # a vector to copy, as likely as a number
    if len(items) < size and all(data[start : start + 1] != b"{" for start, _ in items):
        end = items[-1][1]
        yield Edit(end, end, b", 0" * (size - len(items)))


def _grouped(items: list[tuple[int, int]], size: int) -> Iterator[Edit]:
    """Braces around each vector's numbers, the last one filled up."""
    for first in range(0, len(items), size):
        group = items[first : first + size]
        yield Edit(group[0][0], group[0][0], b"{")
        yield Edit(group[-1][1], group[-1][1], b", 0" * (size - len(group)) + b"}")
