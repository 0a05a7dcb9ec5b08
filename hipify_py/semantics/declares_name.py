"""What an occurrence of a name declares: a variable, a function, a type; or nothing, where it is a use."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipify_py.semantics.declarations import PARAMETERS, TYPE_PARAMETERS
from hipify_py.semantics.expressions import is_in_field, is_same

if TYPE_CHECKING:
    from tree_sitter import Node

VARIABLE, PARAMETER, FIELD, FUNCTION, ENUMERATOR = "variable", "parameter", "field", "function", "enumerator"
TYPE, ALIAS, NAMESPACE, LABEL, CAPTURE, TYPE_PARAMETER = (
    "type",
    "alias",
    "namespace",
    "label",
    "capture",
    "type parameter",
)

_WITHOUT_FIELD = frozenset(
    {"reference_declarator", "parenthesized_declarator", "structured_binding_declarator", "attributed_declarator"}
)
"""Declarators whose inner one the grammar gives no field."""
_DECLARATORS = _WITHOUT_FIELD | {"pointer_declarator", "array_declarator", "function_declarator", "init_declarator"}
_SPECIFIERS = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})
_BY_NAME = {
    "enumerator": ENUMERATOR,
    "alias_declaration": ALIAS,
    "namespace_definition": NAMESPACE,
    "namespace_alias_definition": NAMESPACE,
    "concept_definition": TYPE,
}
_VARIABLES = frozenset({"declaration", "function_definition", "for_range_loop", "condition_clause"})


class DeclarationSite(NamedTuple):
    """A name that a source declares.

    Attributes:
        kind: what it is declared as; one of the constants of this module.
        node: the node of the whole declaration.
        is_definition: for a type or function, whether its body is there; for the others always True.
        is_initialised: brackets or braces after the name initialize it (`T name(value)`).
    """

    kind: str
    node: Node
    is_definition: bool = True
    is_initialised: bool = False


def declaration_site(leaf: Node) -> DeclarationSite | None:
    """What a name declares at its place; None for a use."""
    parent = leaf.parent
    if parent is None:
        return None
    if parent.type in _BY_NAME and is_same(parent.child_by_field_name("name"), leaf):
        return DeclarationSite(_BY_NAME[parent.type], parent)
    if parent.type in _SPECIFIERS and is_same(parent.child_by_field_name("name"), leaf):
        return _of_specifier(parent)
    if parent.type == "labeled_statement" and is_same(parent.child_by_field_name("label"), leaf):
        return DeclarationSite(LABEL, parent)
    if parent.type == "lambda_capture_initializer" and is_same(parent.child_by_field_name("left"), leaf):
        return DeclarationSite(CAPTURE, parent)
    if parent.type in TYPE_PARAMETERS and not is_same(parent.child_by_field_name("default_type"), leaf):
        return DeclarationSite(TYPE_PARAMETER, parent)
    return _of_declarator(leaf)


def _of_specifier(node: Node) -> DeclarationSite | None:
    """`struct X {…}` defines it, `struct X;` declares it; `struct X *p` is a use."""
    if node.child_by_field_name("body") is not None:
        return DeclarationSite(TYPE, node)
    parent = node.parent
    is_announced = parent is not None and (
        parent.type in ("translation_unit", "declaration_list", "compound_statement", "template_declaration")
        or (parent.type in ("declaration", "field_declaration") and parent.child_by_field_name("declarator") is None)
    )
    return DeclarationSite(TYPE, node, is_definition=False) if is_announced else None


def _of_declarator(leaf: Node) -> DeclarationSite | None:
    node, parent, is_function, is_initialised = leaf, leaf.parent, False, False
    while parent is not None and parent.type in _DECLARATORS:
        if not _declares(parent, node):
            return None
        if parent.type == "function_declarator":
            is_function = True
        elif parent.type == "init_declarator":
            value = parent.child_by_field_name("value")
            is_initialised = value is not None and value.type == "argument_list"
        node, parent = parent, parent.parent
    if parent is None or not _declares(parent, node):
        return None
    if parent.type == "type_definition":
        return DeclarationSite(ALIAS, parent)
    if parent.type in PARAMETERS:
        return DeclarationSite(PARAMETER, parent)
    if parent.type == "field_declaration":
        return DeclarationSite(FUNCTION if is_function else FIELD, parent, is_definition=not is_function)
    if parent.type in _VARIABLES:
        kind = FUNCTION if is_function else VARIABLE
        is_definition = not is_function or parent.type == "function_definition"
        return DeclarationSite(kind, parent, is_definition, is_initialised)
    return None


def _declares(parent: Node, child: Node) -> bool:
    """Whether `child` is what `parent` declares: its declarator or name, not its value, size or type."""
    if parent.type in _WITHOUT_FIELD:
        return True
    return is_in_field(parent, "declarator", child)
