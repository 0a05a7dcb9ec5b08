"""Conversions between the 16-bit floats of both kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule, Support
from hipify_py.rules.triggers import words
from hipify_py.semantics.expression_types import resolve_alias, type_of
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    entries_of,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.initialisers import initialised_variables
from hipify_py.semantics.symbols import Names, names_of
from hipify_py.semantics.template_bindings import bindings_of, type_parameters
from hipify_py.semantics.type_queries import types_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.frontend.syntax import SyntaxTree

_HALF = frozenset({b"half", b"__half"})
_BFLOAT16 = frozenset({b"__nv_bfloat16", b"nv_bfloat16", b"__hip_bfloat16", b"hip_bfloat16"})


_HIPS = b"hip_bfloat16"
_TYPED = frozenset(
    {"identifier", "field_expression", "subscript_expression", "pointer_expression", "call_expression"}
    | {"qualified_identifier", "parenthesized_expression", "conditional_expression"}
)
"""The expressions whose type is that of something declared."""


class _Conversion(NamedTuple):
    """A value that is converted, its target type, and the part of a cast that names it."""

    node: Node
    value: Node
    to: bytes
    is_written: bool


class HalfConversions(Rule):
    """A conversion from `half` to `bfloat16`, or back, is ambiguous in HIP: both types convert from and to many others.

    It goes through `float`, which holds every number of either type: the result is CUDA's. In a template that the
    source instantiates with both types, a function of the support header decides by the types.
    """

    id = "HIP136"
    triggers = words("half", "__half") & words("__nv_bfloat16", "nv_bfloat16", "__hip_bfloat16", "hip_bfloat16")
    VALID = (
        Example(
            "#include <hip/hip_bf16.h>\n"
            "void f(half h, __hip_bfloat16 b) { float x = static_cast<float>(h) + float(b); }"
        ),
        Example(
            "#include <hip/hip_bf16.h>\ntemplate <class A, class B> A f(B b) { return static_cast<A>(b); }\n"
            "half h = f<half>(1.f);"
        ),
    )
    INVALID = (
        Example(
            "#include <cuda_bf16.h>\nhalf f(__nv_bfloat16 b) { return static_cast<half>(b); }",
            "#include <hip/hip_bf16.h>\nhalf f(__hip_bfloat16 b) { return static_cast<half>(static_cast<float>(b)); }",
        ),
        Example(
            "#include <cuda_bf16.h>\ntemplate <class A, class B> A f(B b) { return static_cast<A>(b); }\n"
            "half g(__nv_bfloat16 b) { return f<half>(b); }",
            '#define HIPIFY_NEEDS_FP16\n#include "hipify_support.hpp"\n#include <hip/hip_bf16.h>\n'
            "template <class A, class B> A f(B b) { return hipify::convert<A>(b); }\n"
            "half g(__hip_bfloat16 b) { return f<half>(b); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Support]:
        libraries = {use.row.library for use in unit.uses if use.row.kind == "type"}
        if "fp16" not in libraries or not (libraries & {"bf16"} or _HIPS in unit.source.data):
            return  # `half` may be a type of the project's own
        names = names_of(unit)
        templates = _Templates(names)
        done: set[int] = set()
        targets = _targets(unit)
        for conversion in _conversions(unit, names, targets):
            start = conversion.value.start_byte
            value_type = _value_type(names, conversion.value)
            if start in done or value_type == conversion.to:
                continue
            if not value_type and _may_be_half(unit, conversion.value):
                done.add(start)
                yield from _edits_by_instantiation(unit, conversion, resolve_alias(names, conversion.to))
            elif value_type not in targets:
                continue
            elif _differ(resolve_alias(names, conversion.to), value_type):
                done.add(start)
                yield from _through_float(conversion.value)
            elif templates.may_differ(conversion, value_type):
                done.add(start)
                if unit.options.support:
                    yield from _support_edits(conversion)
                    yield Support("convert")
                else:
                    yield unit.finding("HIP136", start, name=conversion.to.decode(errors="replace"), library="fp16")


def _may_be_half(unit: Unit, value: Node) -> bool:
    """Whether a value of unknown type may be of one of these: not the result of a compiler's or an API's function.

    Functions of the tables, such as `__float2half`, return what they are named after.
    """
    value = strip_parentheses(value)
    if value.type == "call_expression":
        name = text_of(callee(value))
        return not name.startswith(b"__builtin_") and unit.catalog.row(name) is None
    return value.type in _TYPED


def _edits_by_instantiation(unit: Unit, conversion: _Conversion, to: bytes) -> Iterator[Edit | Finding | Support]:
    """The edits of a conversion whose types clang knows, for each instantiation."""
    by_instance = {view.instance: view for view in types_at(unit, conversion.value)}
    if any(view.pointers for view in by_instance.values()):
        return
    results = {} if to in _HALF | _BFLOAT16 else _results(unit, conversion)
    differing = [_differ(results.get(instance, to), view.name.encode()) for instance, view in by_instance.items()]
    if not any(differing):
        return
    if all(differing):
        yield from _through_float(conversion.value)
    elif unit.options.support:
        yield from _support_edits(conversion)
        yield Support("convert")
    else:
        start = conversion.value.start_byte
        yield unit.finding("HIP136", start, name=conversion.to.decode(errors="replace"), library="fp16")


def _results(unit: Unit, conversion: _Conversion) -> dict[int, bytes]:
    """The target type of a cast, by instantiation."""
    if not conversion.is_written:
        return {}
    return {
        visited.instance: visited.name.encode() for visited in types_at(unit, conversion.node) if not visited.pointers
    }


def _through_float(value: Node) -> Iterator[Edit]:
    yield Edit(value.start_byte, value.start_byte, b"static_cast<float>(")
    yield Edit(value.end_byte, value.end_byte, b")")


def _targets(unit: Unit) -> frozenset[bytes]:
    """The types that relevant conversions are to and from: both kinds, and names that may be aliases of them."""
    return _HALF | _BFLOAT16 | {text_of(leaf) for leaf in _open_types(unit.tree) if leaf.type == "type_identifier"}


def _open_types(tree: SyntaxTree) -> Iterator[Node]:
    for node in tree.nodes("type_parameter_declaration"):
        yield from node.named_children
    for node in tree.nodes("optional_type_parameter_declaration", "alias_declaration"):
        yield from node.children_by_field_name("name")
    for node in tree.nodes("type_definition"):
        yield from node.children_by_field_name("declarator")


def _conversions(unit: Unit, names: Names, targets: frozenset[bytes]) -> Iterator[_Conversion]:
    """The conversions of a source to these types."""
    tree = unit.tree
    for node in tree.nodes("cast_expression"):
        value, to = node.child_by_field_name("value"), _bare(text_of(node.child_by_field_name("type")))
        if value is not None and to in targets:
            yield _Conversion(node, value, to, True)
    for node in tree.nodes("call_expression"):
        yield from _function_name(node, targets)
    for type, value in initialised_variables(unit):
        to = _bare(text_of(type))
        if to in targets:
            yield _Conversion(value, value, to, False)
    for node in tree.nodes("assignment_expression"):
        value = node.child_by_field_name("right")
        if value is None or value.type not in _TYPED or operator_of(node) != "=":
            continue
        # The value is checked before the target: no source declares what CUDA's functions return.
        value_type = _value_type(names, value)
        if (value_type in targets or not value_type) and (
            to := type_of(names, node.child_by_field_name("left"))
        ) in targets:
            yield _Conversion(node, value, to, False)
    for node in tree.nodes("return_statement"):
        values = entries_of(node)
        if not values:
            continue
        function = ancestor(node, "function_definition", "lambda_expression")
        if function is not None and function.type == "function_definition":
            to = _bare(text_of(function.child_by_field_name("type")))
            declarator = function.child_by_field_name("declarator") if to in targets else None
            if declarator is not None and declarator.type == "function_declarator":
                yield _Conversion(node, values[0], to, False)


def _function_name(node: Node, targets: frozenset[bytes]) -> Iterator[_Conversion]:
    """`static_cast<T>(x)` and `T(x)`"""
    function = node.child_by_field_name("function")
    if function is None:
        return
    if function.type == "template_function" and text_of(function.child_by_field_name("name")) == b"static_cast":
        types = function.child_by_field_name("arguments")
        to = _bare(text_of(next(iter(entries_of(types)), None))) if types is not None else b""
    elif function.type == "identifier":
        to = text_of(function)
    else:
        return
    arguments = arguments_of(node) if to in targets else []
    if len(arguments) == 1:
        yield _Conversion(node, arguments[0], to, True)


def _value_type(names: Names, value: Node) -> bytes:
    """The type of a value; a name in an apparent prototype is parsed as a type."""
    if value.type != "type_identifier":
        return type_of(names, value)
    types = {text_of(found.type) for found in names.resolve(value)}
    return resolve_alias(names, types.pop()) if len(types) == 1 else b""


def _bare(type: bytes) -> bytes:
    return b" ".join(word for word in type.split() if word != b"const")


def _differ(one: bytes, other: bytes) -> bool:
    """Whether one is the type of half numbers, and the other that of bfloat16."""
    return (one in _HALF and other in _BFLOAT16) or (one in _BFLOAT16 and other in _HALF)


class _Templates:
    """The templates of a unit, and the arguments of their parameters; computed once each."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._bindings: dict[int, list[Mapping[bytes, bytes]]] = {}

    def may_differ(self, conversion: _Conversion, value_type: bytes) -> bool:
        """Whether some mention of the template around a conversion makes it one between both types."""
        template = ancestor(conversion.node, "template_declaration")
        while template is not None:
            open_types = frozenset(type_parameters(template))
            if {conversion.to, value_type} <= open_types | _HALF | _BFLOAT16 and {
                conversion.to,
                value_type,
            } & open_types:
                return any(
                    _differ(bound.get(conversion.to, conversion.to), bound.get(value_type, value_type))
                    for bound in self._bindings_of(template)
                )
            template = ancestor(template.parent, "template_declaration")
        return False

    def _bindings_of(self, template: Node) -> list[Mapping[bytes, bytes]]:
        cached = self._bindings.get(template.id)
        if cached is None:
            cached = self._bindings[template.id] = list(bindings_of(self._names, template))
        return cached


def _support_edits(conversion: _Conversion) -> Iterator[Edit]:
    """The edits that leave a conversion to the support header."""
    node, value = conversion.node, conversion.value
    name = b"hipify::convert<" + conversion.to + b">"
    if not conversion.is_written:
        yield Edit(value.start_byte, value.start_byte, name + b"(")
        yield Edit(value.end_byte, value.end_byte, b")")
    elif node.type == "cast_expression":
        yield Edit(node.start_byte, value.start_byte, name + b"(")
        yield Edit(value.end_byte, value.end_byte, b")")
    else:
        function = node.child_by_field_name("function")
        if function is not None:
            yield Edit(function.start_byte, function.end_byte, name)
