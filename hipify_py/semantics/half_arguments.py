"""Functions of cuBLAS that take half numbers, where no cast of their arguments can be written."""

from __future__ import annotations

from hipify_py.catalog import Row
from hipify_py.core.targeting import HIP, version
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.headers import libraries

HALF_MACRO = "HIPBLAS_USE_HIP_HALF"
"""With it hipBLAS's half numbers are HIP's `__half`; without it they are 16-bit integers."""

_FIRST = (6, 0)
_HALF = "hipblasHalf*"


def needs_half_macro(unit: Unit) -> bool:
    """Whether a source includes hipBLAS and passes on one of the functions, or its arguments, by name."""
    return unit.analysis(_HalfMacro).is_needed


def uses_half_macro(unit: Unit, use: Use) -> bool:
    """Whether a function that takes half numbers is used in a source that gets the macro.

    In a header it may come too late: its includer may have included hipBLAS before.
    """
    return _takes_half(use.row) and not unit.source.is_header and needs_half_macro(unit)


class _HalfMacro:
    """Whether one source is to have the macro."""

    def __init__(self, unit: Unit) -> None:
        targeting = unit.options.targeting
        self.is_needed = (
            targeting.target == HIP
            and not (targeting.rocm and version(targeting.rocm) < _FIRST)
            and "cublas" in libraries(unit)
            and any(_takes_half(use.row) and _is_handed_on(unit, use) for use in unit.uses)
        )


def _takes_half(row: Row) -> bool:
    return row.library == "cublas" and any(_HALF in str(wrap) for wrap in row.details.get("args", {}).values())


def _is_handed_on(unit: Unit, use: Use) -> bool:
    """Whether no argument list follows the name, or one with fewer arguments than it expands to (`__VA_ARGS__`)."""
    call = call_at(unit, use.end)
    return call is None or len(call.arguments) <= max(int(position) for position in use.row.details["args"])
