"""Conditions that serve both vendors, as `convert --dual` or a project writes them: HIP's macro beside CUDA's."""

from __future__ import annotations

import re

from hipify_py.analysis.preprocessor.vendor_macros import COMPILER_OR_PLATFORM, VendorMacros
from hipify_py.core.unit import Unit, Use
from hipify_py.frontend.alternatives import alternatives, condition_around, joint_tests

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
