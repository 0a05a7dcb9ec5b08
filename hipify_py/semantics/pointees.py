"""The types that addresses in calls point to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.expressions import arguments_of, name_in, text_of
from hipify_py.semantics.symbols import Names

if TYPE_CHECKING:
    from tree_sitter import Node

_DEREFERENCES = 8
"""Brackets, subscripts and address operators around a name; real code has two or three."""

_AROUND_A_NAME = frozenset({"parenthesized_expression", "pointer_expression", "subscript_expression"})
_COMPONENTS = (b"x", b"y", b"z", b"w")
_QUALIFIERS = re.compile(rb"\b(?:const|volatile|restrict|__restrict__|__restrict|struct|typename)\b|[*&\s]+")
_TYPE_PARAMETER = frozenset({"type_parameter_declaration", "optional_type_parameter_declaration"})


def pointee(names: Names, address: Node) -> bytes:
    """The bare type that an address points to, with single blanks; empty where it is unknown."""
    node: Node | None = address
    for _ in range(_DEREFERENCES):
        if node is None:
            return b""
        cast = _cast_type(node)
        if cast is not None:
            return _bare(text_of(cast))
        if node.type not in _AROUND_A_NAME and node.type != "binary_expression":
            break
        inner = node.child_by_field_name("left" if node.type == "binary_expression" else "argument")
        node = inner if inner is not None else next(iter(node.named_children), None)
    leaf = name_in(node)
    if leaf is None or node is None:
        return b""
    if node.type == "field_expression" and text_of(leaf) in _COMPONENTS:
        whole = node.child_by_field_name("argument")
        type = vector(pointee(names, whole).decode(errors="replace")) if whole is not None else None
        if type is not None:
            return type.element.encode()
    types = {_bare(text_of(found.type)) for found in names.resolve(leaf) if found.kind != "function"}
    return types.pop() if len(types) == 1 else b""


def is_template_parameter(type: bytes, place: Node) -> bool:
    """Whether a type of that name is a parameter of one of the templates around a place."""
    node: Node | None = place
    while node is not None:
        if node.type == "template_declaration":
            parameters = node.child_by_field_name("parameters")
            for parameter in parameters.named_children if parameters is not None else ():
                if parameter.type in _TYPE_PARAMETER and type in text_of(parameter).replace(b"=", b" ").split()[1:2]:
                    return True
        node = node.parent
    return False


def _cast_type(node: Node) -> Node | None:
    """The target type of a cast: `(T *)x` or `reinterpret_cast<T *>(x)`."""
    if node.type == "cast_expression":
        return node.child_by_field_name("type")
    if node.type != "call_expression" or len(arguments_of(node)) != 1:
        return None
    function = node.child_by_field_name("function")
    if function is None or function.type != "template_function":
        return None
    if not text_of(function.child_by_field_name("name")).endswith(b"_cast"):
        return None
    types = function.child_by_field_name("arguments")
    return next(iter(types.named_children), None) if types is not None else None


def _bare(type: bytes) -> bytes:
    return b" ".join(_QUALIFIERS.sub(b" ", type).split())
