"""Macros that name a device function in their branch for GPUs, used in host functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.device_code import in_device_code
from hipify_py.semantics.macros import macros_of

_FUNCTIONS = ("__funnelshift_l", "__funnelshift_r", "__byte_perm")
_PASS = re.compile(rb"[^\n]*\b(?:__CUDA_ARCH__|__HIP_DEVICE_COMPILE__)\b")
_CONDITIONS = frozenset((b"if", b"ifdef", b"ifndef"))


class HostBranches(Rule):
    """`#ifdef __CUDA_ARCH__` gives a macro another text for GPUs. nvcc compiles host functions with the host's only.

    clang reads them with the text for GPUs as well, and finds a device function in a host function. The support header
    has host functions of the same names, which nobody calls. (ccminer's ROTR32 and cuda_swab32 are such macros.)
    """

    id = "host-branches"
    triggers = facts(Fact.DEFINES) & words(*_FUNCTIONS)
    VALID = (
        Example(
            "#if __HIP_DEVICE_COMPILE__\n#define ROTR(x, n) __funnelshift_r(x, x, n)\n#endif\n"
            "__device__ unsigned f(unsigned x) { return ROTR(x, 3); }\n"
        ),
        Example("#define ROTR(x, n) __funnelshift_r(x, x, n)\nunsigned f(unsigned x) { return ROTR(x, 3); }\n"),
    )
    INVALID = (
        Example(
            "#ifdef __CUDA_ARCH__\n#define ROTR(x, n) __funnelshift_r(x, x, n)\n#else\n#define ROTR(x, n) (x >> n)\n"
            "#endif\nunsigned f(unsigned x) { return ROTR(x, 3); }\n",
            '#include "hipify_support.hpp"\n#ifdef __HIP_DEVICE_COMPILE__\n'
            "#define ROTR(x, n) __funnelshift_r(x, x, n)\n#else\n#define ROTR(x, n) (x >> n)\n"
            "#endif\nunsigned f(unsigned x) { return ROTR(x, 3); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Support]:
        if not unit.options.support or unit.is_hip:
            return
        macros = macros_of(unit)
        for name in map(str.encode, _FUNCTIONS):
            for place in unit.lexemes.places(name):
                macro = macros.around(place)
                if macro is not None and _depends_on_pass(unit, macro.place) and _may_be_on_host(unit, macro.name):
                    yield Support("host_bits")
                    return


def _depends_on_pass(unit: Unit, place: int) -> bool:
    """Whether a place is in a conditional that tests which side is compiled."""
    stack: list[bool] = []
    for offset, word in unit.lexemes.directives:
        if offset >= place:
            break
        is_of_pass = _PASS.match(unit.source.data, offset) is not None
        if word in _CONDITIONS:
            stack.append(is_of_pass)
        elif word == b"endif" and stack:
            stack.pop()
        elif stack:
            stack[-1] = stack[-1] or is_of_pass
    return any(stack)


def _may_be_on_host(unit: Unit, macro: bytes) -> bool:
    """Whether host code may use a macro: of a header, anything that includes it may."""
    if unit.source.is_header:
        return True
    uses = (place for place in unit.lexemes.places(macro) if not unit.lexemes.in_directive(place))
    return any(not in_device_code(unit, place) for place in uses)
