"""Guards definitions of the user's own with a signature that HIP declares itself."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.collisions.functions import Function, guarded, named_functions
from hipify_py.rules.collisions.types import canonical
from hipify_py.rules.triggers import words


class OwnFunctions(Rule):
    """HIP has atomics and shuffles that CUDA lacks and that sources therefore define: `atomicMax(float*, float)`.

    A second definition of the same signature is an error on AMD. The definition stays for NVIDIA, between
    `#ifndef __HIP__` and `#endif`, and on AMD the calls use HIP's. Templates, members, host functions and other
    signatures do not collide.
    """

    id = "HIP120"
    triggers = words("__device__")
    VALID = (
        Example("template <class T> __device__ T atomicMax(T *a, T v) { return v; }"),
        Example("struct S { __device__ float atomicMax(float *a, float v) { return v; } };"),
        Example("__device__ float atomicMax(float *a, int v) { return v; }"),
        Example("namespace n { __device__ float atomicMax(float *a, float v) { return v; } }"),
        Example("#ifndef __HIP__\n__device__ float atomicMax(float *a, float v) { return v; }\n#endif\n"),
    )
    INVALID = (
        Example(
            "static __device__ float atomicMax(float *a, float v) { return v; }\nint x;",
            "#ifndef __HIP__  // HIP has it\nstatic __device__ float atomicMax(float *a, float v) { return v; }\n"
            "#endif\nint x;",
            ("HIP120",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | DedupedFinding]:
        ranges = []
        overloads = unit.catalog.overloads
        for function in named_functions(unit, map(str.encode, overloads)):
            name = function.text.decode()
            if _is_device_function(unit, function) and _signature(unit, function) in overloads[name]:
                ranges.append((function.start, function.end))
                listed = ", ".join(parameter.type.decode(errors="replace") for parameter in function.parameters)
                found = unit.finding("HIP120", function.name, name=f"{name}({listed})", library="device")
                yield DedupedFinding(found, name)
        yield from guarded(unit, ranges)


def _is_device_function(unit: Unit, function: Function) -> bool:
    on_device_only = function.on_device and b"__host__" not in function.head
    return on_device_only and not function.is_template and not _in_namespace(unit, function)


def _signature(unit: Unit, function: Function) -> str:
    return ", ".join(canonical(unit, parameter.type) for parameter in function.parameters)


def _in_namespace(unit: Unit, function: Function) -> bool:
    """Whether the user's namespace makes it another function, which hides HIP's there."""
    leaf = unit.tree.leaf(function.name, function.name + 1)
    return ancestor(leaf, "namespace_definition") is not None
