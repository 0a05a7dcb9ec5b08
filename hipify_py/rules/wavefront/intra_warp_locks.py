"""Finds lanes of one wavefront that wait for each other: locks taken by lanes, flags that neighbours set."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.dataflow.synchronizing import may_have_waits
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import ASSEMBLY, Fact, facts, texts, words


class IntraWarpLocks(Rule):
    """A lane that waits blocks the other lanes of its wavefront.

    Newer NVIDIA GPUs schedule each lane independently, so the lane that holds a lock can release it. On AMD GPUs the
    lanes of a wavefront run in lockstep: the lane that has the lock waits after the loop for the lanes that are still
    in it. The result is a deadlock as soon as two lanes of a wavefront want the same lock, one waits for what its
    neighbour writes after the loop, or one waits for what a thread in another branch writes. Examples are triangular
    solvers that wait for rows, ticket locks, and producer and consumer warps that share a wavefront of 64. Waiting is
    safe if one lane of a wavefront does it for all. The first lane of each 32 makes two lanes per wavefront, even if
    it shares the result with its 32 lanes. A loop that makes progress in each round, such as one that probes a table
    or repeats an update, waits for nobody.
    """

    id = "HIP311"
    _outside_ptx = (
        words("*atomic*", "__shared__", "volatile", "__ldcg", "__ldcv", "load", "*acquire*", "test_and_set")
        | words("*exchange*", "*barrier*", "*pipeline*", "__sync_lock_test_and_set", "__sync_*_compare_and_swap")
        | facts(Fact.PROJECT_WAITING_FUNCTIONS)
    )
    triggers = (
        (_outside_ptx | words(*ASSEMBLY))
        & (_outside_ptx | texts("ld.acquire", "ld.volatile", "ld.relaxed", "ld.global.", "atom.", "mbarrier."))
        & (words("do", "for", "while", "wait", "arrive_and_wait", *ASSEMBLY) | facts(Fact.PROJECT_WAITING_FUNCTIONS))
    )
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
        if unit.is_hip or not may_have_waits(unit):
            return
        from hipify_py.analysis.intra_wavefront_waits import intra_wavefront_waits

        for place, detail in intra_wavefront_waits(unit):
            yield unit.finding("HIP311", place, library="device", detail=detail)
