"""What a comparison with a compute capability decides on AMD GPUs."""

from __future__ import annotations

import re
from itertools import product

from tree_sitter import Node

from hipify_py.frontend.conditions import combined
from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.constants import number
from hipify_py.semantics.expressions import bare, name_in, names_in, operator_of, text_of
from hipify_py.unit import Unit

_OF_AMD = ((9, 0), (9, 4), (9, 5), (10, 3), (11, 0), (11, 5), (12, 0))
_ALL = (*product(range(5, 9), range(10)), *_OF_AMD)
"""The versions of all GPUs for which CUDA 12 or HIP compiles; what is above them counts as AMD's."""
_COMPARISONS = frozenset((">", "<", ">=", "<=", "==", "!="))
_CHECK = re.compile(rb"\w*(?:CHECK|ASSERT|REQUIRE|ENFORCE)\w*|assert", re.IGNORECASE)
_STOP = re.compile(rb"\w*(?:exit|abort|terminate|error|fail|throw|skip)\w*", re.IGNORECASE)


def asks_nothing(unit: Unit, start: int, end: int, name: bytes) -> bool:
    """A test of `name`, the major version, at a place comes to the same for all GPUs, or stops none of AMD's."""
    leaf = unit.tree.leaf(start, end) if unit.tree.is_available else None
    comparison = _comparison(leaf)
    if leaf is None or comparison is None:
        return False
    if len({_value(comparison, name, *version) for version in _ALL} - {None}) == 1 and _is_known(comparison, name):
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
    return all(_value(condition, name, *version) == 0 for version in _OF_AMD) and _stops(body)


def _comparison(leaf: Node | None) -> Node | None:
    """The nearest comparison around an operand."""
    node = leaf.parent if leaf is not None else None
    while node is not None and not node.type.endswith(("statement", "declaration", "argument_list")):
        sign = node.child_by_field_name("operator")
        if node.type == "binary_expression" and sign is not None and sign.type in _COMPARISONS:
            return node
        node = node.parent
    return None


def _value(node: Node, name: bytes, major: int, minor: int) -> int | None:
    """What an expression comes to for a GPU of a version; None where it hangs on something else."""
    found = _number(node, {name: major, b"minor": minor})
    return None if found is None else int(found != 0)


def _number(node: Node, known: dict[bytes, int]) -> int | None:
    """The value of an expression by those of some names and members; None where it hangs on something else."""
    node = bare(node)
    if node.type == "condition_clause":
        value = node.child_by_field_name("value")
        return None if value is None else _number(value, known)
    if node.type == "number_literal":
        return number(text_of(node))
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        inner = _number(argument, known) if argument is not None else None
        sign = operator_of(node)
        return None if inner is None else int(not inner) if sign == "!" else -inner if sign == "-" else None
    if node.type == "binary_expression":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        left, right = (_number(side, known) if side is not None else None for side in sides)
        return combined(operator_of(node).encode(), left, right)
    leaf = name_in(node)
    return known.get(text_of(leaf)) if leaf is not None else None


def _is_known(node: Node, name: bytes) -> bool:
    return all(_value(node, name, *version) is not None for version in _ALL)


def _compares_two(comparison: Node, name: bytes) -> bool:
    """One GPU's version with another's, which is no question for a number."""
    sides = (comparison.child_by_field_name("left"), comparison.child_by_field_name("right"))
    return all(side is not None and not names_in(side).isdisjoint((b"major", name)) for side in sides)


def _is_checked(call: Node, comparison: Node, name: bytes) -> bool:
    """A check of a minimum that all of AMD's GPUs pass."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None or not arguments.named_children:
        return False
    asked = arguments.named_children[0]
    if not asked.start_byte <= comparison.start_byte < asked.end_byte or not _CHECK.fullmatch(text_of(function)):
        return False
    return all(_value(asked, name, *version) == 1 for version in _OF_AMD)


def _stops(body: Node) -> bool:
    """The last statement of a branch leaves the function or the program."""
    statements = [child for child in body.named_children if child.type != "comment"]
    last = statements[-1] if body.type == "compound_statement" and statements else body
    if last.type in ("return_statement", "throw_statement"):
        return True
    call = last.named_children[0] if last.type == "expression_statement" and last.named_children else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    return function is not None and _STOP.fullmatch(text_of(function).rpartition(b"::")[2]) is not None
