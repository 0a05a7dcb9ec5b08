"""Splits shifts by a warp's size less a lane, which shift by 32 bits in lane 0."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.decisions import KEPT, warp_decisions
from hipify_py.dataflow.operations import BINARY
from hipify_py.dataflow.summaries import summaries_of
from hipify_py.dataflow.uniformity import LANE
from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.expressions import bare, operator_of, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_SHIFT = re.compile(rb"(?:<<|>>)\s*\(?\s*(?:32[uU]?|[A-Za-z_][\w:]*(?:\s*\(\s*\))?)\s*-")
_SIZE_ELSEWHERE = re.compile(rb"[\w:]*warp_?size(?:\s*\(\s*\))?", re.IGNORECASE)


class LaneShifts(Rule):
    """A shift by 32 bits gives 0 on NVIDIA GPUs, and on AMD GPUs what it is given: C++ leaves it open.

    `__popc(votes << (32 - lane))` counts the votes of the lanes below, and none for lane 0. On AMD GPUs that lane would
    count all. The shift is made in two steps, which is the same for every lane. OpenCV, cuVS and nvbio write it so.
    """

    id = "lane-shifts"
    triggers = texts("32 - ", "32-", "32u", "32U", "ize -", "ize-", "ize() -", "IZE -", "IZE-", "anes -", "ANES -")
    VALID = (
        Example("__device__ int f(unsigned m) { return m << (31 - threadIdx.x % 32); }"),
        Example("__device__ int f(unsigned m) { return m << (32 - (threadIdx.x % 32 + 1)); }"),
        Example("__device__ unsigned f(unsigned x, int r) { return x << r | x >> (32 - r); }"),
    )
    INVALID = (
        Example(
            "__device__ int f(unsigned m) { return __popc(m << (32 - threadIdx.x % 32)); }",
            "__device__ int f(unsigned m) { return __popc(m << 1 << (31 - threadIdx.x % 32)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or _SHIFT.search(unit.source.data) is None or not unit.tree.is_available:
            return
        for node in unit.tree.nodes("binary_expression"):
            right = node.child_by_field_name("right")
            size = _size(unit, node, right)
            if size is not None and warp_decisions(unit).at(node.start_byte) == KEPT and _is_of_lanes(unit, node):
                left, value = node.child_by_field_name("left"), number(text_of(size))
                if left is not None:
                    yield Edit(left.end_byte, left.end_byte, f" {operator_of(node)} 1".encode())
                    if value is None:
                        yield Edit(size.end_byte, size.end_byte, b" - 1")
                    else:
                        yield Edit(size.start_byte, size.end_byte, text_of(size).replace(b"32", b"31"))


def _size(unit: Unit, shift: Node, count: Node | None) -> Node | None:
    """The size of a warp in `x << (SIZE - y)`; None for any other expression."""
    if operator_of(shift) not in ("<<", ">>") or count is None:
        return None
    difference = bare(count)
    if difference.type != "binary_expression" or operator_of(difference) != "-":
        return None
    size = difference.child_by_field_name("left")
    is_size = size is not None and _SIZE_ELSEWHERE.fullmatch(text_of(size)) is not None
    return size if is_size or constants_of(unit).value(size) == 32 else None


def _is_of_lanes(unit: Unit, shift: Node) -> bool:
    """What a shift takes off the warp's size differs from lane to lane, and may be 0."""
    function = functions_of(unit).at(shift.start_byte)
    known = summaries_of(unit).device_function(function) if function is not None else None
    if known is None:
        return False
    for operation in known.lowered.operations:
        if operation.code == BINARY and operation.node.id == shift.id:
            difference = known.lowered.definition(operation.arguments[1])
            lane = difference.arguments[1] if difference is not None else -1
            return known.uniformity.of(lane).level == LANE and known.intervals.of(lane, operation).low < 1
    return False
