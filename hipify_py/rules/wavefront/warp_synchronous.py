"""Finds steps between lanes that count on a warp running in step, with nothing to keep the compiler from reordering."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.possible_steps import may_have_steps
from hipify_py.catalog.targeting import version
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.translation import AppliedFix
from hipify_py.unit import Unit

_ROCM_WITH_SYNCWARP = (7, 0)


class WarpSynchronous(Rule):
    """Old reductions let the last warp run without a barrier, on the strength of its lanes running in step.

    The lanes of a wavefront do run in step, but the compiler knows nothing of it: unless the shared memory is
    `volatile`, it may keep a sum in a register over several steps. A `__syncwarp()` goes between the steps, unless
    `--no-fix wavefront` asks for the code as it is, or the ROCm chosen has none by itself (before 7.0). A `volatile`
    tail is right as it stands, on 64 lanes too.
    """

    id = "HIP309"
    triggers = words("__shared__", "__device__")
    fixes = NO_FIXES
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

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | AppliedFix]:
        if not may_have_steps(unit.source.data):
            return
        from hipify_py.analysis.warp.steps import steps_of
        from hipify_py.semantics.functions import functions_of

        functions = [function for function in functions_of(unit) if steps_of(unit, function)]
        if not functions:
            return
        from hipify_py.analysis.warp.emulate_warp32 import FAMILY
        from hipify_py.analysis.warp.lockstep import lockstep_of

        synchronises = unit.options.mends(FAMILY, self.id) and _has_syncwarp(unit)
        for function in functions:
            steps = list(lockstep_of(unit).in_function(function))
            places = [step.previous.end for step in steps if step.previous is not None]
            barriers = [Edit(place, place, b" __syncwarp();") for place in places]
            if synchronises:
                yield from barriers
                yield from (AppliedFix(place, FAMILY) for place in places)
                steps = [step for step in steps if step.previous is None]
            if steps:
                is_whole = len(barriers) == len(steps) and _has_syncwarp(unit)
                name, fix = steps[0].array.decode(errors="replace"), barriers if is_whole else ()
                yield unit.finding("HIP309", steps[0].start, name=name, library="device", fix=fix)


def _has_syncwarp(unit: Unit) -> bool:
    """The ROCm chosen declares `__syncwarp()` without a macro."""
    rocm = unit.options.targeting.rocm
    return not rocm or version(rocm) >= _ROCM_WITH_SYNCWARP
