"""The declared type of an expression, as far as its own source tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.semantics.declarations import Declaration, record_name, type_name
from hipify_py.semantics.expressions import callee, is_same, operator_of, text_of
from hipify_py.semantics.symbols import Names

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 12
"""Expressions within each other, variables set from each other; real code needs three or four."""
_DEDUCED = (b"auto", b"decltype(auto)")


def type_of(names: Names, expression: Node | None) -> bytes:
    """The name of the type that an expression is of, aliases followed; empty where the source does not tell.

    Pointers and arrays have none: only what they point to has.
    """
    return _type(names, expression, 0, 0)


def pointee_of(names: Names, address: Node | None) -> bytes:
    """The name of the type of what an address points to, or of an array's elements; else empty."""
    return _type(names, address, 1, 0)


def aliased(names: Names, type: bytes) -> bytes:
    """The type that a name is short for in its source, or the name itself."""
    return _alias(names, type, 0) if type else b""


def _type(names: Names, node: Node | None, steps: int, depth: int) -> bytes:
    """The type of the object that `steps` dereferences of an expression lead to."""
    if node is None or depth == _DEEPEST:
        return b""
    depth += 1
    match node.type:
        case "parenthesized_expression":
            return _type(names, next(iter(node.named_children), None), steps, depth)
        case "conditional_expression":
            kinds = {
                _type(names, node.child_by_field_name(way), steps, depth) for way in ("consequence", "alternative")
            }
            return kinds.pop() if len(kinds) == 1 else b""
        case "assignment_expression":
            return _type(names, node.child_by_field_name("left"), steps, depth)
        case "subscript_expression":
            return _type(names, node.child_by_field_name("argument"), steps + 1, depth)
        case "pointer_expression":
            steps += 1 if operator_of(node) == "*" else -1
            return _type(names, node.child_by_field_name("argument"), steps, depth) if steps >= 0 else b""
        case "compound_literal_expression":
            return _named(names, node.child_by_field_name("type"), depth) if steps == 0 else b""
        case "binary_expression" if steps and operator_of(node) in ("+", "-"):
            left = _type(names, node.child_by_field_name("left"), steps, depth)
            is_sum = operator_of(node) == "+"
            return left or (_type(names, node.child_by_field_name("right"), steps, depth) if is_sum else b"")
        case "cast_expression":
            return _described(names, node.child_by_field_name("type"), steps, depth)
        case "call_expression":
            return _called(names, node, steps, depth)
        case "identifier" | "field_expression" | "qualified_identifier":
            leaf = node
            while leaf.type != "identifier" and leaf.type != "field_identifier":
                inner = leaf.child_by_field_name("field" if leaf.type == "field_expression" else "name")
                if inner is None:
                    return b""
                leaf = inner
            return _declared(names, names.meant_by(leaf), steps, depth, functions=False)
    return b""


def _called(names: Names, call: Node, steps: int, depth: int) -> bytes:
    """The type that a call returns, or that a constructor makes."""
    leaf = callee(call)
    if leaf is None:
        return b""
    function = call.child_by_field_name("function")
    if text_of(leaf).endswith(b"_cast") and function is not None and function.type == "template_function":
        arguments = function.child_by_field_name("arguments")
        return _described(names, next(iter(arguments.named_children), None) if arguments else None, steps, depth)
    meant = names.meant_by(leaf) or tuple(names.functions(text_of(leaf)))
    if meant and not any(record_name(found) == found.name for found in meant):  # else constructors
        return _declared(names, meant, steps, depth, functions=True)
    return _alias(names, text_of(leaf), depth) if steps == 0 else b""


def _declared(names: Names, declarations: tuple[Declaration, ...], steps: int, depth: int, *, functions: bool) -> bytes:
    """The type that all of the declarations agree on."""
    kinds = {
        _of_declaration(names, found, steps, depth) if (found.kind == "function") == functions else b""
        for found in declarations
    }
    return kinds.pop() if len(kinds) == 1 else b""


def _of_declaration(names: Names, declaration: Declaration, steps: int, depth: int) -> bytes:
    if declaration.type is None:
        return b""
    if text_of(declaration.type) in _DEDUCED:
        if declaration.kind != "variable" or declaration.owner.type != "declaration" or _is_binding(declaration):
            return b""
        return _type(names, declaration.value, steps, depth)
    return _named(names, declaration.type, depth) if steps == _steps(declaration) else b""


def _is_binding(declaration: Declaration) -> bool:
    parent = declaration.leaf.parent
    return parent is not None and parent.type == "structured_binding_declarator"


def _steps(declaration: Declaration) -> int:
    """How many dereferences lead from what is declared to an object of the type that is written there."""
    node, count = declaration.leaf, 0
    while node.parent is not None and not is_same(node, declaration.owner):
        count += node.type in ("pointer_declarator", "array_declarator")
        node = node.parent
    return count


def _described(names: Names, descriptor: Node | None, steps: int, depth: int) -> bytes:
    """The type that a cast is to, by so many dereferences."""
    if descriptor is None:
        return b""
    declarator, count = descriptor.child_by_field_name("declarator"), 0
    while declarator is not None:
        count += declarator.type == "abstract_pointer_declarator"
        declarator = declarator.child_by_field_name("declarator")
    return _named(names, descriptor.child_by_field_name("type"), depth) if steps == count else b""


def _named(names: Names, type: Node | None, depth: int) -> bytes:
    name = type_name(type) if type is not None else None
    return _alias(names, name, depth) if name else b""


def _alias(names: Names, name: bytes, depth: int) -> bytes:
    """The type that a name is short for, or the name itself."""
    if depth == _DEEPEST:
        return b""
    for leaf in names.mentions(name):
        parent = leaf.parent
        if parent is None or parent.type not in ("alias_declaration", "type_definition"):
            continue
        if is_same(parent.child_by_field_name("name" if parent.type == "alias_declaration" else "declarator"), leaf):
            descriptor = parent.child_by_field_name("type")
            inner = descriptor.child_by_field_name("type") if descriptor is not None else None
            return _named(names, inner if inner is not None else descriptor, depth + 1)
    return name
