"""Calls of the runtime's functions in kernels."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.device_code import in_device_code


class HostCalls(Rule):
    """CUDA's runtime has a device side, which kernels that launch kernels use; HIP's is for the host only.

    `cudaDeviceSynchronize()` or `cudaStreamCreateWithFlags()` in a kernel belong to dynamic parallelism: the compiler
    rejects their HIP counterparts there, as it does every host function in device code.
    """

    id = "HIP253"
    triggers = words("__global__", "__device__") & facts(Fact.USED_FUNCTIONS)
    VALID = (
        Example("void f() { hipDeviceSynchronize(); }"),
        Example("__host__ __device__ void f() { hipFree(0); }"),
    )
    INVALID = (
        Example(
            "__global__ void k() { cudaDeviceSynchronize(); }",
            "__global__ void k() { hipDeviceSynchronize(); }",
            ("HIP253",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        reported: set[str] = set()
        for use in unit.uses:
            row = use.row
            if row.kind != "function" or row.library not in ("runtime", "driver") or row.hip is None:
                continue
            if "device" in row.details and unit.options.support:
                continue  # the support header has it
            if row.name not in reported and row.details.get("standard") is None and in_device_code(unit, use.start):
                reported.add(row.name)  # once per file
                yield unit.finding("HIP253", use.start, name=row.name, library=row.library)
