"""`dim3`, `uint3` and the built-in variables, where one is used as another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    is_same,
    operator_of,
    sole_entry,
    text_of,
)
from hipify_py.semantics.index_types import BUILT_IN, DIM3, MAKE_UINT3, UINT3, IndexTypes
from hipify_py.semantics.initialisers import initialised_variables
from hipify_py.semantics.launches import Launch, launches_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MAKERS = {DIM3: b"dim3", UINT3: MAKE_UINT3}
_LAUNCHERS = {b"cudaLaunchKernel": (1, 2), b"cudaLaunchCooperativeKernel": (1, 2)}
_CONVERTED = frozenset({"identifier", "field_expression", "subscript_expression", "qualified_identifier"})
"""What is written three times, each time with an element; anything else may have side effects."""


class IndexConversions(Rule):
    """CUDA's `dim3` and `uint3` convert into each other, and `threadIdx` and `blockIdx` are of type `uint3`.

    In HIP nothing converts to `uint3`, and the built-in variables convert to `dim3` only. Where a declaration, an
    assignment, a return, a launch or an argument of a function of the same file needs the other type, the conversion is
    written out.
    """

    id = "index-conversions"
    triggers = words("*uint3")
    VALID = (
        Example("__global__ void k() { dim3 b = blockDim; uint3 u = make_uint3(1, 2, 3); }"),
        Example("__device__ int f(dim3 d);\n__global__ void k() { f(threadIdx); }"),
    )
    INVALID = (
        Example("dim3 g = make_uint3(1, 2, 3);", "dim3 g = dim3(1, 2, 3);"),
        Example(
            "void f() { dim3 g(1); g = make_uint3(2, 1, 1); }",
            "void f() { dim3 g(1); g = dim3(2, 1, 1); }",
        ),
        Example(
            "__global__ void k() { uint3 t = threadIdx; }",
            "__global__ void k() { uint3 t = make_uint3(threadIdx.x, threadIdx.y, threadIdx.z); }",
        ),
        Example(
            "__device__ int f(uint3 t);\n__global__ void k() { f(blockIdx); }",
            "__device__ int f(uint3 t);\n__global__ void k() { f(make_uint3(blockIdx.x, blockIdx.y, blockIdx.z)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        types = IndexTypes(unit)
        done: set[int] = set()
        for wanted, expression in _places(unit, types):
            for value in _values(expression):
                edit = _conversion_edit(types, value, wanted) if value.start_byte not in done else None
                if edit is None:
                    continue
                done.add(value.start_byte)
                yield edit


def _places(unit: Unit, types: IndexTypes) -> Iterator[tuple[bytes, Node]]:
    """Where a value of one of the types is required: the type, and the expression."""
    for wanted, value in _pairs(unit, types):
        if wanted in (DIM3, UINT3) and value is not None:
            yield wanted, value


def _pairs(unit: Unit, types: IndexTypes) -> Iterator[tuple[bytes, Node | None]]:
    tree = unit.tree
    for type, value in initialised_variables(unit):
        yield types.type_of_node(type), value
    for node in tree.nodes("optional_parameter_declaration", "field_declaration"):
        yield types.type_of_node(node.child_by_field_name("type")), node.child_by_field_name("default_value")
    for node in tree.nodes("field_initializer"):
        yield types.type_of(next(iter(node.named_children), None)), _sole(node.named_children[-1])
    for node in tree.nodes("assignment_expression"):
        right = node.child_by_field_name("right")
        if operator_of(node) == "=" and _can_be_converted(right):
            yield types.type_of(node.child_by_field_name("left")), right
    for node in tree.nodes("return_statement"):
        yield types.return_type_at(node), next(iter(node.named_children), None)
    for node in tree.nodes("cast_expression"):
        yield types.type_of_node(node.child_by_field_name("type")), node.child_by_field_name("value")
    for node in tree.nodes("compound_literal_expression"):
        yield types.type_of_node(node.child_by_field_name("type")), _sole(node.child_by_field_name("value"))
    for node in tree.nodes("call_expression"):
        yield from _arguments(types, node)
    for launch in launches_of(unit):
        for start, end in launch.configuration[:2] if isinstance(launch, Launch) else ():
            yield DIM3, _expression(unit, start, end)


def _arguments(types: IndexTypes, call: Node) -> Iterator[tuple[bytes, Node | None]]:
    """The arguments of a call, with the types of their parameters."""
    name, arguments = callee(call), arguments_of(call)
    if name is None:
        return
    if text_of(name) == DIM3:
        yield DIM3, arguments[0] if len(arguments) == 1 else None
    elif text_of(name) in _LAUNCHERS:
        for position in _LAUNCHERS[text_of(name)]:
            yield DIM3, arguments[position] if position < len(arguments) else None
    elif any(map(_can_be_converted, arguments)):
        yield from zip(types.parameters(name), arguments, strict=False)


def _sole(entries: Node | None) -> Node | None:
    return None if entries is None else sole_entry(entries)


def _expression(unit: Unit, start: int, end: int) -> Node | None:
    """The largest expression that spans a range exactly."""
    node = unit.tree.leaf(start, end)
    while node is not None and node.parent is not None and _spans(node.parent, start, end):
        node = node.parent
    return node if node is not None and _spans(node, start, end) else None


def _spans(node: Node, start: int, end: int) -> bool:
    return node.start_byte == start and node.end_byte == end


def _values(expression: Node) -> Iterator[Node]:
    """The possible values of an expression: both branches of a condition, the contents of brackets."""
    if expression.type == "parenthesized_expression":
        for inner in expression.named_children:
            yield from _values(inner)
    elif expression.type == "conditional_expression":
        for field in ("consequence", "alternative"):
            branch = expression.child_by_field_name(field)
            if branch is not None:
                yield from _values(branch)
    else:
        yield expression


def _can_be_converted(expression: Node | None) -> bool:
    """Whether the form of an expression allows an edit, whatever its type."""
    return expression is not None and any(
        value.type in _CONVERTED or value.type == "type_identifier" or _makes_uint3(value) is not None
        for value in _values(expression)
    )


def _makes_uint3(value: Node) -> Node | None:
    """The name in a call of `make_uint3`; None for any other expression."""
    name = callee(value) if value.type == "call_expression" else None
    is_plain = name is not None and is_same(value.child_by_field_name("function"), name)
    return name if is_plain and text_of(name) == MAKE_UINT3 else None


def _conversion_edit(types: IndexTypes, value: Node, wanted: bytes) -> Edit | None:
    """The edit that gives a value the required type; None where it has it, or converts."""
    type = types.type_of(value)
    if type in (b"", wanted) or (type == BUILT_IN and wanted == DIM3):
        return None
    name = _makes_uint3(value)
    if name is not None:
        return Edit(name.start_byte, name.end_byte, DIM3)
    if value.type not in _CONVERTED and value.type != "type_identifier":
        return None
    text = text_of(value)
    elements = b", ".join(text + b"." + element for element in (b"x", b"y", b"z"))
    return Edit(value.start_byte, value.end_byte, _MAKERS[wanted] + b"(" + elements + b")")
