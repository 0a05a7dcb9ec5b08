"""Finds lanes of one wavefront that wait for each other: locks taken a lane, flags in shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.frontend.functions import Function
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import WarpContext, warp_context
from hipify_py.unit import Unit

_LOCK = re.compile(
    rb"\bwhile\s*\(\s*(?:!\s*|\(?\s*0\s*[!=]=\s*)?\(?\s*(?:atomicCAS(?:_block|_system)?\s*\([^;{}]{1,120},\s*0[uU]?\s*,\s*1[uU]?\s*\)"
    rb"|atomicExch(?:_block|_system)?\s*\([^;{}]{1,120},\s*1[uU]?\s*\))[^;{}]{0,30}\)\s*(?:;|\{\s*;?\s*\}|\{\s*__nanosleep\s*\([^;{}]*\)\s*;\s*\})"
)
_FLAG = re.compile(
    rb"\bwhile\s*\(\s*!?\s*(?:\*\s*)?([A-Za-z_]\w*)\s*(?:\[[^\];{}]{1,60}\]\s*)?(?:[!=]=|<|>|<=|>=)?\s*[\w.\s]{0,30}\)\s*(?:;|\{\s*;?\s*\})"
)
_ONE_LANE = re.compile(
    rb"(?:threadIdx|tid|lane|rank|leader|elect|thread_?id|thread0|is_?first|is_?last)\w*(?:\.\w+)?(?:\(\))?(?:&31|%32|%\w+)?\)*==|"
    rb"==\(*(?:threadIdx\.\w+|tid|lane\w*)|!\(?(?:threadIdx\.x|tid|lane\w*)\b|^\(?!?\w*(?:leader|elect|is_?(?:first|last|thread0))",
    re.IGNORECASE,
)


class LaneLocks(Rule):
    """A lane that waits in an empty loop keeps the rest of its wavefront from going on.

    CUDA's newer GPUs schedule each lane by itself, so that the one that holds a lock gets to give it back. On AMD
    GPUs the lanes that have the lock wait behind the loop for those that are still in it: a deadlock, as soon as two
    lanes of a wavefront want the same lock. Waiting is safe where one lane of a wavefront does it for all.
    """

    id = "HIP311"
    VALID = (
        Example("__device__ void f(int *m) { if (threadIdx.x == 0) { while (atomicCAS(m, 0, 1) != 0); *m = 0; } }"),
        Example(
            "__device__ void f(int *m) { bool done = false; while (!done) {"
            " if (atomicCAS(m, 0, 1) == 0) { done = true; atomicExch(m, 0); } } }"
        ),
        Example("__device__ void f(int *m, int n) { while (atomicCAS(m, n, n + 1) != n); }"),
    )
    INVALID = (
        Example("__device__ void f(int *m) { while (atomicCAS(m, 0, 1) != 0); *m = 0; }", None, ("HIP311",)),
        Example(
            "__global__ void k() { __shared__ volatile int ready; if (threadIdx.x == 9) ready = 1;"
            " while (ready == 0); }",
            None,
            ("HIP311",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        for pattern in (_LOCK, _FLAG):
            for match in pattern.finditer(unit.source.data):
                place = match.start()
                function = context.functions.at(place)
                if function is None or place < function.start or unit.lexemes.skip_at(place) is not None:
                    continue
                if pattern is _FLAG and not _is_shared(context, match[1], function):
                    continue
                if not _is_one_lane(context, place, function):
                    what = "this lock" if pattern is _LOCK else "this flag in shared memory"
                    yield unit.finding(
                        "HIP311", place, library="device", detail=f"each lane waits by itself for {what}"
                    )


def _is_shared(context: WarpContext, name: bytes, function: Function) -> bool:
    declared = re.compile(rb"\b__shared__\b[^;{}()]{0,80}\b" + re.escape(name) + rb"\b")
    return declared.search(context.data, function.start, function.end) is not None


def _is_one_lane(context: WarpContext, place: int, function: Function) -> bool:
    """A condition around the place holds for one lane of a wavefront only, by its looks."""
    around = [condition for condition, start, end in context.first_warp.conditions(function) if start <= place <= end]
    return any(_ONE_LANE.search(condition) for condition in around)
