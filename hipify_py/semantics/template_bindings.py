"""The arguments of calls and instantiations in a source for the type parameters of one template, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hipify_py.semantics.declarations import templated_names, type_name
from hipify_py.semantics.expression_types import pointee_of, type_of
from hipify_py.semantics.expressions import arguments_of, call_of, entries_of, text_of
from hipify_py.semantics.symbols import Names

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE_PARAMETERS = frozenset({"type_parameter_declaration", "optional_type_parameter_declaration"})
_WITH_ARGUMENTS = frozenset({"template_function", "template_type", "template_method"})


def type_parameters(template: Node) -> list[bytes]:
    """The names of a template's parameters in order; empty ones for those that are not types."""
    found = template.child_by_field_name("parameters")
    return [
        text_of(next(iter(entries_of(parameter)), None)) if parameter.type in _TYPE_PARAMETERS else b""
        for parameter in (entries_of(found) if found is not None else ())
    ]


def bindings_of(names: Names, template: Node) -> Iterator[Mapping[bytes, bytes]]:
    """For each mention of a template in its source, the types that its parameters are known to be bound to there."""
    parameters = type_parameters(template)
    for name in templated_names(template):
        for leaf in names.mentions(name):
            bound = _explicit_bindings(parameters, leaf)
            call = call_of(leaf)
            if call is not None:
                _deduce(names, name, call, parameters, bound)
            if bound:
                yield bound


def _explicit_bindings(parameters: list[bytes], leaf: Node) -> dict[bytes, bytes]:
    """The arguments in the angle brackets after a template's name."""
    parent = leaf.parent
    arguments = (
        parent.child_by_field_name("arguments") if parent is not None and parent.type in _WITH_ARGUMENTS else None
    )
    entries = entries_of(arguments) if arguments is not None else []
    return {parameter: _named(argument) for parameter, argument in zip(parameters, entries, strict=False) if parameter}


def _named(argument: Node) -> bytes:
    inner = argument.child_by_field_name("type") if argument.type == "type_descriptor" else argument
    return (type_name(inner) or b"") if inner is not None else b""


def _deduce(names: Names, name: bytes, call: Node, parameters: list[bytes], bound: dict[bytes, bytes]) -> None:
    """Add the bindings from the arguments of a call, for parameters that are declared as `T`, `T &` or `T *`."""
    for function in names.functions(name):
        declarator = function.function
        for declared, argument in zip(
            names.parameters(declarator) if declarator is not None else (), arguments_of(call), strict=False
        ):
            type = text_of(declared.type) if declared is not None else b""
            if declared is not None and type in parameters and type not in bound:
                find = pointee_of if declared.shape == "pointer" else type_of
                found = find(names, argument)
                if found:
                    bound[type] = found
