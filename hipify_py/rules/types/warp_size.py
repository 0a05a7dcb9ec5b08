"""Casts `warpSize` where an object will not do for an int."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import argument_position, compact
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

_NAME = b"warpSize"
_WANT_NO_OBJECT = frozenset((b"printf", b"fprintf", b"std::min", b"std::max"))


class WarpSizeObject(Rule):
    """`warpSize` is an object since HIP 7, which converts to int where an int is asked for.

    Neither the variable arguments of `printf` nor the template parameter of `std::min` ask for one, so it is cast
    there. Everywhere else it stays, and so does a variable of that name which the source declares itself.
    """

    id = "warp-size-object"
    triggers = words("warpSize")
    VALID = (
        Example("__global__ void k(int *x) { x[0] = min(warpSize, 3); }"),
        Example('__global__ void k() { printf("%d", warpSize / 2); }'),
        Example('void f(int warpSize) { printf("%d", warpSize); }'),
    )
    INVALID = (
        Example(
            '__global__ void k() { printf("%d", warpSize); }',
            '__global__ void k() { printf("%d", static_cast<int>(warpSize)); }',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for place in names_of(unit).places(_NAME):
            end = place + len(_NAME)
            node = unit.tree.leaf(place, end) if unit.lexemes.non_code_at(place) is None else None
            if node is None or _is_own(unit, place, end):
                continue
            while node.parent is not None and node.parent.type == "parenthesized_expression":
                node = node.parent
            position = argument_position(node)
            function = position[0].child_by_field_name("function") if position is not None else None
            if compact(function).removeprefix(b"::") in _WANT_NO_OBJECT:
                yield Edit(node.start_byte, node.start_byte, b"static_cast<int>(")
                yield Edit(node.end_byte, node.end_byte, b")")


def _is_own(unit: Unit, start: int, end: int) -> bool:
    """The name means what the source declares by it."""
    if any(define.text == b"warpSize" for define in unit.lexemes.defines):
        return True
    leaf = unit.tree.leaf(start, end)
    return leaf is not None and bool(names_of(unit).meant_by(leaf))
