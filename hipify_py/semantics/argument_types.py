"""What the tables ask of a call's arguments where its HIP form depends on their types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hipify_py.core.unit import Unit
from hipify_py.semantics.doubts import types_at
from hipify_py.semantics.expression_types import expression_types, pointee_of
from hipify_py.semantics.symbols import names_of

_NAME = re.compile(rb"[A-Za-z_]\w*")
_VARIABLES = frozenset(
    {"identifier", "field_expression", "qualified_identifier", "subscript_expression", "binary_expression"}
)
"""What begins with a variable's name and is of its type, or points to it."""
NUMBER_ADDRESS = "number *"
"""What `by_type` calls the address of an integer or floating-point number of the language's own types."""
_NUMBER = re.compile(
    rb"(?:(?:un)?signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|float|double"
    rb"|(?:u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)"
)


def types_of(unit: Unit, arguments: Sequence[tuple[int, int]], wanted: Mapping[int, frozenset[str]]) -> dict[int, str]:
    """What `by_type` goes by, by position: a type of the tables, an enumerator itself, `{}`, or `number *`.

    Args:
        unit: the source.
        arguments: the places of a call's arguments.
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
    """The names of the tables that a unit uses, and where each of them stands."""

    def __init__(self, unit: Unit) -> None:
        self.places = {(use.start, use.end): use.row.name for use in unit.uses}
        self.names = frozenset(self.places.values())
        self.enumerators = frozenset(use.row.name for use in unit.uses if use.row.kind == "enumerator")


def _types(unit: Unit, start: int, end: int, head_end: int) -> frozenset[str]:
    """The type of an argument or of what it points to; without a node for it, of the variable that it begins with.

    A variable that is declared in several branches of an `#if` may be of several types.
    """
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        node = unit.tree.leaf(start, head_end)
    if node is None or node.type not in _VARIABLES:
        return frozenset()
    types = expression_types(unit)
    whole = types.of(node)
    found = [whole] if whole is not None else types.in_any_branch(node) if node.type == "identifier" else []
    if not found:
        seen = [{type.name, type.alias} - {""} for type in types_at(unit, node)]
        return frozenset(set.intersection(*seen)) if seen else frozenset()
    return frozenset(type.name.decode(errors="replace") for type in found)


def _points_to_number(unit: Unit, start: int, end: int) -> bool:
    """The expression there is an address of a number of the language's own types, as far as the source tells."""
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return False
    pointee = pointee_of(names_of(unit), node)
    if not pointee and expression_types(unit).of(node) is None:
        known = types_at(unit, node)
        return bool(known) and all(
            type.pointers == 1 and _NUMBER.fullmatch(type.name.encode()) is not None for type in known
        )
    return _NUMBER.fullmatch(b" ".join(pointee.split())) is not None
