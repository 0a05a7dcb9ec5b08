"""Adds the standard headers that nvcc's implicit runtime header includes and HIP's does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_includes, head_place
from hipify_py.rules.triggers import words
from hipify_py.semantics.arithmetic_types import arithmetic_type, rank_of
from hipify_py.semantics.calls import call_at, is_plain_call
from hipify_py.semantics.device_code import in_device_code, is_device_source, is_surely_device_code


class _Header(NamedTuple):
    """A standard header: its names in C++ and in C, the headers that include it, and the calls that need it.

    `scopes` are those whose functions of the names need it as well.
    """

    cpp: str
    c: str
    bringers: frozenset[str]
    functions: frozenset[str]
    scopes: frozenset[bytes]


_HEADERS = (
    _Header(
        "cstring",
        "string.h",
        frozenset({"cstring", "string.h", "memory.h"}),
        frozenset(
            {"memcpy", "memset", "memmove", "memcmp", "memchr", "strcpy", "strncpy", "strcmp", "strncmp", "strcat"}
            | {"strncat", "strchr", "strrchr", "strlen", "strstr", "strtok", "strspn", "strdup", "strerror"}
            | {"strcasecmp", "strncasecmp"}
        ),
        frozenset({b"std"}),
    ),
    # <cmath> declares the classification functions in std only; the global ones of HIP are for device code.
    _Header(
        "math.h",
        "math.h",
        frozenset({"math.h"}),
        frozenset({"isnan", "isinf", "isfinite", "isnormal", "signbit"}),
        frozenset(),
    ),
)

_REAL_FUNCTIONS = frozenset(
    {"acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "exp", "exp2", "expm1", "fabs"}
    | {"fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "lgamma", "log", "log10", "log1p", "log2", "logb"}
    | {"nearbyint", "nextafter", "pow", "remainder", "rint", "round", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma"}
    | {"trunc"}
)
"""Global functions that compute in `float` for the host only with C++'s `<math.h>`; the ones of C are for `double`."""


class ImplicitStandard(Rule):
    """The CUDA runtime's header includes `<string.h>` and `<math.h>`; HIP's declares `memcpy` and `isnan` for device
    code only, and for the host `sin(double)`, but no `sin(float)`.

    Host code that relies on that finds no `memcpy`, `strlen` or `isnan`, so the header is added where CUDA code calls
    one of its functions and does not include it. (`<string>` and `<iostream>` do not declare them either.) A host's
    `sin` of a `float` would be a `double` without it.
    """

    id = "implicit-standard"
    triggers = words(*_HEADERS[0].functions, *_HEADERS[1].functions, *_REAL_FUNCTIONS)
    VALID = (
        Example("#include <cstring>\n#include <hip/hip_runtime.h>\nvoid f(P &p) { memcpy(&p, 0, 4); }"),
        Example("#include <hip/hip_runtime.h>\nvoid f(P &p) { p.memcpy(3); }"),
        Example("bool f(float x) { return std::isnan(x); }\n"),
        Example("__device__ float f(float x) { return sin(x); }\n"),
        Example("__host__ __device__ double f(double x) { return sin(x); }\n"),
    )
    INVALID = (
        Example(
            "#include <cuda_runtime.h>\n__host__ __device__ float f(float x) { return sin(x); }\n",
            "#include <math.h>\n#include <hip/hip_runtime.h>\n"
            "__host__ __device__ float f(float x) { return sin(x); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or unit.project.is_run_time_source or not is_device_source(unit):
            return
        is_cpp = unit.source.suffix in CUDA_SUFFIXES
        for header in _HEADERS:
            is_math = header.cpp == "math.h"
            if not unit.headers & header.bringers and (_calls(unit, header) or (is_math and _computes_in_float(unit))):
                name = header.cpp if is_cpp else header.c
                yield added_includes(unit, head_place(unit), name)


def _calls(unit: Unit, header: _Header) -> bool:
    return any(
        is_plain_call(unit, place, place + len(name), header.scopes)
        for name in header.functions
        for place in unit.lexemes.places(name.encode())
    )


def _computes_in_float(unit: Unit) -> bool:
    """Whether the host may call a function for which it matters whether `float` has its own."""
    for name in _REAL_FUNCTIONS & {word.decode(errors="replace") for word in unit.lexemes.words}:
        for place in unit.lexemes.places(name.encode()):
            if unit.lexemes.define_around(place) is not None or is_surely_device_code(unit, place):
                continue
            end = place + len(name)
            call = call_at(unit, end) if is_plain_call(unit, place, end) else None
            if call is None or in_device_code(unit, place):
                continue
            types = [arithmetic_type(unit, unit.tree.leaf(*argument)) for argument in call.arguments]
            if b"double" not in types and any(rank_of(type) is None or type == b"float" for type in types):
                return True
    return False
