"""Gives a source the math functions that CUDA declares and HIP does not, or not for the host."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.frontend.lexer import Name
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.calls import is_plain_call
from hipify_py.semantics.device_code import function_bodies, in_device_code, is_device_source
from hipify_py.semantics.headers import branches_at
from hipify_py.semantics.scopes import declares_name

_ON_DEVICE = tuple(
    f"{name}{suffix}"
    for name in ("rsqrt", "rcbrt", "sinpi", "cospi", "sincospi", "erfinv", "erfcinv", "erfcx", "normcdf", "normcdfinv")
    for suffix in ("", "f")
)
_NOWHERE = ("umin", "umax", "ullmin", "ullmax", "llmin", "llmax")
_DEVICE_BRANCH = re.compile(
    rb"#[ \t]*(?:ifdef[ \t]+"
    rb"|(?:el)?if[ \t]*\(?[ \t]*(?:defined[ \t]*\(?[ \t]*)?)(?:__CUDA_ARCH__|__HIP_DEVICE_COMPILE__)\b"
)


class HostMath(Rule):
    """CUDA has `rsqrt`, `sinpi`, `erfinv`, `normcdf` and the like for the host as well; HIP for device code only.
    `umin`, `llmax` and the other extrema of one type it does not have at all.

    A host function that calls one does not compile, nor does a `__host__ __device__` one that the host calls. The
    support header has them, as templates: a project's own functions of these names are preferred.
    """

    id = "host-math"
    triggers = words(*_ON_DEVICE, *_NOWHERE)
    VALID = (
        Example("#include <hip/hip_runtime.h>\n__global__ void k(float *p) { p[0] = rsqrtf(p[1]); }"),
        Example("#include <hip/hip_runtime.h>\nfloat rsqrtf(float x);\nfloat f(float x) { return rsqrtf(x); }"),
        Example("float f(Mine &m) { return m.rsqrt(1); }"),
        Example("#define UNARY(f, y) __device__ float f(float x) { return y; }\nUNARY(inverse_root, rsqrtf(x))"),
    )
    INVALID = (
        Example(
            "#include <cuda_runtime.h>\n__host__ __device__ float f(float x) { return rsqrtf(x); }",
            '#include <hip/hip_runtime.h>\n#include "hipify_support.hpp"\n'
            "__host__ __device__ float f(float x) { return rsqrtf(x); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Support]:
        if not unit.options.support or not is_device_source(unit):
            return
        if _is_needed(unit) and not _has_own(unit):
            yield Support("host_math")


def _is_needed(unit: Unit) -> bool:
    """Whether one of the functions is called in code that the host compiles."""
    lexemes = unit.lexemes
    return any(
        lexemes.define_around(place) is None
        and is_plain_call(unit, place, place + len(name))
        and (name in _NOWHERE or _may_be_host_code(unit, place))
        for name in (*_ON_DEVICE, *_NOWHERE)
        for place in lexemes.places(name.encode())
    )


def _has_own(unit: Unit) -> bool:
    """Whether the source declares functions or macros of these names itself."""
    lexemes = unit.lexemes
    return any(
        lexemes.definitions(name)
        or any(declares_name(unit, Name(at, at + len(name), name)) for at in lexemes.places(name))
        for name in map(str.encode, (*_ON_DEVICE, *_NOWHERE))
        if name in lexemes.words
    )


def _may_be_host_code(unit: Unit, place: int) -> bool:
    """Whether a place is in a function that is not for the device only, and in no branch of the device pass only.

    Code outside of all functions is mostly passed to a macro that makes one: that does not show for which side.
    """
    function = function_bodies(unit).at(place)
    if function is None or place < function.start or in_device_code(unit, place):
        return False
    return not any(_DEVICE_BRANCH.match(unit.source.data, line) for line in branches_at(unit, [place])[0])
