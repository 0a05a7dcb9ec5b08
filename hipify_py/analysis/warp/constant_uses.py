"""Recognizes names that are used as constants: array bounds, template arguments, case labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import is_same, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NEED_CONSTANTS = frozenset({"template_argument_list", "static_assert_declaration", "launch_bounds", "enumerator"})
_STATIC = frozenset({b"__shared__", b"__constant__", b"static", b"constexpr", b"__managed__"})
_ENDS = frozenset({"compound_statement", "function_definition", "translation_unit", "argument_list"})


def is_constant_use(unit: Unit, leaf: Node) -> bool:
    """Whether a leaf names something where the compiler needs a constant."""
    node, parent = leaf, leaf.parent
    while parent is not None and parent.type not in _ENDS:
        if parent.type in _NEED_CONSTANTS:
            return True
        if parent.type == "case_statement":
            return is_same(parent.child_by_field_name("value"), node)
        if parent.type == "array_declarator" and is_same(parent.child_by_field_name("size"), node):
            return _is_static(parent)
        if parent.type == "init_declarator" and is_same(parent.child_by_field_name("value"), node):
            owner = parent.parent
            return owner is not None and any(text_of(child) == b"constexpr" for child in owner.children)
        node, parent = parent, parent.parent
    return parent is not None and parent.type == "argument_list" and _is_launch_bounds(parent)


def _is_static(declarator: Node) -> bool:
    """Whether this is an array in shared or static memory, a member, or local: HIP needs a constant size."""
    node: Node | None = declarator
    while node is not None and node.type not in ("declaration", "field_declaration", "compound_statement"):
        node = node.parent
    if node is None:
        return False
    return node.type == "field_declaration" or any(text_of(child) in _STATIC for child in node.children)


def _is_launch_bounds(arguments: Node) -> bool:
    call = arguments.parent
    return call is not None and text_of(call).startswith(b"__launch_bounds__")
