"""The types of operands by their declarations in the source."""

from __future__ import annotations

from hipify_py.core.unit import Unit
from hipify_py.semantics.expression_types import type_of as expression_type
from hipify_py.semantics.symbols import names_of

_TYPES = {
    "unsigned": "unsigned",
    "unsigned int": "unsigned",
    "uint32_t": "unsigned",
    "uint": "unsigned",
    "std::uint32_t": "unsigned",
    "int": "int",
    "int32_t": "int",
    "std::int32_t": "int",
    "float": "float",
    "double": "double",
    "unsigned long long": "unsigned long long",
    "unsigned long long int": "unsigned long long",
    "long long": "long long",
    # The 64-bit types of <cstdint> are `long` on Linux: another type for an overload than `long long`.
    "unsigned long": "unsigned long",
    "uint64_t": "unsigned long",
    "std::uint64_t": "unsigned long",
    "long": "long",
    "int64_t": "long",
    "std::int64_t": "long",
    "unsigned short": "unsigned short",
    "uint16_t": "unsigned short",
    "short": "short",
    "int16_t": "short",
}


def type_of(unit: Unit, start: int, end: int) -> str:
    """The C++ type that the source declares the expression at `[start, end)` with.

    An empty string where it is not a number's, where declarations differ, and in a macro, whose names are its users'.
    """
    if unit.lexemes.define_around(start) is not None:
        return ""
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return ""
    return _TYPES.get(" ".join(expression_type(names_of(unit), node).decode("utf-8", "replace").split()), "")
