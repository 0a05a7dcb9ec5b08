"""Finds functions that count the lanes of a warp in 32 at one place and in `warpSize` at another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.functions import Function
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import WarpCall, WarpContext, warp_context
from hipify_py.rules.wavefront.keep_32 import FAMILY, keeps_32
from hipify_py.rules.wavefront.lane_arithmetic import COUNT
from hipify_py.rules.wavefront.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.unit import Unit

_OTHER = {THIRTY_TWO: FOLLOWS, FOLLOWS: THIRTY_TWO}
_LAST_STEP = re.compile(rb"\b__shfl\w*\s*\([^;]*,\s*32\s*\)")


class MixedCounts(Rule):
    """Where lanes are counted in `warpSize`, a reduction that starts at 16 leaves half of a 64-lane wavefront out.

    The other way round, one that starts at `warpSize / 2` adds two warps of 32 lanes up, each of which believes the
    sum its own. On NVIDIA GPUs both numbers are 32, so that nothing shows there. With `--fix wavefront` the loop
    follows: it starts at `warpSize / 2` where all that asks for it counts in `warpSize`.
    """

    id = "HIP306"
    VALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, v = o[lane];"
            " for (int i = warpSize / 2; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }"
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % 32, v = o[lane];"
            " for (int i = 16; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, v = o[lane];"
            " for (int i = 16; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }",
            None,
            ("HIP306",),
        ),
        Example(
            "__device__ int sum(int v) { for (int i = 16; i; i /= 2) v += __shfl_xor_sync(0xffffffffffffffffull, v, i);"
            " return v; }\n__global__ void k(int *o) { if (threadIdx.x % warpSize == 0) o[0] = sum(o[1]); }",
            None,
            ("HIP306",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        context = warp_context(unit)
        if context.constants.is_ported or keeps_32(context):
            return
        loops: dict[Function, list[WarpCall]] = {}
        for call in context.calls:
            if call.function is not None and not call.has_width and context.loop_reach(call) in _OTHER:
                loops.setdefault(call.function, []).append(call)
        helpers: dict[bytes, list[WarpCall]] = {}
        for function, calls in loops.items():
            reach = context.loop_reach(calls[0])
            if any(context.loop_reach(call) != reach or context.is_one_step(call) for call in calls):
                continue  # some of it is unrolled
            if not context.arithmetic.counts(function):
                helpers.setdefault(function.name, []).extend(calls)
            elif context.arithmetic.counts(function) == {_OTHER[str(reach)]} and not _has_last_step(context, function):
                yield from _told(context, calls, calls[0].use.start, calls[0].name)
        yield from _called(context, helpers)
        yield from _warps_counted(context)


def _told(context: WarpContext, calls: list[WarpCall], place: int, name: str) -> Iterator[Edit | Finding]:
    """The loops follow the lanes around them where that is asked for, and are reported otherwise."""
    limits = {limit for call in calls if (limit := context.loop_limit(call)) is not None}
    reach = str(context.loop_reach(calls[0]))
    if FAMILY in context.unit.options.fixes and reach == THIRTY_TWO and limits:
        for start, end in sorted(limits):
            is_whole = context.data[start:end].rstrip(b"uU") == b"32"
            yield Edit(start, end, b"warpSize" if is_whole else b"warpSize / 2")
        return
    yield context.unit.finding("HIP306", place, name=name, library="device", detail=_says(reach))


def _called(context: WarpContext, helpers: dict[bytes, list[WarpCall]]) -> Iterator[Edit | Finding]:
    """Reductions of one kind that functions of the other kind ask for."""
    for name, calls in helpers.items():
        places = [(place, context.arithmetic.counts(asker)) for place, asker in context.helpers.asking(name)]
        if not places:
            continue
        reach = str(context.loop_reach(calls[0]))
        other = {_OTHER[reach]}
        is_seen = not context.unit.source.is_header
        if is_seen and all(counts == other for _, counts in places):
            yield from _told(context, calls, places[0][0], name.decode())
            continue
        for place, counts in places:
            if counts == other:
                detail = _says(reach)
                yield context.unit.finding("HIP306", place, name=name.decode(), library="device", detail=detail)


def _warps_counted(context: WarpContext) -> Iterator[Edit | Finding]:
    """The number of a block's warps, counted otherwise than the warps themselves."""
    for site in context.arithmetic.sites:
        function = context.functions.at(site.start)
        if site.kind != COUNT or site.counted_in not in _OTHER or function is None:
            continue
        if context.arithmetic.counts(function) != {_OTHER[site.counted_in]} or not context.asks_lanes(function):
            continue
        text = context.data[site.start : site.end]
        if FAMILY in context.unit.options.fixes and text.endswith(b"32") and b"/" in text:
            yield Edit(site.end - 2, site.end, b"warpSize")
            continue
        detail = f"counts warps in {site.counted_in}, but the lanes around it are counted in {_OTHER[site.counted_in]}"
        name = text.decode(errors="replace")
        yield context.unit.finding("HIP306", site.start, name=name, library="device", detail=detail)


def _has_last_step(context: WarpContext, function: Function) -> bool:
    """A shuffle over 32 lanes joins the halves of a wavefront."""
    return _LAST_STEP.search(context.data, function.start, function.end) is not None


def _says(reach: str) -> str:
    if reach == THIRTY_TWO:
        return "goes over 32 lanes, but the lanes around it are counted in warpSize: half of a wavefront of 64 is lost"
    return "goes over warpSize lanes, but the lanes around it are counted in 32: two warps meet in a 64-lane wavefront"
