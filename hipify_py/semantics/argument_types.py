"""The types of a call's arguments, as far as the tables need them to choose a HIP form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.expression_types import expression_types, pointee_of
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.symbols import names_of
from hipify_py.semantics.type_queries import types_at

if TYPE_CHECKING:
    pass

_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_VARIABLES = frozenset(
    {"identifier", "field_expression", "qualified_identifier", "subscript_expression", "binary_expression"}
)
"""What begins with a variable's name and has its type, or points to it."""
NUMBER_ADDRESS = "number *"
"""The name in `by_type` for the address of an integer or floating-point number of a built-in type."""
_NUMBER = lazy_pattern(
    rb"(?:(?:un)?signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|float|double"
    rb"|(?:u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)"
)


def types_of(unit: Unit, arguments: Sequence[tuple[int, int]], wanted: Mapping[int, frozenset[str]]) -> dict[int, str]:
    """The types that `by_type` selects by, by position: a type of the tables, an enumerator, `{}`, or `number *`.

    Args:
        unit: the source.
        arguments: the ranges of a call's arguments.
        wanted: by position, the types and enumerators that matter.
    """
    used = unit.analysis(_UsedNames)
    data, found = unit.source.data, {}
    for position, choices in wanted.items():
        if position >= len(arguments):
            continue
        start, end = arguments[position]
        if data[start : start + 1] == b"{":
            found[position] = "{}"
        elif NUMBER_ADDRESS in choices and _points_to_number(unit, start, end):
            found[position] = NUMBER_ADDRESS
            continue
        head = _NAME.match(data, start, end)
        if head is None or choices.isdisjoint(used.names):
            continue
        name = used.places.get((start, head.end()))
        if name in choices and (head.end() == end or data[unit.lexemes.after(head.end())] in b"({"):
            found[position] = name  # an enumerator, or `type{...}`
        elif name is None or name not in used.enumerators:
            types = _types(unit, start, end, head.end()) & choices
            if types:
                found[position] = min(types)
    return found


class _UsedNames:
    """The names of the tables that a unit uses, with their offsets."""

    def __init__(self, unit: Unit) -> None:
        self.places = {(use.start, use.end): use.row.name for use in unit.uses}
        self.names = frozenset(self.places.values())
        self.enumerators = frozenset(use.row.name for use in unit.uses if use.row.kind == "enumerator")


def _types(unit: Unit, start: int, end: int, head_end: int) -> frozenset[str]:
    """The type of an argument or of what it points to; without a node for it, of the variable that it begins with.

    A variable that is declared in several branches of an `#if` may have several types.
    """
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        node = unit.tree.leaf(start, head_end)
    if node is None or node.type not in _VARIABLES:
        return frozenset()
    types = expression_types(unit)
    whole = types.type_of(node)
    found = [whole] if whole is not None else types.types_in_branches(node) if node.type == "identifier" else []
    if not found:
        candidates = [{type.name, type.alias} - {""} for type in types_at(unit, node)]
        return frozenset(set.intersection(*candidates)) if candidates else frozenset()
    return frozenset(type.name.decode(errors="replace") for type in found)


def _points_to_number(unit: Unit, start: int, end: int) -> bool:
    """Whether the expression there is known to be the address of a number of a built-in type."""
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return False
    pointee = pointee_of(names_of(unit), node)
    if not pointee and expression_types(unit).type_of(node) is None:
        types = types_at(unit, node)
        return bool(types) and all(
            type.pointers == 1 and _NUMBER.fullmatch(type.name.encode()) is not None for type in types
        )
    return _NUMBER.fullmatch(b" ".join(pointee.split())) is not None


def is_of_own_type(unit: Unit, use: Use) -> bool:
    """Whether a shuffle is of an address or of the source's own object: only an overload of the project takes those."""
    call = named_call(unit.tree, use.start, use.end)
    at = int(use.row.name.endswith("_sync"))
    type = expression_types(unit).type_of(call.arguments[at]) if call is not None and len(call.arguments) > at else None
    return type is not None and (type.pointers > 0 or names_of(unit).is_record(type.name))
