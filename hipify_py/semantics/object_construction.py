"""What the entries of initializer and argument lists initialize: members, parameters of constructors, variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import Declaration, type_name
from hipify_py.semantics.expressions import entries_of, is_same, name_in
from hipify_py.semantics.symbols import Names

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED_OBJECTS = frozenset({"compound_literal_expression", "new_expression"})
_LISTS = frozenset({"argument_list", "initializer_list"})


def parts_for(names: Names, node: Node) -> list[Declaration]:
    """What an entry of an argument or initializer list initializes: parameters of constructors, or a member."""
    entries = node.parent
    if entries is None or entries.type not in _LISTS:
        return []
    type = constructed_type(names, entries)
    position = next((at for at, entry in enumerate(entries_of(entries)) if is_same(entry, node)), None)
    if type is None or position is None:
        return []
    return _parts_at(names, type, position, is_list=entries.type == "initializer_list")


def _parts_at(names: Names, type: Node, position: int, *, is_list: bool) -> list[Declaration]:
    """The parameters of a type's constructors at a position; if there are none, the member that a list initializes."""
    name = type_name(type) or b""
    constructors = names.functions(name)
    lists = [names.parameters(found.function) for found in constructors if found.function is not None]
    if not lists and is_list:
        lists = [names.members(name)]
    return [found for parts in lists if position < len(parts) if (found := parts[position]) is not None]


def constructed_type(names: Names, value: Node) -> Node | None:
    """The type of the object that a list, or a value, makes."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        return owner.child_by_field_name("type")
    return next((found.type for found in value_target(names, value)), None)


def value_target(names: Names, value: Node) -> list[Declaration]:
    """What a value initializes, is assigned to, or is returned by."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        value, owner = owner, owner.parent
    if owner is None:
        return []
    if owner.type == "assignment_expression" and is_same(owner.child_by_field_name("right"), value):
        leaf = name_in(owner.child_by_field_name("left"))
        return list(names.resolve(leaf)) if leaf is not None else []
    node: Node | None = owner
    if owner.type == "return_statement":
        node = ancestor(owner, "function_definition", "lambda_expression")
        node = node if node is not None and node.type == "function_definition" else None
    elif owner.type != "init_declarator" or not is_same(owner.child_by_field_name("value"), value):
        return []
    found = names.declared_in(node) if node is not None else None
    return [] if found is None else [found]
