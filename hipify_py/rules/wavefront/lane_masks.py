"""Widens lane masks to the 64 bits that they have in HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.keep_32 import kept_narrow
from hipify_py.rules.wavefront.mask_widening import MaskWidening
from hipify_py.unit import Unit

_TAKES = re.compile(r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all|reduce_\w+)_sync|__syncwarp")
_GIVES = re.compile(r"__(?:ballot|match_any|match_all)_sync|__ballot|__activemask")


class LaneMasks(Rule):
    """HIP's lane masks have 64 bits, one for each lane of a gfx9 wavefront.

    A mask of 32 bits fails a static assertion in the `_sync` built-ins of ROCm 7, and leaves the upper half of the
    wavefront out where it compiles. Literals, the constants and macros that stand for them, and the variables that
    hold a ballot are widened where they are declared, and what counts their bits follows. A mask that comes from
    elsewhere is cast, so that it compiles, and reported.
    """

    id = "HIP301"
    VALID = (
        Example("__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }"),
        Example("__device__ int f(unsigned v) { return __popc(v); }"),
    )
    INVALID = (
        Example(
            "__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }",
            "__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }",
        ),
        Example(
            "__device__ int f() { unsigned m = __activemask(); return __popc(m); }",
            "__device__ int f() { unsigned long long m = __activemask(); return __popcll(m); }",
        ),
        Example(
            "__device__ int f(S s, int v) { return __any_sync(s.mask, v); }",
            "__device__ int f(S s, int v) { return __any_sync(static_cast<unsigned long long>(s.mask), v); }",
            ("HIP301",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        widening = MaskWidening(unit)
        narrow = kept_narrow(unit)
        for use in unit.uses:
            if use.row.library == "device" and use.start not in narrow:
                if _TAKES.fullmatch(use.row.name):
                    widening.take(use)
                if _GIVES.fullmatch(use.row.name):
                    widening.give(use)
        widening.macros()
        yield from widening.edits()
        yield from widening.findings
