"""Finds masks that name lanes which are not there on 64-lane wavefronts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit, Reshape
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import WarpCall, WarpContext, warp_context
from hipify_py.rules.wavefront.half_crossings import is_single_warp
from hipify_py.rules.wavefront.keep_32 import keeps_32
from hipify_py.rules.wavefront.maskless import drops_its_mask, without_mask
from hipify_py.rules.wavefront.masks.literals import FULL, is_all_lanes
from hipify_py.unit import Unit

_CALLED_FULL = re.compile(rb"(?i:\w*(?:full|all)\w*mask\w*|\w*mask\w*(?:full|all)\w*)")


class IdleLanes(Rule):
    """A mask for all lanes is wrong where only the first 32 threads of a block get: half of their wavefront is idle.

    HIP compares the mask with the lanes that are there and traps where they differ, unless `NDEBUG` is defined. The
    last step of a block's reduction (`if (wid == 0)`) and blocks of 32 threads are such places. In CUDA a full mask
    says there that the whole warp has come: the lanes that are there are meant, which the form without a mask takes.
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
            " v = __shfl_xor_sync(0xffffffff, v, 1); o[1] = v; }",
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32) v = __shfl_xor(v, 1); o[1] = v; }",
        ),
        Example(
            "__device__ int sum(int v) { return v + __shfl_xor_sync(0xffffffff, v, 1); }\n"
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x / 32 == 0) v = sum(v); o[1] = v; }",
            "__device__ int sum(int v) { return v + __shfl_xor(v, 1); }\n"
            "__global__ void k(int *o) { int v = o[0]; if (threadIdx.x / 32 == 0) v = sum(v); o[1] = v; }",
        ),
        Example(
            "#include <hip/hip_runtime.h>\n__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(0xffffffffffffffffull, v, 1); o[1] = v; }",
            None,
            ("HIP308",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Reshape | Finding]:
        for call in _idle_calls(warp_context(unit)):
            if unit.is_hip:
                yield unit.finding("HIP308", call.use.start, name=call.name, library="device")
            elif drops_its_mask(unit, call):
                yield from without_mask(call)


def idle_masks(unit: Unit) -> frozenset[int]:
    """The places of the built-ins of a CUDA source whose full masks name lanes that are not there."""
    if unit.is_hip:
        return frozenset()
    return frozenset(call.use.start for call in _idle_calls(warp_context(unit)) if drops_its_mask(unit, call))


def _idle_calls(context: WarpContext) -> list[WarpCall]:
    if context.constants.is_ported or keeps_32(context):
        return []
    full = [call for call in context.calls if call.function is not None and call.masked and _is_full(context, call)]
    asked = _asked_by_first_warp(context, {call.function.name for call in full if call.function is not None})
    return [
        call
        for call in full
        if call.function is not None
        and (
            call.function.name in asked
            or context.first_warp.reaches(call.use.start, call.function)
            or is_single_warp(context, call.function)
        )
    ]


def _is_full(context: WarpContext, call: WarpCall) -> bool:
    mask = context.argument(call, 0)
    return is_all_lanes(mask) or mask == FULL or _CALLED_FULL.fullmatch(mask) is not None


def _asked_by_first_warp(context: WarpContext, helpers: set[bytes]) -> set[bytes]:
    """Those of the functions that the first warp of a block calls by itself."""
    names = b"|".join(sorted(map(re.escape, helpers), reverse=True))
    asked = set()
    for match in re.finditer(rb"(?<![\w.>])(" + names + rb")\s*(?:<[\w\s,:]*>\s*)?\(", context.data) if helpers else ():
        function, place = context.functions.at(match.start()), match.start(1)
        if function is None or place < function.start or context.lexemes.skip_at(place) is not None:
            continue
        if context.first_warp.reaches(place, function) or is_single_warp(context, function):
            asked.add(match[1])
    return asked
