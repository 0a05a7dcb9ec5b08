"""Memory that host and device share."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import uses

_MANAGED = frozenset({"cudaMallocManaged", "cuMemAllocManaged", "__managed__"})


class ManagedMemory(Rule):
    """Managed memory works on AMD GPUs, but its speed depends on the GPU and on the environment.

    Pages move to the GPU where the hardware can retry after a fault (XNACK), and that has to be switched on. Without
    it every access of a kernel goes to the host's memory. One note per file.
    """

    id = "HIP701"
    triggers = uses(*_MANAGED)
    VALID = (Example("#include <hip/hip_runtime.h>\n__managed__ int a;"), Example("int __managed;"))
    INVALID = (
        Example("__managed__ int a;", "__managed__ int a;", ("HIP701",)),
        Example(
            "void f(int **p) { cudaMallocManaged(p, 4); }", "void f(int **p) { hipMallocManaged(p, 4); }", ("HIP701",)
        ),
    )

    def apply(self, unit: Unit) -> Iterator[DedupedFinding]:
        if unit.is_hip:
            return
        for use in unit.uses:
            if use.row.name in _MANAGED:
                found = unit.finding("HIP701", use.start, name=use.row.name, library=use.row.library)
                yield DedupedFinding(found)
