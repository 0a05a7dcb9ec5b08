"""Declarations of the project's own that have an API name: stubs, bridges to other platforms, hand-written headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.catalog import Row
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declared_names import TAGS, may_declare
from hipify_py.semantics.declares_name import ALIAS, ENUMERATOR, FIELD, FUNCTION, TYPE, VARIABLE, declaration_site
from hipify_py.semantics.expressions import NAMES, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_API_TYPES = ("type", "namespace")
_OWN = (TYPE, ALIAS, ENUMERATOR, FIELD, FUNCTION, VARIABLE)
_OTHER_FORMS = ("support", "by_arity", "by_type", "warp32")
_AFTER_LISTED = {b"{": (b",", b"=", b"}"), b",": (b",", b"=", b"}", b";"), b"}": (b";", b",")}
"""What follows a declared name after the bytes that precede an enumerator, or the name of an unnamed type."""
_ELABORATED = ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier")


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


def is_without_counterpart(unit: Unit, row: Row) -> bool:
    """Whether HIP and the support header lack a symbol in every form, so that all uses keep its name."""
    if not row.is_unsupported or row.kind in ("header", "namespace") or row.name.encode() in unit.catalog.switches:
        return False
    return not any(form in row.details for form in _OTHER_FORMS)


def declares_missing(unit: Unit, name: Name) -> bool:
    """Whether a name that HIP lacks is declared at a place as the project's own, in a file, namespace or class.

    Programs that open a library at run time declare its types and enumerators by hand (`nvml.h` of ccminer). Nothing
    renames them. A prototype in a file is the library's function. An enumerator belongs to its type, which may become
    HIP's.
    """
    if not _looks_declared(unit.lexemes, name):
        return False
    leaf = unit.tree.leaf(name.start, name.end)
    if leaf is None or leaf.end_byte != name.end or ancestor(leaf, "compound_statement") is not None:
        return False
    found = declaration_site(leaf)
    if found is None:
        return _is_tag_of_alias(leaf)
    if found.kind == ENUMERATOR:
        return not _has_counterpart(unit, found.node)
    if found.kind == FUNCTION and not found.is_definition:
        return _is_pointer(leaf) or ancestor(found.node, "field_declaration_list", "namespace_definition") is not None
    return found.kind in _OWN


def _looks_declared(lexemes: Lexemes, name: Name) -> bool:
    """False only for a name that the bytes around it show to be used."""
    if lexemes.word_before(name.start) in TAGS:
        return True
    before, after = lexemes.before(name.start), lexemes.after(name.end)
    ends = _AFTER_LISTED.get(lexemes.data[max(before, 0) : before + 1])
    return may_declare(lexemes, name) if ends is None else lexemes.data[after : after + 1] in ends


def _is_tag_of_alias(leaf: Node) -> bool:
    """`typedef struct X *Y;` declares X, too."""
    specifier = leaf.parent
    if specifier is None or specifier.type not in _ELABORATED:
        return False
    return specifier.parent is not None and specifier.parent.type == "type_definition"


def _is_pointer(leaf: Node) -> bool:
    """Whether what looks like a function is a pointer to one: `int (*name)(void)`."""
    around = ancestor(leaf, "pointer_declarator", "function_declarator")
    return around is not None and around.type == "pointer_declarator"


def _has_counterpart(unit: Unit, enumerator: Node) -> bool:
    """Whether HIP has the type of an enumerator, by its tag or a name that a `typedef` gives to it."""
    specifier = ancestor(enumerator, "enum_specifier")
    if specifier is None:
        return False
    names = [specifier.child_by_field_name("name")]
    if specifier.parent is not None and specifier.parent.type == "type_definition":
        names += specifier.parent.children_by_field_name("declarator")
    rows = (unit.catalog.row(text_of(name)) for name in names if name is not None)
    return any(row is not None and row.hip is not None for row in rows)
