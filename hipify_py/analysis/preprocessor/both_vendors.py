"""Conditions that serve both vendors, as `convert --dual` writes them: HIP's macro stands beside CUDA's."""

from __future__ import annotations

from hipify_py.frontend.alternatives import alternatives
from hipify_py.unit import Unit, Use

EITHER = b"HIPIFY_EITHER"
"""The support header's macro, which expands to its first argument for nvcc and to its second for AMD GPUs."""


def serves_both(unit: Unit, use: Use) -> bool:
    """One of HIP's macros stands beside CUDA's: the source serves both already, and CUDA's keeps its name."""
    if _is_first_of_either(unit, use):
        return True
    return any(one.name.startswith((b"__HIP", b"HIP")) for one in alternatives(unit.lexemes, use.start))


def _is_first_of_either(unit: Unit, use: Use) -> bool:
    lexemes = unit.lexemes
    opening = lexemes.before(use.start)
    return unit.source.data[opening : opening + 1] == b"(" and lexemes.word_before(opening) == EITHER
