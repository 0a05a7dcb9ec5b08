"""Casts arguments of `__ffsll` for which HIP's two overloads are equally good."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.api.calls import call_at
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.collisions.types import base_type
from hipify_py.unit import Unit

_CALL = re.compile(rb"(?<![\w.>])__ffsll(?=\s*\()")
_VALUE = re.compile(rb"\*?([A-Za-z_]\w*)(?:\[\w+\])?")
_REACH = 20_000  # bytes in front of a call in which a declaration is looked for
_DECLARATION = (
    rb"\b((?:unsigned|signed)(?:\s+(?:long|int|short|char)){0,3}|long(?:\s+(?:long|int|unsigned)){0,3}|int|\w+_t|u?long|uint)"
    rb"\b\s*(?:const\s*)?[*&]?\s*(?:__restrict__\s*)?%s\b"
)
_EXACT = frozenset({"long long", "unsigned long long"})


class BitScans(Rule):
    """CUDA has one `__ffsll`, of a `long long`; HIP has a second one, of an `unsigned long long`.

    For an argument of any other type, `uint64_t` (an `unsigned long`) included, neither is the better match, and the
    call is ambiguous. It is cast to CUDA's type.
    """

    id = "HIP128"
    VALID = (Example("__device__ int f(unsigned long long m) { return __ffsll(m); }"),)
    INVALID = (
        Example(
            "__device__ int f(uint64_t m) { return __ffsll(m); }",
            "__device__ int f(uint64_t m) { return __ffsll(static_cast<long long>(m)); }",
            ("HIP128",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        data = unit.source.data
        for name in _CALL.finditer(data):
            call = call_at(unit, name.end()) if unit.lexemes.skip_at(name.start()) is None else None
            if call is None or len(call.arguments) != 1:
                continue
            start, end = call.arguments[0]
            value = _VALUE.fullmatch(data, start, end)
            type = None if value is None else _declared_type(unit, value[1], start)
            if type is not None and type not in _EXACT:
                yield Edit(start, start, b"static_cast<long long>(")
                yield Edit(end, end, b")")
                yield unit.finding("HIP128", start, name="__ffsll", library="device", detail=type)


def _declared_type(unit: Unit, name: bytes, place: int) -> str | None:
    """The type in the last declaration of a name in front of a place."""
    found = None
    pattern = re.compile(_DECLARATION % re.escape(name))
    for match in pattern.finditer(unit.source.data, max(place - _REACH, 0), place):
        if unit.lexemes.skip_at(match.start()) is None:
            found = base_type(unit, " ".join(match[1].decode().split()))
    return found
