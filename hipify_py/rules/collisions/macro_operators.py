"""Resolves clashes between vector operators that a macro defines and those of HIP's vector types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, as_note
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.tokens import Token, tokens
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.collisions.functions import BOTH_SIDES, VECTOR_OPERATORS
from hipify_py.rules.collisions.types import base_type
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.token_pasting import macro_call_arguments
from hipify_py.semantics.vector_types import vector

_WORD = re.compile(rb"\w+")
_HEAD_ENDS = frozenset((b";", b"}", b"{"))
_ONE_SIDE = b"HIPIFY_ONE_SIDE"
_RESOLVED = "hipify-py compiles it for host and device separately, so the compiler prefers it"


class MacroOperators(Rule):
    """A macro that defines operators for several vector types may define some that HIP's types already have: `*`, `/`
    and the compound assignments of two vectors. Their uses would be ambiguous. The operator may be a parameter of the
    macro, and so may the type.

    A macro's body cannot contain a preprocessor condition, so hipify-py cannot leave these operators out like others.
    A macro of the support header defines them for the host and for the device separately, and each side prefers the
    operator that is for it alone.
    """

    id = "HIP132"
    triggers = facts(Fact.DEFINES) & words("operator")
    VALID = (
        Example("#define OPS(T) inline __host__ __device__ T operator+(T a, T b) { return f(a, b); }\nOPS(float2)"),
        Example("#define OPS(T, S) inline __host__ __device__ T operator*(T a, S b) { return f(a, b); }"),
        Example("#define OPS(T) __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(float2)"),
        Example("#define OPS(T) __host__ __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(Mine)"),
        Example("#define OPS(T, o) __host__ __device__ T operator o(T a, T b) { return f(a, b); }\nOPS(int2, +)"),
    )
    INVALID = (
        Example(
            "#define OPS(T) __host__ __device__ T operator*(T a, T b) { return f(a, b); }\nOPS(float2)\n",
            '#include "hipify_support.hpp"\n'
            "#define OPS(T) HIPIFY_ONE_SIDE T operator*(T a, T b) { return f(a, b); }\nOPS(float2)\n",
            ("HIP132",),
        ),
        Example(
            "#define OPS(T, o) __host__ __device__ T &operator o(T &a, T b) { a.x o b.x; return a; }\nOPS(int2, +=)\n",
            '#include "hipify_support.hpp"\n'
            "#define OPS(T, o) HIPIFY_ONE_SIDE T &operator o(T &a, T b) { a.x o b.x; return a; }\nOPS(int2, +=)\n",
            ("HIP132",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        for macro in macros_of(unit).all():
            if b"operator" not in unit.source.data[macro.start : macro.end]:
                continue
            words = list(tokens(unit.lexemes, macro.start, macro.end))
            head = 0
            for at, word in enumerate(words):
                if word.text in _HEAD_ENDS:
                    head = at + 1
                if word.text != b"operator" or not _collides(unit, macro, words, at):
                    continue
                qualifiers = _qualifiers(words[head:at])
                if qualifiers is None:
                    continue
                name = unit.source.data[word.start : words[at + 1].end].decode()
                found = unit.finding("HIP132", word.start, name=name, library="device")
                if unit.options.support:
                    yield Edit(*qualifiers, _ONE_SIDE)
                    yield Support("one_side")
                    found = as_note(found, _RESOLVED)
                yield found


def _qualifiers(head: list[Token]) -> tuple[int, int] | None:
    """The offsets where a function is declared for both sides."""
    for first, second in pairwise(head):
        if {first.text, second.text} == BOTH_SIDES:
            return first.start, second.end
    return None


def _collides(unit: Unit, macro: Macro, words: list[Token], at: int) -> bool:
    """Whether there are two operands of one type, the left one changed by a compound assignment, maybe a vector's."""
    if at + 2 >= len(words) or words[at + 2].text != b"(":
        return False
    symbol = words[at + 1].text
    if symbol not in VECTOR_OPERATORS and symbol not in (macro.parameters or ()):
        return False
    found = match_forward(unit.lexemes, words[at + 2].start, macro.end)
    if found is None or len(found[1]) != 1:
        return False
    closing, (comma,) = found
    left, right = (
        _operand([word.text for word in words[at + 3 :] if start < word.start < end])
        for start, end in ((words[at + 2].start, comma), (comma, closing))
    )
    if left is None or right is None or left.type != right.type:
        return False
    return _may_collide(unit, macro, symbol, left)


class _Operand(NamedTuple):
    """An operand's type, and whether it is a reference that can be changed."""

    type: tuple[bytes, ...]
    is_changed: bool


def _operand(parameter: list[bytes]) -> _Operand | None:
    """`const T##2 &a`: the type's tokens are `T`, `##`, `2`; None for anything but a named value or reference."""
    is_const = b"const" in parameter
    words = [word for word in parameter if word != b"const"]
    marks = [word for word in words[:-1] if word == b"&"]
    type = tuple(word for word in words[:-1] if word != b"&")
    if len(marks) > 1 or not type or not _WORD.fullmatch(words[-1]) or words[-2] not in (b"&", type[-1]):
        return None
    if not all(_WORD.fullmatch(word) if number % 2 == 0 else word == b"##" for number, word in enumerate(type)):
        return None
    return _Operand(type, bool(marks) and not is_const)


def _may_collide(unit: Unit, macro: Macro, symbol: bytes, left: _Operand) -> bool:
    """Whether this is a vector's type with an operator that HIP has for it, here or by the macro's uses."""
    parameters = macro.parameters or ()
    argument_sets = list(_argument_sets(unit, macro)) if {symbol, *left.type} & set(parameters) else [{}]
    if not argument_sets:
        return (symbol in parameters or _is_operator(symbol, left.is_changed)) and (
            bool(set(left.type) & set(parameters)) or _is_vector(unit, b"".join(left.type))
        )
    return any(
        _is_operator(values.get(symbol, symbol), left.is_changed)
        and _is_vector(unit, b"".join(values.get(word, word) for word in left.type if word != b"##"))
        for values in argument_sets
    )


def _is_operator(symbol: bytes, is_assignment: bool) -> bool:
    return symbol in VECTOR_OPERATORS and symbol.endswith(b"=") == is_assignment


def _is_vector(unit: Unit, type: bytes) -> bool:
    return vector(base_type(unit, type.decode(errors="replace"))) is not None


def _argument_sets(unit: Unit, macro: Macro) -> Iterator[dict[bytes, bytes]]:
    """The arguments of a macro's uses in this source for its parameters."""
    for ranges in macro_call_arguments(unit).bindings(macro):
        if ranges is not None:
            yield {name: unit.lexemes.code(*span) for name, span in ranges.items()}
