"""Casts arguments of `__ffsll` for which HIP's two overloads are equally good."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.collisions.types import base_type
from hipify_py.rules.triggers import uses
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import (
    named_call,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SCAN = "__ffsll"
_EXACT = frozenset({"long long", "unsigned long long"})
_LITERAL = re.compile(rb"(?i)[\d'][\w']*(?:ll|llu)")
_BALLOTS = frozenset({b"__ballot", b"__ballot_sync", b"__activemask"})
_OF_BOTH = frozenset("+-*/%&|^")


class BitScans(Rule):
    """CUDA has one `__ffsll`, of a `long long`; HIP has a second one, of an `unsigned long long`.

    For an argument of any other type, `uint64_t` (an `unsigned long`) and the 32 bits of a ballot included, neither is
    the better match, and the call is ambiguous. An argument that is not known to be of one of the two types is cast to
    CUDA's.
    """

    id = "bit-scans"
    triggers = uses(_SCAN)
    VALID = (
        Example("__device__ int f(unsigned long long m) { return __ffsll(m); }"),
        Example("__device__ int f(unsigned long long m, int n) { return __ffsll(m & ~(1ull << n)); }"),
    )
    INVALID = (
        Example(
            "__device__ int f(uint64_t m) { return __ffsll(m); }",
            "__device__ int f(uint64_t m) { return __ffsll(static_cast<long long>(m)); }",
        ),
        Example(
            "__device__ int f(std::uint64_t m) { return __ffsll(m); }",
            "__device__ int f(std::uint64_t m) { return __ffsll(static_cast<long long>(m)); }",
        ),
        Example(
            "template <class T> __device__ int f(T m, T n) { return __ffsll(m & n); }",
            "template <class T> __device__ int f(T m, T n) { return __ffsll(static_cast<long long>(m & n)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for use in unit.uses if not unit.is_hip else ():
            call = named_call(unit.tree, use.start, use.end) if use.row.name == _SCAN else None
            if call is None or len(call.arguments) != 1:
                continue
            value = call.arguments[0]
            if not _is_exact(unit, value):
                yield Edit(value.start_byte, value.start_byte, b"static_cast<long long>(")
                yield Edit(value.end_byte, value.end_byte, b")")


def _is_exact(unit: Unit, value: Node) -> bool:
    """Whether an expression is a `long long`, signed or not: with any other integer the result is one as well."""
    left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
    match value.type:
        case "number_literal":
            return _LITERAL.fullmatch(text_of(value)) is not None
        case "call_expression":
            function = value.child_by_field_name("function")
            if function is not None and text_of(function) in _BALLOTS:
                return function.start_byte not in unit.kept_warps  # HIP's own have a bit for each lane of 64
        case "parenthesized_expression":
            bare = strip_parentheses(value)
            return bare.type != "parenthesized_expression" and _is_exact(unit, bare)
        case "unary_expression":
            inner = value.child_by_field_name("argument")
            return operator_of(value) in ("~", "-", "+") and inner is not None and _is_exact(unit, inner)
        case "binary_expression" if left is not None and right is not None:
            is_of_both = operator_of(value) in _OF_BOTH
            return (is_of_both or operator_of(value) in ("<<", ">>")) and (
                _is_exact(unit, left) or (is_of_both and _is_exact(unit, right))
            )
    return base_type(unit, type_of(names_of(unit), value).decode(errors="replace")) in _EXACT
