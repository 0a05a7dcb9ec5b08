"""Calls of `min` and `max` for types that HIP computes in another one."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.arithmetic_types import arithmetic_type, is_floating, is_promoted_to_int
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.calls import call_at, is_plain_call
from hipify_py.semantics.device_code import in_device_code, is_device_source, may_run_on_device

_NAMES = ("min", "max")


class Extrema(Rule):
    """CUDA's `min(int, unsigned)` is `unsigned`, and its `min(float, float)` is the same on the host as on the device.
    HIP takes integers of two types for `double` on the device. On the host it has `min(int, int)` only.

    Both compile, and compute something else: `min(-1, 3u)` is 3 in CUDA, `min(5, 4u) / 3 * 3` is 3, and `max(0.5f, x)`
    of the host keeps its fraction. The support header has CUDA's functions. (Bonsai takes the minimum of a lane and an
    `int`; gpumembench keeps its highest bandwidth so.)
    """

    id = "extrema"
    triggers = words(*_NAMES)
    VALID = (
        Example("__device__ int f(int a) { return min(a, 4) + std::max(a, 2); }\n"),
        Example("__device__ float f(float a, double b) { return max(a, b); }\n"),
        Example("template <class T> __device__ T f(T a, T b) { return min(a, b); }\n"),
        Example("__global__ void k() {}\nint f(int a, short b) { return min(a, b); }\n"),
        Example("#define min(a, b) ((a) < (b) ? (a) : (b))\n__device__ int f(int a) { return min(a, 4u); }\n"),
        Example("__global__ void k() {}\nfloat f(Box b) { return b.min(0, 1u); }\n"),
    )
    INVALID = (
        Example(
            "__device__ int f(int n) { return min(n, blockDim.x); }\n",
            '#include "hipify_support.hpp"\n__device__ int f(int n) { return min(n, blockDim.x); }\n',
        ),
        Example(
            "__global__ void k() {}\nfloat f(float a) { return max(a, 0.5f); }\n",
            '#include "hipify_support.hpp"\n__global__ void k() {}\nfloat f(float a) { return max(a, 0.5f); }\n',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Support]:
        if not unit.options.support or unit.is_hip or not is_device_source(unit):
            return
        if any(
            _differs(unit, place, place + len(name))
            for name in map(str.encode, _NAMES)
            if name in unit.lexemes.words and not unit.lexemes.definitions(name)
            for place in unit.lexemes.places(name)
        ):
            yield Support("extrema")


def _differs(unit: Unit, start: int, end: int) -> bool:
    """Whether HIP may compute a call in another type than CUDA."""
    call = call_at(unit, end) if is_plain_call(unit, start, end) else None
    if call is None or len(call.arguments) != 2:
        return False
    first, second = (arithmetic_type(unit, unit.tree.leaf(*argument)) for argument in call.arguments)
    if is_promoted_to_int(first) and is_promoted_to_int(second):
        return first != second and may_run_on_device(unit, start)
    if any(type is not None and vector(type.decode(errors="replace")) for type in (first, second)):
        return False  # the program's own function
    if not in_device_code(unit, start):
        return True
    return first is None or (first != second and not (is_floating(first) and is_floating(second)))
