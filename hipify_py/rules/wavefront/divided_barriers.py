"""Finds barriers of a block in both branches of a condition that divides the threads of a wavefront."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.block_barriers import barrier_offsets
from hipify_py.analysis.divided_functions import functions_with_branches
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import ASSEMBLY, texts, words


class DividedBarriers(Rule):
    """Warps that meet at a barrier of the block from two branches do not meet there on a wavefront of 64.

    CUDA counts the warps that have reached `__syncthreads`, in whatever branch they are. A wavefront of 64 has two of
    these warps: it executes one branch after the other and reaches the barrier in each, so that it is counted twice
    where
    other wavefronts are counted once. Conditions that are uniform in whole wavefronts, as `threadIdx.x < 128`, or in
    the
    whole block are not such a case, and unknown ones are not reported.
    """

    id = "HIP335"
    _outside_ptx = words("__syncthreads*", "__barrier_sync", "sync")
    triggers = (
        (_outside_ptx | words(*ASSEMBLY)) & (_outside_ptx | texts("bar.sync", "barrier.sync", "barrier.cta.sync"))
    ) & (words("else", "return", "switch", "break", "continue") | texts("?"))
    VALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 64) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }"
        ),
        Example(
            "__global__ void k(int *o) { if (blockIdx.x == 0) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }",
            None,
            ("HIP335",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        functions = [] if unit.is_hip else functions_with_branches(unit, list(barrier_offsets(unit)))
        if not functions:
            return
        from hipify_py.analysis.divergent_barriers import divergent_barriers

        for divided in divergent_barriers(unit, functions):
            name, target = divided.name.decode(errors="replace"), divided.other.decode(errors="replace")
            yield unit.finding("HIP335", divided.place, name=name, library="device", target=target)
