"""The functions that find other functions by name at run time."""

from __future__ import annotations

from hipify_py.frontend.unit import Unit

LOOKUP_FUNCTIONS = frozenset({b"dlsym", b"dlvsym", b"GetProcAddress", b"cuGetProcAddress", b"cudaGetDriverEntryPoint"})
"""The functions that find another one by its name."""


def has_name_lookups(unit: Unit) -> bool:
    """Whether one of them is named, in any way."""
    return unit.analysis(_looks_up)


def _looks_up(unit: Unit) -> bool:
    data = unit.source.data
    return any(name in data for name in LOOKUP_FUNCTIONS)
