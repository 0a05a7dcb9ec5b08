"""Variables with their initial values, in every way of writing them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import entries_of, sole_entry

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED = frozenset({"identifier", "reference_declarator"})


def initialised_variables(unit: Unit) -> Iterator[tuple[Node, Node]]:
    """The type and the value of each variable that is initialized with one value: `T x = v;`, `T x(v);`, `T x{v};`.

    `T x(v);` in a function is parsed as a prototype where the value is a name: its leaf is a type's then.
    """
    for node in unit.tree.nodes("init_declarator"):
        declarator, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        type = node.parent.child_by_field_name("type") if node.parent is not None else None
        if declarator is None or value is None or type is None or declarator.type not in _NAMED:
            continue
        yield type, sole_entry(value) if value.type in ("argument_list", "initializer_list") else value
    for declarator in unit.tree.nodes("function_declarator"):
        declaration = declarator.parent
        if declaration is None or declaration.type != "declaration" or not _is_in_block(declaration):
            continue
        type, parameters = declaration.child_by_field_name("type"), declarator.child_by_field_name("parameters")
        entries = entries_of(parameters) if parameters is not None else []
        if type is None or len(entries) != 1:
            continue
        if entries[0].type == "parameter_declaration" and entries[0].child_count == 1:
            yield type, entries[0].children[0]


def _is_in_block(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "compound_statement"
