"""Assignments of braces to numbers of 16 bits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import operator_of
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BRACES = re.compile(rb"=[\s\\]*(?:\{|/[*/])")
_DECLARED = re.compile(
    rb"(?:(?<!-)>|(?<!\w)(?!else\b|do\b|return\b)[A-Za-z_]\w*)\s+[A-Za-z_]\w*\s*(?:\[[^\[\]]*\]\s*)*$"
)
"""A name after that of its type, at the end of what precedes a sign."""
_LONGEST_DECLARATION = 300
_TYPES = {
    b"half": b"__half",
    b"__half": b"__half",
    b"half2": b"__half2",
    b"__half2": b"__half2",
    b"nv_bfloat16": b"__hip_bfloat16",
    b"__nv_bfloat16": b"__hip_bfloat16",
    b"nv_bfloat162": b"__hip_bfloat162",
    b"__nv_bfloat162": b"__hip_bfloat162",
}


class BracedHalves(Rule):
    """HIP's numbers of 16 bits, and pairs of them, can be assigned from several types, so that `x = {}` is ambiguous.

    The type's name before the braces makes it unambiguous. Declarations (`__half2 x = {};`) stay as they are.
    """

    id = "braced-halves"
    triggers = words("*half*", "*bfloat16*")
    VALID = (
        Example("#include <hip/hip_fp16.h>\n__device__ void f() { __half2 a = {}; a = __half2{}; }"),
        Example("struct S { int a; };\nvoid f(S s) { s = {}; }"),
    )
    INVALID = (
        Example(
            "#include <cuda_fp16.h>\n__device__ void f(__half2 a, __half b) { a = {b, b}; }",
            "#include <hip/hip_fp16.h>\n__device__ void f(__half2 a, __half b) { a = __half2{b, b}; }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for assignment in _before_braces(unit):
            left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
            if left is None or right is None or right.type != "initializer_list" or operator_of(assignment) != "=":
                continue
            type = _TYPES.get(pointee(names_of(unit), left))
            if type is not None:
                yield Edit(right.start_byte, right.start_byte, type)


def _before_braces(unit: Unit) -> Iterator[Node]:
    """The assignments outside of macros that may be of braces."""
    lexemes = unit.lexemes
    for found in _BRACES.finditer(lexemes.data):
        place = found.start()
        start = max(lexemes.data.rfind(b"\n", 0, place) + 1, place - _LONGEST_DECLARATION)
        if _DECLARED.search(lexemes.data, start, place) is not None:
            continue
        if lexemes.non_code_at(place) is None and lexemes.define_around(place) is None:
            sign = unit.tree.leaf(place, place + 1)
            if sign is not None and sign.parent is not None and sign.parent.type == "assignment_expression":
                yield sign.parent
