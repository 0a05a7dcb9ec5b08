"""Says why `--fix wavefront` did not keep the warps of a source at 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, hindrance
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit


class Warp32NotEmulated(Rule):
    """With `--fix wavefront` the warps of a program that counts in 32 stay at 32 lanes, all of a file's or none.

    Where something in the file goes by the whole wavefront, or another file does that may ask for a header's functions,
    none of its warps are touched, and the note says what stands against it. A source that counts in `warpSize` alone
    needs nothing of the kind.
    """

    id = "HIP319"
    VALID = (Example("__global__ void k(int *o) { o[threadIdx.x % 32] = __shfl_xor(o[0], 16) / warpSize; }"),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if FAMILY not in unit.options.fixes or unit.is_hip or context.constants.is_ported or not context.calls:
            return
        reason = hindrance(context) if context.all_counts <= {THIRTY_TWO} else None  # what mixes is reported itself
        if reason is not None:
            call = context.calls[0]
            yield unit.finding("HIP319", call.use.start, name=call.name, library="device", detail=reason)
