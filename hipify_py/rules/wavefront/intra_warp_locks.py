"""Finds lanes of one wavefront that wait for each other: locks taken a lane, flags that neighbours set."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.uncounted_loops import uncounted_loops
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_surely_no_device_code
from hipify_py.unit import Unit

_LOCKING = (b"atomicCAS", b"atomicExch", b"exchange", b"test_and_set")
"""What is in the names of all operations that take locks."""


class IntraWarpLocks(Rule):
    """A lane that waits in an empty loop keeps the rest of its wavefront from going on.

    CUDA's newer GPUs schedule each lane by itself, so that the one that holds a lock gets to give it back. On AMD
    GPUs the lanes that have the lock wait behind the loop for those that are still in it: a deadlock, as soon as two
    lanes of a wavefront want the same lock, or one waits for what its neighbour writes behind the loop. Waiting is
    safe where one lane of a wavefront does it for all; the first lane of each 32 is two of them, also where it shares
    what it got with its 32 lanes.
    """

    id = "HIP311"
    triggers = words("*atomicCAS*", "*atomicExch*", "*atomicAdd*", "__shared__", "volatile") & words(
        "do", "for", "while"
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
        if not _may_wait(unit):
            return
        from hipify_py.analysis.warp.waiting_lanes import waiting_lanes

        for place, detail in waiting_lanes(unit):
            yield unit.finding("HIP311", place, library="device", detail=detail)


def _may_wait(unit: Unit) -> bool:
    """False only where nothing can take a lock, and no device code loops: most sources need no look at their warps."""
    places = uncounted_loops(unit)
    if any(name in unit.source.data for name in _LOCKING):
        return bool(places)
    if all(is_surely_no_device_code(unit, place) for place in places):
        return False
    from hipify_py.semantics.functions import functions_of

    return any(
        function.start < place < function.end
        for function in functions_of(unit)
        if function.is_device
        for place in places
    )
