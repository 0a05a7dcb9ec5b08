"""Element types of matrix fragments, and the values that they are filled with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.expressions import arguments_of, call_of, name_in, text_of
from hipify_py.semantics.matrix_fragments import fragment_types
from hipify_py.semantics.symbols import names_of

_BFLOAT16 = re.compile(rb"(?:__)?nv_bfloat16")
_LITERAL = re.compile(rb"-?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:e[+-]?[0-9]+)?[fF]?")
_TYPES = {b"half": b"half", b"__half": b"__half", b"float": b"float", b"double": b"double", b"int": b"int"}


class FragmentValues(Rule):
    """CUDA converts the value that a fragment is filled with; rocWMMA requires one of the element's type.

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
        elements: dict[int, bytes] = {}
        for fragment in fragment_types(unit):
            if fragment.element is None:
                continue
            element = b" ".join(text_of(fragment.element).split())
            elements[fragment.node.end_byte] = element
            if _BFLOAT16.fullmatch(element):
                use, detail = fragment.use, element.decode()
                yield unit.finding("HIP504", use.start, name=use.row.name, library=use.row.library, detail=detail)
        for use in unit.uses:
            if use.row.name == "nvcuda::wmma::fill_fragment" and elements:
                yield from _cast(unit, use, elements)


def _cast(unit: Unit, use: Use, elements: dict[int, bytes]) -> Iterator[Edit]:
    """The cast of a literal that a fragment is filled with, by the offsets where the types of fragments end."""
    call = call_of(leaf) if (leaf := unit.tree.leaf(use.end - 1, use.end)) is not None else None
    arguments = arguments_of(call) if call is not None else []
    if len(arguments) != 2:
        return
    fragment, value = arguments
    while fragment.type in ("subscript_expression", "parenthesized_expression"):
        fragment = fragment.child_by_field_name("argument") or next(iter(fragment.named_children), fragment)
    name = name_in(fragment)
    types = {
        elements.get(found.type.end_byte, b"") if found.type is not None else b""
        for found in (names_of(unit).resolve(name) if name is not None else ())
    }
    literal = text_of(value)
    if len(types) != 1 or not _LITERAL.fullmatch(literal):
        return
    type = _TYPES.get(types.pop())
    if type is not None and type != _type_of(literal):
        yield Edit(value.start_byte, value.start_byte, b"static_cast<" + type + b">(")
        yield Edit(value.end_byte, value.end_byte, b")")


def _type_of(literal: bytes) -> bytes:
    if literal[-1:] in b"fF":
        return b"float"
    return b"double" if b"." in literal or b"e" in literal else b"int"
