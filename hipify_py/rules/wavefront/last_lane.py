"""Finds the last lane of a warp written as 31 where the lanes are counted in `warpSize`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, emulates_warp32
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_LAST = rb"(?<![\w.])(?P<{0}>(?:31|0x1[fF])[uU]?(?![\w.'])|\(?\s*(?:32|[A-Za-z_][\w:]*)\s*-\s*1[uU]?\s*\)?(?![\w.]))"
_LANE = rb"(?<![\w.])(?P<{0}>[A-Za-z_][\w.]*(?:\s*\(\s*\))?|\([^()]*\)|threadIdx\.x\s*%\s*warpSize)"
_COMPARED = re.compile(
    _LANE.replace(b"{0}", b"lane")
    + rb"\s*[!=]=\s*"
    + _LAST.replace(b"{0}", b"last")
    + rb"|"
    + _LAST.replace(b"{0}", b"first")
    + rb"\s*[!=]=\s*"
    + _LANE.replace(b"{0}", b"behind")
)
_NUMBER = re.compile(rb"(?:31|0x1[fF])[uU]?")
_LESS_ONE = re.compile(rb"\(?\s*(32|[A-Za-z_][\w:]*)\s*-\s*1[uU]?\s*\)?")


class LastLane(Rule):
    """The last lane of a warp holds its sum after a scan; it is lane 63 of a 64-lane wavefront.

    A program that takes its lanes from `warpSize` and asks for lane 31 means the last one, and gets the middle of the
    wavefront. With `--fix wavefront` it becomes `warpSize - 1`. Where lanes are counted in 32, lane 31 is the last of
    each of the two warps in a wavefront, and right.
    """

    id = "HIP313"
    VALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31; if (lane == 31) o[0] = __shfl_xor(o[1], 1); }"
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize;"
            " if (lane == warpSize - 1) o[0] = __shfl_xor(o[1], 1); }"
        ),
        Example("__global__ void k(int n) { int lane = threadIdx.x % warpSize; if (n == 31) __shfl_xor(n, lane); }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize; int v = __shfl_up(o[lane], 1);"
            " if (lane == 31) o[0] = v; }",
            None,
            ("HIP313",),
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize;"
            " o[threadIdx.x] = __shfl(o[threadIdx.x], 31) + lane; }",
            None,
            ("HIP313",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        context = warp_context(unit)
        if context.constants.is_ported or emulates_warp32(context):
            return
        for start, end in sorted({*_compared(context), *_read(context)}):
            if FAMILY in unit.options.fixes:
                text = unit.source.data[start:end]
                yield Edit(start, end, b"(warpSize - 1)" if text.startswith(b"(") else b"warpSize - 1")
            else:
                name = unit.source.data[start:end].decode(errors="replace")
                yield unit.finding("HIP313", start, name=name, library="device")


def _compared(context: WarpContext) -> Iterator[tuple[int, int]]:
    """Lanes that are compared with the last of 32."""
    for match in _COMPARED.finditer(context.data):
        group, lane = ("last", match["lane"]) if match["last"] is not None else ("first", match["behind"])
        function = context.functions.at(match.start())
        if function is None or context.lexemes.non_code_at(match.start()) is not None:
            continue
        is_lane = _follows(context, function) and context.arithmetic.has_lane(lane, function)
        if is_lane and _is_last(context, match[group]):
            yield match.span(group)


def _read(context: WarpContext) -> Iterator[tuple[int, int]]:
    """Shuffles that hand the last of 32 lanes to all."""
    for call in context.calls:
        if call.name not in ("__shfl", "__shfl_sync") or call.has_width or call.call is None or call.function is None:
            continue
        if _follows(context, call.function) and _is_last(context, context.argument(call, call.first + 1)):
            yield call.call.arguments[call.first + 1]


def _follows(context: WarpContext, function: Function) -> bool:
    return context.counts(function) == {FOLLOWS} and context.asks_lanes(function)


def _is_last(context: WarpContext, text: bytes) -> bool:
    """A text is 31, as a number, as a constant's name less one, or as a constant."""
    if _NUMBER.fullmatch(text):
        return True
    less = _LESS_ONE.fullmatch(text)
    return less is not None and (less[1] == b"32" or context.constants.values.get(less[1].rsplit(b":", 1)[-1]) == 32)
