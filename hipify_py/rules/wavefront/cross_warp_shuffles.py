"""Finds warp built-ins that reach beyond the 32 lanes that their function counts on, and keeps them within."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.crossings import crossings_of
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.edits import CompositeEdit, Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Rule, Support
from hipify_py.rules.triggers import WARP_BUILT_INS, words
from hipify_py.rules.wavefront.warp32_edits import emulated
from hipify_py.translation import AppliedFix
from hipify_py.unit import Unit


class CrossWarpShuffles(Rule):
    """A 64-lane wavefront holds two warps of a program that counts its lanes in 32.

    `__shfl_sync(mask, v, 0)` then reads the first lane of both, a ballot holds the votes of both, and the lane
    numbers that go with them are those of one. What stays within 32 lanes by itself (a reduction by halves from
    16, a shuffle with a width of 32, what only the first warp of a block gets to) is right as it stands. The
    others are kept within their 32 lanes, shuffles by a width, votes by the support header, unless something in the
    program goes by the whole wavefront, or `--no-fix wavefront` asks for the code as it is: then they are reported.
    """

    id = "HIP304"
    triggers = words(*WARP_BUILT_INS)
    fixes = NO_FIXES
    VALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31, v = o[threadIdx.x];"
            " v = __shfl_sync(0xffffffffffffffffull, v, 0, 32); o[threadIdx.x] = v + lane; }"
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, v = o[threadIdx.x];"
            " v = __shfl_sync(0xffffffffffffffffull, v, 0); o[threadIdx.x] = v + lane; }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31, v; if (lane == 0) v = atomicAdd(o, 32);"
            " o[threadIdx.x] = __shfl_sync(0xffffffffffffffffull, v, 0); }",
            None,
            ("HIP304",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | CompositeEdit | AppliedFix | Support]:
        context = warp_context(unit)
        if emulates_warp32(context):
            yield from emulated(context)
            return
        crossings = crossings_of(unit)
        for call, function in crossings.all():
            is_certain, is_ported = crossings.is_certain(call, function), context.constants.is_ported
            if is_ported and not is_certain:
                continue  # whoever made branches for AMD GPUs has looked at what is left
            is_given = not context.counts(function) and crossings.is_given(call)
            id = "HIP304" if is_certain and not is_ported else "HIP305"
            yield unit.finding(id, call.use.start, name=call.name, library="device", detail=_says(call, is_given))


def _says(call: WarpCall, is_given: bool) -> str:
    name = call.name
    if is_given:
        return (
            "reads a lane of 64 by a number from memory or from the host, which CUDA counts in 32, and it has no width"
        )
    if name.startswith("__shfl"):
        return (
            "reads across the 64 lanes of a wavefront, but the lanes around it are counted in 32, and it has no width"
        )
    if name.startswith("__reduce"):
        return "combines all 64 lanes of a wavefront, but the lanes around it are counted in 32"
    return "sees all 64 lanes of a wavefront, but the lanes around it are counted in 32"
