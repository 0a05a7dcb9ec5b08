"""Casts arguments of `__ffsll` for which HIP's two overloads are equally good."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.collisions.types import base_type
from hipify_py.rules.triggers import uses
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

_INTEGER = re.compile(
    r"(?:(?:un)?signed|long|int|short|char)(?: (?:long|int|short|char|unsigned))*|(?:::)?(?:std::)?\w+_t|u?long|uint"
)
_SCAN = "__ffsll"
_VALUES = frozenset({"identifier", "field_expression", "subscript_expression", "pointer_expression"})
"""The nodes of values whose type is the one that they were declared with."""
_EXACT = frozenset({"long long", "unsigned long long"})


class BitScans(Rule):
    """CUDA has one `__ffsll`, of a `long long`; HIP has a second one, of an `unsigned long long`.

    For an argument of any other type, `uint64_t` (an `unsigned long`) included, neither is the better match, and the
    call is ambiguous. It is cast to CUDA's type.
    """

    id = "bit-scans"
    triggers = uses(_SCAN)
    VALID = (Example("__device__ int f(unsigned long long m) { return __ffsll(m); }"),)
    INVALID = (
        Example(
            "__device__ int f(uint64_t m) { return __ffsll(m); }",
            "__device__ int f(uint64_t m) { return __ffsll(static_cast<long long>(m)); }",
        ),
        Example(
            "__device__ int f(std::uint64_t m) { return __ffsll(m); }",
            "__device__ int f(std::uint64_t m) { return __ffsll(static_cast<long long>(m)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        names = names_of(unit)
        for use in unit.uses:
            call = named_call(unit.tree, use.start, use.end) if use.row.name == _SCAN else None
            if call is None or len(call.arguments) != 1 or call.arguments[0].type not in _VALUES:
                continue
            value = call.arguments[0]
            declared = pointee(names, value).decode(errors="replace")
            type = base_type(unit, declared)
            if _INTEGER.fullmatch(declared) and type not in _EXACT:
                yield Edit(value.start_byte, value.start_byte, b"static_cast<long long>(")
                yield Edit(value.end_byte, value.end_byte, b")")
