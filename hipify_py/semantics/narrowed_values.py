"""Values in braces that do not fit the type of what they initialise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.arithmetic_types import arithmetic_type, canonical_number, narrows, rank_of
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import callee, entries_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARATORS = frozenset({"array_declarator", "identifier"})


class NarrowedValue(NamedTuple):
    """The range of a value, and the type that it becomes."""

    start: int
    end: int
    target: bytes


def narrowed_values(unit: Unit) -> Iterator[NarrowedValue]:
    """The values in braces of a unit's variables that are no constants and narrow."""
    for declarator in unit.tree.nodes("init_declarator"):
        name, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
        type = declarator.parent.child_by_field_name("type") if declarator.parent is not None else None
        if name is None or value is None or type is None or value.type != "initializer_list":
            continue
        target = canonical_number(text_of(type))
        if name.type in _DECLARATORS and rank_of(target) is not None and target is not None:
            yield from _narrowed(unit, value, target)


def _narrowed(unit: Unit, values: Node, target: bytes) -> Iterator[NarrowedValue]:
    """The values in braces that are no constants and narrow."""
    for value in entries_of(values):
        if value.type == "initializer_list":
            yield from _narrowed(unit, value, target)
        elif narrows(arithmetic_type(unit, value), target) and not (_is_constant(unit, value) or _is_count(value)):
            yield NarrowedValue(value.start_byte, value.end_byte, target)


def _is_constant(unit: Unit, value: Node) -> bool:
    return value.type in ("number_literal", "char_literal") or constants_of(unit).value(value) is not None


def _is_count(value: Node) -> bool:
    """Whether a value is a count of bits, which has another type in HIP: see `bit_counts`."""
    leaf = callee(value) if value.type == "call_expression" else None
    return leaf is not None and text_of(leaf) in (b"__popc", b"__popcll")
