"""Conditions that serve both vendors, as `convert --dual` writes them: HIP's macro stands beside CUDA's."""

from __future__ import annotations

import re

from hipify_py.frontend.alternatives import alternatives
from hipify_py.unit import Unit, Use

HIP_MACROS = ("__HIP*", "HIP_VERSION*", "HIP_INCLUDE_HIP_*", "HIPCUB_VERSION")
"""The macros of HIP that tell it from CUDA: of its compiler, platform and versions, and its headers' guards."""
EITHER = b"HIPIFY_EITHER"
"""The support header's macro, which expands to its first argument for nvcc and to its second for AMD GPUs."""

_HIP_MACRO = re.compile("|".join(HIP_MACROS).replace("*", r"\w*").encode())


def serves_both(unit: Unit, use: Use) -> bool:
    """One of HIP's macros stands beside CUDA's: the source serves both already, and CUDA's keeps its name."""
    if _is_first_of_either(unit, use):
        return True
    return any(_HIP_MACRO.fullmatch(one.name) for one in alternatives(unit.lexemes, use.start))


def _is_first_of_either(unit: Unit, use: Use) -> bool:
    lexemes = unit.lexemes
    opening = lexemes.before(use.start)
    return unit.source.data[opening : opening + 1] == b"(" and lexemes.word_before(opening) == EITHER
