"""The storage class `register`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_device_source

_KEYWORD = b"register"
_BLANKS = re.compile(rb"[ \t]*")
_NAMED_REGISTER = re.compile(rb"[^;{}]*\b(?:asm|__asm|__asm__)\b")
"""A variable in a register that the code names: `register long x asm("rax")`."""


class RegisterKeyword(Rule):
    """C++17 has no storage class `register`. nvcc accepts it, clang does not, and hipcc's default is C++17.

    It says nothing in C++ but that a variable's address is not taken, so it is left out. Old kernels have it on their
    locals, as SHOC and GASAL2 do.
    """

    id = "register"
    triggers = words("register")
    VALID = (
        Example('__global__ void k() { asm("{ .reg .u32 register; }"); }'),
        Example('__global__ void k() {}\nlong sp() { register long x asm("rsp"); return x; }'),
    )
    INVALID = (
        Example(
            "__global__ void k(int *p) { register int x = p[0]; for (register int i = 0; i < x; ++i) p[i] = 0; }",
            "__global__ void k(int *p) { int x = p[0]; for (int i = 0; i < x; ++i) p[i] = 0; }",
        ),
        Example("#define FAST register\n__device__ float f(const register float x) { FAST float y = x; return y; }",
                "#define FAST \n__device__ float f(const float x) { FAST float y = x; return y; }"),
    )  # fmt: skip

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or not is_device_source(unit):
            return
        data = unit.source.data
        for place in unit.lexemes.places(_KEYWORD):
            end = place + len(_KEYWORD)
            if _NAMED_REGISTER.match(unit.lexemes.code(end, data.find(b";", end))) is None:
                blanks = _BLANKS.match(data, end)
                yield Edit(place, blanks.end() if blanks is not None else end, b"")
