"""Finds functions that count the lanes of a warp in 32 at one place and in `warpSize` at another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.frontend.functions import Function
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import COUNT, FOLLOWS, THIRTY_TWO, WarpContext, warp_context
from hipify_py.rules.wavefront.keep_32 import keeps_32
from hipify_py.unit import Unit

_OTHER = {THIRTY_TWO: FOLLOWS, FOLLOWS: THIRTY_TWO}
_LAST_STEP = re.compile(rb"\b__shfl\w*\s*\([^;]*,\s*32\s*\)")


class MixedCounts(Rule):
    """Where lanes are counted in `warpSize`, a reduction that starts at 16 leaves half of a 64-lane wavefront out.

    The other way round, one that starts at `warpSize / 2` adds two warps of 32 lanes up, each of which believes the
    sum its own. On NVIDIA GPUs both numbers are 32, so that nothing shows there.
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

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.is_ported or keeps_32(context):
            return
        helpers: dict[bytes, str] = {}
        seen: set[int] = set()
        for call in context.calls:
            function, reach = call.function, context.loop_reach(call)
            if function is None or call.has_width or reach not in _OTHER or function.start in seen:
                continue
            if context.is_one_step(call):
                continue
            seen.add(function.start)
            counts = context.counts(function)
            if not counts:
                helpers[function.name] = reach
            elif counts == {_OTHER[reach]} and not _has_last_step(context, function):
                yield unit.finding("HIP306", call.use.start, name=call.name, library="device", detail=_says(reach))
        yield from _called(context, helpers)
        yield from _warps_counted(context)


def _called(context: WarpContext, helpers: dict[bytes, str]) -> Iterator[Finding]:
    """Reductions of one kind that functions of the other kind ask for."""
    if not helpers:
        return
    names = b"|".join(sorted(map(re.escape, helpers), reverse=True))
    for match in re.finditer(rb"(?<![\w.>])(" + names + rb")\s*(?:<[\w\s,:]*>\s*)?\(", context.data):
        function, reach = context.functions.at(match.start()), helpers[match[1]]
        if function is None or match.start() < function.start or context.lexemes.skip_at(match.start()) is not None:
            continue
        if context.counts(function) == {_OTHER[reach]}:
            yield context.unit.finding(
                "HIP306", match.start(1), name=match[1].decode(), library="device", detail=_says(reach)
            )


def _warps_counted(context: WarpContext) -> Iterator[Finding]:
    """The number of a block's warps, counted otherwise than the warps themselves."""
    for site in context.sites:
        function = context.functions.at(site.start)
        if site.kind != COUNT or site.counted_in not in _OTHER or function is None:
            continue
        if context.counts(function) == {_OTHER[site.counted_in]} and context.has_calls(function):
            name = context.data[site.start : site.end].decode(errors="replace")
            detail = (
                f"counts warps in {site.counted_in}, but the lanes around it are counted in {_OTHER[site.counted_in]}"
            )
            yield context.unit.finding("HIP306", site.start, name=name, library="device", detail=detail)


def _has_last_step(context: WarpContext, function: Function) -> bool:
    """A shuffle over 32 lanes joins the halves of a wavefront."""
    return _LAST_STEP.search(context.data, function.start, function.end) is not None


def _says(reach: str) -> str:
    if reach == THIRTY_TWO:
        return "goes over 32 lanes, but the lanes around it are counted in warpSize: half of a wavefront of 64 is lost"
    return "goes over warpSize lanes, but the lanes around it are counted in 32: two warps meet in a 64-lane wavefront"
