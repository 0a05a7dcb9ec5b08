"""What the files of a program declare with `CUdeviceptr`, and where they need a number in its place.

In CUDA it is a number, so programs pass it for any parameter that is one, and to macros that compute with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import DeviceAddresses
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import PARAMETERS, record_name
from hipify_py.semantics.expressions import entries_of, text_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.structure import structure_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_Member = tuple[bytes, bytes]
"""A class and the name of a member; outside of classes the first is empty."""
Declared = tuple[
    list[_Member], list[_Member], list[_Member], list[tuple[bytes, tuple[int, ...]]], list[bytes], list[bytes]
]
"""The names of that type, those of other types, classes with their bases, the functions with the positions of numbers,
the macros that compute with numbers, and the other ones."""

DEVICE_ADDRESS = b"CUdeviceptr"
_NUMBER = lazy_pattern(
    rb"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t|off_t"
    rb"|(?:unsigned|signed|long|short|int|char)(?:\s+\w+)*"
)
"""Types of numbers."""
_ARITHMETIC = lazy_pattern(rb"(?:[\w\s()+\-~]|<<|>>|[&|^%/](?![&|]))*")
"""The body of a macro that computes with its parameters, and does nothing else with them."""
_OF_NUMBERS = lazy_pattern(rb"[&|^%~]|<<|>>")
"""An operator that only numbers have."""
_WORD = lazy_pattern(rb"(?<!\w)[A-Za-z_]\w*")
_LITERAL = lazy_pattern(rb"\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")


def is_number(name: bytes) -> bool:
    """Whether a type is one of numbers."""
    return _NUMBER.fullmatch(name) is not None


def declared_with_addresses(unit: Unit) -> Declared:
    """What a header declares outside of functions, as plain data for `merged`."""
    addresses, others = set[_Member](), set[_Member]()
    numbers: dict[bytes, frozenset[int]] = {}
    for node in unit.tree.nodes("declaration", "field_declaration", "function_definition"):
        for declarator in node.children_by_field_name("declarator"):
            found = names_of(unit).declared_in(declarator)
            if found is None or (found.kind == "variable" and found.start):
                continue  # local
            member = record_name(found) or b"", found.name
            is_address = found.shape == "value" and found.type is not None and text_of(found.type) == DEVICE_ADDRESS
            (addresses if is_address else others).add(member)
            if found.function is not None:
                positions = frozenset(_numbers(found.function))
                numbers[found.name] = numbers.get(found.name, positions) & positions
    structure = structure_of(unit)
    macros = {macro.name: _is_arithmetic(unit, macro) for macro in macros_of(unit).all()}
    return (
        sorted(addresses),
        sorted(others),
        sorted((name, base) for name in structure.records for base in structure.bases(name)),
        [(name, tuple(sorted(positions))) for name, positions in sorted(numbers.items())],
        sorted(name for name, is_arithmetic in macros.items() if is_arithmetic),
        sorted(name for name, is_arithmetic in macros.items() if not is_arithmetic),
    )


def merged(headers: Iterable[Declared]) -> DeviceAddresses:
    """What several headers together declare: names that mean the same in all of them."""
    names, others, bases = set[_Member](), set[_Member](), set[_Member]()
    macros, other_macros = set[bytes](), set[bytes]()
    numbers: dict[bytes, frozenset[int]] = {}
    for addresses, other_names, classes, functions, arithmetic, other in headers:
        names.update(addresses)
        others.update(other_names)
        bases.update(classes)
        macros.update(arithmetic)
        other_macros.update(other)
        for name, positions in functions:
            numbers[name] = numbers.get(name, frozenset(positions)).intersection(positions)
    names -= others
    while (
        inherited := {(name, member) for name, base in bases for owner, member in names if owner == base}
        - names
        - others
    ):
        names |= inherited
    return DeviceAddresses(frozenset(names), numbers, frozenset(macros - other_macros))


def _numbers(function: Node) -> Iterator[int]:
    """The positions of the parameters that are numbers."""
    parameters = function.child_by_field_name("parameters")
    for position, parameter in enumerate(entries_of(parameters) if parameters is not None else ()):
        declarator, type = (parameter.child_by_field_name(field) for field in ("declarator", "type"))
        is_plain = declarator is None or declarator.type == "identifier"
        if parameter.type in PARAMETERS and is_plain and type is not None and is_number(text_of(type)):
            yield position


def _is_arithmetic(unit: Unit, macro: Macro) -> bool:
    """Whether a macro's arguments are operands of numbers, and its result is one."""
    body = unit.lexemes.code(macro.start, macro.end).replace(b"\\\n", b" ")
    if not macro.parameters or _OF_NUMBERS.search(body) is None or _ARITHMETIC.fullmatch(body) is None:
        return False
    return all(word in macro.parameters or word.isupper() for word in _WORD.findall(_LITERAL.sub(b"0", body)))


def number_positions(unit: Unit, name: bytes) -> frozenset[int]:
    """The positions at which all functions of a name that the source and its headers declare take numbers."""
    found = [frozenset(_numbers(own.function)) for own in names_of(unit).functions(name) if own.function is not None]
    in_headers = unit.project.addresses.numbers.get(name)
    if in_headers is not None:
        found.append(in_headers)
    return frozenset.intersection(*found) if found else frozenset()


def is_arithmetic_macro(unit: Unit, name: bytes) -> bool:
    """Whether a macro of the source or its headers computes with its arguments as numbers."""
    own = macros_of(unit).named(name)
    return all(_is_arithmetic(unit, macro) for macro in own) if own else name in unit.project.addresses.macros
