"""Shared and device variables that hold an object without constructing it, in place of those that clang rejects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import CompositeEdit, Edit, replaced
from hipify_py.core.source import is_header_name
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constructors import constructors_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SHARED = b"__shared__"
_RAW = b"hipify::uninitialized<"
_UNSUITABLE = ("lambda_capture_specifier", "template_argument_list", "lambda_capture_initializer")


def constructed_variables(unit: Unit, places: Iterable[tuple[int, bytes]]) -> Iterator[tuple[Node, Node, bytes]]:
    """The declarations of variables that clang would construct, each with its type and the word of its memory.

    Args:
        unit: the source.
        places: the offsets of the words that name a variable's memory, and the words.
    """
    for place, word in places:
        leaf = unit.tree.leaf(place, place + len(word))
        owner = leaf.parent if leaf is not None else None
        owner = owner.parent if owner is not None and owner.type == "type_qualifier" else owner
        if owner is None or owner.type != "declaration" or _is_skipped(owner):
            continue
        type = owner.child_by_field_name("type")
        if type is not None and constructors_of(unit).needs_construction(type, library_only=word != _SHARED):
            yield owner, type, word


def _is_skipped(declaration: Node) -> bool:
    """Whether it is declared elsewhere, or with a value, which nvcc does not accept either unless it is constant."""
    if any(child.type == "storage_class_specifier" and text_of(child) == b"extern" for child in declaration.children):
        return True
    declarators = declaration.children_by_field_name("declarator")
    return declaration.child_by_field_name("value") is not None or any(
        _innermost(node) != "identifier" for node in declarators
    )


def _innermost(declarator: Node) -> str:
    """The element of the arrays of a declarator: a name, or else a pointer, a function, or a name with a value."""
    while declarator.type == "array_declarator":
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            break
        declarator = inner
    return declarator.type


def raw_edits(unit: Unit, declaration: Node, type: Node) -> list[Edit | CompositeEdit] | None:
    """The edits that make variables raw, and their uses name the object in them; None if a use cannot be followed."""
    data, names = unit.source.data, names_of(unit)
    declarators = declaration.children_by_field_name("declarator")
    if ancestor(declaration, "preproc_arg", "ERROR") is not None or unit.lexemes.define_around(type.start_byte):
        return None
    if not _is_file_local(unit, declaration) or data[type.end_byte : declarators[0].start_byte].strip():
        return None
    pieces: list[bytes | tuple[int, int]] = []
    edits: list[Edit | CompositeEdit] = []
    for declarator in declarators:
        declared = names.declared_in(declarator)
        uses = None if declared is None else _uses(unit, declared)
        if declared is None or uses is None:
            return None
        leaf = declared.leaf
        if pieces:
            pieces += [b"; ", (declaration.start_byte, type.start_byte)]
        pieces += [_RAW, (type.start_byte, type.end_byte), (leaf.end_byte, declarator.end_byte), b"> "]
        pieces.append((leaf.start_byte, leaf.end_byte))
        edits += [Edit(use.end_byte, use.end_byte, b".value") for use in uses]
    return [replaced(type.start_byte, declarators[-1].end_byte, *pieces), *edits]


def _is_file_local(unit: Unit, declaration: Node) -> bool:
    """Whether no other file can name what is declared there: in a function, or in a source that none includes."""
    if ancestor(declaration, "compound_statement") is not None:
        return True
    return not is_header_name(unit.source.path)


def _uses(unit: Unit, declared: Declaration) -> list[Node] | None:
    """The uses of a variable; None where one is in a macro, or where a place of its name is not understood."""
    names, lexemes = names_of(unit), unit.lexemes
    uses = names.uses(declared)
    if any(lexemes.define_around(use.start_byte) or ancestor(use, *_UNSUITABLE) is not None for use in uses):
        return None
    visited = {use.start_byte for use in uses}
    for place in names.places(declared.name):
        if not declared.start <= place < declared.end or place in visited or lexemes.non_code_at(place) is not None:
            continue
        leaf = unit.tree.leaf(place, place + len(declared.name))
        if leaf is None or not (names.declaration_at(leaf) or names.resolve(leaf) or _is_member(leaf)):
            return None
    return None if any(_is_in_macro(unit, place, declared.name) for place in names.places(declared.name)) else uses


def _is_in_macro(unit: Unit, place: int, name: bytes) -> bool:
    """Whether a macro's body names a variable there: not a parameter of its own, and not a member."""
    if unit.lexemes.non_code_at(place) is not None or unit.lexemes.define_around(place) is None:
        return False
    macro = macros_of(unit).around(place)
    if macro is not None and macro.parameters is not None and name in macro.parameters:
        return False
    leaf = unit.tree.leaf(place, place + len(name))
    return leaf is None or not _is_member(leaf)


def _is_member(leaf: Node) -> bool:
    """Whether it is a member of something, or a name with its scope."""
    parent = leaf.parent
    if parent is None or parent.type not in ("field_expression", "qualified_identifier"):
        return False
    first = parent.child_by_field_name("argument" if parent.type == "field_expression" else "scope")
    return first is None or first.id != leaf.id
