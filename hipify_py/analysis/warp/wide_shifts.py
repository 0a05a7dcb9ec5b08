"""Shifts in code for warps of 32 lanes that may be by 32 bits, and what keeps each of them right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.analysis.dataflow.operations import BINARY, COPY, SELECT, Operation
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis, summaries_of
from hipify_py.analysis.dataflow.uniformity import LANE
from hipify_py.analysis.warp.decisions import KEPT, warp_decisions
from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.expressions import operator_of, strip_parentheses, text_of
from hipify_py.semantics.functions import functions_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER_OF_32_BITS = re.compile(rb"(?:0[xX][0-9a-fA-F]{1,8}|\d{1,9})[uU]?")
_SIZE_ELSEWHERE = re.compile(rb"[\w:]*warp_?size(?:\s*\(\s*\))?", re.IGNORECASE)


def edits_of_wide_shifts(unit: Unit, *, by_counts: bool) -> Iterator[Edit]:
    """Yield the edits of the shifts that may be by 32 bits.

    Args:
        unit: the source.
        by_counts: whether numbers are shifted by variables that may be set to 32.
    """
    for node in unit.tree.nodes("binary_expression"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator_of(node) not in ("<<", ">>") or left is None or right is None:
            continue
        size = _size(unit, right)
        is_of_number = by_counts and right.type == "identifier" and _NUMBER_OF_32_BITS.fullmatch(text_of(left))
        if (size is None and not is_of_number) or warp_decisions(unit).at(node.start_byte) != KEPT:
            continue
        if size is not None and _is_by_lanes(unit, node):
            yield Edit(left.end_byte, left.end_byte, f" {operator_of(node)} 1".encode())
            if number(text_of(size)) is None:
                yield Edit(size.end_byte, size.end_byte, b" - 1")
            else:
                yield Edit(size.start_byte, size.end_byte, text_of(size).replace(b"32", b"31"))
        elif size is not None and _counts_up_to_a_lane(unit, node):
            lane = strip_parentheses(right).child_by_field_name("right")
            yield Edit(left.start_byte, left.start_byte, b"(" + text_of(lane) + b" > 0 ? ")
            yield Edit(right.end_byte, right.end_byte, b" : 0)")
        elif size is None and _may_be_by_32(unit, node):
            yield Edit(left.start_byte, left.start_byte, b"(" + text_of(right) + b" < 32 ? ")
            yield Edit(right.end_byte, right.end_byte, b" : 0)")


def _size(unit: Unit, count: Node) -> Node | None:
    """The warp size in `x << (SIZE - y)`; None for any other expression."""
    difference = strip_parentheses(count)
    if difference.type != "binary_expression" or operator_of(difference) != "-":
        return None
    size = difference.child_by_field_name("left")
    is_size = size is not None and _SIZE_ELSEWHERE.fullmatch(text_of(size)) is not None
    return size if is_size or constants_of(unit).value(size) == 32 else None


def _lowered(unit: Unit, shift: Node) -> Iterator[tuple[FunctionAnalysis, Operation]]:
    """A shift of device code, as its function is lowered."""
    function = functions_of(unit).at(shift.start_byte)
    analysis = summaries_of(unit).analyze_device_function(function) if function is not None else None
    for operation in analysis.lowered.operations if analysis is not None else ():
        is_there = operation.place == shift.start_byte and operation.node.end_byte == shift.end_byte
        if analysis is not None and operation.code == BINARY and is_there:
            yield analysis, operation


def _is_by_lanes(unit: Unit, shift: Node) -> bool:
    """Whether what a shift subtracts from the warp size differs between lanes, and may be 0."""
    return any(
        analysis.uniformity.divergence(lane).level == LANE and analysis.intervals.at(lane, operation).low < 1
        for analysis, operation, lane in _subtracted(unit, shift)
    )


def _subtracted(unit: Unit, shift: Node) -> Iterator[tuple[FunctionAnalysis, Operation, int]]:
    """The value `y` of a shift by `SIZE - y`, with the shift as its function is lowered."""
    for analysis, operation in _lowered(unit, shift):
        difference = analysis.lowered.definition(operation.arguments[1])
        if difference is not None:
            yield analysis, operation, difference.arguments[1]


def _counts_up_to_a_lane(unit: Unit, shift: Node) -> bool:
    """`__popc(votes << (32 - n))` with a variable `n` that is only known to be possibly 0 (gpu-voxels)."""
    call = shift.parent.parent if shift.parent is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    difference = strip_parentheses(shift.child_by_field_name("right") or shift)
    lane = difference.child_by_field_name("right")
    if text_of(function) != b"__popc" or lane is None or lane.type not in ("identifier", "field_expression"):
        return False
    return any(
        analysis.intervals.at(value, operation).low < 1 for analysis, operation, value in _subtracted(unit, shift)
    )


def _may_be_by_32(unit: Unit, shift: Node) -> bool:
    """Whether the variable that a shift is by is set to 32 somewhere, maybe in one case only."""
    for analysis, operation in _lowered(unit, shift):
        function, count = analysis.lowered, operation.arguments[1]
        values = [one.arguments[0] for one in function.definitions.get(count, ()) if one.code == COPY]
        choices = (function.definition(value) for value in values)
        values += [part for one in choices if one is not None and one.code == SELECT for part in one.arguments[1:]]
        return 32 in map(function.constant, values) and analysis.intervals.at(count, operation).high >= 32
    return False
