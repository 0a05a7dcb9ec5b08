"""Evaluates comparisons with a compute capability for AMD GPUs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import TypeAlias

from tree_sitter import Node

from hipify_py.frontend.conditions import combined
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import number
from hipify_py.semantics.expressions import name_in, names_in, operator_of, strip_parentheses, text_of

_OF_AMD = ((9, 0), (9, 4), (9, 5), (10, 3), (11, 0), (11, 5), (12, 0))
_ALL = (*product(range(5, 9), range(10)), *_OF_AMD)
"""The versions of all GPUs for which CUDA 12 or HIP compiles; higher ones count as AMD's."""
_COMPARISONS = frozenset((">", "<", ">=", "<=", "==", "!="))
_CHECK = re.compile(rb"\w*(?:CHECK|ASSERT|REQUIRE|ENFORCE)\w*|assert", re.IGNORECASE)
_STOP = re.compile(rb"\w*(?:exit|abort|terminate|error|fail|throw|skip)\w*", re.IGNORECASE)

_Value: TypeAlias = Callable[[Mapping[bytes, int]], "int | None"]
"""An expression's value for given values of names; None where it depends on something else."""


def is_constant_test(unit: Unit, start: int, end: int, name: bytes) -> bool:
    """Whether a test of `name`, the major version, has the same result for all GPUs, or stops none of AMD's."""
    leaf = unit.tree.leaf(start, end) if unit.tree.is_available else None
    comparison = _comparison(leaf)
    if leaf is None or comparison is None:
        return False
    outcomes = set(_outcomes(comparison, name, _ALL))
    if len(outcomes) == 1 and None not in outcomes:
        return True
    if _compares_two(comparison, name):
        return True
    call = ancestor(comparison, "call_expression")
    if call is not None and _is_checked(call, comparison, name):
        return True
    choice = ancestor(comparison, "if_statement")
    if choice is None or choice.child_by_field_name("alternative") is not None:
        return False
    condition, body = choice.child_by_field_name("condition"), choice.child_by_field_name("consequence")
    if condition is None or body is None or not condition.start_byte <= start < condition.end_byte:
        return False
    return all(outcome is False for outcome in _outcomes(condition, name, _OF_AMD)) and _stops(body)


def _comparison(leaf: Node | None) -> Node | None:
    """The nearest comparison around an operand."""
    node = leaf.parent if leaf is not None else None
    while node is not None and not node.type.endswith(("statement", "declaration", "argument_list")):
        sign = node.child_by_field_name("operator")
        if node.type == "binary_expression" and sign is not None and sign.type in _COMPARISONS:
            return node
        node = node.parent
    return None


def _outcomes(node: Node, name: bytes, versions: Iterable[tuple[int, int]]) -> list[bool | None]:
    """Whether a condition holds for each of some GPU versions; None where it depends on something else."""
    value = _compile(node)
    found = [value({name: major, b"minor": minor}) for major, minor in versions]
    return [None if number is None else number != 0 for number in found]


def _compile(node: Node) -> _Value:
    """An expression as a function from the values of some names and members to its value."""
    node = strip_parentheses(node)
    if node.type == "condition_clause":
        inner = node.child_by_field_name("value")
        return _unknown if inner is None else _compile(inner)
    if node.type == "number_literal":
        constant = number(text_of(node))
        return lambda values: constant
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return _unknown if argument is None else _unary(operator_of(node), _compile(argument))
    if node.type == "binary_expression":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return _binary(operator_of(node).encode(), *(_unknown if side is None else _compile(side) for side in sides))
    leaf = name_in(node)
    if leaf is None:
        return _unknown
    text = text_of(leaf)
    return lambda values: values.get(text)


def _unknown(values: Mapping[bytes, int]) -> None:
    """The value of what depends on something else."""


def _unary(sign: str, inner: _Value) -> _Value:
    def value(values: Mapping[bytes, int]) -> int | None:
        found = inner(values)
        return None if found is None else int(not found) if sign == "!" else -found if sign == "-" else None

    return value


def _binary(sign: bytes, left: _Value, right: _Value) -> _Value:
    return lambda values: combined(sign, left(values), right(values))


def _compares_two(comparison: Node, name: bytes) -> bool:
    """Whether one GPU's version is compared with another's, not with a number."""
    sides = (comparison.child_by_field_name("left"), comparison.child_by_field_name("right"))
    return all(side is not None and not names_in(side).isdisjoint((b"major", name)) for side in sides)


def _is_checked(call: Node, comparison: Node, name: bytes) -> bool:
    """Whether this is a check of a minimum that all AMD GPUs pass."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None or not arguments.named_children:
        return False
    tested = arguments.named_children[0]
    if not tested.start_byte <= comparison.start_byte < tested.end_byte or not _CHECK.fullmatch(text_of(function)):
        return False
    return all(_outcomes(tested, name, _OF_AMD))


def _stops(body: Node) -> bool:
    """Whether the last statement of a branch leaves the function or the program."""
    statements = [child for child in body.named_children if child.type != "comment"]
    last = statements[-1] if body.type == "compound_statement" and statements else body
    if last.type in ("return_statement", "throw_statement"):
        return True
    call = last.named_children[0] if last.type == "expression_statement" and last.named_children else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    return function is not None and _STOP.fullmatch(text_of(function).rpartition(b"::")[2]) is not None
