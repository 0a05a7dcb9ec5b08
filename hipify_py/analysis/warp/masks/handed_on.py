"""The functions of other files that a source gives masks, and what they are called with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from hipify_py.analysis.warp.masks.kinds import Kind, ValueKinds
from hipify_py.analysis.warp.masks.layout import Layout
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.semantics.declarations import Declaration, templated_names
from hipify_py.semantics.expressions import arguments_of, call_of, callee, cast_of, entries_of, text_of
from hipify_py.semantics.integer_types import Width
from hipify_py.semantics.macros import Macros, macros_of
from hipify_py.semantics.symbols import Names, names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_BUILT_IN = re.compile(rb"__\w+|atomic[A-Z]\w*|[sf]?n?printf|min|max|assert|make_\w+|\w+_cast")


Place = tuple[bytes, int]
"""A function's name, and which of its parameters is meant."""

Parameter = tuple[bytes, int, bytes, int]
"""The first fields of a `MaskParameter`."""


def called_in(unit: Unit) -> frozenset[bytes]:
    """The functions that a source calls, the built-in ones left out."""
    return frozenset(name for _, name in _calls(unit))


def masks_handed_on(unit: Unit, elsewhere: AbstractSet[bytes], given: Iterable[Place] = ()) -> frozenset[Place]:
    """The functions of other files that a source gives masks, and at which positions, of those that are `elsewhere`.

    `given` are the parameters of its own functions that others give masks.
    """
    macros, names, kinds = _kinds(unit, given)
    return frozenset(
        (name, position)
        for call, name in _calls(unit)
        if name in elsewhere and not names.is_declared(name) and not macros.named(name)
        for position, argument in enumerate(arguments_of(call))
        if kinds.of(argument) is Kind.MASK
    )


def _calls(unit: Unit) -> Iterator[tuple[Node, bytes]]:
    """The calls of functions that are no built-in ones, with their names."""
    for call in unit.tree.nodes("call_expression"):
        leaf = callee(call)
        name = text_of(leaf)
        if leaf is not None and not _BUILT_IN.fullmatch(name) and cast_of(call) is None:
            yield call, name


def _kinds(unit: Unit, given: Iterable[Place]) -> tuple[Macros, PartedNames, ValueKinds]:
    macros = macros_of(unit)
    names = PartedNames(unit, names_of(unit), macros)
    kinds = ValueKinds(names, macros, Layout(unit, names))
    kinds.give(parameters_at(names, given))
    return macros, names, kinds


def parameters_at(names: PartedNames, places: Iterable[Place]) -> Iterator[Declaration]:
    """The parameters of a source's functions at some places."""
    for function, position in sorted(places):
        for declared in names.functions(function):
            parameters = names.parameters(declared.function) if declared.function is not None else []
            if position < len(parameters) and (parameter := parameters[position]) is not None:
                yield parameter


def masks_returned(unit: Unit, given: Iterable[Place]) -> frozenset[bytes]:
    """The functions of a source that return the masks that others give for their parameters, and nothing else."""
    _, names, kinds = _kinds(unit, given)
    functions = {name: names.functions(name) for name, _ in given}
    return frozenset(
        name for name, found in functions.items() if any(kinds.of_declaration(each) is Kind.MASK for each in found)
    )


def takes_data_from(unit: Unit, name: bytes, position: int, given: Iterable[Place] = ()) -> bool:
    """A source calls a function of that name with something at a position that is no mask."""
    _, names, kinds = _kinds(unit, given)
    calls = (call_of(leaf) for leaf in names.mentions(name))
    lists = [arguments_of(call) for call in calls if call is not None]
    return any(kinds.of(arguments[position]) & Kind.DATA for arguments in lists if position < len(arguments))


def mask_parameters_in(unit: Unit, name: bytes, position: int) -> tuple[Parameter, ...]:
    """The parameter that a source's functions of a name have at a position, where a mask fits in or may be made to."""
    return tuple(_mask_parameters(names_of(unit), name, position))


def _mask_parameters(names: Names, name: bytes, position: int) -> Iterator[Parameter]:
    for function in names.functions(name):
        parameters = names.parameters(function.function) if function.function is not None else []
        parameter = parameters[position] if position < len(parameters) else None
        if parameter is None or parameter.shape not in ("value", "reference"):
            continue
        type = names.type_parameter(parameter)
        template = type.parent.parent if type is not None and type.parent is not None else None
        if type is None or type.parent is None or template is None:
            if parameter.spelling.width is not Width.OTHER:
                yield name, position, b"", 0
            continue
        index = next((at for at, found in enumerate(entries_of(type.parent)) if found.id == type.id), 0)
        for owner in templated_names(template):
            yield name, position, owner, index
