"""Element types of matrix fragments, and the values that they are filled with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.calls import call_at
from hipify_py.unit import Unit

_ELEMENT = re.compile(
    rb"\s*<\s*[\w:]+\s*(?:,\s*\w+\s*){3},\s*((?:const\s+)?[\w:]+(?:\s+char)?)\s*(?:,\s*[\w:]+\s*)?>\s*(\w+(?:[^;(){}<>]*))"
)
_BFLOAT16 = re.compile(rb"(?:__)?nv_bfloat16")
_NAME = re.compile(rb"\w+")
_LITERAL = re.compile(rb"-?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:e[+-]?[0-9]+)?[fF]?")
_TYPES = {b"half": b"half", b"__half": b"__half", b"float": b"float", b"double": b"double", b"int": b"int"}


class FragmentValues(Rule):
    """CUDA converts the value that a fragment is filled with; rocWMMA wants one of the element's type.

    `fill_fragment(f, 0.0f)` with elements of type `half`, or `0` with `float`, gets a cast. Fragments of bfloat16 are
    reported: rocWMMA's type for them is another one.
    """

    id = "HIP504"
    triggers = uses("nvcuda::wmma::fragment")
    VALID = (
        Example(
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, int> f;\nvoid g() { rocwmma::fill_fragment(f, 0); }"
        ),
    )
    INVALID = (
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, half> f;\n"
            "__device__ void g() { nvcuda::wmma::fill_fragment(f, 0.0f); }",
            "rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, half> f;\n"
            "__device__ void g() { rocwmma::fill_fragment(f, static_cast<half>(0.0f)); }",
        ),
        Example(
            "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __nv_bfloat16, nvcuda::wmma::row_major> f;",
            "rocwmma::fragment<rocwmma::matrix_a, 16, 16, 16, __hip_bfloat16, rocwmma::row_major> f;",
            ("HIP504",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        data = unit.source.data
        elements: dict[bytes, set[bytes]] = {}
        for use in unit.uses:
            if use.row.name != "nvcuda::wmma::fragment":
                continue
            match = _ELEMENT.match(data, use.end)
            if match is None:
                continue
            for declared in match[2].split(b","):
                name = _NAME.match(declared.strip())
                if name is not None:
                    elements.setdefault(name[0], set()).add(match[1])
            if _BFLOAT16.fullmatch(match[1]):
                detail = match[1].decode()
                yield unit.finding("HIP504", use.start, name=use.row.name, library=use.row.library, detail=detail)
        for use in unit.uses:
            if use.row.name == "nvcuda::wmma::fill_fragment" and elements:
                yield from _cast(unit, use.end, elements)


def _cast(unit: Unit, end: int, elements: dict[bytes, set[bytes]]) -> Iterator[Edit]:
    call = call_at(unit, end)
    if call is None or len(call.arguments) != 2:
        return
    data = unit.source.data
    (start, _), (first, last) = call.arguments
    name, value = _NAME.match(data, start), data[first:last]
    types = elements.get(name[0], set()) if name is not None else set()
    if len(types) != 1 or not _LITERAL.fullmatch(value):
        return
    type = _TYPES.get(next(iter(types)))
    if type is not None and type != _type_of(value):
        yield Edit(first, first, b"static_cast<" + type + b">(")
        yield Edit(last, last, b")")


def _type_of(literal: bytes) -> bytes:
    if literal[-1:] in b"fF":
        return b"float"
    return b"double" if b"." in literal or b"e" in literal else b"int"
