"""Casts bit counts to the signed type that they have in CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses
from hipify_py.semantics.builtin_types import Width, spelling
from hipify_py.semantics.declarations import Declaration, type_name
from hipify_py.semantics.expressions import (
    callee,
    entries_of,
    is_same,
    name_in,
    named_call,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node
if TYPE_CHECKING:
    from tree_sitter import Node


# What the entries of initializer and argument lists initialize: members, parameters of constructors, variables.

_NAMED_OBJECTS = frozenset({"compound_literal_expression", "new_expression"})
_LISTS = frozenset({"argument_list", "initializer_list"})


def parts_for(names: Names, node: Node) -> list[Declaration]:
    """What an entry of an argument or initializer list initializes: parameters of constructors, or a member."""
    entries = node.parent
    if entries is None or entries.type not in _LISTS:
        return []
    type = constructed_type(names, entries)
    position = next((at for at, entry in enumerate(entries_of(entries)) if is_same(entry, node)), None)
    if type is None or position is None:
        return []
    return _parts_at(names, type, position, is_list=entries.type == "initializer_list")


def _parts_at(names: Names, type: Node, position: int, *, is_list: bool) -> list[Declaration]:
    """The parameters of a type's constructors at a position; if there are none, the member that a list initializes."""
    name = type_name(type) or b""
    constructors = names.functions(name)
    lists = [names.parameters(found.function) for found in constructors if found.function is not None]
    if not lists and is_list:
        lists = [names.members(name)]
    return [found for parts in lists if position < len(parts) if (found := parts[position]) is not None]


def constructed_type(names: Names, value: Node) -> Node | None:
    """The type of the object that a list, or a value, makes."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        return owner.child_by_field_name("type")
    return next((found.type for found in value_target(names, value)), None)


def value_target(names: Names, value: Node) -> list[Declaration]:
    """What a value initializes, is assigned to, or is returned by."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        value, owner = owner, owner.parent
    if owner is None:
        return []
    if owner.type == "assignment_expression" and is_same(owner.child_by_field_name("right"), value):
        leaf = name_in(owner.child_by_field_name("left"))
        return list(names.resolve(leaf)) if leaf is not None else []
    node: Node | None = owner
    if owner.type == "return_statement":
        node = ancestor(owner, "function_definition", "lambda_expression")
        node = node if node is not None and node.type == "function_definition" else None
    elif owner.type != "init_declarator" or not is_same(owner.child_by_field_name("value"), value):
        return []
    found = names.declared_in(node) if node is not None else None
    return [] if found is None else [found]


_COUNTS = ("__popc", "__popcll")
_ARITHMETIC = frozenset("+-*/%")
_COMPARISONS = frozenset({"<", ">", "<=", ">="})
_SIGNED = (b"int", b"const int", b"int32_t", b"std::int32_t", b"const int32_t")
_HIGHEST = 40
"""Steps from a call up to the use of its value."""


class BitCounts(Rule):
    """`__popc` returns an `int` in CUDA, and an `unsigned` in HIP.

    The difference matters where a count is subtracted and the result is not a 32-bit integer (`float dot = 32 - 2 *
    __popc(a ^ b)` would be four thousand millions instead of a negative number), where it initializes an `int` in
    braces (an error: it narrows), and where it selects one of two overloads of `abs` or `max`. There it is cast.
    """

    id = "bit-counts"
    triggers = uses(*_COUNTS)
    VALID = (
        Example("__device__ int f(unsigned m) { int n = 32 - 2 * __popc(m); return n + __popc(m) - 1; }"),
        Example("__device__ unsigned f(unsigned m) { unsigned n{__popc(m)}; return n; }"),
        Example("__device__ float f(unsigned m) { float n = 2 * __popc(m); return n; }"),
    )
    INVALID = (
        Example(
            "__device__ float f(unsigned m) { float n = 32 - 2 * __popc(m); return n; }",
            "__device__ float f(unsigned m) { float n = 32 - 2 * static_cast<int>(__popc(m)); return n; }",
        ),
        Example(
            "struct S { unsigned m; int n; };\n__device__ S f(unsigned m) { return {m, __popc(m)}; }",
            "struct S { unsigned m; int n; };\n__device__ S f(unsigned m) { return {m, static_cast<int>(__popc(m))}; }",
        ),
        Example(
            "__device__ int f(unsigned m) { return abs(__popc(m) - 16); }",
            "__device__ int f(unsigned m) { return abs(static_cast<int>(__popc(m)) - 16); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        names = names_of(unit)
        for use in unit.uses:
            call = named_call(unit.tree, use.start, use.end) if use.row.name in _COUNTS else None
            if call is not None and _must_be_signed(names, call.node):
                yield Edit(call.node.start_byte, call.node.start_byte, b"static_cast<int>(")
                yield Edit(call.node.end_byte, call.node.end_byte, b")")


def _must_be_signed(names: Names, call: Node) -> bool:
    """Whether an unsigned count would be wrong where the value of a call is used."""
    node, is_subtracted = call, False
    for _ in range(_HIGHEST):
        parent = node.parent
        if parent is None:
            return False
        kind, operator = parent.type, operator_of(parent)
        if kind == "binary_expression":
            if operator not in _ARITHMETIC:
                return is_subtracted and operator in _COMPARISONS
            is_subtracted |= operator == "-" and text_of(parent.child_by_field_name("right")) != b"1"
        elif kind == "unary_expression":
            if operator != "-":
                return False
            is_subtracted = True
        elif kind == "conditional_expression":
            if is_same(parent.child_by_field_name("condition"), node):
                return False
        elif kind == "initializer_list":
            return _initialises_int(names, parent, node)
        elif kind == "argument_list":
            return _is_overloaded(parent, is_subtracted)
        elif kind == "cast_expression":
            return is_subtracted and spelling(text_of(parent.child_by_field_name("type"))).width is not Width.NARROW
        elif kind != "parenthesized_expression":
            return is_subtracted and _is_widened(names, parent, node)
        node = parent
    return False


def _is_overloaded(arguments: Node, is_subtracted: bool) -> bool:
    """Whether the function that is called has overloads, or is a cast to a type of another width."""
    function = arguments.parent.child_by_field_name("function") if arguments.parent is not None else None
    if function is not None and function.type == "primitive_type":
        return is_subtracted and text_of(function) in (b"float", b"double")
    name = text_of(callee(arguments.parent)) if arguments.parent is not None else b""
    if name == b"static_cast" and function is not None:
        types = function.child_by_field_name("arguments")
        return is_subtracted and spelling(text_of(types)[1:-1].strip()).width is not Width.NARROW
    return name in (b"abs", b"max", b"min")


def _initialises_int(names: Names, entries: Node, node: Node) -> bool:
    """Whether an entry in braces is for an `int`, to which an unsigned count would be narrowed."""
    parts: list[Declaration] = parts_for(names, node) or value_target(names, entries)
    return bool(parts) and all(text_of(part.type) in _SIGNED for part in parts)


def _is_widened(names: Names, parent: Node, node: Node) -> bool:
    """Whether the value is converted to something other than an integer of 32 bits."""
    if parent.type == "assignment_expression" and is_same(parent.child_by_field_name("right"), node):
        leaf = name_in(strip_parentheses(parent.child_by_field_name("left") or node))
        holders = list(names.resolve(leaf)) if leaf is not None else []
    else:
        holders = value_target(names, node)
    return any(found.type is not None and found.spelling.width is not Width.NARROW for found in holders)
