"""Finds functions that take their lane from the hardware and count their warps in 32."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.mixed_counts import mixed_counts_of
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, texts, words
from hipify_py.unit import Unit


class HardwareCounts(Rule):
    """The lane that the hardware numbers goes to 63 on gfx9, where `threadIdx.x / 32` still begins a warp each 32.

    `if (lane == 0) s[warp] = sum;` then leaves every other warp without its sum. The function that asks for the
    lane may stand in another file of the project, as inline PTX (`%laneid`) or as CUB's `LaneId()`. Where
    the program's warps are kept at 32 lanes, PTX gives the lane within 32.
    """

    id = "HIP316"
    triggers = words("*LaneId*", "*__lane_id*", "*get_sreg_laneid*") | texts("%laneid")
    triggers |= facts(Fact.PROJECT_LANE_HELPERS)
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
        Example(
            "enum { WARP_SIZE = 32, STEP = WARP_SIZE };\n__device__ int lane() { return __lane_id(); }\n"
            "__device__ void fill(int *o, int n) { for (int i = lane(); i < n; i += WARP_SIZE) o[i] = 1; }",
            None,
            ("HIP316",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        emulated = emulates_warp32(context)  # which brings its own lanes down to 32, not those of another file
        mixed = mixed_counts_of(unit)
        told: set[int] = set()
        for lane, counted in (*mixed.hardware_lanes(), *mixed.lanes_seen_outside()):
            if lane.place in told or (emulated and lane.name not in context.asked_elsewhere):
                continue
            told.add(lane.place)
            name = lane.name.decode(errors="replace")
            yield unit.finding("HIP316", lane.place, name=name, library="device", detail=counted)
