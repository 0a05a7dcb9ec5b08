"""Definitions of the user's own that have the name of an API type: stubs and bridges to other platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.lexer import Name
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declared_names import TAGS
from hipify_py.semantics.declares_name import ALIAS, TYPE, declaration_site
from hipify_py.semantics.expressions import NAMES, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_API_TYPES = ("type", "namespace")


def is_definition(unit: Unit, name: Name) -> bool:
    """Whether a type's name is being defined: `struct T {`, `typedef hipFoo_t T;`, `using T = int;`.

    A mere declaration of the API's own type does not count: a typedef of one of its tags
    (`typedef struct CUstream_st *cudaStream_t;`) or of another of its types.
    """
    lexemes, data = unit.lexemes, unit.source.data
    following = data[lexemes.after(name.end) : lexemes.after(name.end) + 1]
    if following not in (b"{", b"=", b";"):
        return False
    before = lexemes.word_before(name.start)
    if following == b"{" and before in TAGS:
        return True  # whatever the tree makes of the body
    if following == b"{" and data[lexemes.before(name.start)] != 0x29:
        return False  # a value of the type
    if following == b"=" and before != b"using":
        return False
    if following == b";" and not (before or data[lexemes.before(name.start)] in b"}*&>"):
        return False  # the target of another alias (`using T = cudaError_t;`)
    leaf = unit.tree.leaf(name.start, name.end)
    if leaf is None or (leaf.parent is not None and leaf.parent.type == "ERROR"):
        return False
    found = declaration_site(leaf)
    if found is None:
        return False
    if found.kind == TYPE:
        return found.is_definition
    return found.kind == ALIAS and not declares_api_type(unit, found.node)


def declares_api_type(unit: Unit, alias: Node) -> bool:
    """Whether the tables have the target of an alias; a body that it has is the source's own."""
    type = alias.child_by_field_name("type")
    if type is None or type.child_by_field_name("body") is not None:
        return False
    pending = [type]
    while pending:
        node = pending.pop()
        pending += node.children
        if node.type in NAMES or node.type == "namespace_identifier":
            row = unit.catalog.row(text_of(node))
            if row is not None and not row.is_standard and row.kind in _API_TYPES:
                return True
    return False
