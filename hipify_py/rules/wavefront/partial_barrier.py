"""Finds barriers that only the first warp of a block reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.cross_warp_shuffles import is_single_warp
from hipify_py.unit import Unit

_BARRIER = re.compile(rb"\b__syncthreads(?:_and|_or|_count)?\s*\(")


class PartialBarriers(Rule):
    """`__syncthreads()` in the branch of one warp waits for wavefronts that never come.

    NVIDIA GPUs count the warps that arrive, so that barriers in different branches can meet. On AMD GPUs the two
    warps of a 64-lane wavefront run one branch after the other, and the wavefront arrives once for each.
    """

    id = "HIP310"
    VALID = (
        Example("__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 1; } __syncthreads(); }"),
        Example("__global__ void k(int *o) { if (threadIdx.x >= 32) return; __syncthreads(); o[0] = 1; }"),
        Example("__global__ void k(int n) { if (n < 32) { __syncthreads(); } }"),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 1; __syncthreads(); } }",
            None,
            ("HIP310",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        for match in _BARRIER.finditer(unit.source.data):
            place = match.start()
            function = context.functions.at(place)
            if function is None or unit.lexemes.non_code_at(place) is not None or is_single_warp(context, function):
                continue
            if context.single_warp_region.branches_to(place, function):
                name = match[0].rstrip(b"( \t").decode()
                detail = "the first 32 threads of a block"
                yield unit.finding("HIP310", place, name=name, library="device", detail=detail)
