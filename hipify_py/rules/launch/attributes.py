"""Removes attributes of kernels that only NVIDIA's compiler acts on."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.calls import call_at

_MEANING = {
    "__maxnreg__": "the most registers of a thread",
    "__cluster_dims__": "the blocks of a cluster",
}


class KernelAttributes(Rule):
    """`__maxnreg__` and `__cluster_dims__` tell nvcc how to place a kernel; its results do not depend on them.

    AMD GPUs count registers otherwise and have no clusters of blocks before gfx1250, so the attributes are removed. A
    kernel that does work as a cluster reads its rank or the memory of other blocks, which is reported by itself.
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
