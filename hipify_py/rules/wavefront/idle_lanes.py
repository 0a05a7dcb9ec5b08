"""Finds masks that name lanes which are not there on 64-lane wavefronts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import WarpCall, WarpContext, warp_context
from hipify_py.rules.wavefront.half_crossings import is_single_warp
from hipify_py.rules.wavefront.keep_32 import keeps_32
from hipify_py.rules.wavefront.masks.literals import FULL, is_all_lanes
from hipify_py.unit import Unit

_CALLED_FULL = re.compile(rb"(?i:\w*(?:full|all)\w*mask\w*|\w*mask\w*(?:full|all)\w*)")


class IdleLanes(Rule):
    """A mask for all lanes is wrong where only the first 32 threads of a block get: half of their wavefront is idle.

    HIP compares the mask with the lanes that are there and traps where they differ, unless `NDEBUG` is defined. The
    last step of a block's reduction (`if (wid == 0)`) and blocks of 32 threads are such places.
    """

    id = "HIP308"
    VALID = (
        Example(
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(__activemask(), v, 1); o[1] = v; }"
        ),
        Example("__global__ void k(int *o) { o[1] = __shfl_xor_sync(0xffffffffffffffffull, o[0], 1); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(0xffffffffffffffffull, v, 1); o[1] = v; }",
            None,
            ("HIP308",),
        ),
        Example(
            "__device__ int sum(int v) { return v + __shfl_xor_sync(0xffffffffffffffffull, v, 1); }\n"
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x / 32 == 0) v = sum(v); o[1] = v; }",
            None,
            ("HIP308",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.is_ported or keeps_32(context):
            return
        helpers: set[bytes] = set()
        for call in context.calls:
            if call.function is None or not call.masked or not _is_full(context, call):
                continue
            if context.in_first_warp(call.use.start, call.function) or is_single_warp(context, call.function):
                yield unit.finding("HIP308", call.use.start, name=call.name, library="device")
            else:
                helpers.add(call.function.name)
        if helpers:
            yield from _called(context, helpers)


def _is_full(context: WarpContext, call: WarpCall) -> bool:
    mask = context.argument(call, 0)
    return is_all_lanes(mask) or mask == FULL or _CALLED_FULL.fullmatch(mask) is not None


def _called(context: WarpContext, helpers: set[bytes]) -> Iterator[Finding]:
    """Functions with such masks, asked by the first warp of a block."""
    names = b"|".join(sorted(map(re.escape, helpers), reverse=True))
    for match in re.finditer(rb"(?<![\w.>])(" + names + rb")\s*(?:<[\w\s,:]*>\s*)?\(", context.data):
        function, place = context.functions.at(match.start()), match.start(1)
        if function is None or place < function.start or context.lexemes.skip_at(place) is not None:
            continue
        if context.in_first_warp(place, function) or is_single_warp(context, function):
            yield context.unit.finding("HIP308", place, name=match[1].decode(), library="device")
