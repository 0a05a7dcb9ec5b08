"""Notes where a program counts its lanes in 32 and is right on 64 lanes all the same."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.crossings import crossings_of
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.lanes import Site, text_at
from hipify_py.analysis.warp.mixed_counts import mixed_counts_of
from hipify_py.analysis.warp.thread_indices import COUNT
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
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
        for site in self._first_sites(context):
            text = text_at(unit, site).decode(errors="replace")
            yield unit.finding("HIP307", site.start, name=text, library="device", detail=text)

    def _first_sites(self, context: WarpContext) -> Iterator[Site]:
        """The first number of each function that is right as it stands."""
        noted = _reported(context)
        for site in context.lanes.sites:
            function = context.functions.at(site.start)
            if site.kind == COUNT or site.counted_in != THIRTY_TWO or function is None or function.start in noted:
                continue
            if context.counts_32(function) and (context.asks_lanes(function) or context.lanes.is_returned(site)):
                noted.add(function.start)
                yield site


def _reported(context: WarpContext) -> set[int]:
    """The functions that have findings of their own, by the places of their bodies."""
    mixed, crossing = mixed_counts_of(context.unit), [found.function for found in crossings_of(context.unit).all()]
    places = [context.functions.at(found.place) for found in mixed.disagreements()]
    found = {function.start for function in (*mixed.mismatched(), *crossing, *places) if function is not None}
    found.update(lane.function.start for lane, _ in mixed.hardware_lanes())
    return found | context.callers.all_of(function.name for function in crossing)
