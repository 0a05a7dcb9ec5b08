"""Finds steps between lanes that count on a warp running in step, with nothing to keep the compiler from reordering."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY
from hipify_py.analysis.warp.lane_arithmetic import THREAD_NAME
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_STEP = re.compile(
    rb"\b([A-Za-z_]\w*)\s*\[\s*([A-Za-z_][\w.]*)\s*\]\s*(?:[+*&|^]?=)(?!=)[^;{}]{0,200}?"
    rb"\b\1\s*\[\s*\2\s*(?P<sign>[-+])\s*([A-Za-z_]\w*|\d+)[uU]?\s*\][^;{}]{0,100};"
)
_NEXT_STEP = re.compile(rb"[\s}]*(?:if\s*(?:constexpr\s*)?\([^;{}]{0,100}\)\s*\{?\s*)?\Z")
_LOOP = re.compile(rb"\bfor\s*\(([^;{}]*);[^;{}]*;[^;{}]*?\)\s*\{?\s*(?:if\s*\([^;{}]{0,100}\)\s*\{?\s*)?\Z")
_SYNCHRONISES = re.compile(rb"\b(?:__sync\w+|\w*\.sync|__threadfence\w*)\s*\(|\bbarrier\b|\bSYNC\w*\b")
_VOLATILE = re.compile(rb"\bvolatile\b[^;{}()]{0,100}")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LONGEST_HEAD = 300  # bytes looked at in front of a step


class WarpSynchronous(Rule):
    """Old reductions let the last warp run without a barrier, on the strength of its lanes running in step.

    The lanes of a wavefront do run in step, but the compiler knows nothing of it: unless the shared memory is
    `volatile`, it may keep a sum in a register over several steps. With `--fix wavefront` a `__syncwarp()` goes
    between the steps; a `volatile` tail is right as it stands, on 64 lanes too.
    """

    id = "HIP309"
    VALID = (
        Example(
            "__device__ void tail(volatile float *s, int tid)"
            " { s[tid] += s[tid + 32]; s[tid] += s[tid + 16]; s[tid] += s[tid + 8]; }"
        ),
        Example(
            "__device__ void tail(float *s, int tid)"
            " { s[tid] += s[tid + 2]; __syncwarp(); s[tid] += s[tid + 1]; __syncwarp(); }"
        ),
    )
    INVALID = (
        Example(
            "__device__ void tail(float *s, int tid) { s[tid] += s[tid + 16]; s[tid] += s[tid + 8]; }",
            None,
            ("HIP309",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        context = warp_context(unit)
        data = unit.source.data
        volatile = _volatile_names(data)
        last: re.Match[bytes] | None = None
        told = -1  # the body of the function that has its finding
        for step in _STEP.finditer(data):
            function = context.functions.at(step.start())
            if function is None or unit.lexemes.non_code_at(step.start()) is not None or step.start() < function.start:
                last = None
                continue
            follows = last is not None and last[1] == step[1] and _follows(data, last, step)
            if follows and step["sign"] == b"-" and not _is_threads(context, step[2], function):
                follows = False  # one thread sums up what lies in front of it
            if (follows or _is_loop(context, step, function)) and not _is_volatile(
                context, volatile.get(step[1], []), function
            ):
                if FAMILY in unit.options.fixes and follows and last is not None:
                    yield Edit(last.end(), last.end(), b" __syncwarp();")
                elif told != function.start:
                    told = function.start
                    name = step[1].decode(errors="replace")
                    yield unit.finding("HIP309", step.start(), name=name, library="device")
            last = step


def _follows(data: bytes, last: re.Match[bytes], step: re.Match[bytes]) -> bool:
    """One step comes right after another over half the distance, or, in a scan, over twice of it."""
    if not (last[4].isdigit() and step[4].isdigit() and last["sign"] == step["sign"]):
        return False
    near, far = (step, last) if step["sign"] == b"+" else (last, step)
    if int(near[4]) * 2 != int(far[4]) or int(far[4]) > 64:
        return False
    return _NEXT_STEP.match(data[last.end() : step.start()]) is not None


def _is_threads(context: WarpContext, index: bytes, function: Function) -> bool:
    """Each thread has an index of its own."""
    return THREAD_NAME.fullmatch(index) is not None or context.divergence.is_own(index, function)


def _is_loop(context: WarpContext, step: re.Match[bytes], function: Function) -> bool:
    """All steps stand in a loop over the distance, from at most 32, without a barrier."""
    if step[4].isdigit():
        return False
    data = context.data
    start = max(step.start() - _LONGEST_HEAD, function.start)
    head = data[start : step.start()]
    loop = _LOOP.search(head)
    if (
        loop is None
        or re.search(rb"\b" + step[4] + rb"\s*=\s*(?:16|32|warpSize(?:\s*/\s*2|\s*>>\s*1)?)\s*\Z", loop[1]) is None
    ):
        return False
    body = data[start + loop.start() : step.end() + 60]
    if b"{" in head[loop.start() :]:
        end = data.find(b"}", step.end(), function.end + 1)
        body = data[start + loop.start() : end]
    return _SYNCHRONISES.search(body) is None


def _volatile_names(data: bytes) -> dict[bytes, list[int]]:
    """The words of declarations with `volatile`, and where those stand."""
    found: dict[bytes, list[int]] = {}
    for match in _VOLATILE.finditer(data):
        for word in _WORD.findall(match[0]):
            found.setdefault(word, []).append(match.start())
    return found


def _is_volatile(context: WarpContext, places: list[int], function: Function) -> bool:
    """One of the declarations stands in the function, or in front of it for the whole file."""
    return any(
        function.head <= place <= function.end or (place < function.head and context.functions.at(place) is None)
        for place in places
    )
