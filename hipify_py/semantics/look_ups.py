"""The functions that find others by their names while a program runs."""

from __future__ import annotations

from hipify_py.core.unit import Unit

LOOK_UPS = frozenset({b"dlsym", b"dlvsym", b"GetProcAddress", b"cuGetProcAddress", b"cudaGetDriverEntryPoint"})
"""The functions that find another one by its name."""


def looks_up(unit: Unit) -> bool:
    """One of them is named, in whatever way."""
    return unit.analysis(_looks_up)


def _looks_up(unit: Unit) -> bool:
    data = unit.source.data
    return any(name in data for name in LOOK_UPS)
