"""Lanes of one wavefront that wait for each other: locks taken a lane, flags that neighbours set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.memory_writes import memory_writes_of
from hipify_py.analysis.warp.spin_loops import FLAG, LOCK, SpinLoop, spin_loops_of
from hipify_py.analysis.warp.thread_indices import LANE, THREAD
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.semantics.control_flow import IF, LEFT, conjuncts, control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import bare, call_of, names_in, operator_of, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_CHOSEN = re.compile(rb"\w*(?:leader|elect|is_?first|is_?last|is_?master|thread0)\w*", re.IGNORECASE)
"""Names of conditions that hold for one thread of those that ask."""


def waiting_lanes(unit: Unit) -> Iterator[tuple[int, str]]:
    """Where lanes wait for lanes of their own wavefront, and in which way."""
    spins = spin_loops_of(unit)
    found = [(spin, function) for function in functions_of(unit) for spin in spins.of(function)]
    in_macros = [(macro, spin) for macro, spin in spins.of_macros() if spin.kind == LOCK]
    if not found and not in_macros:
        return
    context = warp_context(unit)
    for spin, function in found:
        says = _says_of_flag if spin.kind == FLAG else _says_of_lock
        detail = says(context, spin, function)
        if detail:
            yield spin.loop.start, detail
    for macro, _ in in_macros:
        for leaf in names_of(unit).mentions(macro.name):
            user = context.functions.at(leaf.start_byte)
            if user is not None and not _is_one_lane(context, leaf.start_byte, user):
                yield leaf.start_byte, "each lane waits by itself for this lock"


def _says_of_lock(context: WarpContext, spin: SpinLoop, function: Function) -> str:
    """What is wrong with a loop that waits for a lock; empty where nothing is."""
    place = spin.read.start_byte
    if _is_one_lane(context, place, function) or _is_called_by_one_lane(context, function):
        return ""
    if _is_first_of_32(context, place, function):
        return "the first lanes of both 32-lane warps of a wavefront wait by themselves for this lock"
    return "each lane waits by itself for this lock"


def _says_of_flag(context: WarpContext, spin: SpinLoop, function: Function) -> str:
    if _is_one_lane(context, spin.loop.body.start_byte, function):
        return ""
    unit = context.unit
    writes = memory_writes_of(unit).of(spin.memory, function)
    behind = any(place > spin.loop.start for place in writes)
    if spin.element is not None and context.uniformity.varies(spin.element, function) and behind:
        return "each lane waits for what another lane writes behind this loop"
    if _is_awaited_for_callers(context, spin, function):
        return "each lane waits for what another lane writes behind the call of this function"
    declared = [found for found in names_of(unit).declared(spin.memory) if function.start <= found.place < function.end]
    if not any(text_of(child) == b"__shared__" for found in declared for child in found.owner.children):
        return ""
    before = [place for place in writes if place < spin.loop.start]
    if (
        before
        and not behind
        and not all(_is_other_branch(context, place, spin.loop.start, function) for place in before)
    ):
        return ""
    return "each lane waits by itself for this flag in shared memory"


def _is_awaited_for_callers(context: WarpContext, spin: SpinLoop, function: Function) -> bool:
    """A helper waits for the memory that its callers point it at, each lane at another place, and that they write."""
    looked_at = {spin.memory} | (names_in(spin.element) if spin.element is not None else set())
    for name in looked_at:
        for parameter in names_of(context.unit).declared(name):
            if parameter.kind != "parameter" or not function.head <= parameter.place < function.start:
                continue
            if any(_waits_with(context, argument) for argument in definitions_of(context.unit).arguments(parameter)):
                return True
    return False


def _waits_with(context: WarpContext, argument: Node) -> bool:
    """Each lane gives a helper something else to wait for, and writes one of the memories of that call behind it."""
    caller = context.functions.at(argument.start_byte)
    if caller is None or not context.uniformity.varies(argument, caller):
        return False
    if _is_one_lane(context, argument.start_byte, caller) or argument.parent is None:
        return False
    names = names_in(argument.parent)
    return any(
        place > argument.start_byte for name in names for place in memory_writes_of(context.unit).of(name, caller)
    )


def _is_other_branch(context: WarpContext, place: int, other: int, function: Function) -> bool:
    """One of two places stands under an `if`, the other under its `else`."""
    flow = control_flow_of(context.unit, function)
    one = {guard.node.id: guard.holds for guard in flow.around(place) if guard.kind == IF}
    return any(
        guard.node.id in one and one[guard.node.id] != guard.holds for guard in flow.around(other) if guard.kind == IF
    )


def _is_one_lane(context: WarpContext, place: int, function: Function) -> bool:
    """What guards a place leaves one lane of a wavefront of 64, by its looks."""
    return any(
        _is_one(context, part, holds, function)
        for guard in control_flow_of(context.unit, function).around(place)
        if guard.kind in (IF, LEFT, "choice") and guard.condition is not None
        for part, holds in conjuncts(guard.condition, guard.holds)
    )


def _is_one(context: WarpContext, part: Node, holds: bool, function: Function) -> bool:
    """A condition that holds for one lane of a wavefront of 64."""
    part = bare(part)
    if part.type == "binary_expression" and operator_of(part) in ("==", "!="):
        if (operator_of(part) == "==") != holds:
            return False
        sides = (part.child_by_field_name("left"), part.child_by_field_name("right"))
        return any(side is not None and _tells_lanes_apart(context, side, function) for side in sides)
    if part.type == "binary_expression" and operator_of(part) == "<" and holds:
        left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
        return left is not None and text_of(right) in (b"1", b"1u") and _tells_lanes_apart(context, left, function)
    if not holds:
        return _tells_lanes_apart(context, part, function)
    return any(_CHOSEN.fullmatch(name) for name in names_in(part)) and not _is_lane_of_32(context, part, function)


def _tells_lanes_apart(context: WarpContext, node: Node, function: Function) -> bool:
    """A value that each lane of a wavefront has otherwise: a thread's index, or a lane of 64."""
    index = context.indices.of(node)
    if index is None:
        return any(_CHOSEN.fullmatch(name) for name in names_in(node))
    if context.is_single_warp(function):
        return index.kind in (THREAD, LANE)
    if index.kind == THREAD:
        return not _is_lane_of_32(context, node, function)
    return index.kind == LANE and index.counted_in == FOLLOWS


def _is_lane_of_32(context: WarpContext, node: Node, function: Function) -> bool:
    return context.counts_32(function) and context.lanes.has_lane(node)


def _is_first_of_32(context: WarpContext, place: int, function: Function) -> bool:
    """Lanes counted in 32 are told apart around the place."""
    return any(
        guard.condition is not None and _is_lane_of_32(context, guard.condition, function)
        for guard in control_flow_of(context.unit, function).around(place)
    )


def _is_called_by_one_lane(context: WarpContext, function: Function) -> bool:
    """A function that takes the lock is called by one lane of a wavefront, wherever this unit calls it."""
    places = [
        (leaf.start_byte, caller)
        for leaf in names_of(context.unit).mentions(function.name)
        if call_of(leaf) is not None
        and (caller := context.functions.at(leaf.start_byte)) is not None
        and leaf.start_byte > caller.start
    ]
    return bool(places) and all(_is_one_lane(context, place, caller) for place, caller in places)
