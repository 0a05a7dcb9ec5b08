"""The types that members belong to: `p.x`, `p->x`, `{.x = 1}`, `T::x`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.containers import element
from hipify_py.semantics.declarations import type_name
from hipify_py.semantics.expression_types import ExpressionTypes, expression_types
from hipify_py.semantics.expressions import is_same
from hipify_py.semantics.type_queries import api_owner

if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.semantics.containers import Type


def owner_at(unit: Unit, start: int, end: int) -> bytes | None:
    """The name of the type that a member belongs to; None where it is unknown, or the name is not a member's."""
    leaf = unit.tree.leaf(start, end)
    if leaf is None or (leaf.start_byte, leaf.end_byte) != (start, end):
        return None
    parent = leaf.parent
    if parent is None:
        return None
    types = expression_types(unit)
    if parent.type == "field_expression" and is_same(parent.child_by_field_name("field"), leaf):
        return _name(types.object_type(parent)) or api_owner(unit, start, end)
    if parent.type == "qualified_identifier" and is_same(parent.child_by_field_name("name"), leaf):
        scope = parent.child_by_field_name("scope")
        return type_name(scope) if scope is not None else None
    if parent.type == "offsetof_expression":
        return _name(types.type_of_node(parent.child_by_field_name("type")))
    if parent.type == "field_designator":
        return _name(_initialised(types, parent)) or api_owner(unit, start, end)
    return None


def _name(found: Type | None) -> bytes | None:
    return found.name if found is not None and not found.pointers else None


def _initialised(types: ExpressionTypes, designator: Node) -> Type | None:
    """The type that an initializer list initializes, from a designator in it."""
    values = ancestor(designator, "initializer_list")
    around = values.parent if values is not None else None
    if values is None or around is None:
        return None
    if around.type == "initializer_list":  # an element of an array
        return element(_listed(types, around))
    return _listed(types, values)


def _listed(types: ExpressionTypes, values: Node) -> Type | None:
    """The type that an initializer list is a value of."""
    around = values.parent
    if around is None:
        return None
    if around.type == "compound_literal_expression":
        return types.type_of_node(around.child_by_field_name("type"))
    if around.type == "assignment_expression":
        return types.type_of(around.child_by_field_name("left"))
    if around.type == "init_declarator":
        return types.type_of(_declared_leaf(around.child_by_field_name("declarator")))
    return None


def _declared_leaf(declarator: Node | None) -> Node | None:
    node = declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        node = inner if inner is not None else next(iter(node.named_children), None)
    return node
