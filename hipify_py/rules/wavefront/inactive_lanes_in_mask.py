"""Finds masks that name lanes which are not there on 64-lane wavefronts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from hipify_py.analysis.warp.context import WarpCall, WarpContext, warp_context
from hipify_py.analysis.warp.divergence import first_expression
from hipify_py.analysis.warp.drop_sync_mask import drop_sync_mask, drops_its_mask, has_maskless_form
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32, masks_kept_narrow
from hipify_py.analysis.warp.lane_arithmetic import LANE
from hipify_py.analysis.warp.mask_checks import several_checks
from hipify_py.analysis.warp.masks.literals import FULL, is_all_lanes, is_called_full
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.edits import CompositeEdit, Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.cross_warp_shuffles import is_single_warp
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_NAME = re.compile(rb"[A-Za-z_]\w*")
_SET_TO = re.compile(rb"(?<![\w.>])([A-Za-z_]\w*)\s*(?:=(?!=)|[({])(?=([^;{}]{1,300}))")


_Place = Callable[[WarpContext, int, "Function | None"], bool]
"""Says of a place in a function who gets there."""


class InactiveLanesInMask(Rule):
    """A mask for all lanes is wrong where only a part of a wavefront gets.

    HIP compares the mask with the lanes that are there and traps where they differ, unless `NDEBUG` is defined. In
    CUDA a full mask says that the whole warp has come, but for the lanes that have returned; a wavefront of 64 may
    be half elsewhere all the same: in the last step of a block's reduction (`if (wid == 0)`), behind `if (i >= n)
    return;`, in a warp's own loop over its rows, in a block of 32 threads. The lanes that are there are meant, which
    the form without a mask takes. A header's functions get that form, too: who asks them is not seen.
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
            "__global__ void k(int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
            " o[i] = __shfl_xor_sync(0xffffffff, o[i], 1); }",
            "__global__ void k(int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
            " o[i] = __shfl_xor(o[i], 1); }",
        ),
        Example(
            "#include <hip/hip_runtime.h>\n__global__ void k(int *o) { int v = o[0]; if (threadIdx.x < 32)"
            " v = __shfl_xor_sync(0xffffffffffffffffull, v, 1); o[1] = v; }",
            None,
            ("HIP308",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding]:
        for call in _calls_with_inactive_lanes(warp_context(unit)):
            if unit.is_hip:
                yield unit.finding("HIP308", call.use.start, name=call.name, library="device")
            else:
                yield from drop_sync_mask(call)


def inactive_lane_masks(unit: Unit) -> frozenset[int]:
    """The places of the built-ins of a CUDA source whose full masks name lanes that are not there."""
    if unit.is_hip:
        return frozenset()
    return frozenset(call.use.start for call in _calls_with_inactive_lanes(warp_context(unit)))


@lru_cache(maxsize=4)
def dropped_masks(unit: Unit) -> frozenset[int]:
    """The places of the built-ins whose masks go, or stay as CUDA has them, whatever for."""
    return inactive_lane_masks(unit) | masks_kept_narrow(unit)


def are_lanes_missing(unit: Unit, place: int) -> bool:
    """Less than a whole wavefront may get to a place of a CUDA source."""
    context = warp_context(unit)
    return not context.constants.is_ported and _is_parted(context, place, context.functions.at(place))


@lru_cache(maxsize=4)
def _calls_with_inactive_lanes(context: WarpContext) -> tuple[WarpCall, ...]:
    if context.constants.is_ported or emulates_warp32(context):
        return ()
    masked = [call for call in context.calls if call.masked and drops_its_mask(context.unit, call)]
    full = [call for call in masked if _is_full(context, call)]
    # A mask that its author wrote for 64 lanes is doubted only where it must be wrong.
    wide = [call for call in full if context.argument(call, 0) == FULL]
    found = _where(context, wide, _is_one_warp)
    if not context.unit.is_hip:
        narrow = [call for call in full if context.argument(call, 0) != FULL]
        found += _where(context, narrow, _is_parted)
        found += [call for call in masked if call not in full and _names_lanes_of_32(context, call)]
        gone = {call.use.start for call in found}
        crowded = several_checks(context, [call for call in masked if call.use.start not in gone])
        found += [
            call
            for call in narrow
            if call.use.start not in gone and context.owner(call) in crowded and has_maskless_form(call)
        ]
    return tuple(found)


def _names_lanes_of_32(context: WarpContext, call: WarpCall) -> bool:
    """A shuffle's mask that is shifted to a lane counted in 32: in the upper half of a wavefront it names the lower.

    Which lanes a shuffle reads it says by itself; that those of its mask have come is what CUDA asks for.
    """
    mask = context.argument(call, 0)
    if not (call.is_shuffle or call.name == "__syncwarp") or call.function is None:
        return False
    if _NAME.fullmatch(mask) is None:
        return b"<<" in mask and context.counts_32(call.function) and context.arithmetic.has_lane(mask, call.function)
    return mask in _shifted_to_lanes_of_32(context)


@lru_cache(maxsize=4)
def _shifted_to_lanes_of_32(context: WarpContext) -> frozenset[bytes]:
    """The names that are set to something shifted to a lane counted in 32."""
    found = set()
    for match in _SET_TO.finditer(context.data) if b"<<" in context.data else ():
        value = first_expression(match[2])
        function = context.functions.at(match.start()) if b"<<" in value else None
        if function is None:
            continue
        sites = [site for site in context.arithmetic.sites_in(function) if site.kind == LANE]
        end = match.start(2) + len(value)
        if any(site.counted_in == THIRTY_TWO and match.start(2) <= site.start < end for site in sites) or (
            context.counts_32(function) and context.arithmetic.has_lane(value.split(b"<<", 1)[1], function)
        ):
            found.add(match[1])
    return frozenset(found)


def _where(context: WarpContext, calls: list[WarpCall], says: _Place) -> list[WarpCall]:
    """The built-ins at such places, and those in functions that are asked there."""
    if not calls:
        return []
    asked = context.helpers.asked_where(partial(says, context))
    return [call for call in calls if context.owner(call) in asked or says(context, call.use.start, call.function)]


def _is_one_warp(context: WarpContext, place: int, function: Function | None) -> bool:
    """The first 32 threads of a block alone get to a place."""
    return function is not None and (
        context.single_warp_region.reaches(place, function) or is_single_warp(context, function)
    )


def _is_parted(context: WarpContext, place: int, function: Function | None) -> bool:
    """Less than a whole wavefront may get to a place."""
    if context.unit.source.is_header and (
        function is None or b"__global__" not in context.data[function.head : function.start]
    ):
        return True  # who asks a header's function, and where, is not seen
    return function is not None and (
        _is_one_warp(context, place, function) or context.divergence.parts(place, function)
    )


def _is_full(context: WarpContext, call: WarpCall) -> bool:
    mask = context.argument(call, 0)
    if is_all_lanes(mask) or mask == FULL or is_called_full(mask):
        return True
    return _NAME.fullmatch(mask) is not None and _stands_for_all(context, mask, call.function)


def _stands_for_all(context: WarpContext, name: bytes, function: Function | None) -> bool:
    """A macro or a variable that is all lanes wherever it is set."""
    data = context.data
    head = b"" if function is None else data[function.head : function.start]
    if name in _NAME.findall(head):
        return False  # a parameter: its callers choose
    values = [
        data[define.end : context.lexemes.body_end(define)].split(b"//")[0]
        for define in context.lexemes.defines
        if define.text == name
    ]
    values += re.findall(rb"(?<![\w.>])" + name + rb"\s*(?:[-+&|^]|<<|>>)?(?:=(?!=)|\{)([^;{}]{1,80})[;}]", data)
    return bool(values) and all(is_all_lanes(value) for value in values)
