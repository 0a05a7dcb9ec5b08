"""Says why the warps of a source that counts in 32 were not kept at 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, hindrance
from hipify_py.analysis.warp.mixed_counts import mixed_counts_of
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import WARP_BUILT_INS, Fact, facts, words
from hipify_py.unit import Unit


class Warp32NotEmulated(Rule):
    """The warps of a program that counts in 32 stay at 32 lanes: those of all files that share helpers, or none.

    Where something in such a file goes by the whole wavefront, no warps are touched: half of a program that was kept at
    32 lanes would hear of the other half. Where that leaves a warning, the note says what stands against it. A source
    that counts in `warpSize` alone needs nothing of the kind.
    """

    id = "HIP319"
    triggers = words(*WARP_BUILT_INS) | facts(Fact.PROJECT_MIXED_IN)
    VALID = (Example("__global__ void k(int *o) { o[threadIdx.x % 32] = __shfl_xor(o[0], 16) / warpSize; }"),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if FAMILY not in unit.options.fixes or unit.is_hip or context.constants.is_ported:
            return
        reason = hindrance(context) if context.all_counts <= {THIRTY_TWO} else None  # what mixes is reported itself
        mixed = mixed_counts_of(unit)
        if reason is None or not mixed.goes_by_both():
            return
        calls = [(call.use.start, call.name) for call in context.calls]
        lanes = [(lane.place, lane.name.decode(errors="replace")) for lane, _ in mixed.hardware_lanes()]
        helpers = [(found.place, found.name.decode(errors="replace")) for found in mixed.disagreements()]
        place, name = (calls or lanes or helpers)[0]
        yield unit.finding("HIP319", place, name=name, library="device", detail=reason)
