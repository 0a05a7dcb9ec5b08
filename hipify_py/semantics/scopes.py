"""The regions where a source's own declaration gives a name its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.ranges import Range
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import name_of_record, parameter_scope
from hipify_py.semantics.declared_names import TAGS
from hipify_py.semantics.declares_name import (
    ALIAS,
    CAPTURE,
    ENUMERATOR,
    FUNCTION,
    LABEL,
    PARAMETER,
    TYPE,
    TYPE_PARAMETER,
    DeclarationSite,
    declaration_site,
)
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.structure import namespace_of, structure_of

if TYPE_CHECKING:
    from tree_sitter import Node

_INTRODUCING = TAGS | {b"namespace", b"concept"}
_SCOPES = (
    "compound_statement",
    "case_statement",
    "for_statement",
    "for_range_loop",
    "condition_clause",
    "catch_clause",
    "field_declaration_list",
    "declaration_list",
)
_CONDITIONAL = ("if_statement", "while_statement", "switch_statement", "for_statement")


def declared_in(unit: Unit, name: Name) -> list[Range]:
    """The regions of the variable or function whose declared name is `name`; empty for a use.

    Only for names that `may_declare`: the others are uses. Where code is broken the safe reading is a use.
    """
    found = _introduction(unit, name)
    if found is not None and found.kind in (TYPE, ALIAS):
        return []
    scopes = scopes_of(unit, name)
    if not scopes and is_defined_function(unit.lexemes, name):
        return [Range(0, len(unit.lexemes.data))]
    return scopes


def scopes_of(unit: Unit, name: Name) -> list[Range]:
    """The regions where a name means what this occurrence declares; empty where it declares nothing."""
    found = _introduction(unit, name)
    if found is None or is_call(unit, name, found) or found.kind == LABEL:
        return []
    node = found.node
    if found.kind in (PARAMETER, TYPE_PARAMETER, CAPTURE):
        return [_of_parameter(node)]
    if found.kind == ENUMERATOR:
        body = node.parent
        specifier = body.parent if body is not None else None
        if body is None or specifier is None:
            return []
        if any(child.type in ("class", "struct") for child in specifier.children):
            return [Range(body.start_byte, body.end_byte)]
        node = specifier
    return _around(unit, node, found)


def declares_name(unit: Unit, name: Name) -> bool:
    """Whether this occurrence declares the name as anything: variable, function, type, enumerator, label."""
    if unit.lexemes.word_before(name.start) in _INTRODUCING:
        return True
    found = _introduction(unit, name)
    return found is not None and not is_call(unit, name, found)


def is_enumerator(unit: Unit, name: Name) -> bool:
    """Whether an enumeration of the source has the name."""
    data, lexemes = unit.source.data, unit.lexemes
    if data[lexemes.before(name.start)] not in b"{," or _byte(data, lexemes.after(name.end)) not in (b",", b"=", b"}"):
        return False
    found = _introduction(unit, name)
    return found is not None and found.kind == ENUMERATOR


def _byte(data: bytes, place: int) -> bytes:
    return data[place : place + 1]


def is_call(unit: Unit, name: Name, found: DeclarationSite) -> bool:
    """Whether an apparent local declaration is a call after a macro: `CHECK cudaFree(p);`, `CHECK cudaMalloc(&p, n);`.

    Nobody writes local prototypes. With arguments that cannot be parameters, the name before it decides: a macro unless
    the source, the tables or its spelling make it a type.
    """
    if found.node.type != "declaration" or not _is_local(found.node):
        return False
    if found.kind == FUNCTION:
        return True
    type = found.node.child_by_field_name("type")
    if not found.is_initialised or type is None or type.type != "type_identifier":
        return False
    row = unit.catalog.row(name.text)
    if row is None or row.kind not in ("function", "device function"):
        return text_of(type).isupper()
    return not _is_type(unit, text_of(type))


def _introduction(unit: Unit, name: Name) -> DeclarationSite | None:
    leaf = unit.tree.leaf(name.start, name.end)
    if leaf is None or leaf.start_byte != name.start or leaf.end_byte != name.end:
        return None
    found = declaration_site(leaf)
    return None if found is not None and _reaches_into_body(unit, name, found) else found


def _reaches_into_body(unit: Unit, name: Name, found: DeclarationSite) -> bool:
    """Whether a broken tree puts code of a function's body into something that began before that body."""
    if not found.node.has_error or ancestor(found.node, "ERROR") is None:
        return False
    around = functions_of(unit).at(name.start)
    return around is not None and found.node.start_byte < around.start < name.start


def _is_type(unit: Unit, text: bytes) -> bool:
    row = unit.catalog.row(text)
    return (row is not None and row.kind == "type") or text.endswith(b"_t") or text in structure_of(unit).types


def _is_local(declaration: Node) -> bool:
    return declaration.parent is not None and declaration.parent.type in ("compound_statement", "case_statement")


def is_defined_function(lexemes: Lexemes, name: Name) -> bool:
    """Whether a function's body follows: a definition, even where the tree is broken around it."""
    opening = lexemes.after(name.end)
    if lexemes.data[opening : opening + 1] != b"(":
        return False
    found = match_forward(lexemes, opening, len(lexemes.data))
    if found is None:
        return False
    following = lexemes.after(found[0] + 1)
    return lexemes.data[following : following + 1] == b"{"


def _around(unit: Unit, node: Node, found: DeclarationSite) -> list[Range]:
    """The region of a name that is declared in a block, class or namespace, or in the file."""
    scope = node if node.type in _SCOPES else ancestor(node.parent, *_SCOPES)
    while scope is not None and _is_transparent(scope):
        scope = ancestor(scope.parent, *_SCOPES)
    structure = structure_of(unit)
    if scope is None:
        # A prototype at file level declares the API's own function; a body or a variable is the project's.
        return [Range(0, len(unit.source.data))] if found.is_definition else []
    if scope.type == "condition_clause":
        scope = ancestor(scope.parent, *_CONDITIONAL) or scope
    if scope.type == "field_declaration_list":
        name = name_of_record(scope.parent) if scope.parent is not None else None
        within = list(structure.record_regions(name)) if name is not None else []
        return within or [Range(scope.start_byte, scope.end_byte)]
    if scope.type == "declaration_list":
        namespace = namespace_of(scope)
        opened = structure.using_regions(namespace) if found.kind != FUNCTION else ()
        return [Range(scope.start_byte, scope.end_byte), *structure.namespace_regions(namespace), *opened]
    return [Range(node.start_byte, scope.end_byte)]


def _is_transparent(scope: Node) -> bool:
    """Whether its declarations belong to the enclosing scope: `extern "C" {`, an unnamed namespace, struct or union."""
    parent = scope.parent
    if parent is None:
        return False
    if scope.type == "declaration_list":
        return parent.type == "linkage_specification" or not namespace_of(scope)
    return scope.type == "field_declaration_list" and _is_unnamed(parent)


def _is_unnamed(record: Node) -> bool:
    """Whether this is an anonymous struct or union whose members are its scope's."""
    around = record.parent
    return (
        record.child_by_field_name("name") is None
        and around is not None
        and around.type in ("field_declaration", "declaration")
        and around.child_by_field_name("declarator") is None
    )


def _of_parameter(parameter: Node) -> Range:
    """The owner of a parameter or captured variable."""
    if parameter.type == "lambda_capture_initializer":
        owner = ancestor(parameter, "lambda_expression") or parameter
        return Range(owner.start_byte, owner.end_byte)
    return Range(*parameter_scope(parameter))
