"""Conditions that serve both vendors, as `convert --dual` writes them or a project: HIP's macro beside CUDA's."""

from __future__ import annotations

import re

from hipify_py.analysis.preprocessor.vendor_macros import COMPILER_OR_PLATFORM, VendorMacros
from hipify_py.core.unit import Unit, Use
from hipify_py.frontend.alternatives import alternatives, condition_around, together

HIP_MACROS = ("__HIP*", "HIP_VERSION*", "HIP_INCLUDE_HIP_*", "HIPCUB_VERSION")
"""The macros of HIP that tell it from CUDA: of its compiler, platform and versions, and its headers' guards."""
EITHER = b"HIPIFY_EITHER"
"""The support header's macro, which expands to its first argument for nvcc and to its second for AMD GPUs."""

_HIP_MACRO = re.compile("|".join(HIP_MACROS).replace("*", r"\w*").encode())


def serves_both(unit: Unit, use: Use) -> bool:
    """One of HIP's macros stands beside CUDA's: the source serves both already, and CUDA's keeps its name.

    `defined(__NVCC__) && defined(__HIPCC__)` is HIP on NVIDIA's GPUs, which is nothing that AMD's compiler is. What is
    asked for together with a macro of HIP's that leaves open who compiles may be meant for AMD's as well:
    `defined(__CUDACC__) && !defined(__HIPCC_RTC__)`. Beside its own counterpart a renamed macro would be there twice.
    A source may also make a macro of its own of either vendor's, and ask for one of them.
    """
    if _is_first_of_either(unit, use):
        return True
    return _stands_beside(unit, use) or unit.analysis(VendorMacros).are_made(use.start)


def _stands_beside(unit: Unit, use: Use) -> bool:
    """A macro of HIP's, or the counterpart, stands in the same condition."""
    counterpart = None if use.row.hip is None else use.row.hip.encode()
    start, end = condition_around(unit.lexemes, use.start)
    text = unit.source.data[start:end]
    if b"HIP" not in text and (counterpart is None or counterpart not in text):
        return False  # as nearly always: nothing is taken apart
    if any(_HIP_MACRO.fullmatch(one.name) for one in alternatives(unit.lexemes, use.start)):
        return True
    joined = [one.name for one in together(unit.lexemes, use.start) if one.place != use.start]
    return counterpart in joined or any(map(COMPILER_OR_PLATFORM.fullmatch, joined))


def _is_first_of_either(unit: Unit, use: Use) -> bool:
    lexemes = unit.lexemes
    opening = lexemes.before(use.start)
    return unit.source.data[opening : opening + 1] == b"(" and lexemes.word_before(opening) == EITHER
