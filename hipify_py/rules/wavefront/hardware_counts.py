"""Finds functions that take their lane from the hardware and count their warps in 32."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.hardware_lanes import HardwareLane
from hipify_py.analysis.warp.lane_arithmetic import LANE
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, means_a_warp
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.cross_warp_shuffles import is_single_warp
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_COUNTED = re.compile(
    rb"(?P<before>[*/%]|[-+]=|<\s*)\s*(?P<divisor>[A-Za-z_][\w:]*)\b(?!\s*[(.\[<])|"
    rb"(?<![\w.>:])(?P<factor>[A-Za-z_][\w:]*)(?=\s*[*])"
)
_STATIC_ASSERT = re.compile(rb"\bstatic_assert\b[^;]*\Z")


class HardwareCounts(Rule):
    """The lane that the hardware numbers goes to 63 on gfx9, where `threadIdx.x / 32` still begins a warp each 32.

    `if (lane == 0) s[warp] = sum;` then leaves every other warp without its sum. The function that asks for the
    lane may stand in another file of the project, as inline PTX (`%laneid`) or as CUB's `LaneId()`. With `--fix
    wavefront` PTX gives the lane within 32.
    """

    id = "HIP316"
    VALID = (
        Example("__device__ int lane() { return __lane_id(); }"),
        Example("__global__ void k(int *o) { int lane = __lane_id() & 31; o[threadIdx.x / 32] = lane; }"),
        Example(
            "__global__ void k(int *o) { int lane = __lane_id(); if (lane == 0) o[threadIdx.x / warpSize] = lane; }"
        ),
        Example("__global__ void k(int *o) { int tile = threadIdx.x / 32; o[tile] = 0; }"),
    )
    INVALID = (
        Example(
            "__device__ int lane() { return __lane_id(); }\n"
            "__global__ void k(int *o) { if (lane() == 0) o[threadIdx.x / 32] = 1; }",
            None,
            ("HIP316",),
        ),
        Example(
            "constexpr int kWarpSize = 32;\n"
            "__global__ void k(int *o, int n) { for (int i = __lane_id(); i < n; i += kWarpSize) o[i] = 1; }",
            None,
            ("HIP316",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        kept = emulates_warp32(context)  # which brings its own lanes down to 32, not those of another file
        for lane, counted in mixed_lanes(context):
            if kept and lane.name not in context.asked_elsewhere:
                continue
            name = lane.name.decode(errors="replace")
            yield unit.finding("HIP316", lane.place, name=name, library="device", detail=counted)


def mixed_lanes(context: WarpContext) -> Iterator[tuple[HardwareLane, str]]:
    """The hardware's lanes in functions that count in 32, and what does so; one each."""
    told: set[int] = set()
    for lane in () if context.constants.is_ported else context.hardware_lanes.places:
        function = lane.function
        if function.start in told or is_single_warp(context, function) or context.has_rows_of_32(lane.place):
            continue
        counted = counted_in_32(context, lane)
        if counted is not None:
            told.add(function.start)
            yield lane, counted


def counted_in_32(context: WarpContext, lane: HardwareLane) -> str | None:
    """What counts in 32 in a function that asks the hardware for its lane; None where nothing does."""
    function = lane.function
    for site in context.arithmetic.sites_in(function):
        text = context.data[site.start : site.end]
        if site.counted_in != THIRTY_TWO or site.start < function.start:
            continue
        if site.kind == LANE and lane.given and re.search(rb"\b" + re.escape(lane.given) + rb"\b", text):
            return None  # it is brought down to 32 lanes before it is used
        return " ".join(text.decode(errors="replace").split())
    return _stepped(context, function)


def _stepped(context: WarpContext, function: Function) -> str | None:
    """A step or a factor of a constant that stands for 32 lanes."""
    for match in _COUNTED.finditer(context.data, function.start, function.end):
        group = "factor" if match["factor"] is not None else "divisor"
        name = match[group]
        if not means_a_warp(name.rsplit(b":", 1)[-1]) or context.constants.counted_in(name) != THIRTY_TWO:
            continue
        line = context.data.rfind(b"\n", function.start, match.start()) + 1
        asserted = _STATIC_ASSERT.search(context.data, max(line, function.start), match.start())
        if asserted is None and context.lexemes.non_code_at(match.start(group)) is None:
            return name.decode(errors="replace")
    return None
