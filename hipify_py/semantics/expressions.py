"""The shapes of expressions: calls, casts, names, and their parents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.semantics.builtin_types import Width, spelling

if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.frontend.syntax import SyntaxTree

NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})
"""The nodes that are one name."""

_MANY = 64
"""The number of children from which on they are not all visited for one of them."""
_PARTS_OF_A_NAME = frozenset({"template_function", "qualified_identifier", "template_method", "field_expression"})


class Cast(NamedTuple):
    """A cast to an integer type, in any of its three forms: `[start, end)` determines the type's width."""

    width: Width
    start: int
    end: int
    is_function: bool
    """`unsigned(x)`: a type of several words is not possible there."""
    value: Node


class AsmOperand(NamedTuple):
    """An operand of an `asm` statement: its symbolic name or nothing, and its expression."""

    name: bytes
    value: Node
    is_output: bool
    is_read: bool


class NamedCall(NamedTuple):
    """A call of a function by its name: the leaf of the name, the whole call, its arguments."""

    name: Node
    node: Node
    arguments: list[Node]


def text_of(node: Node | None) -> bytes:
    """The source of a node; empty for None."""
    return node.text or b"" if node is not None else b""


def compact(node: Node | None) -> bytes:
    """The source of a node without blanks and comments; empty for None."""
    if node is None or node.type == "comment":
        return b""
    return b"".join(map(compact, node.children)) if node.child_count else text_of(node)


def is_same(one: Node | None, other: Node | None) -> bool:
    """Whether both are the same node of the same tree."""
    return one is not None and other is not None and one.id == other.id


def cast_of(node: Node) -> Cast | None:
    """The cast that a node is."""
    if node.type == "cast_expression":
        return _cast(node.child_by_field_name("type"), node.child_by_field_name("value"))
    if node.type != "call_expression":
        return None
    function, arguments = node.child_by_field_name("function"), arguments_of(node)
    if function is None or len(arguments) != 1:
        return None
    if function.type == "template_function" and text_of(function.child_by_field_name("name")) == b"static_cast":
        types = function.child_by_field_name("arguments")
        return _cast(next(iter(types.named_children), None) if types is not None else None, arguments[0])
    if function.type in ("identifier", "primitive_type", "sized_type_specifier", "qualified_identifier"):
        return _cast(function, arguments[0], is_function=True)
    return None


def _cast(type: Node | None, value: Node | None, *, is_function: bool = False) -> Cast | None:
    if type is None or value is None:
        return None
    width, start, end = spelling(text_of(type))
    if is_function and width not in (Width.NARROW, Width.WIDE):
        return None
    return Cast(width, type.start_byte + start, type.start_byte + end, is_function, value)


def cast_value(node: Node) -> Node | None:
    """The operand of a cast to any type: `(T)x`, `static_cast<T>(x)`, `int(x)`."""
    if node.type == "cast_expression":
        return node.child_by_field_name("value")
    function, arguments = node.child_by_field_name("function"), arguments_of(node)
    if node.type != "call_expression" or function is None or len(arguments) != 1:
        return None
    is_cast = function.type in ("primitive_type", "sized_type_specifier") or (
        function.type == "template_function" and text_of(function.child_by_field_name("name")).endswith(b"_cast")
    )
    return arguments[0] if is_cast else None


def is_in_field(node: Node, field: str, child: Node) -> bool:
    """Whether a child is in a field of a node that may have several children."""
    if is_same(node.child_by_field_name(field), child):
        return True  # nearly always: no list of all is built
    if node.child_count < _MANY:
        return any(found.id == child.id for found in node.children_by_field_name(field))
    cursor = node.walk()  # go to the child itself: lists may have thousands of names, and each is asked for
    cursor.goto_first_child_for_byte(child.start_byte)
    while cursor.node is not None and cursor.node.id != child.id:
        if not cursor.goto_next_sibling():
            return False
    return cursor.field_name == field


def operator_of(node: Node) -> str:
    """The operator of an expression."""
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def arguments_of(call: Node) -> list[Node]:
    """The arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else entries_of(arguments)


def callee(call: Node) -> Node | None:
    """The leaf that names the function of a call: the last part of a qualified name, without template arguments."""
    node = call.child_by_field_name("function")
    while node is not None and node.type in _PARTS_OF_A_NAME:
        node = node.child_by_field_name("field" if node.type == "field_expression" else "name")
    return node


def call_of(leaf: Node) -> Node | None:
    """The call whose function a leaf names."""
    node, parent = leaf, leaf.parent
    while parent is not None and parent.type in _PARTS_OF_A_NAME:
        node, parent = parent, parent.parent
    if parent is None or parent.type != "call_expression" or not is_same(parent.child_by_field_name("function"), node):
        return None
    return parent if is_same(callee(parent), leaf) else None


def asm_operands(statement: Node) -> list[AsmOperand]:
    """The operands of an `asm` statement in order, outputs first."""
    found = []
    for field in ("output_operands", "input_operands"):
        operands = statement.child_by_field_name(field)
        for entry in entries_of(operands) if operands is not None else ():
            value, constraint = entry.child_by_field_name("value"), text_of(entry.child_by_field_name("constraint"))
            if value is not None:
                is_output = field == "output_operands"
                is_read = not is_output or b"+" in constraint
                found.append(AsmOperand(text_of(entry.child_by_field_name("symbol")), value, is_output, is_read))
    return found


def asm_template(statement: Node) -> str:
    """The text of an `asm` statement's template, without names of macros in it."""
    pending, parts = [statement.child_by_field_name("assembly_code")], list[str]()
    while pending:
        node = pending.pop()
        if node is None or node.type == "identifier":
            continue
        if node.type == "escape_sequence":
            parts.append("\n")
        elif node.child_count == 0 and node.type in ("string_content", "raw_string_content"):
            parts.append(text_of(node).decode(errors="replace"))
        pending += reversed(node.children)
    return "".join(parts)


def is_launch(call: Node) -> bool:
    """Whether a call is a kernel launch, `k<<<…>>>(…)`."""
    return any(child.type == "kernel_call_syntax" for child in call.named_children)


def named_call(tree: SyntaxTree, start: int, end: int) -> NamedCall | None:
    """The call of the function whose name spans `[start, end)`; None where it is not called, or without a tree."""
    leaf = tree.leaf(start, end)
    call = call_of(leaf) if leaf is not None else None
    return None if leaf is None or call is None else NamedCall(leaf, call, arguments_of(call))


def argument_position(node: Node) -> tuple[Node, int] | None:
    """The call that a node is an argument of, and its position."""
    parent = node.parent
    if parent is None or parent.type != "argument_list" or parent.parent is None:
        return None
    call = parent.parent
    if call.type != "call_expression":
        return None
    for position, argument in enumerate(arguments_of(call)):
        if argument.id == node.id:
            return call, position
    return None


def strip_parentheses(node: Node) -> Node:
    """The expression without its brackets."""
    while node.type == "parenthesized_expression" and len(entries := entries_of(node)) == 1:
        node = entries[0]
    return node


def sole_entry(value: Node) -> Node:
    """The only value in the braces or brackets of an initializer; any other value itself."""
    if value.type in ("initializer_list", "argument_list"):
        entries = entries_of(value)
        if len(entries) == 1:
            return entries[0]
    return value


def entries_of(node: Node) -> list[Node]:
    """The entries of a list of parameters or arguments."""
    return [entry for entry in node.named_children if entry.type != "comment"]


def whole_name(leaf: Node) -> Node:
    """The expression that a name is the last part of: `s.m`, `S::m`; the name itself where it is alone."""
    parent = leaf.parent
    if parent is not None and parent.type in ("field_expression", "qualified_identifier"):
        part = parent.child_by_field_name("field" if parent.type == "field_expression" else "name")
        if is_same(part, leaf):
            return parent
    return leaf


def ends_with(leaf: Node, kinds: frozenset[str]) -> Node:
    """The largest node of these kinds that a name is the last part of; the name itself where there is none."""
    node, parent = leaf, leaf.parent
    while parent is not None and parent.type in kinds and is_same(parent.child_by_field_name("name"), node):
        node, parent = parent, parent.parent
    return node


def name_in(node: Node | None) -> Node | None:
    """The name that an expression is, or that it ends with; None for any other expression."""
    while node is not None and node.type in ("field_expression", "qualified_identifier"):
        node = node.child_by_field_name("field" if node.type == "field_expression" else "name")
    return node if node is not None and node.type in NAMES else None


def subexpressions(root: Node) -> Iterator[Node]:
    """An expression, and every named node in it, last ones first."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += node.named_children


def names_in(root: Node) -> set[bytes]:
    """The names in an expression."""
    return {text_of(node) for node in subexpressions(root) if node.type in NAMES}
