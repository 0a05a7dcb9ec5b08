"""Threads that wait for threads of their own wavefront of 64, which run in step with them on AMD's CDNA GPUs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from hipify_py.core.unit import Unit
from hipify_py.dataflow.memory import Access
from hipify_py.dataflow.operations import (
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    NO_REGION,
    PARAMETER,
    UNARY,
    LoweredFunction,
    Operation,
    Region,
)
from hipify_py.dataflow.plain import FLAG, LOCK
from hipify_py.dataflow.summaries import Known, Summaries, summaries_of
from hipify_py.dataflow.uniformity import BLOCK, LANE, OF_LANE, OF_THREAD, OF_WARP, UNSURE, WARP, WAVEFRONT
from hipify_py.dataflow.waits import Wait
from hipify_py.dataflow.warp_numbers import WarpNumbers
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH
from hipify_py.semantics.expressions import call_of, compact, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of

_CHOSEN = re.compile(
    rb"(?:\w+[.>])*\w*(?:leader|elect|is_?first|is_?last|is_?master|thread_?0|is_?root)\w*", re.IGNORECASE
)
"""Names of conditions that hold for one thread of those that ask."""
_ELECTED = re.compile(rb"elect_one\w*|elect_sync|invoke_one")

_EXPECTS_COPY = re.compile(rb"\w*expect_(?:tx|transaction)\w*", re.IGNORECASE)
"""Functions that arrive at a barrier, for the bytes that a copy in the background brings."""

_OFFSET = re.compile(rb"\w*OFFSET\w*|k\w*Offset\w*")
"""A constant of this name is where a part of an array begins."""

_OPPOSITES = {b"==": b"!=", b"!=": b"==", b"<": b">=", b">=": b"<", b">": b"<=", b"<=": b">"}
_CONDITIONS = frozenset({b"&&", b"||", *_OPPOSITES})

EACH_LOCK = "each lane waits by itself for this lock"
FIRST_OF_32_LOCK = "the first lanes of both 32-lane warps of a wavefront wait by themselves for this lock"
AFTER_LOOP = "each lane waits for what another lane writes after this loop"
AFTER_CALL = "each lane waits for what another lane writes after the call of this function"
WARPS_AFTER = "each 32-lane warp waits for what the other one of its wavefront writes afterwards"
ROLES = "some threads of a wavefront wait for what others of it write in another branch"


class WaitsInWavefront:
    """The waits of one unit that a wavefront of 64 lanes may never leave."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._summaries: Summaries = summaries_of(unit)
        self._numbers = WarpNumbers(self._summaries)
        self._names = names_of(unit)

    def found(self) -> Iterator[tuple[int, str]]:
        """Where lanes wait for lanes of their own wavefront, and in which way."""
        known = self._summaries.that_may_wait()
        reported: set[int] = set()
        for each in known:
            for wait in each.waits:
                detail = self._says(each, wait)
                if detail and wait.start not in reported:
                    reported.add(wait.start)
                    yield wait.start, detail

    # ------------------------------------------------------------------ what is wrong

    def _says(self, known: Known, wait: Wait) -> str:
        """What is wrong with a wait; empty where nothing is."""
        if wait.kind == FLAG and next(_writes(known, wait), None) is None:
            return ""  # nearly all: another kernel, another block or the host writes it
        if wait.kind == FLAG and _is_for_a_copy(known, wait):
            return ""
        pins = _pins(known, wait.operation.region)
        if OF_THREAD in pins or {OF_LANE, OF_WARP} <= pins or (OF_LANE in pins and self._is_one_warp(known)):
            return ""
        if wait.kind == LOCK:
            return self._says_of_lock(known, wait, pins)
        return self._says_of_flag(known, wait, pins)

    def _is_one_warp(self, known: Known) -> bool:
        """`__launch_bounds__(32)` stands in a kernel's head: no other warp shares its wavefront."""
        node = known.function.node if known.function is not None else None
        bounds = [child for child in node.children if child.type == "launch_bounds"] if node is not None else []
        sizes = [constants_of(self._unit).value(bound.named_children[0]) for bound in bounds if bound.named_children]
        return any(size is not None and size <= 32 for size in sizes)

    def _says_of_lock(self, known: Known, wait: Wait, pins: set[int]) -> str:
        if known.macro is not None:
            return ""  # said where the macro is used
        if wait.is_call and not macros_of(self._unit).named(wait.operation.name):
            return ""  # said where the loop stands
        if any(known.uniformity.of(value).identity == OF_THREAD for value in wait.access.indices):
            return ""  # a lock for each thread
        callers = list(self._pins_of_callers(known))
        if callers and all(OF_THREAD in found or {OF_LANE, OF_WARP} <= found for found in callers):
            return ""
        is_first = OF_LANE in pins or (callers and all(OF_LANE in found for found in callers))
        return FIRST_OF_32_LOCK if is_first else EACH_LOCK

    def _pins_of_callers(self, known: Known) -> Iterator[set[int]]:
        for leaf in self._names.mentions(known.name):
            call, function = call_of(leaf), functions_of(self._unit).at(leaf.start_byte)
            caller = self._summaries.device_function(function) if function is not None else None
            if call is None or caller is None:
                continue
            operation = caller.lowered.calls.get(call.id)
            if operation is not None:
                yield _pins(caller, operation.region)

    def _says_of_flag(self, known: Known, wait: Wait, pins: set[int]) -> str:
        level = self._level(known, wait)
        if level in (LANE, WARP) and _is_written_for_others(known, self._numbers, wait):
            if level == WARP or OF_LANE in pins:
                return WARPS_AFTER
            return AFTER_CALL if wait.is_call else AFTER_LOOP
        split = _splitting(known, self._numbers, wait)
        is_of_another = self._is_of_another_block(known, wait)
        for write in _writes(known, wait) if split else ():
            if not _is_role(known.lowered, split, write, wait) or _is_apart(known, self._numbers, write, wait):
                continue
            if _is_in_own_place(known, write, wait) or _is_in_other_part(known, write, wait.access):
                continue
            is_own = not is_of_another or _is_of_same_element(known, write, wait.access)
            if is_own or _place_level(known, write, wait.access) in (WARP, LANE):
                return ROLES
        return ""

    def _level(self, known: Known, wait: Wait) -> int:
        """How the place or the value that is waited for differs between threads."""
        values = [*wait.access.indices, *wait.compared]
        root, variable = wait.access.root, known.memory.variable(wait.access)
        is_own = variable is not None and variable.region >= 0 and not known.memory.is_shared(wait.access)
        if is_own and isinstance(root, int):
            values.append(root)  # a pointer that is set in this function
        levels = [wait.level, wait.compared_level, *(known.uniformity.of(value).level for value in values)]
        return max((level for level in levels if level != UNSURE), default=WAVEFRONT)

    def _is_of_another_block(self, known: Known, wait: Wait) -> bool:
        """The element is chosen by the block's index, in memory that is not the block's own."""
        if known.memory.is_shared(wait.access):
            return False
        sources = known.lowered.sources(wait.access.indices)
        names = {known.lowered.variables[value].name for value in sources if value in known.lowered.variables}
        return any(name.startswith((b"blockIdx", b"gridDim")) for name in names)


def _writes(known: Known, wait: Wait, start: int = 0) -> Iterator[Operation]:
    """The operations from a place on that write what is waited for, those of the wait itself left out."""
    is_call = wait.is_call and wait.operation.name in known.memory.summaries
    writes = known.memory.writes_besides(wait.operation.name) if is_call else known.memory.all_writes
    for operation, written in writes[bisect_left(writes, start, key=lambda write: write[0].place) :]:
        if known.memory.is_same(written, wait.access) and not wait.start <= operation.place < wait.end:
            yield operation


def _is_for_a_copy(known: Known, wait: Wait) -> bool:
    """Those who wait have arrived themselves at the very barrier, for what a copy in the background brings."""
    return any(
        operation.place < wait.start
        and _EXPECTS_COPY.fullmatch(operation.name) is not None
        and known.lowered.is_within(operation.region, wait.region)
        and _is_of_same_element(known, operation, wait.access)
        for operation, _ in known.memory.all_writes
    )


def _is_written_for_others(known: Known, numbers: WarpNumbers, wait: Wait) -> bool:
    """A thread that has waited writes what another one of its wavefront waits for.

    Where all compare with the same value, a write of the element that its thread has waited for is no such one: those
    who wait for that element have been let go at the same time. Nor is one of a place that the whole block has in
    common, where each thread waits for a place of its own.
    """
    is_same_for_all = max(_highest(known, wait.compared), wait.compared_level) not in (WARP, LANE)
    is_same_for_all = is_same_for_all and not _may_have_been_taken(known, wait)
    is_own_place = max(_highest(known, wait.access.indices), wait.level) in (WARP, LANE)
    return any(
        not (is_same_for_all and _is_of_same_element(known, write, wait.access))
        and not (
            is_own_place
            and not _is_in_given_place(known, write, wait)
            and _place_level(known, write, wait.access) not in (WARP, LANE)
        )
        and not _is_apart(known, numbers, write, wait)
        and not _is_in_own_place(known, write, wait)
        and not _is_in_other_part(known, write, wait.access)
        for write in _writes(known, wait, wait.end)
    )


def _may_have_been_taken(known: Known, wait: Wait) -> bool:
    """A function that waits for a lock to be free takes it for some lanes, which come back without any wait."""
    summary = known.memory.summaries.get(wait.operation.name) if wait.is_call else None
    attempts = [known.memory.given(wait.operation, place) for place in summary.attempts] if summary is not None else []
    return any(access is not None and known.memory.is_same(access, wait.access) for access in attempts)


def _is_in_given_place(known: Known, write: Operation, wait: Wait) -> bool:
    """A write of a place that the function which waits has told its caller of: `find(keys, key, &position)`."""
    if not wait.is_call:
        return False
    lowered = known.lowered  # what is a number so far, in a variable, is there to be set
    given = {one for one in wait.operation.arguments if one in lowered.variables and lowered.constant(one) is not None}
    return any(
        known.memory.is_same(written, wait.access) and not given.isdisjoint((*written.indices, *wait.access.indices))
        for written in known.memory.writes(write)
    )


def _is_in_own_place(known: Known, write: Operation, wait: Wait) -> bool:
    """A write of what only the thread, or the warp, that waits comes to: `barrier[warp]`, `buffer + warp * n + i`."""
    lowered, uniformity, indices = known.lowered, known.uniformity, wait.access.indices
    is_one_value = max(_highest(known, wait.compared), wait.compared_level) != LANE
    telling = (OF_THREAD, OF_WARP) if is_one_value else (OF_THREAD,)
    own = tuple(value for value in indices if uniformity.of(value).identity in telling)
    parts = [lowered.definition(value) for value in own]
    if any(part is not None and part.name == b"*" for part in parts):
        indices = own  # a slice of several elements
    waited = set(_texts(known, indices))
    for written in known.memory.writes(write):
        if not known.memory.is_same(written, wait.access):
            continue
        if any(
            _is_of_own_number(known, (one,), (other,))
            for one, other in zip(written.indices, wait.access.indices, strict=False)
        ):
            return True
        if not own:
            continue
        more = [value for value in written.indices if _texts(known, (value,))[0] not in waited]
        if waited <= set(_texts(known, written.indices)) and not any(map(lowered.constant, more)):
            return True  # with a number more it were a neighbour's
    return False


def _is_in_other_part(known: Known, write: Operation, access: Access) -> bool:
    """A write of another part of an array that named offsets divide: `flags[DONE_OFFSET + rank]`."""
    waited = _offsets(known, access)
    written = [_offsets(known, one) for one in known.memory.writes(write) if known.memory.is_same(one, access)]
    return bool(waited and written) and all(offsets and offsets != waited for offsets in written)


def _offsets(known: Known, access: Access) -> set[bytes]:
    """The named offsets that are added up to an element's index."""
    operations = [one for value in _terms(known, access.indices) for one in known.lowered.definitions.get(value, ())]
    names = (text_of(one.node) for one in operations if one.code in (EXTERN, CONST))
    return set(filter(_OFFSET.fullmatch, names))


def _is_of_own_number(known: Known, one: Iterable[int], other: Iterable[int]) -> bool:
    """Two indices are of one thread: its own number and whole rows add up to both, `rank * stride + thread`."""
    first, second = _terms(known, one), _terms(known, other)
    spread, definition = known.uniformity.of, known.lowered.definition
    different = [(spread(value).identity, definition(value)) for value in first ^ second]
    return (
        any(spread(value).identity == OF_THREAD for value in first & second)
        and not any(known.lowered.constant(value) for value in first | second)
        and all(not index and operation is not None and operation.name == b"*" for index, operation in different)
    )


def _terms(known: Known, values: Iterable[int]) -> set[int]:
    """What is added up to values, through variables that are counted on."""
    found, seen, pending = set[int](), set[int](), list(values)
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        operations = known.lowered.definitions.get(value, ())
        if operations and all(one.code in (COPY, CAST) or one.name in (b"+", b"-") for one in operations):
            for operation in operations:
                pending += operation.arguments
        else:
            found.add(value)
    return found


def _highest(known: Known, values: Iterable[int]) -> int:
    """How the one of some values differs that differs most."""
    return max((known.uniformity.of(value).level for value in values), default=BLOCK)


def _place_level(known: Known, write: Operation, access: Access) -> int:
    """How the place that an operation writes to differs between threads."""
    values: list[int] = []
    for written in known.memory.writes(write):
        if known.memory.is_same(written, access):
            values += written.indices
    return _highest(known, values)


def _is_apart(known: Known, numbers: WarpNumbers, write: Operation, wait: Wait) -> bool:
    """A write stands in another branch of a condition that whole wavefronts have in common, or that is not known.

    Or it is left to warps that share no wavefront with those that wait.
    """
    around = list(known.lowered.around(write.region))
    if any(
        _is_other_branch(region, other) or _is_other_case(known.lowered, region, other)
        for region in known.lowered.around(wait.region)
        if region.condition >= 0 and not _divides(known, numbers, wait, region.condition)
        for other in around
    ):
        return True
    if _is_of_other_blocks(known, write, wait):
        return True
    waiting, writing = numbers.coming_to(known, wait.region), numbers.coming_to(known, write.region)
    return {warp // 2 for warp in waiting}.isdisjoint(warp // 2 for warp in writing)


def _is_of_other_blocks(known: Known, write: Operation, wait: Wait) -> bool:
    """What a whole block has in common keeps the write from the blocks that wait: `blockIdx.x > 0`, and `== 0`."""
    conditions = known.lowered.conditions(wait.region, NO_REGION)
    compared = (value for condition in conditions for value in _sides(known.lowered.definition(condition)))
    for value in compared:
        if known.uniformity.of(value).level == BLOCK and known.lowered.definition(value) is not None:
            one, other = known.intervals.of(value, write), known.intervals.of(value, wait.operation)
            if one.high < other.low or other.high < one.low:
                return True
    return False


def _sides(comparison: Operation | None) -> tuple[int, ...]:
    return comparison.arguments if comparison is not None and comparison.name in _OPPOSITES else ()


def _is_other_case(lowered: LoweredFunction, one: Region, other: Region) -> bool:
    """Two `if` ask whether one value is this or that, as for parameters of templates."""
    asked = [lowered.definition(region.condition) for region in (one, other) if region.kind == IF and region.holds]
    if len(asked) < 2 or any(found is None or found.name != b"==" for found in asked):
        return False
    (value, case), (same, else_case) = (found.arguments for found in asked if found is not None)
    codes = {getattr(lowered.definition(each), "code", "") for each in (case, else_case)}
    constants = [lowered.constant(each) for each in (case, else_case)]
    is_other = case != else_case if constants == [None, None] else None not in constants and len(set(constants)) == 2
    return value == same and codes <= {EXTERN, CONST} and is_other


def _is_of_same_element(known: Known, write: Operation, access: Access) -> bool:
    """A write of the very element that its thread has waited for: whoever waits for that has been let go as well."""
    return any(
        known.memory.is_same(written, access) and _texts(known, written.indices) == _texts(known, access.indices)
        for written in known.memory.writes(write)
    )


def _texts(known: Known, values: tuple[int, ...]) -> list[bytes]:
    """Values by what the source says of them, those from outside of the function by themselves."""
    found = []
    for value in values:
        operation = known.lowered.definition(value)
        if operation is not None and operation.code == COPY:
            operation = known.lowered.definition(operation.arguments[0]) or operation
        is_known = operation is not None and operation.code not in (PARAMETER, EXTERN)
        found.append(compact(operation.node) if operation is not None and is_known else b"%d" % value)
    return sorted(found)


def _splitting(known: Known, numbers: WarpNumbers, wait: Wait) -> list[Region]:
    """The regions around a wait that only a part of a wavefront comes to.

    Left out are those that lanes come to because they have looked at the very memory, as in a table where they found a
    key whose value is still missing: whoever writes that has done so before the next look of the others.
    """
    return [
        around
        for around in known.lowered.around(wait.region)
        if around.kind in (IF, LEFT, CHOICE, SWITCH)
        and _divides(known, numbers, wait, around.condition)
        and not known.memory.is_worked_out_from(around.condition, wait.access)
    ]


def _divides(known: Known, numbers: WarpNumbers, wait: Wait, condition: int) -> bool:
    """A condition divides a wavefront, by how it differs or by the numbers of the warps.

    A flag in shared memory is for the block itself: a condition that is not known has to divide the block.
    """
    level = known.uniformity.of(condition).level
    if level in (WARP, LANE):
        return True
    is_flag_of_block = known.memory.is_shared(wait.access) and not wait.is_call
    return level == UNSURE and (is_flag_of_block or numbers.divides(known, condition))


def _is_role(lowered: LoweredFunction, split: list[Region], write: Operation, wait: Wait) -> bool:
    """A write is left to threads that do not come to the wait: in the other branch, or afterwards outside of it."""
    around = list(lowered.around(write.region))
    for region in split:
        if region in around:
            continue
        if write.place >= wait.end:
            return True
        if any(_is_other_branch(region, other) for other in around):
            return True
    return False


def _is_other_branch(one: Region, other: Region) -> bool:
    if one.kind == SWITCH and other.kind == SWITCH:
        return one.condition == other.condition and one.node.id != other.node.id
    return one.node.id == other.node.id and one.holds != other.holds and one.condition == other.condition


# ---------------------------------------------------------------------- which threads come to a place


def _pins(known: Known, region: int) -> set[int]:
    """What the conditions around a place leave one of: `OF_THREAD` for one thread of a wavefront, and so on."""
    found: set[int] = set()
    for around in known.lowered.around(region):
        if around.kind in (IF, LEFT, CHOICE, SWITCH) and around.condition >= 0:
            if around.kind == SWITCH:
                index = known.uniformity.of(around.condition).identity
                found |= {index} if index and around.node.child_by_field_name("value") is not None else set()
                continue
            found |= _pinned(known, around.condition, around.holds)
    return found


def _pinned(known: Known, value: int, holds: bool, seen: frozenset[int] = frozenset()) -> set[int]:
    """What a condition that holds, or does not hold, leaves one of."""
    if value in seen:
        return set()  # a variable that is set in a loop from what it was
    lowered, uniformity = known.lowered, known.uniformity
    operation, seen = lowered.definition(value), seen | {value}
    if operation is not None and operation.code == COPY and not _is_chosen(lowered, value):
        return _pinned(known, operation.arguments[0], holds, seen)
    if operation is not None and operation.code == BINARY and operation.name in _CONDITIONS:
        one, other = operation.arguments
        if operation.name == (b"&&" if holds else b"||"):
            return _pinned(known, one, holds, seen) | _pinned(known, other, holds, seen)
        if operation.name == (b"==" if holds else b"!="):
            left, right = uniformity.of(one), uniformity.of(other)
            for index, opposite in ((left, right), (right, left)):
                if index.identity and opposite.level <= (WARP if index.identity == OF_LANE else WAVEFRONT):
                    return {index.identity}
            return _chosen(lowered, one) | _chosen(lowered, other) if uniformity.of(value).level >= UNSURE else set()
        if operation.name in (b"<", b">=") and (operation.name == b"<") == holds and lowered.constant(other) == 1:
            return {uniformity.of(one).identity} - {0}
        return set()
    if operation is not None and operation.code == UNARY and operation.name == b"!":
        return _pinned(known, operation.arguments[0], not holds, seen)
    if not holds:
        return {uniformity.of(value).identity} - {0}
    return _chosen(lowered, value)


def _is_chosen(lowered: LoweredFunction, value: int) -> bool:
    variable = lowered.variables.get(value)
    return variable is not None and _CHOSEN.fullmatch(variable.name) is not None


def _chosen(lowered: LoweredFunction, value: int) -> set[int]:
    """What the name of a condition says: a leader is one thread of its block, an elected lane one of its warp."""
    operation = lowered.definition(value)
    if operation is not None and operation.code == CALL:
        if _ELECTED.fullmatch(operation.name):
            return {OF_LANE}
        return {OF_THREAD} if _CHOSEN.fullmatch(operation.name) else set()
    return {OF_THREAD} if _is_chosen(lowered, value) else set()


def waits_in_wavefront(unit: Unit) -> Iterator[tuple[int, str]]:
    """Where lanes of a unit wait for lanes of their own wavefront, and in which way."""
    return unit.analysis(WaitsInWavefront).found()
