"""Takes out the variables that nothing but dropped masks had a use for."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.dropped_masks import dropped_masks_of
from hipify_py.edits import CompositeEdit, replaced
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.unit import Unit


class UnusedMasks(Rule):
    """A function's constant that was the mask of built-ins alone has no use when their masks go.

    The compiler would warn of it, so its declaration goes as well, unless a comment on its line speaks of it.
    Constants outside of functions stay: another file may include this one.
    """

    id = "unused-masks"
    triggers = facts(Fact.SYNC_WORDS)
    VALID = (
        Example("__device__ int f(int v) { const unsigned m = 0x3; return m; }"),
        Example("__global__ void k(int *o) { const unsigned all = 0xffffffff; o[0] = all; }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) {\n  const unsigned all = 0xffffffff;\n"
            "  if (threadIdx.x < 32) o[0] = __shfl_xor_sync(all, o[1], 1);\n}\n",
            "__global__ void k(int *o) {\n  if (threadIdx.x < 32) o[0] = __shfl_xor(o[1], 1, 32);\n}\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        for variable in dropped_masks_of(unit).unused_variables:
            place = _whole(unit, variable.owner.start_byte, variable.owner.end_byte)
            if place is not None:
                yield replaced(*place)


def _whole(unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """A statement with the line that it has for itself, or with the blanks behind it; None beside a comment."""
    if unit.lexemes.define_around(start) is not None:
        return None
    data = unit.source.data
    (line, _), (_, next_line) = unit.source.line_bounds(start), unit.source.line_bounds(end)
    if not data[line:start].strip() and not data[end:next_line].strip():
        return line, next_line
    while data[end : end + 1] in (b" ", b"\t"):
        end += 1
    return None if unit.lexemes.non_code_at(end) is not None else (start, end)
