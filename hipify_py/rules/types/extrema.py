"""Calls of `min` and `max` for types that HIP computes in another one."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.arithmetic_types import arithmetic_type, is_floating, is_promoted_to_int, rank_of
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
    reports = ("HIP103",)
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

    def apply(self, unit: Unit) -> Iterator[Support | Finding]:
        if unit.is_hip or not is_device_source(unit):
            return
        for name in _NAMES:
            word = name.encode()
            if word not in unit.lexemes.words or unit.lexemes.definitions(word):
                continue
            for place in unit.lexemes.places(word):
                types = _differing_types(unit, place, place + len(name))
                if types is not None and unit.options.support:
                    yield Support("extrema")
                    return
                if types is not None and None not in map(rank_of, types) and not _may_be_of_std(unit, place, types):
                    detail = f"HIP does not compute it in the type that CUDA has for {_listed(types)}"
                    yield unit.finding("HIP103", place, name=name, library="math", target="stays", detail=detail)


def _may_be_of_std(unit: Unit, place: int, types: tuple[bytes | None, ...]) -> bool:
    """Whether a host's call may find `std::min`, which is for arguments of one type."""
    opens = unit.project.opens_std or b"using" in unit.lexemes.words
    return opens and len(set(types)) == 1 and not in_device_code(unit, place)


def _listed(types: tuple[bytes | None, ...]) -> str:
    return " and ".join(type.decode() for type in types if type is not None)


def _differing_types(unit: Unit, start: int, end: int) -> tuple[bytes | None, ...] | None:
    """The types of a call's arguments, if HIP may compute it in another one than CUDA."""
    call = call_at(unit, end) if is_plain_call(unit, start, end) else None
    if call is None or len(call.arguments) != 2:
        return None
    types = tuple(arithmetic_type(unit, unit.tree.leaf(*argument)) for argument in call.arguments)
    return types if _differs(unit, start, *types) else None


def _differs(unit: Unit, place: int, first: bytes | None, second: bytes | None) -> bool:
    if is_promoted_to_int(first) and is_promoted_to_int(second):
        return first != second and may_run_on_device(unit, place)
    if any(type is not None and vector(type.decode(errors="replace")) for type in (first, second)):
        return False  # the program's own function
    if not in_device_code(unit, place):
        return True
    return first is None or (first != second and not (is_floating(first) and is_floating(second)))
