"""Rewrites shifts that may be by 32 bits: by a warp's size minus a lane, and by a count that is set to 32."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts

_DIFFERENCE = rb"\s*\(?\s*(?:32[uU]?|[A-Za-z_][\w:]*(?:\s*\(\s*\))?)\s*-"
_SHIFTS = lazy_pattern(rb"<<" + _DIFFERENCE), lazy_pattern(rb">>" + _DIFFERENCE)
"""Two expressions, each with a beginning that the engine finds fast."""
_COUNT_OF_32 = lazy_pattern(rb"32[uU]?\s*[;:,)]")
_SHIFTED_NUMBER = lazy_pattern(rb"\b(?:0[xX][0-9a-fA-F]+|\d+)[uU]?\s*(?:<<|>>)\s*[A-Za-z_]")


class LaneShifts(Rule):
    """A shift by 32 bits gives 0 on NVIDIA GPUs, and the unshifted value on AMD GPUs: it is undefined in C++.

    `__popc(votes << (32 - lane))` counts the votes of the lanes below, and none for lane 0. On AMD GPUs that lane would
    count all. The shift is made in two steps, which is the same for every lane. OpenCV, cuVS and nvbio write it so.
    A number that is shifted by a count which the function sets to 32 somewhere is 0 then (cuDF's Snappy kernels).
    """

    id = "lane-shifts"
    triggers = texts("<<", ">>")
    VALID = (
        Example("__device__ int f(unsigned m) { return m << (31 - threadIdx.x % 32); }"),
        Example("__device__ int f(unsigned m) { return m << (32 - (threadIdx.x % 32 + 1)); }"),
        Example("__device__ unsigned f(unsigned x, int r) { return x << r | x >> (32 - r); }"),
    )
    INVALID = (
        Example(
            "__device__ int f(unsigned m) { return __popc(m << (32 - threadIdx.x % 32)); }",
            "__device__ int f(unsigned m) { return __popc(m << 1 << (31 - threadIdx.x % 32)); }",
        ),
        Example(
            "__device__ int f(unsigned m, int n) { return __popc(m << (32 - n)); }",
            "__device__ int f(unsigned m, int n) { return __popc((n > 0 ? m << (32 - n) : 0)); }",
        ),
        Example(
            "__device__ unsigned f(unsigned m) { int n = m ? __ffs(m) : 32; return (2u << n) - 1; }",
            "__device__ unsigned f(unsigned m) { int n = m ? __ffs(m) : 32; return ((n < 32 ? 2u << n : 0)) - 1; }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        data, lexemes = unit.source.data, unit.lexemes
        counts = (lexemes.before(match.start()) for match in _COUNT_OF_32.finditer(data))
        may_be_by_count = any(data[place] in b"=?:" for place in counts) and _SHIFTED_NUMBER.search(data) is not None
        may_shift = may_be_by_count or any(shift.search(data) for shift in _SHIFTS)
        if unit.is_hip or not may_shift or not unit.tree.is_available:
            return
        from hipify_py.analysis.warp.wide_shifts import edits_of_wide_shifts

        yield from edits_of_wide_shifts(unit, by_counts=may_be_by_count)
