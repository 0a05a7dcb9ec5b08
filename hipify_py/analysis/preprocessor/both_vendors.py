"""Conditions that serve both vendors, as `convert --dual` or a project writes them: HIP's macro beside CUDA's."""

from __future__ import annotations

import re
from bisect import bisect_right

from hipify_py.frontend.alternatives import alternatives, condition_around, joint_tests
from hipify_py.frontend.conditions import Branch, Expression, condition, sections
from hipify_py.frontend.unit import Unit, Use

# A source's own macros that mean a vendor: `MINE_CUDA` with CUDA's compiler, `MINE_HIP` with HIP's.

COMPILER_OR_PLATFORM = re.compile(rb"__HIP(?:CC)?__|__HIP_PLATFORM_\w+")
"""The macros that HIP's compiler, or whoever builds with it, defines."""
_DEVICE_PASS = b"__HIP_DEVICE_COMPILE__"


class VendorMacros:
    """The vendor macros of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        every = sections(unit.lexemes) if b"__HIP" in unit.source.data else ()
        self._branches = sorted(branch for section in every for branch in section if branch.word != b"else")
        asking = filter(self._tests_for_hip, self._branches)
        self._of_hip = frozenset(name for branch in asking for name in self._defined_in(branch))
        self._of_cuda: dict[bytes, bool] = {}

    def defines_vendor_macro(self, place: int) -> bool:
        """Whether CUDA's macro at a place defines one that has a HIP macro as alternative."""
        if not self._of_hip:
            return False
        define = self._unit.lexemes.define_around(place)
        if define is not None:
            return self._has_alternative(define.text)
        at = bisect_right(self._branches, place, key=lambda branch: branch.start) - 1
        if at < 0 or place >= self._branches[at].body:
            return False
        return any(map(self._has_alternative, self._defined_in(self._branches[at])))

    def _tests_for_hip(self, branch: Branch) -> bool:
        """Whether the branch is compiled only where one of HIP's macros is defined."""
        text = self._unit.source.data[branch.start : branch.body]
        return b"__HIP" in text and Expression(condition(self._unit.source.data, branch)).value(_without, _without) == 0

    def _defined_in(self, branch: Branch) -> list[bytes]:
        """The macros that a branch defines."""
        defines = self._unit.lexemes.defines
        first = bisect_right(defines, branch.body, key=lambda define: define.start)
        last = bisect_right(defines, branch.end, key=lambda define: define.start)
        return [define.text for define in defines[first:last]]

    def _has_alternative(self, name: bytes) -> bool:
        if name not in self._of_cuda:
            lexemes = self._unit.lexemes
            self._of_cuda[name] = name not in self._of_hip and any(
                one.name in self._of_hip
                for place in lexemes.places(name)
                if lexemes.in_condition(place)
                for one in alternatives(lexemes, place)
            )
        return self._of_cuda[name]


def _without(name: bytes) -> int | None:
    """The values of macros where HIP's are not defined."""
    return 0 if name == _DEVICE_PASS or COMPILER_OR_PLATFORM.fullmatch(name) else None


HIP_MACROS = ("__HIP*", "HIP_VERSION*", "HIP_INCLUDE_HIP_*", "HIPCUB_VERSION")
"""The macros that distinguish HIP from CUDA: of its compiler, platform and versions, and its headers' guards."""
EITHER = b"HIPIFY_EITHER"
"""The support header's macro that expands to its first argument for nvcc and to its second for AMD GPUs."""

_HIP_MACRO = re.compile("|".join(HIP_MACROS).replace("*", r"\w*").encode())


def serves_both(unit: Unit, use: Use) -> bool:
    """Whether a macro of HIP is tested beside CUDA's: the source serves both already, and CUDA's keeps its name.

    `defined(__NVCC__) && defined(__HIPCC__)` is HIP on NVIDIA GPUs, which never holds for AMD's compiler. A test
    together
    with a HIP macro that leaves the compiler open may be meant for AMD's as well:
    `defined(__CUDACC__) && !defined(__HIPCC_RTC__)`. Beside its own counterpart a renamed macro would be there twice.
    A source may also define a macro of its own from either vendor's, and test one of them.
    """
    if _is_first_of_either(unit, use):
        return True
    return _is_tested_beside(unit, use) or unit.analysis(VendorMacros).defines_vendor_macro(use.start)


def _is_tested_beside(unit: Unit, use: Use) -> bool:
    """Whether a macro of HIP, or the counterpart, is in the same condition."""
    counterpart = None if use.row.hip is None else use.row.hip.encode()
    start, end = condition_around(unit.lexemes, use.start)
    text = unit.source.data[start:end]
    if b"HIP" not in text and (counterpart is None or counterpart not in text):
        return False  # nearly always: nothing to parse
    if any(_HIP_MACRO.fullmatch(one.name) for one in alternatives(unit.lexemes, use.start)):
        return True
    joined = [one.name for one in joint_tests(unit.lexemes, use.start) if one.place != use.start]
    return counterpart in joined or any(map(COMPILER_OR_PLATFORM.fullmatch, joined))


def _is_first_of_either(unit: Unit, use: Use) -> bool:
    lexemes = unit.lexemes
    opening = lexemes.before(use.start)
    return unit.source.data[opening : opening + 1] == b"(" and lexemes.word_before(opening) == EITHER
