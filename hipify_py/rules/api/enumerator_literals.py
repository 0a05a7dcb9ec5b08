"""Number literals in a tree that are values of a type: those converted to it, and those used with its variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import (
    compact,
    ends_with,
    entries_of,
    is_same,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.integer_literals import LITERAL

if TYPE_CHECKING:
    from tree_sitter import Node

    Literal: TypeAlias = tuple[bytes, tuple[int, int]]
    """The text of a number, and its offset."""

_QUALIFIED = frozenset({"qualified_identifier"})
_OBJECTS = frozenset({"identifier", "field_identifier", "array_declarator"})
_AGAINST_NUMBERS = frozenset({"==", "!=", "="})
_COMPARED = frozenset({"binary_expression", "assignment_expression"})


def literals_of_type(leaf: Node | None) -> Iterator[Literal]:
    """The values that follow a type's name: `(T)1`, `T(1)`, `T{1}`, `static_cast<T>(1)`, `T x = 1`."""
    node = ends_with(leaf, _QUALIFIED) if leaf is not None else None
    parent = node.parent if node is not None else None
    if node is None or parent is None:
        return
    if parent.type == "type_descriptor":
        if parent.child_by_field_name("declarator") is not None:
            return  # a pointer
        parent = parent.parent
        if parent is not None and parent.type == "template_argument_list":
            function = parent.parent
            is_cast = function is not None and text_of(function.child_by_field_name("name")).endswith(b"_cast")
            parent = function.parent if is_cast and function is not None else None
    if parent is None:
        return
    if parent.type == "call_expression":
        yield from _values(parent.child_by_field_name("arguments"))
    elif parent.type in ("cast_expression", "compound_literal_expression"):
        yield from _values(parent.child_by_field_name("value"))
    else:
        declared = parent.children_by_field_name("declarator")
        for declarator in declared:
            name = declarator.child_by_field_name("declarator")
            if declarator.type == "init_declarator" and name is not None and name.type in _OBJECTS:
                yield from _values(declarator.child_by_field_name("value"))
        if all(declarator.type in _OBJECTS for declarator in declared):
            yield from _values(parent.child_by_field_name("default_value"))


def compared_literals(unit: Unit, start: int, end: int) -> tuple[Literal, str] | None:
    """The number at a place, with the type name of what it is compared with, or assigned to."""
    number = _side(unit, start, end)
    expression = number.parent if number is not None else None
    if number is None or expression is None or operator_of(expression) not in _AGAINST_NUMBERS:
        return None
    sides = [expression.child_by_field_name("left"), expression.child_by_field_name("right")]
    other = sides[1] if is_same(sides[0], number) else sides[0]
    found = expression_types(unit).type_of(other)
    return None if found is None or found.pointers else (_literal(number), found.name.decode(errors="replace"))


def _values(node: Node | None) -> Iterator[Literal]:
    """The values of an initializer, those of lists one by one."""
    if node is not None and node.type in ("argument_list", "initializer_list"):
        for entry in entries_of(node):
            yield from _values(entry)
    elif node is not None and LITERAL.fullmatch(compact(strip_parentheses(node))) is not None:
        yield _literal(strip_parentheses(node))


def _side(unit: Unit, start: int, end: int) -> Node | None:
    """The number at a place, with its sign, if it is a side of a comparison or an assignment; none in directives."""
    lexemes = unit.lexemes
    if lexemes.in_directive(start) and not lexemes.in_condition(start):
        return None
    node = unit.tree.leaf(start, end)
    while node is not None and LITERAL.fullmatch(text_of(node)) is not None:
        parent = node.parent
        if parent is not None and parent.type in _COMPARED:
            return node
        node = parent
    return None


def _literal(node: Node) -> Literal:
    return compact(node), (node.start_byte, node.end_byte)
