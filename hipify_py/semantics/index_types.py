"""Which expressions have type `dim3`, which `uint3`, and which are built-in variables of kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import callee, name_in, text_of
from hipify_py.semantics.pointees import pointee
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

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
