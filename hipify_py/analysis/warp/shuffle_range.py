"""How far the helpers of a source go that leave it to others how lanes are counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.warp.context import WarpCall, WarpContext
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.unrolled import chains
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.rules.wavefront.cross_warp_shuffles import is_full_wave_collective


class Helper(NamedTuple):
    """A function or macro that goes over 32 lanes, over `warpSize` lanes, or hears of whoever is in the wavefront."""

    name: bytes
    is_over_32: bool
    is_over_all: bool
    is_full_wave_collective: bool


def helpers_of(context: WarpContext) -> Iterator[Helper]:
    """The helpers of a source, in the order of their places; none of a source with branches for AMD GPUs."""
    if context.constants.is_ported:
        return
    by_owner: dict[bytes, list[WarpCall]] = {}
    for call in context.calls:
        owner = context.owner(call)
        if owner is not None and not context.arithmetic.counts(call.function) and not _is_kernel(context, call):
            by_owner.setdefault(owner, []).append(call)
    written_out = {chain.owner for chain in chains(context)}
    kept = emulates_warp32(context)
    for owner, calls in by_owner.items():
        calls = [call for call in calls if not call.has_width and call.name != "__syncwarp"]
        reaches = {context.loop_reach(call) for call in calls if not context.is_one_step(call)}
        if kept:
            yield Helper(owner, bool(calls), False, False)
        else:
            is_over_32 = THIRTY_TWO in reaches or owner in written_out
            hears = any(is_full_wave_collective(context, call) for call in calls)
            yield Helper(owner, is_over_32, FOLLOWS in reaches, hears)


def _is_kernel(context: WarpContext, call: WarpCall) -> bool:
    function = call.function
    return function is not None and b"__global__" in context.data[function.head : function.start]
