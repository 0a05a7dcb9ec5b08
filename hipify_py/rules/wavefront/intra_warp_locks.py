"""Finds lanes of one wavefront that wait for each other: locks taken a lane, flags that neighbours set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.branches import ELSE, IF
from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.spin_loops import FLAG, SpinLoop, spin_loops_in
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.cross_warp_shuffles import is_single_warp
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_ONE_LANE = re.compile(
    rb"(?:threadIdx|tid|lane|rank|leader|elect|thread_?id|thread0|is_?first|is_?last)\w*(?:\.\w+)?(?:\(\))?(?:&31|%32|%\w+)?\)*==|"
    rb"==\(*(?:threadIdx\.\w+|tid|lane\w*)|!\(?(?:threadIdx\.x|tid|lane\w*)\b|^\(?!?\w*(?:leader|elect|is_?(?:first|last|thread0))",
    re.IGNORECASE,
)
_OTHERS = re.compile(rb"\(*([A-Za-z_][\w.]*)\)*(?:!=0|>0|>=1|)[uU]?\)*")
_EQUAL = re.compile(rb"\(*([A-Za-z_][\w.]*(?:(?:%|&)\(?[\w.]+(?:-1)?\)?)?)\)*==")
_RETURNS = re.compile(rb"[\s{]*return\b")
_PASSES_ON = re.compile(rb"(?<![\w.>])%s\s*(?:\[[^\];{}]{1,80}\]\s*)?=(?!=)|atomic(?:Exch|Add|Or)\s*\(\s*&?\s*%s\b")


class IntraWarpLocks(Rule):
    """A lane that waits in an empty loop keeps the rest of its wavefront from going on.

    CUDA's newer GPUs schedule each lane by itself, so that the one that holds a lock gets to give it back. On AMD
    GPUs the lanes that have the lock wait behind the loop for those that are still in it: a deadlock, as soon as two
    lanes of a wavefront want the same lock, or one waits for what its neighbour writes behind the loop. Waiting is
    safe where one lane of a wavefront does it for all; the first lane of each 32 is two of them.
    """

    id = "HIP311"
    VALID = (
        Example("__device__ void f(int *m) { if (threadIdx.x == 0) { while (atomicCAS(m, 0, 1) != 0); *m = 0; } }"),
        Example(
            "__device__ void f(int *m) { bool done = false; while (!done) {"
            " if (atomicCAS(m, 0, 1) == 0) { done = true; atomicExch(m, 0); } } }"
        ),
        Example("__device__ void f(int *m, int n) { while (atomicCAS(m, n, n + 1) != n); }"),
        Example("__global__ void k(volatile int *f) { while (f[blockIdx.x] == 0); }"),
    )
    INVALID = (
        Example("__device__ void f(int *m) { while (atomicCAS(m, 0, 1) != 0); *m = 0; }", None, ("HIP311",)),
        Example(
            "__global__ void k() { __shared__ volatile int ready; if (threadIdx.x >= 32) { while (ready == 0); }"
            " else { ready = 1; } }",
            None,
            ("HIP311",),
        ),
        Example(
            "__global__ void k(volatile int *f) { int i = threadIdx.x; if (i > 0) while (f[i - 1] == 0); f[i] = 1; }",
            None,
            ("HIP311",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        for function in context.functions:
            for spin in spin_loops_in(context, function):
                detail = _says(context, spin, function)
                if detail:
                    yield unit.finding("HIP311", _loop(unit, spin.place), library="device", detail=detail)


def _loop(unit: Unit, body: int) -> int:
    """The place of the loop's keyword, as near as its line tells."""
    line = unit.source.line_bounds(body)[0]
    head = unit.source.data[line:body]
    word = max(head.rfind(b"while"), head.rfind(b"for"), head.rfind(b"do"))
    return body if word < 0 else line + word


def _says(context: WarpContext, spin: SpinLoop, function: Function) -> str:
    """What is wrong with a loop that waits; empty where nothing is."""
    if spin.kind == FLAG:
        return _says_of_flag(context, spin, function)
    if not _is_one_lane(context, spin.place, function) and not _is_asked_by_one_lane(context, function):
        if _is_first_of_32(context, spin.place, function):
            return "the first lanes of both 32-lane warps of a wavefront wait by themselves for this lock"
        return "each lane waits by itself for this lock"
    return ""


def _says_of_flag(context: WarpContext, spin: SpinLoop, function: Function) -> str:
    data = context.data
    if _is_one_lane(context, spin.place, function):
        return ""
    name = re.escape(spin.name)
    writes = re.compile(_PASSES_ON.pattern.replace(b"%s", name))
    behind = writes.search(data, spin.place, function.end) is not None
    if spin.element and context.divergence.is_own(spin.element, function) and behind:
        return "each lane waits for what another lane writes behind this loop"
    declared = re.compile(rb"\b__shared__\b[^;{}()]{0,80}\b" + name + rb"\b")
    if declared.search(data, function.start, function.end) is None:
        return ""
    before = writes.search(data, function.start, spin.place)
    if before is not None and not _is_other_branch(context, before.start(), spin.place, function) and not behind:
        return ""
    return "each lane waits by itself for this flag in shared memory"


def _is_other_branch(context: WarpContext, place: int, other: int, function: Function) -> bool:
    """One of two places stands under an `if`, the other under its `else`."""
    branches = context.single_warp_region.branches(function)
    return any(
        branch.keyword == ELSE
        and branch.start <= other <= branch.end
        and any(b.keyword == IF and b.condition == branch.condition and b.start <= place <= b.end for b in branches)
        for branch in branches
    )


def _is_one_lane(context: WarpContext, place: int, function: Function) -> bool:
    """A condition around the place, or a return in front of it, leaves one lane of a wavefront, by its looks."""
    for condition, start, end in context.single_warp_region.conditions(function):
        if start <= place <= end:
            if _is_one(context, condition, function):
                return True
        elif end < place and _RETURNS.match(context.data, start, end):
            others = _OTHERS.fullmatch(condition)
            if others is not None and context.arithmetic.is_thread(others[1], function):
                return True
    return False


def _is_one(context: WarpContext, condition: bytes, function: Function) -> bool:
    """A condition that holds for one lane of a wavefront of 64."""
    for part in condition.split(b"&&"):
        equal = _EQUAL.match(part)
        if equal is not None and context.arithmetic.is_thread(equal[1], function):
            return is_single_warp(context, function) or not _is_lane_of_32(context, equal[1], function)
        if _ONE_LANE.search(part) and not _is_lane_of_32(context, part, function):
            return True
    return False


def _is_lane_of_32(context: WarpContext, text: bytes, function: Function) -> bool:
    return context.counts_32(function) and context.arithmetic.has_lane(text, function)


def _is_first_of_32(context: WarpContext, place: int, function: Function) -> bool:
    """Lanes counted in 32 are told apart around the place."""
    return any(
        start <= place <= end and _is_lane_of_32(context, condition, function)
        for condition, start, end in context.single_warp_region.conditions(function)
    )


def _is_asked_by_one_lane(context: WarpContext, function: Function) -> bool:
    """A function that takes the lock is asked for by one lane of a wavefront, wherever this source does so."""
    pattern = re.compile(rb"(?<!~)\b" + re.escape(function.name) + rb"\s*\(")
    places = [
        (match.start(), asker)
        for match in pattern.finditer(context.data)
        if context.lexemes.non_code_at(match.start()) is None
        and (asker := context.functions.at(match.start())) is not None
        and match.start() > asker.start
    ]
    return bool(places) and all(_is_one_lane(context, place, asker) for place, asker in places)
