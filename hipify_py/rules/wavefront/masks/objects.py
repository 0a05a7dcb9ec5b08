"""Objects that are made of masks: constructors' arguments, members' initialisers, aggregates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.declarations import Declaration, record_name
from hipify_py.frontend.expressions import entries_of, is_same, text_of
from hipify_py.names.declared import Names

if TYPE_CHECKING:
    from tree_sitter import Node

_LISTS = frozenset({"argument_list", "initializer_list"})


def constructions(names: Names, type: bytes) -> Iterator[list[Node]]:
    """What each object of a type is made of where the source makes one by name."""
    for leaf in names.mentions(type):
        parent = leaf.parent
        if parent is None or not is_same(parent.child_by_field_name("type"), leaf):
            continue
        if parent.type == "declaration":
            for declarator in parent.children_by_field_name("declarator"):
                value = declarator.child_by_field_name("value")
                if value is not None and value.type in _LISTS:
                    yield entries_of(value)
        elif parent.type in ("compound_literal_expression", "new_expression"):
            value = parent.child_by_field_name("value") or parent.child_by_field_name("arguments")
            if value is not None:
                yield entries_of(value)


def parts_for(names: Names, node: Node) -> list[Declaration]:
    """What an entry of an argument or initialiser list initialises: parameters of constructors, or a member."""
    entries = node.parent
    if entries is None or entries.type not in _LISTS:
        return []
    type = _type_made(entries)
    position = next((at for at, entry in enumerate(entries_of(entries)) if is_same(entry, node)), None)
    if type is None or position is None:
        return []
    constructors = names.functions(text_of(type))
    lists = [names.parameters(found.function) for found in constructors if found.function is not None]
    if not lists and entries.type == "initializer_list":
        lists = [names.members(text_of(type))]
    return [found for parts in lists if position < len(parts) if (found := parts[position]) is not None]


def field_position(names: Names, field: Declaration) -> tuple[bytes, int] | None:
    """A member's type and its place among the members; None for a type with constructors."""
    type = record_name(field)
    if type is None or names.functions(type):
        return None
    fields = names.members(type)
    return (type, fields.index(field)) if field in fields else None


def _type_made(entries: Node) -> Node | None:
    """The name of the type that a list makes an object of."""
    owner = entries.parent
    if owner is not None and owner.type == "init_declarator":
        owner = owner.parent if is_same(owner.child_by_field_name("value"), entries) else None
    return owner.child_by_field_name("type") if owner is not None else None
