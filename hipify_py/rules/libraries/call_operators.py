"""Functors of hipCUB's algorithms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts, words
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_CALL_OPERATOR = re.compile(rb"\boperator\s*\(\s*\)\s*\(")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ASSIGNS = re.compile(rb"(?<![=!<>])=(?!=)|(?:<<|>>)=")
_CHANGES = re.compile(rb"\+\+|--|&(?=\s*[A-Za-z_])")
_EMPTY_BASE = re.compile(rb":\s*(?:public\s+)?(?:thrust|std)::(?:unary|binary)_function\s*<[^{]*\Z")
_CLASSES = ("struct_specifier", "class_specifier")
_LARGEST = 20_000
"""Bytes of a class; what is longer is no functor."""


class CallOperators(Rule):
    """hipCUB's device-wide algorithms call a functor that is const, CUB's a copy that is not.

    So `operator()` becomes const in the classes of a source that uses them, where it changes no member.
    """

    id = "call-operators"
    triggers = words("operator") & texts("cub::Device")
    VALID = (
        Example("struct Add { int operator()(int a, int b) { return a + b; } };"),
        Example("#include <hipcub/hipcub.hpp>\nstruct Add { __device__ int operator()(int a) const { return a; } };"),
    )
    INVALID = (
        Example(
            "struct Add { __device__ int operator()(int a, int b) { return a + b; } };\n"
            "void f(int *p, size_t n) { cub::DeviceReduce::Reduce(nullptr, n, p, p, 9, Add(), 0); }",
            "struct Add { __device__ int operator()(int a, int b) const { return a + b; } };\n"
            "void f(int *p, size_t n) { hipcub::DeviceReduce::Reduce(nullptr, n, p, p, 9, Add(), 0); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if not unit.tree.is_available or not any(use.row.name.startswith("cub::Device") for use in unit.uses):
            return
        for match in _CALL_OPERATOR.finditer(unit.source.data):
            if unit.lexemes.non_code_at(match.start()) is not None:
                continue
            declarator = ancestor(unit.tree.leaf(match.start(), match.end() - 1), "function_declarator")
            owner = ancestor(declarator, *_CLASSES)
            if declarator is None or owner is None or not _may_be_const(declarator, owner):
                continue
            parameters = declarator.child_by_field_name("parameters")
            if parameters is None:
                continue
            yield Edit(parameters.end_byte, parameters.end_byte, b" const")


def _may_be_const(declarator: Node, owner: Node) -> bool:
    """An operator that is defined here, is not const yet, and changes no member of its class."""
    definition = declarator.parent
    if definition is None or definition.type != "function_definition" or owner.end_byte - owner.start_byte > _LARGEST:
        return False
    body, members = definition.child_by_field_name("body"), owner.child_by_field_name("body")
    if body is None or members is None or body.has_error:
        return False
    if any(child.type == "type_qualifier" for child in declarator.children):
        return False  # const already, or volatile
    if any(child.type == "storage_class_specifier" for child in definition.children):
        return False
    if any(child.type == "base_class_clause" and not _EMPTY_BASE.match(child.text or b"") for child in owner.children):
        return False
    own = set(_own_names(members))
    text = body.text or b""
    if b"this" in _NAME.findall(text):
        return False
    if _functions(members) & set(_NAME.findall(text)):
        return False  # they would have to be const as well
    return not own or not any(name in own for name in _written(text))


def _own_names(members: Node) -> Iterator[bytes]:
    """The names of a class's data members."""
    for field in members.named_children:
        if field.type == "field_declaration":
            for declarator in field.children_by_field_name("declarator"):
                yield from _NAME.findall(declarator.text or b"")


def _functions(members: Node) -> set[bytes]:
    """The names of a class's other functions."""
    names = set()
    for member in members.named_children:
        inner = member.named_children[-1] if member.type == "template_declaration" and member.named_children else member
        declarator = inner.child_by_field_name("declarator") if inner.type == "function_definition" else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is not None and name.type in ("field_identifier", "identifier"):
            names.add(name.text or b"")
    return names


def _written(text: bytes) -> set[bytes]:
    """The names to the left of an assignment, and those in statements that count or take an address."""
    found: set[bytes] = set()
    for statement in re.split(rb"[;{}]", text):
        left, sign, _ = statement.rpartition(b"=") if _ASSIGNS.search(statement) else (b"", b"", b"")
        found.update(_NAME.findall(statement if _CHANGES.search(statement) else left if sign else b""))
    return found


def _name(owner: Node) -> str:
    name = owner.child_by_field_name("name")
    return (name.text or b"").decode(errors="replace") if name is not None else "a functor"
