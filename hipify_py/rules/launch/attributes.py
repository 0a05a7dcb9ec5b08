"""Removes attributes of kernels that only NVIDIA's compiler acts on."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.calls import call_at

_MEANING = {
    "__maxnreg__": "the maximum number of registers per thread",
    "__cluster_dims__": "the number of blocks in a cluster",
}


class KernelAttributes(Rule):
    """`__maxnreg__` and `__cluster_dims__` control how nvcc places a kernel; its results do not depend on them.

    AMD GPUs count registers differently and have no clusters of blocks before gfx1250, so hipify-py removes the
    attributes. A kernel that does work as a cluster asks for its rank or for memory of other blocks, which hipify-py
    reports separately.
    """

    id = "HIP131"
    triggers = uses(*_MEANING)
    VALID = (Example("__global__ void __launch_bounds__(256) k();"),)
    INVALID = (
        Example("__global__ void __maxnreg__(128) k();", "__global__ void k();", ("HIP131",)),
        Example("__global__ __cluster_dims__(2, 1, 1) void k();", "__global__ void k();", ("HIP131",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | DedupedFinding]:
        for use in unit.uses:
            if use.row.name not in _MEANING:
                continue
            call = call_at(unit, use.end)
            if call is not None:
                yield Edit(call.opening, _next_code(unit, call.closing + 1), b"")
            yield DedupedFinding(
                unit.finding("HIP131", use.start, name=use.row.name, library="device", detail=_MEANING[use.row.name]),
                use.row.name,
            )


def _next_code(unit: Unit, end: int) -> int:
    """The start of what follows on the same line."""
    data = unit.source.data
    while data[end : end + 1] in (b" ", b"\t"):
        end += 1
    return end
