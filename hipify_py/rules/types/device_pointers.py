"""Arithmetic on `CUdeviceptr` variables, and casts to and from that type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.containers import Type
from hipify_py.semantics.expression_types import ExpressionTypes, expression_types
from hipify_py.semantics.expressions import (
    entries_of,
    operator_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE, _HIP_TYPE = b"CUdeviceptr", b"hipDeviceptr_t"
_STATIC, _REINTERPRET = b"static_cast", b"reinterpret_cast"
_NUMBER = re.compile(
    rb"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t|off_t"
    rb"|(?:unsigned|signed|long|short|int|char)(?:\s+\w+)*"
)
"""Types of numbers."""
_OF_NUMBERS = frozenset(("%", "&", "|", "^", "<<", ">>", "*", "/"))
"""Operators that pointers do not have."""


class DevicePointers(Rule):
    """`CUdeviceptr` is an unsigned number, `hipDeviceptr_t` a `void *`, on which C++ has no arithmetic.

    Where a variable of that type, or the result of a function of the source that returns it, is added to or subtracted
    from, it is cast to `char *`: bytes, as before. Where a number is needed (alignment by `%` and `&`, a `size_t` that
    is set from it), it is cast to `uintptr_t`, and a number that it is set from to `hipDeviceptr_t`. Named casts to it
    and from it, which are valid for a number, are written as casts that are valid for a pointer.
    """

    id = "device-pointers"
    triggers = words("CUdeviceptr")
    VALID = (Example("int f(int p) { return p + 1; }"),)
    INVALID = (
        Example(
            "void f(CUdeviceptr p) { g(p + 16); }",
            "void f(hipDeviceptr_t p) { g((char *)p + 16); }",
        ),
        Example(
            "void f(CUdeviceptr p, int n) { p += n * 4; }",
            "void f(hipDeviceptr_t p, int n) { p = (char *)p + (n * 4); }",
        ),
        Example(
            "struct V { CUdeviceptr at() const; void *end() { return g(this->at() + n); } size_t n; };",
            "struct V { hipDeviceptr_t at() const; void *end() { return g((char *)this->at() + n); } size_t n; };",
        ),
        Example(
            "void f(CUdeviceptr p) { size_t n = p; CUdeviceptr q = (p + 255) & ~255; }",
            "void f(hipDeviceptr_t p) { size_t n = (uintptr_t)p; "
            "hipDeviceptr_t q = (hipDeviceptr_t)(((uintptr_t)p + 255) & ~255); }",
        ),
        Example(
            "CUdeviceptr f(const void *p) { return reinterpret_cast<CUdeviceptr>(p); }",
            "hipDeviceptr_t f(const void *p) { return (hipDeviceptr_t)(p); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        types = expression_types(unit)
        for node in unit.tree.nodes("call_expression"):
            yield from _cast(types, node)
        for node in unit.tree.nodes("binary_expression"):
            operator = operator_of(node)
            if operator in ("+", "-"):
                cast = b"(uintptr_t)" if _becomes_number(types, node) else b"(char *)"
            elif operator in _OF_NUMBERS:
                cast = b"(uintptr_t)"
            else:
                continue
            for operand in (node.child_by_field_name("left"), node.child_by_field_name("right")):
                if operand is None or _unwrapped(operand).type == "binary_expression":
                    continue  # its operands are cast
                if _is_device_pointer(types, operand):
                    yield Edit(operand.start_byte, operand.start_byte, cast)
        for node in unit.tree.nodes("assignment_expression"):
            if operator_of(node) in ("+=", "-="):
                yield from _expanded_assignment(types, node)
            elif operator_of(node) == "=":
                target = types.type_of(node.child_by_field_name("left"))
                yield from _converted(types, target, node.child_by_field_name("right"))
        for node in unit.tree.nodes("init_declarator"):
            declarator, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
            declaration = node.parent
            if declarator is not None and declarator.type == "identifier" and declaration is not None:
                target = types.type_of_node(declaration.child_by_field_name("type"))
                yield from _converted(types, target, value)


def _unwrapped(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression" and len(entries_of(node)) == 1:
        node = entries_of(node)[0]
    return node


def _becomes_number(types: ExpressionTypes, node: Node) -> bool:
    """Whether a sum is, or is part of, what only a number can be."""
    while node.parent is not None:
        parent = node.parent
        if node.type == "binary_expression" and operator_of(node) == "-":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if right is not None and _is_device_pointer(types, right):
                return left is None or not _is_device_pointer(types, left)  # a difference of pointers is a number
        if parent.type == "parenthesized_expression" or operator_of(parent) in ("+", "-"):
            node = parent
            continue
        if parent.type == "binary_expression":
            return operator_of(parent) in _OF_NUMBERS
        if parent.type == "unary_expression":
            return operator_of(parent) == "~"
        if parent.type == "init_declarator" and parent.parent is not None:
            return _is_number(types.type_of_node(parent.parent.child_by_field_name("type")))
        if parent.type == "assignment_expression" and operator_of(parent) == "=":
            return _is_number(types.type_of(parent.child_by_field_name("left")))
        return False
    return False


def _converted(types: ExpressionTypes, target: Type | None, value: Node | None) -> Iterator[Edit]:
    """The cast of a value for a variable of the other kind: of a pointer for a number, or of a number for a pointer."""
    if target is None or value is None or target.pointers:
        return
    inner = _unwrapped(value)
    if inner.type == "binary_expression":
        if target.name == _TYPE and operator_of(inner) in _OF_NUMBERS:
            yield Edit(value.start_byte, value.start_byte, b"(" + _HIP_TYPE + b")(")
            yield Edit(value.end_byte, value.end_byte, b")")
    elif inner.type == "conditional_expression":
        return
    elif _is_number(target) and _is_device_pointer(types, inner):
        yield Edit(value.start_byte, value.start_byte, b"(uintptr_t)")
    elif target.name == _TYPE and _is_number(types.type_of(inner)):
        yield Edit(value.start_byte, value.start_byte, b"(" + _HIP_TYPE + b")")


def _is_number(type: Type | None) -> bool:
    return type is not None and not type.pointers and _NUMBER.fullmatch(type.name) is not None


def _expanded_assignment(types: ExpressionTypes, node: Node) -> Iterator[Edit]:
    """`p += n` spelled out; not where the left side would be evaluated twice with side effects."""
    left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or sign is None or not _is_device_pointer(types, left):
        return
    if any(sign in text_of(left) for sign in (b"(", b"++", b"--")):
        return
    yield Edit(sign.start_byte, right.start_byte, b"= (char *)" + text_of(left) + b" " + text_of(sign)[:1] + b" (")
    yield Edit(right.end_byte, right.end_byte, b")")


def _cast(types: ExpressionTypes, node: Node) -> Iterator[Edit]:
    """A named cast of a number, written as one of a pointer, to constants or not."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or function.type != "template_function" or arguments is None:
        return
    name, target = function.child_by_field_name("name"), function.child_by_field_name("arguments")
    if name is None or target is None or text_of(name) not in (_STATIC, _REINTERPRET):
        return
    operands, types_given = entries_of(arguments), entries_of(target)
    if len(operands) != 1 or len(types_given) != 1:
        return
    operand, type = operands[0], types_given[0]
    if text_of(type) == _TYPE:
        yield Edit(function.start_byte, type.start_byte, b"(")
        yield Edit(type.end_byte, function.end_byte, b")")
    elif text_of(name) == _STATIC and b"*" not in text_of(type) and _is_device_pointer(types, operand):
        yield Edit(name.start_byte, name.end_byte, _REINTERPRET)


def _is_device_pointer(types: ExpressionTypes, node: Node) -> bool:
    found = types.type_of(node)
    return found is not None and found.name == _TYPE and not found.pointers
