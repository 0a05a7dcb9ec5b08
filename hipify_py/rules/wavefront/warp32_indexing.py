"""Notes where a program counts its lanes in 32 and is right on 64 lanes all the same."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.lane_arithmetic import COUNT
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.cross_warp_shuffles import crossings
from hipify_py.rules.wavefront.foreign_helpers import disagreements
from hipify_py.rules.wavefront.hardware_counts import mixed_lanes
from hipify_py.rules.wavefront.mixed_counts import mismatched
from hipify_py.unit import Unit


class Warp32Indexing(Rule):
    """A function that divides its threads by 32 throughout has two warps in each 64-lane wavefront, and is right.

    The note stands once a function, at the first number. A function that reaches beyond the 32 lanes has findings
    that say so instead.
    """

    id = "HIP307"
    VALID = (
        Example("__global__ void k(int *o) { o[threadIdx.x] = __shfl_xor(o[0], 1); }"),
        Example("__global__ void tile(int *o) { o[threadIdx.x % 32] = 0; }"),
        Example("__global__ void k(int *o) { int lane = threadIdx.x % warpSize; o[lane] = __shfl_xor(o[0], 1); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31; o[lane] = __shfl_xor(o[0], 1); }",
            None,
            ("HIP307",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.constants.is_ported or not context.calls or emulates_warp32(context):
            return
        crossing = [function for _, function in crossings(context)]
        mixed = {lane.function.start for lane, _ in mixed_lanes(context)}
        for place, *_ in disagreements(context):
            function = context.functions.at(place)
            mixed.update([] if function is None else [function.start])
        mixed |= {function.start for function in mismatched(context)}
        noted = mixed | {function.start for function in crossing} | context.helpers.askers(f.name for f in crossing)
        for site in context.arithmetic.sites:
            function = context.functions.at(site.start)
            if site.kind == COUNT or site.counted_in != THIRTY_TWO or function is None or function.start in noted:
                continue
            if context.counts_32(function) and (context.asks_lanes(function) or site.given == function.name):
                noted.add(function.start)
                text = " ".join(context.data[site.start : site.end].decode(errors="replace").split())
                yield unit.finding("HIP307", site.start, name=text, library="device", detail=text)
