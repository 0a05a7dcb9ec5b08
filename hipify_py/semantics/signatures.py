"""The signatures of a unit's definitions, in CUDA's types and in HIP's: they decide whether definitions clash."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.expressions import NAMES, entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINED = """
(function_definition) @function
(field_declaration declarator: (function_declarator)) @member
(field_declaration declarator: (_ declarator: (function_declarator))) @member
(field_declaration_list (declaration) @declared)
(declaration declarator: (init_declarator declarator: (template_function))) @declared
(template_instantiation) @instantiated
[(struct_specifier body: (_)) (class_specifier body: (_))] @record
"""
_SCOPES = {"namespace_definition": "name", "struct_specifier": "name", "class_specifier": "name"}
_AROUND = ("template_declaration", "friend_declaration")
_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "init_declarator", "parenthesized_declarator"})
_BLANKS = re.compile(rb"\s+")
_WITHIN_TOKENS = re.compile(rb"(?<!\w) | (?!\w)")
_OUTER_CONST = re.compile(rb"^const (?=[^*&]*$)|(?<=[*\w>]) ?const$")
VOID_HANDLES = frozenset(
    b"hipExternalMemory_t hipExternalSemaphore_t hipblasHandle_t hipblasLtHandle_t hipsolverDnParams_t"
    b" hipsolverGesvdjInfo_t hipsolverHandle_t hipsolverRfHandle_t hipsolverSpHandle_t hipsolverSyevjInfo_t"
    b" hipsparseColorInfo_t hipsparseDnMatDescr_t hipsparseDnVecDescr_t hipsparseHandle_t hipsparseHybMat_t"
    b" hipsparseMatDescr_t hipsparseSpVecDescr_t".split()
)
"""Handles that are `void *` in HIP, and types of their own in CUDA."""
_SAME_TYPES = dict.fromkeys(VOID_HANDLES | {b"hipDeviceptr_t"}, b"void*")
"""Types of HIP that are another one by a typedef."""


class Signature(NamedTuple):
    """A definition, or a member's declaration, and its identity.

    Attributes:
        start: its start, template parameters included.
        end: its end, its semicolon included.
        cuda: scopes, name and types as they are written.
        hip: the same in HIP's types.
        uses: the uses of CUDA's types in it that have another name in HIP.
    """

    start: int
    end: int
    cuda: bytes
    hip: bytes
    uses: tuple[Use, ...]


class _Types:
    """The uses of CUDA's types in a unit."""

    def __init__(self, uses: list[Use]) -> None:
        self.by_start = {use.start: use for use in uses}
        self._starts = list(self.by_start)

    def within(self, node: Node) -> list[Use]:
        first, last = bisect_left(self._starts, node.start_byte), bisect_left(self._starts, node.end_byte)
        return [self.by_start[start] for start in self._starts[first:last]]


def signatures_of(unit: Unit) -> list[Signature]:
    """The signatures of a unit in source order."""
    types = _Types([use for use in unit.uses if use.row.kind == "type" and use.row.hip is not None])
    found = (_signature(unit, types, node, kind) for kind, node in _definitions(unit))
    return sorted((signature for signature in found if signature is not None), key=lambda found: found.start)


def _definitions(unit: Unit) -> Iterator[tuple[str, Node]]:
    for kind, nodes in unit.tree.captures(_DEFINED).items():
        for node in nodes:
            yield kind, node


def _signature(unit: Unit, types: _Types, node: Node, kind: str) -> Signature | None:
    parts = list(_parts(node, kind))
    uses = tuple(use for part in parts for use in types.within(part))
    if not parts:
        return None
    whole = node
    while whole.parent is not None and whole.parent.type in _AROUND:
        whole = whole.parent
    around = [*_scopes(whole), *_template(whole)]
    cuda, hip = (b"|".join([*around, *(_text(part, renamed) for part in parts)]) for renamed in ({}, types.by_start))
    return Signature(whole.start_byte, _end(unit, whole), cuda, hip, uses)


def _end(unit: Unit, whole: Node) -> int:
    """The end of a definition, including the semicolon after a type's."""
    after = unit.lexemes.after(whole.end_byte)
    is_open = unit.source.data[whole.end_byte - 1 : whole.end_byte] != b";"
    return after + 1 if is_open and unit.source.data[after : after + 1] == b";" else whole.end_byte


def _parts(node: Node, kind: str) -> Iterator[Node]:
    """The nodes that identify a definition: its name, its parameters, its specialization."""
    if kind == "record":
        name = node.child_by_field_name("name")
        if name is not None and name.type == "template_type":
            yield name
        return
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        declarator = next((child for child in node.named_children if child.type == "operator_cast"), None)
    while declarator is not None and declarator.type in _DECLARATORS:
        inner = declarator.child_by_field_name("declarator")
        declarator = inner if inner is not None else next(iter(reversed(declarator.named_children)), None)
    if declarator is None:
        return
    if declarator.type == "operator_cast":
        yield declarator
    elif declarator.type == "function_declarator":
        yield from _function(node, declarator, kind)
    elif declarator.type == "template_function" and kind == "declared":
        yield declarator  # a specialization of a variable


def _function(node: Node, declarator: Node, kind: str) -> Iterator[Node]:
    is_member = node.parent is not None and node.parent.type == "field_declaration_list"
    if kind == "declared" and not is_member:
        return  # prototypes may be repeated
    for child in declarator.named_children:
        if child.type == "parameter_list":
            yield from entries_of(child)
        elif child.type != "trailing_return_type":
            yield child


def written_type(parameter: Node) -> bytes:
    """The type of a parameter as it is written, in one spelling, without its name and default."""
    return _text(parameter, {})


def _text(node: Node, renamed: dict[int, Use]) -> bytes:
    """A node's text in one spelling: parameters without names and defaults, types by HIP's names where given."""
    omitted = _omitted(node)
    words = b" ".join(_words(node, renamed, omitted))
    text = _WITHIN_TOKENS.sub(b"", _BLANKS.sub(b" ", words))
    return _OUTER_CONST.sub(b"", text) if node.type.endswith("parameter_declaration") else text


def _words(node: Node, renamed: dict[int, Use], omitted: set[int]) -> Iterator[bytes]:
    if node.id in omitted or node.type == "comment":
        return
    use = renamed.get(node.start_byte) if node.child_count == 0 else None
    if use is not None and node.end_byte == use.end:
        hip = str(use.row.hip).encode()
        yield _SAME_TYPES.get(hip, hip)
    elif node.child_count == 0:
        yield text_of(node)
    else:
        # `T const` is `const T`
        for child in sorted(node.children, key=lambda child: child.type != "type_qualifier"):
            yield from _words(child, renamed, omitted)


def _omitted(node: Node) -> set[int]:
    """The name and the default value of a parameter."""
    if not node.type.endswith("parameter_declaration"):
        return set()
    found: set[int] = set()
    default = node.child_by_field_name("default_value")
    if default is not None:
        found.add(default.id)
        found.update(child.id for child in node.children if child.type == "=")
    leaf = node.child_by_field_name("declarator")
    while leaf is not None and leaf.type not in NAMES:
        inner = leaf.child_by_field_name("declarator")
        leaf = inner if inner is not None else next((c for c in leaf.named_children if c.type in NAMES), None)
    return found if leaf is None else found | {leaf.id}


def _scopes(node: Node) -> Iterator[bytes]:
    """The namespaces and types around a definition."""
    parent = ancestor(node.parent, *_SCOPES)
    while parent is not None:
        yield text_of(parent.child_by_field_name(_SCOPES[parent.type])) or b"%d" % parent.start_byte
        parent = ancestor(parent.parent, *_SCOPES)


def _template(whole: Node) -> Iterator[bytes]:
    parameters = whole.child_by_field_name("parameters") if whole.type == "template_declaration" else None
    if parameters is not None:
        yield _text(parameters, {})
