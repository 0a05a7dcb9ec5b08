"""Finds the last lane of a warp written as 31 where the lanes are counted in `warpSize`."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, emulates_warp32
from hipify_py.analysis.warp.groups_of_32 import groups_of_32
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import WARP_BUILT_INS, Fact, facts, words
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import operator_of
from hipify_py.semantics.functions import Function
from hipify_py.translation import AppliedFix
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_LAST = 31


class LastLane(Rule):
    """The last lane of a warp holds its sum after a scan; it is lane 63 of a 64-lane wavefront.

    A program that takes its lanes from `warpSize` and asks for lane 31 means the last one, and gets the middle of the
    wavefront. It becomes `warpSize - 1`, unless `--no-fix wavefront` asks for the code as it is. Where lanes are
    counted in 32, lane 31 is the last of each of the two warps in a wavefront, and right.
    """

    id = "HIP313"
    triggers = (words("warpSize") | facts(Fact.PROJECT_WAVEFRONT_NAMES)) & words(*WARP_BUILT_INS)
    fixes = NO_FIXES
    VALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31; if (lane == 31) o[0] = __shfl_xor(o[1], 1); }"
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize;"
            " if (lane == warpSize - 1) o[0] = __shfl_xor(o[1], 1); }"
        ),
        Example("__global__ void k(int n) { int lane = threadIdx.x % warpSize; if (n == 31) __shfl_xor(n, lane); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize; int v = __shfl_up(o[lane], 1);"
            " if (lane == 31) o[0] = v; }",
            None,
            ("HIP313",),
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize;"
            " o[threadIdx.x] = __shfl(o[threadIdx.x], 31) + lane; }",
            None,
            ("HIP313",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | AppliedFix]:
        context = warp_context(unit)
        if context.constants.is_ported or emulates_warp32(context):
            return
        found = {node.start_byte: node for node in (*_compared(context), *_read(context))}
        for start, node in sorted(found.items()):
            is_bracketed = node.type == "parenthesized_expression"
            edit = Edit(start, node.end_byte, b"(warpSize - 1)" if is_bracketed else b"warpSize - 1")
            if unit.options.mends(FAMILY, self.id):
                yield edit
                yield AppliedFix(start, FAMILY)
            else:
                name = unit.source.data[start : node.end_byte].decode(errors="replace")
                yield unit.finding("HIP313", start, name=name, library="device", fix=[edit])


def _compared(context: WarpContext) -> Iterator[Node]:
    """What lanes are compared with where that is the last of 32."""
    for function in context.functions:
        if function.body is None or not _follows(context, function):
            continue
        for node in context.unit.tree.nodes("binary_expression", within=function.body):
            if operator_of(node) not in ("==", "!="):
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            for lane, last in ((left, right), (right, left)):
                if last is not None and _is_last(context, last) and context.lanes.has_lane(lane):
                    yield last


def _read(context: WarpContext) -> Iterator[Node]:
    """Shuffles that hand the last of 32 lanes to all."""
    for call in context.calls:
        if not call.is_indexed or call.has_width or call.function is None or call.distance is None:
            continue
        if groups_of_32(context.unit).has(call):
            continue
        if _follows(context, call.function) and _is_last(context, call.distance):
            yield call.distance


def _follows(context: WarpContext, function: Function) -> bool:
    return context.asks_lanes(function) and context.counts(function) == {FOLLOWS}


def _is_last(context: WarpContext, node: Node) -> bool:
    """An expression is 31: a number, a constant, a constant less one."""
    return constants_of(context.unit).value(node) == _LAST
