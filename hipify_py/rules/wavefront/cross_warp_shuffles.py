"""Finds warp built-ins that reach beyond the 32 lanes that their function counts on, and keeps them within."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hipify_py.analysis.warp.context import WarpCall, WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32, kept
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.edits import CompositeEdit, Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_COUNTED = re.compile(rb"\b__popc(?:ll)?\s*\([~(\s]*\Z")
_ASSIGNED = re.compile(rb"\b([A-Za-z_]\w*)\s*[&|^]?=\s*(?:\([\w\s]+\)\s*)?\Z")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LONGEST_HEAD, _LONGEST_GUARD, _LONGEST_USE = 120, 600, 6000  # bytes looked at around a call


class CrossWarpShuffles(Rule):
    """A 64-lane wavefront holds two warps of a program that counts its lanes in 32.

    `__shfl_sync(mask, v, 0)` then reads the first lane of both, a ballot holds the votes of both, and the lane
    numbers that go with them are those of one. What stays within 32 lanes by itself (a reduction by halves from
    16, a shuffle with a width of 32, what only the first warp of a block gets to) is right as it stands. With
    `--fix wavefront` the others are kept within their 32 lanes: shuffles by a width, votes by the support header.
    """

    id = "HIP304"
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

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | CompositeEdit | Support]:
        context = warp_context(unit)
        if emulates_warp32(context):
            yield from kept(context)
            return
        for call, function in crossings(context):
            certain, is_ported = _is_certain(context, call, function), context.constants.is_ported
            if is_ported and not certain:
                continue  # whoever made branches for AMD GPUs has looked at what is left
            id = "HIP304" if certain and not is_ported else "HIP305"
            yield unit.finding(id, call.use.start, name=call.name, library="device", detail=_says(call))


@lru_cache(maxsize=4)
def crossings(context: WarpContext) -> tuple[tuple[WarpCall, Function], ...]:
    """The built-ins that may hear of the other 32 lanes of a wavefront, and the functions around them."""
    return tuple(
        (call, call.function)
        for call in context.calls
        if call.call is not None
        and call.function is not None
        and not call.has_width
        and context.counts_32(call.function)
        and not _stays(context, call, call.function)
    )


def is_full_wave_collective(context: WarpContext, call: WarpCall) -> bool:
    """A built-in of which a function that counts in 32 would hear from the other half of its wavefront."""
    if call.call is None or call.has_width:
        return False
    if call.function is None:
        return not call.name.startswith(("__shfl_xor", "__shfl_down", "__syncwarp"))
    return not _stays(context, call, call.function)


def _stays(context: WarpContext, call: WarpCall, function: Function) -> bool:
    """Nothing of the other half of a wavefront comes in, or nothing is done with it."""
    name = call.name
    if (
        name == "__syncwarp"
        or _is_one_warp(context, call.use.start, function)
        or _is_asked_by_one_warp(context, function)
    ):
        return True
    if name.startswith(("__shfl_xor", "__shfl_down")):
        return context.reach(call) == THIRTY_TWO or name.startswith("__shfl_xor")
    if name.startswith("__shfl_up"):
        behind = context.data[call.use.end : min(call.use.end + _LONGEST_GUARD, function.end)]
        return context.reach(call) == THIRTY_TWO and _is_guarded(context, behind, function)
    if name == "__activemask":
        return _bits_used(context, call, function) is not True
    return False


def _is_one_warp(context: WarpContext, place: int, function: Function) -> bool:
    return context.single_warp_region.reaches(place, function) or is_single_warp(context, function)


def _is_asked_by_one_warp(context: WarpContext, function: Function) -> bool:
    """A helper that is asked for only where one warp of a block gets."""
    asking = context.helpers.asking(function.name)
    return bool(asking) and all(_is_one_warp(context, *asked) for asked in asking)


def is_single_warp(context: WarpContext, function: Function) -> bool:
    """The blocks of a kernel have 32 threads: there is no second half."""
    head = b"".join(context.data[function.head : function.start].split())
    bound = re.search(rb"__launch_bounds__\(([\w:]+)[,)]", head)
    if bound is not None and (bound[1] == b"32" or context.constants.counted_in(bound[1]) == THIRTY_TWO):
        return True
    return function.name in context.launches.single_warp_kernels


def _is_guarded(context: WarpContext, behind: bytes, function: Function) -> bool:
    """A lane is compared before the value that comes from below is used."""
    for match in re.finditer(rb"([A-Za-z_]\w*(?:\s*\(\s*\))?)\s*(?:>=|>|<|<=)\s*[\w(]", behind):
        if context.arithmetic.has_lane(match[1], function) or b"lane" in match[1].lower():
            return True
    return re.search(rb"(?:&\s*31|%\s*\w+)\s*\)?\s*(?:>=|>|<)", behind) is not None


def _is_certain(context: WarpContext, call: WarpCall, function: Function) -> bool:
    """The upper half computes something else, whatever the data."""
    name = call.name
    if name.startswith("__shfl"):
        if name.startswith(("__shfl_up", "__shfl_down")):
            return False
        if context.arithmetic.has_lane(context.argument(call, call.first + 1), function):
            return True
        return _is_each_warps_own(context, call, function)
    if name.startswith(("__ballot", "__match", "__activemask")):
        return _bits_used(context, call, function) is True and bool(context.arithmetic.counts(function))
    return name in ("__reduce_add_sync", "__reduce_xor_sync")


def _is_each_warps_own(context: WarpContext, call: WarpCall, function: Function) -> bool:
    """The value that one lane hands to all is one that another warp has otherwise, not one of the whole block."""
    value = context.argument(call, call.first)
    if context.arithmetic.has_warp(value, function):
        return True
    if _NAME.fullmatch(value) is None:
        return b"atomic" in value
    taken = re.compile(rb"\b" + re.escape(value) + rb"\s*=\s*atomic\w+\s*\(")
    start = max(function.start, call.use.start - _LONGEST_USE)
    return taken.search(context.data, start, call.use.start) is not None


def _bits_used(context: WarpContext, call: WarpCall, function: Function) -> bool | None:
    """The bits of a ballot are counted, or compared with a lane; None where it cannot be told.

    That the first of them is looked up alone says little: where all warps of a block vote on the same, the first
    vote of two warps is the first of one.
    """
    data, start = context.data, call.use.start
    head = data[max(start - _LONGEST_HEAD, 0) : start]
    if _COUNTED.search(head):
        return True
    assigned = _ASSIGNED.search(head)
    if assigned is None:
        return None
    end = min(call.use.end + _LONGEST_USE, function.end)
    name = re.escape(assigned[1])
    counted = re.compile(
        rb"\b__popc(?:ll)?\s*\([^;]{0,80}\b" + name + rb"\b|\b" + name + rb"\s*&\s*\(+\s*1[uUlL]*\s*<<"
    )
    if counted.search(data, call.use.end, end) is not None:
        return True
    first = re.compile(rb"(?:\b([A-Za-z_]\w*)\s*=(?!=)\s*|==\s*\(?\s*)__ffs(?:ll)?\s*\(\s*" + name + rb"\s*\)\s*-\s*1")
    found = first.search(data, call.use.end, end)
    if found is None or found[1] is None:
        return found is not None
    leader = re.escape(found[1])
    return re.compile(rb"==\s*" + leader + rb"\b|\b" + leader + rb"\s*==").search(data, found.end(), end) is not None


def _says(call: WarpCall) -> str:
    name = call.name
    if name.startswith("__shfl"):
        return (
            "reads across the 64 lanes of a wavefront, but the lanes around it are counted in 32, and it has no width"
        )
    if name.startswith("__reduce"):
        return "combines all 64 lanes of a wavefront, but the lanes around it are counted in 32"
    return "sees all 64 lanes of a wavefront, but the lanes around it are counted in 32"
