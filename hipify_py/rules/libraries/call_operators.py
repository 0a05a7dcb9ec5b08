"""Functors of hipCUB's algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts, words
from hipify_py.semantics.expressions import NAMES, compact, entries_of, names_in, operator_of, subexpressions, text_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_OPERATORS = "(function_declarator declarator: (operator_name) @name)"
_EMPTY_BASES = frozenset(
    (b"std::unary_function", b"std::binary_function", b"thrust::unary_function", b"thrust::binary_function")
)
_CLASSES = ("struct_specifier", "class_specifier")


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
        Example(
            "struct Add {\n  MY_DEVICE int operator()(int a, int b) { return a + b; }\n};\n"
            "void f(int *p, size_t n) { cub::DeviceReduce::Reduce(nullptr, n, p, p, 9, Add(), 0); }",
            "struct Add {\n  MY_DEVICE int operator()(int a, int b) const { return a + b; }\n};\n"
            "void f(int *p, size_t n) { hipcub::DeviceReduce::Reduce(nullptr, n, p, p, 9, Add(), 0); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if not any(use.row.name.startswith("cub::Device") for use in unit.uses):
            return
        for name in unit.tree.captures(_OPERATORS).get("name", ()):
            declarator, owner = name.parent, ancestor(name, *_CLASSES)
            if declarator is None or owner is None or compact(name) != b"operator()":
                continue
            parameters = declarator.child_by_field_name("parameters")
            if parameters is not None and _may_be_const(unit, declarator, owner):
                yield Edit(parameters.end_byte, parameters.end_byte, b" const")


def _may_be_const(unit: Unit, declarator: Node, owner: Node) -> bool:
    """Whether an operator is defined here, is not const yet, and changes no member of its class."""
    definition = declarator.parent
    if definition is None or definition.type != "function_definition":
        return False
    body, members = definition.child_by_field_name("body"), owner.child_by_field_name("body")
    if body is None or members is None or body.has_error:
        return False
    if any(child.type == "type_qualifier" for child in declarator.children):
        return False  # const already, or volatile
    if any(child.type == "storage_class_specifier" and text_of(child) == b"static" for child in definition.children):
        return False
    if not all(_is_empty(base) for base in _bases(owner)):
        return False
    nodes = list(subexpressions(body))
    if any(node.type == "this" for node in nodes):
        return False
    named = {text_of(node) for node in nodes if node.type in NAMES}
    if _functions(members) & named:
        return False  # they would have to be const as well
    own = {text_of(name) for name in _own_members(unit, members)}
    return not own or own.isdisjoint(name for node in nodes for name in _modified_names(node))


def _bases(owner: Node) -> Iterator[Node]:
    """The classes that a class derives from."""
    for child in owner.named_children:
        if child.type == "base_class_clause":
            yield from (base for base in entries_of(child) if base.type != "access_specifier")


def _is_empty(base: Node) -> bool:
    """Whether this is a class of the standard's or of Thrust that has only types."""
    return compact(base).partition(b"<")[0] in _EMPTY_BASES


def _own_members(unit: Unit, members: Node) -> Iterator[Node]:
    """The names of a class's data members."""
    names = names_of(unit)
    for field in members.named_children:
        if field.type == "field_declaration":
            for declarator in field.children_by_field_name("declarator"):
                found = names.declared_in(declarator)
                if found is not None:
                    yield found.leaf


def _functions(members: Node) -> set[bytes]:
    """The names of a class's other functions."""
    names = set()
    for member in members.named_children:
        inner = member.named_children[-1] if member.type == "template_declaration" and member.named_children else member
        declarator = inner.child_by_field_name("declarator") if inner.type == "function_definition" else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is not None and name.type in ("field_identifier", "identifier"):
            names.add(text_of(name))
    return names


def _modified_names(node: Node) -> set[bytes]:
    """The names that a node changes, takes the address of, or binds to a reference."""
    changed: Node | None = None
    if node.type == "assignment_expression":
        changed = node.child_by_field_name("left")
    elif node.type == "update_expression" or (node.type == "pointer_expression" and operator_of(node) == "&"):
        changed = node.child_by_field_name("argument")
    elif node.type == "init_declarator":
        declarator = node.child_by_field_name("declarator")
        is_reference = declarator is not None and declarator.type == "reference_declarator"
        changed = node.child_by_field_name("value") if is_reference else None
    return names_in(changed) if changed is not None else set()
