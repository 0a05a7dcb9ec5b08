"""How far the helpers of a unit go that leave it to others how lanes are counted."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.crossings import crossings_of
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.unrolled import chains
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.records import NamedTuple


class Helper(NamedTuple):
    """A function or macro that goes over 32 lanes, over `warpSize` lanes, or hears of whoever is in the wavefront."""

    name: bytes
    is_over_32: bool
    is_over_all: bool
    is_full_wave_collective: bool


def helpers_of(context: WarpContext) -> Iterator[Helper]:
    """The helpers of a unit, in the order of their places; none of one with branches for AMD GPUs."""
    if context.constants.is_ported:
        return
    by_owner: dict[bytes, list[WarpCall]] = {}
    for call in context.calls:
        owner, function = context.owner(call), call.function
        is_kernel = function is not None and function.is_kernel
        if owner is not None and not context.lanes.counts(function) and not is_kernel:
            by_owner.setdefault(owner, []).append(call)
    written_out = {chain.owner for chain in chains(context)}
    emulated, crossings = emulates_warp32(context), crossings_of(context.unit)
    for owner, calls in by_owner.items():
        calls = [call for call in calls if not call.has_width and call.name != "__syncwarp"]
        reaches = {context.ranges.of_warp(call) for call in calls if context.ranges.fixed_distance(call) is None}
        if emulated:
            yield Helper(owner, bool(calls), False, False)
        else:
            is_over_32 = THIRTY_TWO in reaches or owner in written_out
            hears = any(crossings.is_full_wave_collective(call) for call in calls)
            yield Helper(owner, is_over_32, FOLLOWS in reaches, hears)
