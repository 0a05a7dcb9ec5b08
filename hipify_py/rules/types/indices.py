"""`dim3`, `uint3` and the built-in variables, where one is used as another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    entries_of,
    is_same,
    name_in,
    operator_of,
    sole_entry,
    text_of,
)
from hipify_py.semantics.initialisers import initialised_variables
from hipify_py.semantics.launches import Launch, launches_of
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node
if TYPE_CHECKING:
    from tree_sitter import Node


# Which expressions have type `dim3`, which `uint3`, and which are built-in variables of kernels.

DIM3, UINT3, BUILT_IN = b"dim3", b"uint3", b"built-in"
MAKE_UINT3 = b"make_uint3"
_BUILT_INS = frozenset({b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"})
_CONFIGURATIONS = frozenset({b"cudaLaunchConfig_t", b"cudaLaunchParams", b"cudaKernelNodeParams"})
_DIMENSIONS = frozenset({b"gridDim", b"blockDim"})


class IndexTypes:
    """The expressions of one unit that are indices or sizes of grids."""

    def __init__(self, unit: Unit) -> None:
        self._names = names_of(unit)

    def type_of(self, expression: Node | None) -> bytes:
        """`DIM3`, `UINT3` or `BUILT_IN`; empty for any other type, and where the type is unknown."""
        if expression is None:
            return b""
        if expression.type == "call_expression":
            return self._call_type(expression)
        leaf = name_in(expression)
        if leaf is None:
            return self._bare(pointee(self._names, expression)) if expression.type == "subscript_expression" else b""
        if not self._names.resolve(leaf):
            return self._foreign(expression, leaf)
        return self._bare(pointee(self._names, expression))

    def type_of_node(self, type: Node | None) -> bytes:
        """The type that a type's node names."""
        return self._bare(text_of(type).replace(b"const ", b"").removeprefix(b"::").strip())

    def parameters(self, function: Node) -> list[bytes]:
        """The types of the parameters of a function of this source; empty ones where overloads differ."""
        lists = [
            [b"" if found is None else self.type_of_node(found.type) for found in parameters]
            for parameters in self._names.callee_parameters(function)
        ]
        if not lists:
            return []
        return [
            types.pop() if len(types) == 1 else b""
            for types in ({one[at] for one in lists if at < len(one)} for at in range(max(map(len, lists))))
        ]

    def return_type_at(self, place: Node) -> bytes:
        """The return type of the function around a place."""
        function = ancestor(place, "function_definition", "lambda_expression")
        if function is None:
            return b""
        if function.type == "function_definition":
            return self.type_of_node(function.child_by_field_name("type"))
        declarator = function.child_by_field_name("declarator")
        trailing = (
            next((node for node in declarator.named_children if node.type == "trailing_return_type"), None)
            if declarator is not None
            else None
        )
        return self.type_of_node(next(iter(trailing.named_children), None)) if trailing is not None else b""

    def _call_type(self, call: Node) -> bytes:
        name = callee(call)
        if name is None:
            return b""
        if text_of(name) in (MAKE_UINT3, DIM3):
            return UINT3 if text_of(name) == MAKE_UINT3 else DIM3
        types = {self.type_of_node(found.type) for found in self._names.functions(text_of(name))}
        return types.pop() if len(types) == 1 else b""

    def _foreign(self, expression: Node, leaf: Node) -> bytes:
        """The type of a name that the source does not declare."""
        if expression.type != "field_expression":
            return BUILT_IN if text_of(leaf) in _BUILT_INS else b""
        object = expression.child_by_field_name("argument")
        if text_of(leaf) in _DIMENSIONS and object is not None:
            return DIM3 if pointee(self._names, object) in _CONFIGURATIONS else b""
        return b""

    @staticmethod
    def _bare(type: bytes) -> bytes:
        return type if type in (DIM3, UINT3) else b""


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
        entries = entries_of(node)
        yield types.type_of(next(iter(entries), None)), _sole(next(reversed(entries), None))
    for node in tree.nodes("assignment_expression"):
        right = node.child_by_field_name("right")
        if operator_of(node) == "=" and _can_be_converted(right):
            yield types.type_of(node.child_by_field_name("left")), right
    for node in tree.nodes("return_statement"):
        yield types.return_type_at(node), next(iter(entries_of(node)), None)
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
