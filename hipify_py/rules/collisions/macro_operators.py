"""Settles vector operators that a macro makes against those that HIP's vector types bring."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding, as_note
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Define
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.collisions.types import base_type
from hipify_py.rules.collisions.vector_operators import OPERATOR
from hipify_py.semantics.vector_types import vector
from hipify_py.unit import Unit

_QUALIFIERS = re.compile(rb"__host__\s*__device__|__device__\s*__host__")
_PARAMETER = re.compile(rb"\s*(?:const\s+)?([\w#]+)\s*(const)?\s*(&?)\s*\w+\s*")
_LONGEST_HEAD = 300  # bytes of a function in front of its name
_ONE_SIDE = b"HIPIFY_ONE_SIDE"
_SETTLED = "it is compiled for one side at a time, so that it is preferred"


class MacroOperators(Rule):
    """A macro that makes the operators of several vector types stamps out some that HIP's types have themselves:
    `*`, `/` and the compound assignments of two vectors, whose uses would be ambiguous.

    No condition can stand in a macro's body, so that they cannot be left out as others are. They are made for the
    host and for the device apart, by a macro of the support header: each side prefers what is for it alone.
    """

    id = "HIP132"
    VALID = (
        Example("#define OPS(T) inline __host__ __device__ T operator+(T a, T b) { return f(a, b); }\nOPS(float2)"),
        Example("#define OPS(T, S) inline __host__ __device__ T operator*(T a, S b) { return f(a, b); }"),
        Example("#define OPS(T) __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(float2)"),
        Example("#define OPS(T) __host__ __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(Mine)"),
    )
    INVALID = (
        Example(
            "#define OPS(T) __host__ __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(float2)\n",
            '#include "hipify_support.hpp"\n'
            "#define OPS(T) HIPIFY_ONE_SIDE T operator*(T a, T b) { return f(a, b); }\nOPS(float2)\n",
            ("HIP132",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        data, lexemes = unit.source.data, unit.lexemes
        for name in OPERATOR.finditer(data):
            define = lexemes.define_around(name.start())
            if define is None or lexemes.non_code_at(name.start()) is not None or not _collides(unit, define, name):
                continue
            start = max(define.end, name.start() - _LONGEST_HEAD)
            start = max(start, *(data.rfind(mark, start, name.start()) for mark in (b";", b"}")))
            qualifiers = _QUALIFIERS.search(data, start, name.start())
            if qualifiers is None:
                continue
            found = unit.finding("HIP132", name.start(), name=name[0].decode(), library="device")
            if unit.options.support:
                yield Edit(*qualifiers.span(), _ONE_SIDE)
                yield Support("one_side")
                found = as_note(found, _SETTLED)
            yield found


def _collides(unit: Unit, define: Define, name: re.Match[bytes]) -> bool:
    """Two operands of one type, the left one changed by a compound assignment, and the type may be a vector's."""
    data, lexemes = unit.source.data, unit.lexemes
    opening = lexemes.after(name.end())
    found = match_forward(lexemes, opening, lexemes.body_end(define))
    if found is None or len(found[1]) != 1:
        return False
    left = _PARAMETER.fullmatch(data, opening + 1, found[1][0])
    right = _PARAMETER.fullmatch(data, found[1][0] + 1, found[0])
    if left is None or right is None or left[1] != right[1]:
        return False
    changes_left = left[3] == b"&" and left[2] is None and b"const" not in left[0]
    return changes_left == name[0].endswith(b"=") and _may_be_vector(unit, define, left[1])


def _may_be_vector(unit: Unit, define: Define, type: bytes) -> bool:
    """A vector's type, or a parameter of the macro that stands for one where the macro is used in this source."""
    parameters = unit.lexemes.parameters(define)
    word = type.split(b"#")[0]
    if word not in parameters:
        return vector(base_type(unit, type.decode(errors="replace"))) is not None
    rest = type[len(word) :].replace(b"#", b"")
    uses = re.findall(rb"(?<![\w.])" + re.escape(define.text) + rb"\s*\(([^()]*)\)", unit.source.data[define.end :])
    position = parameters.index(word)
    types = [values[position].strip() + rest for use in uses if len(values := use.split(b",")) == len(parameters)]
    return not types or any(vector(base_type(unit, given.decode(errors="replace"))) is not None for given in types)
