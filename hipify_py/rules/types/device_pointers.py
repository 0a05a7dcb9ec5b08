"""Arithmetic on `CUdeviceptr` variables, and casts to and from that type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.containers import Type
from hipify_py.semantics.device_addresses import DEVICE_ADDRESS, is_arithmetic_macro, is_number, number_positions
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import NAMES, arguments_of, callee, entries_of, is_same, operator_of, text_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE, _HIP_TYPE = DEVICE_ADDRESS, b"hipDeviceptr_t"
_STATIC, _REINTERPRET = b"static_cast", b"reinterpret_cast"
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
    triggers = words("CUdeviceptr") | facts(Fact.PROJECT_ADDRESSES)
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
        addresses = _Addresses(unit)
        # What encloses an operand is cast first: edits at one place keep their order.
        for node in unit.tree.nodes("assignment_expression"):
            if operator_of(node) in ("+=", "-="):
                yield from _expanded_assignment(addresses, node)
            elif operator_of(node) == "=":
                target = addresses.types.type_of(node.child_by_field_name("left"))
                yield from _converted(addresses, target, node.child_by_field_name("right"))
        for node in unit.tree.nodes("init_declarator"):
            declarator, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
            declaration = node.parent
            if declarator is not None and declarator.type == "identifier" and declaration is not None:
                target = addresses.types.type_of_node(declaration.child_by_field_name("type"))
                yield from _converted(addresses, target, value)
        for node in unit.tree.nodes("call_expression"):
            yield from _cast(addresses, node)
            yield from _arguments(addresses, node)
        for node in unit.tree.nodes("binary_expression"):
            yield from _operands(addresses, node)


class _Addresses:
    """Which expressions of a source are device pointers, and which arguments of calls are numbers."""

    def __init__(self, unit: Unit) -> None:
        self.types = expression_types(unit)
        self._unit = unit
        self._positions: dict[bytes, frozenset[int]] = {}

    def has(self, node: Node | None) -> bool:
        """Whether an expression is a device pointer."""
        found = self.types.type_of(node)
        if found is not None or node is None:
            return _is_address(found)
        leaf: Node | None = _unwrapped(node)
        if leaf is not None and leaf.type == "call_expression":
            leaf = leaf.child_by_field_name("function")
        if leaf is None:
            return False
        owners = {b"", self.types.record_around(leaf) or b""}
        if leaf.type == "field_expression":
            object = self.types.object_type(leaf)
            owners = {object.name} if object is not None and not object.pointers else set()
            leaf = leaf.child_by_field_name("field")
        name = text_of(leaf)
        if leaf is None or leaf.type not in NAMES or names_of(self._unit).is_declared(name):
            return False
        return any((owner, name) in self._unit.project.addresses.names for owner in owners)

    def is_number(self, node: Node) -> bool:
        """Whether an expression is surely a number."""
        return _is_number(self.types.type_of(node)) or self.is_computed_by_macro(node)

    def is_computed_by_macro(self, node: Node) -> bool:
        """Whether an expression is a macro that computes with numbers."""
        leaf = callee(node) if node.type == "call_expression" else None
        return leaf is not None and is_arithmetic_macro(self._unit, text_of(leaf))

    def number_arguments(self, call: Node) -> Iterator[Node]:
        """The arguments of a call that are passed for numbers."""
        leaf = callee(call)
        function = call.child_by_field_name("function")
        is_member = function is None or function.type == "field_expression"
        name = text_of(leaf) if leaf is not None and not is_member else b""
        if name and name not in self._positions:
            self._positions[name] = number_positions(self._unit, name)
        is_macro = self.is_computed_by_macro(call)
        for position, argument in enumerate(arguments_of(call)):
            if is_macro or position in self._positions.get(name, ()):
                yield argument


def _operands(addresses: _Addresses, node: Node) -> Iterator[Edit]:
    """The casts of the operands of an operator that pointers do not have, or that `void *` does not have."""
    operator = operator_of(node)
    if operator in ("+", "-"):
        cast = b"(uintptr_t)" if _becomes_number(addresses, node) else b"(char *)"
    elif operator in _OF_NUMBERS:
        cast = b"(uintptr_t)"
    else:
        return
    for operand in (node.child_by_field_name("left"), node.child_by_field_name("right")):
        # The operands of an operand are cast themselves.
        if operand is not None and _unwrapped(operand).type != "binary_expression" and addresses.has(operand):
            yield Edit(operand.start_byte, operand.start_byte, cast)


def _arguments(addresses: _Addresses, call: Node) -> Iterator[Edit]:
    """The casts of device pointers that are passed for numbers."""
    for argument in addresses.number_arguments(call):
        if _unwrapped(argument).type not in ("binary_expression", "conditional_expression") and addresses.has(argument):
            yield Edit(argument.start_byte, argument.start_byte, b"(uintptr_t)")


def _unwrapped(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression" and len(entries_of(node)) == 1:
        node = entries_of(node)[0]
    return node


def _becomes_number(addresses: _Addresses, node: Node) -> bool:
    """Whether a sum is, or is part of, what only a number can be."""
    while node.parent is not None:
        parent = node.parent
        if node.type == "binary_expression" and operator_of(node) == "-":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if right is not None and addresses.has(right):
                return left is None or not addresses.has(left)  # a difference of pointers is a number
        if parent.type == "parenthesized_expression" or operator_of(parent) in ("+", "-"):
            node = parent
            continue
        if parent.type == "binary_expression":
            return operator_of(parent) in _OF_NUMBERS
        if parent.type == "argument_list" and parent.parent is not None and parent.parent.type == "call_expression":
            return any(is_same(argument, node) for argument in addresses.number_arguments(parent.parent))
        if parent.type == "unary_expression":
            return operator_of(parent) == "~"
        if parent.type == "init_declarator" and parent.parent is not None:
            return _is_number(addresses.types.type_of_node(parent.parent.child_by_field_name("type")))
        if parent.type == "assignment_expression" and operator_of(parent) == "=":
            return _is_number(addresses.types.type_of(parent.child_by_field_name("left")))
        return False
    return False


def _converted(addresses: _Addresses, target: Type | None, value: Node | None) -> Iterator[Edit]:
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
    elif _is_number(target) and addresses.has(inner):
        yield Edit(value.start_byte, value.start_byte, b"(uintptr_t)")
    elif target.name == _TYPE and addresses.is_number(inner):
        yield Edit(value.start_byte, value.start_byte, b"(" + _HIP_TYPE + b")")


def _is_address(type: Type | None) -> bool:
    return type is not None and type.name == _TYPE and not type.pointers


def _is_number(type: Type | None) -> bool:
    return type is not None and not type.pointers and is_number(type.name)


def _expanded_assignment(addresses: _Addresses, node: Node) -> Iterator[Edit]:
    """`p += n` spelled out; not where the left side would be evaluated twice with side effects."""
    left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or sign is None or not addresses.has(left):
        return
    if any(sign in text_of(left) for sign in (b"(", b"++", b"--")):
        return
    yield Edit(sign.start_byte, right.start_byte, b"= (char *)" + text_of(left) + b" " + text_of(sign)[:1] + b" (")
    yield Edit(right.end_byte, right.end_byte, b")")


def _cast(addresses: _Addresses, node: Node) -> Iterator[Edit]:
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
    if _is_address(addresses.types.type_of_node(type)):
        yield Edit(function.start_byte, type.start_byte, b"(")
        yield Edit(type.end_byte, function.end_byte, b")")
    elif text_of(name) == _STATIC and b"*" not in text_of(type) and addresses.has(operand):
        yield Edit(name.start_byte, name.end_byte, _REINTERPRET)
