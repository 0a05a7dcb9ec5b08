"""Threads that wait for threads of their own 64-lane wavefront, which run in lockstep on AMD's CDNA GPUs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from hipify_py.analysis.dataflow.memory import Access
from hipify_py.analysis.dataflow.operations import (
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
from hipify_py.analysis.dataflow.plain import FLAG, LOCK
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis, Summaries, summaries_of
from hipify_py.analysis.dataflow.uniformity import (
    BLOCK,
    LANE,
    LANE_INDEX,
    THREAD_INDEX,
    UNSURE,
    WARP,
    WARP_INDEX,
    WAVEFRONT,
)
from hipify_py.analysis.dataflow.waits import Wait
from hipify_py.analysis.dataflow.warp_numbers import WarpNumbers
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH
from hipify_py.semantics.expressions import (
    call_of,
    compact,
    entries_of,
    text_of,
)
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of

_ONE_THREAD_NAME = lazy_pattern(
    rb"(?:\w+[.>])*\w*(?:leader|elect|is_?first|is_?last|is_?master|thread_?0|is_?root)\w*", re.IGNORECASE
)
"""Names of conditions that hold for one of the threads that evaluate them."""
_ELECTED = lazy_pattern(rb"elect_one\w*|elect_sync|invoke_one")

_EXPECTS_COPY = lazy_pattern(rb"\w*expect_(?:tx|transaction)\w*", re.IGNORECASE)
"""Functions that arrive at a barrier, with the bytes that an asynchronous copy brings."""

_OFFSET = lazy_pattern(rb"\w*OFFSET\w*|k\w*Offset\w*")
"""A constant of this name is the offset of a part of an array."""

_OPPOSITES = {b"==": b"!=", b"!=": b"==", b"<": b">=", b">=": b"<", b">": b"<=", b"<=": b">"}
_CONDITIONS = frozenset({b"&&", b"||", *_OPPOSITES})

EACH_LOCK = "each lane waits for this lock on its own"
FIRST_OF_32_LOCK = "the first lanes of both 32-lane warps of a wavefront each wait for this lock"
AFTER_LOOP = "each lane waits for what another lane writes after this loop"
AFTER_CALL = "each lane waits for what another lane writes after the call of this function"
WARPS_AFTER = "each 32-lane warp waits for what the other warp of its wavefront writes afterwards"
ROLES = "some threads of a wavefront wait for what other threads of it write in another branch"


class IntraWavefrontWaits:
    """The waits of one unit that a 64-lane wavefront may never leave."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._summaries: Summaries = summaries_of(unit)
        self._numbers = WarpNumbers(self._summaries)
        self._names = names_of(unit)

    def find(self) -> Iterator[tuple[int, str]]:
        """Yield the offsets where lanes wait for lanes of their own wavefront, each with the kind of wait."""
        reported: set[int] = set()
        for analysis in self._summaries.collect_waiting():
            for wait in analysis.waits:
                detail = self._classify(analysis, wait)
                if detail and wait.start not in reported:
                    reported.add(wait.start)
                    yield wait.start, detail

    # ------------------------------------------------------------------ what is wrong

    def _classify(self, analysis: FunctionAnalysis, wait: Wait) -> str:
        """The kind of fault in a wait; empty where there is none."""
        if wait.kind == FLAG and next(_writes(analysis, wait), None) is None:
            return ""  # nearly all: another kernel, another block or the host writes it
        if wait.kind == FLAG and _is_for_async_copy(analysis, wait):
            return ""
        fixed = _fixed_indices(analysis, wait.operation.region)
        if (
            THREAD_INDEX in fixed
            or {LANE_INDEX, WARP_INDEX} <= fixed
            or (LANE_INDEX in fixed and self._is_one_warp(analysis))
        ):
            return ""
        if wait.kind == LOCK:
            return self._classify_lock(analysis, wait, fixed)
        return self._classify_flag(analysis, wait, fixed)

    def _is_one_warp(self, analysis: FunctionAnalysis) -> bool:
        """Whether a kernel has `__launch_bounds__(32)`: no other warp shares its wavefront."""
        node = analysis.function.node if analysis.function is not None else None
        bounds = [child for child in node.children if child.type == "launch_bounds"] if node is not None else []
        sizes = [constants_of(self._unit).value(entry) for bound in bounds for entry in entries_of(bound)[:1]]
        return any(size is not None and size <= 32 for size in sizes)

    def _classify_lock(self, analysis: FunctionAnalysis, wait: Wait, fixed: set[int]) -> str:
        if analysis.macro is not None:
            return ""  # reported where the macro is used
        if wait.is_call and not macros_of(self._unit).named(wait.operation.name):
            return ""  # reported where the loop is
        if any(analysis.uniformity.divergence(value).identity == THREAD_INDEX for value in wait.access.indices):
            return ""  # a lock for each thread
        callers = list(self._indices_fixed_by_callers(analysis))
        if callers and all(THREAD_INDEX in found or {LANE_INDEX, WARP_INDEX} <= found for found in callers):
            return ""
        is_first = LANE_INDEX in fixed or (callers and all(LANE_INDEX in found for found in callers))
        return FIRST_OF_32_LOCK if is_first else EACH_LOCK

    def _indices_fixed_by_callers(self, analysis: FunctionAnalysis) -> Iterator[set[int]]:
        for leaf in self._names.mentions(analysis.name):
            call, function = call_of(leaf), functions_of(self._unit).at(leaf.start_byte)
            caller = self._summaries.analyze_device_function(function) if function is not None else None
            if call is None or caller is None:
                continue
            operation = caller.lowered.calls.get(call.id)
            if operation is not None:
                yield _fixed_indices(caller, operation.region)

    def _classify_flag(self, analysis: FunctionAnalysis, wait: Wait, fixed: set[int]) -> str:
        level = self._level(analysis, wait)
        if level in (LANE, WARP) and _releases_others(analysis, self._numbers, wait):
            if level == WARP or LANE_INDEX in fixed:
                return WARPS_AFTER
            return AFTER_CALL if wait.is_call else AFTER_LOOP
        splitting = _splitting_regions(analysis, self._numbers, wait)
        is_of_another = self._is_of_other_block(analysis, wait)
        for write in _writes(analysis, wait) if splitting else ():
            if not _is_role(analysis.lowered, splitting, write, wait) or _is_unrelated(
                analysis, self._numbers, write, wait
            ):
                continue
            if _is_private_place(analysis, write, wait) or _is_in_other_part(analysis, write, wait.access):
                continue
            is_own = not is_of_another or _is_of_same_element(analysis, write, wait.access)
            if is_own or _place_level(analysis, write, wait.access) in (WARP, LANE):
                return ROLES
        return ""

    def _level(self, analysis: FunctionAnalysis, wait: Wait) -> int:
        """How the place or the value that is waited for differs between threads."""
        values = [*wait.access.indices, *wait.compared]
        root, variable = wait.access.root, analysis.memory.variable(wait.access)
        is_own = variable is not None and variable.region >= 0 and not analysis.memory.is_shared(wait.access)
        if is_own and isinstance(root, int):
            values.append(root)  # a pointer that is set in this function
        levels = [wait.level, wait.compared_level, *(analysis.uniformity.divergence(value).level for value in values)]
        return max((level for level in levels if level != UNSURE), default=WAVEFRONT)

    def _is_of_other_block(self, analysis: FunctionAnalysis, wait: Wait) -> bool:
        """Whether the element is chosen by the block's index, in memory that is not the block's own."""
        if analysis.memory.is_shared(wait.access):
            return False
        sources = analysis.lowered.sources(wait.access.indices)
        names = {analysis.lowered.variables[value].name for value in sources if value in analysis.lowered.variables}
        return any(name.startswith((b"blockIdx", b"gridDim")) for name in names)


def _writes(analysis: FunctionAnalysis, wait: Wait, start: int = 0) -> Iterator[Operation]:
    """The operations from an offset on that write what is waited for, except for the wait itself."""
    is_call = wait.is_call and wait.operation.name in analysis.memory.summaries
    writes = analysis.memory.writes_except(wait.operation.name) if is_call else analysis.memory.all_writes
    for operation, written in writes[bisect_left(writes, start, key=lambda write: write[0].place) :]:
        if analysis.memory.is_same(written, wait.access) and not wait.start <= operation.place < wait.end:
            yield operation


def _is_for_async_copy(analysis: FunctionAnalysis, wait: Wait) -> bool:
    """Whether the waiting threads have arrived at the barrier themselves, to wait for an asynchronous copy."""
    return any(
        operation.place < wait.start
        and _EXPECTS_COPY.fullmatch(operation.name) is not None
        and analysis.lowered.is_within(operation.region, wait.region)
        and _is_of_same_element(analysis, operation, wait.access)
        for operation, _ in analysis.memory.all_writes
    )


def _releases_others(analysis: FunctionAnalysis, numbers: WarpNumbers, wait: Wait) -> bool:
    """Whether a thread that has waited writes what another one of its wavefront waits for.

    Where all compare with the same value, a write of the element that its thread has waited for does not count: the
    threads that wait for that element have been released at the same time. Nor does a write of a place that the whole
    block shares, where each thread waits for a place of its own.
    """
    is_same_for_all = max(_max_level(analysis, wait.compared), wait.compared_level) not in (WARP, LANE)
    is_same_for_all = is_same_for_all and not _may_have_taken_lock(analysis, wait)
    is_own_place = max(_max_level(analysis, wait.access.indices), wait.level) in (WARP, LANE)
    return any(
        not (is_same_for_all and _is_of_same_element(analysis, write, wait.access))
        and not (
            is_own_place
            and not _is_returned_place(analysis, write, wait)
            and _place_level(analysis, write, wait.access) not in (WARP, LANE)
        )
        and not _is_unrelated(analysis, numbers, write, wait)
        and not _is_private_place(analysis, write, wait)
        and not _is_in_other_part(analysis, write, wait.access)
        for write in _writes(analysis, wait, wait.end)
    )


def _may_have_taken_lock(analysis: FunctionAnalysis, wait: Wait) -> bool:
    """Whether a function that waits for a free lock takes it for some lanes, which return without waiting."""
    summary = analysis.memory.summaries.get(wait.operation.name) if wait.is_call else None
    attempts = (
        [analysis.memory.access_at_call(wait.operation, place) for place in summary.attempts]
        if summary is not None
        else []
    )
    return any(access is not None and analysis.memory.is_same(access, wait.access) for access in attempts)


def _is_returned_place(analysis: FunctionAnalysis, write: Operation, wait: Wait) -> bool:
    """Whether a write is to a place that the waiting function returned to its caller: `find(keys, key, &position)`."""
    if not wait.is_call:
        return False
    lowered = analysis.lowered  # a variable that holds a number so far is there to be set
    outputs = {
        one for one in wait.operation.arguments if one in lowered.variables and lowered.constant(one) is not None
    }
    return any(
        analysis.memory.is_same(written, wait.access)
        and not outputs.isdisjoint((*written.indices, *wait.access.indices))
        for written in analysis.memory.writes(write)
    )


def _is_private_place(analysis: FunctionAnalysis, write: Operation, wait: Wait) -> bool:
    """Whether only the waiting thread or warp reaches the written place: `barrier[warp]`, `buffer + warp * n + i`."""
    lowered, uniformity, indices = analysis.lowered, analysis.uniformity, wait.access.indices
    is_one_value = max(_max_level(analysis, wait.compared), wait.compared_level) != LANE
    identities = (THREAD_INDEX, WARP_INDEX) if is_one_value else (THREAD_INDEX,)
    own = tuple(value for value in indices if uniformity.divergence(value).identity in identities)
    parts = [lowered.definition(value) for value in own]
    if any(part is not None and part.name == b"*" for part in parts):
        indices = own  # a slice of several elements
    waited = set(_texts(analysis, indices))
    for written in analysis.memory.writes(write):
        if not analysis.memory.is_same(written, wait.access):
            continue
        if any(
            _are_of_one_thread(analysis, (one,), (other,))
            for one, other in zip(written.indices, wait.access.indices, strict=False)
        ):
            return True
        if not own:
            continue
        more = [value for value in written.indices if _texts(analysis, (value,))[0] not in waited]
        if waited <= set(_texts(analysis, written.indices)) and not any(map(lowered.constant, more)):
            return True  # plus a number it would be a neighbour's
    return False


def _is_in_other_part(analysis: FunctionAnalysis, write: Operation, access: Access) -> bool:
    """Whether a write is to another part of an array that named offsets divide: `flags[DONE_OFFSET + rank]`."""
    waited = _offsets(analysis, access)
    written = [_offsets(analysis, one) for one in analysis.memory.writes(write) if analysis.memory.is_same(one, access)]
    return bool(waited and written) and all(offsets and offsets != waited for offsets in written)


def _offsets(analysis: FunctionAnalysis, access: Access) -> set[bytes]:
    """The named offsets among the terms of an element's index."""
    operations = [
        one for value in _terms(analysis, access.indices) for one in analysis.lowered.definitions.get(value, ())
    ]
    names = (text_of(one.node) for one in operations if one.code in (EXTERN, CONST))
    return set(filter(_OFFSET.fullmatch, names))


def _are_of_one_thread(analysis: FunctionAnalysis, one: Iterable[int], other: Iterable[int]) -> bool:
    """Whether two indices are of one thread: the sums of its own number and whole rows, `rank * stride + thread`."""
    first, second = _terms(analysis, one), _terms(analysis, other)
    divergence, definition = analysis.uniformity.divergence, analysis.lowered.definition
    different = [(divergence(value).identity, definition(value)) for value in first ^ second]
    return (
        any(divergence(value).identity == THREAD_INDEX for value in first & second)
        and not any(analysis.lowered.constant(value) for value in first | second)
        and all(not index and operation is not None and operation.name == b"*" for index, operation in different)
    )


def _terms(analysis: FunctionAnalysis, values: Iterable[int]) -> set[int]:
    """The terms of the sums that values are, also of variables that are incremented."""
    found, visited, pending = set[int](), set[int](), list(values)
    while pending:
        value = pending.pop()
        if value in visited:
            continue
        visited.add(value)
        operations = analysis.lowered.definitions.get(value, ())
        if operations and all(one.code in (COPY, CAST) or one.name in (b"+", b"-") for one in operations):
            for operation in operations:
                pending += operation.arguments
        else:
            found.add(value)
    return found


def _max_level(analysis: FunctionAnalysis, values: Iterable[int]) -> int:
    """The highest divergence level of some values."""
    return max((analysis.uniformity.divergence(value).level for value in values), default=BLOCK)


def _place_level(analysis: FunctionAnalysis, write: Operation, access: Access) -> int:
    """How the place that an operation writes to differs between threads."""
    values: list[int] = []
    for written in analysis.memory.writes(write):
        if analysis.memory.is_same(written, access):
            values += written.indices
    return _max_level(analysis, values)


def _is_unrelated(analysis: FunctionAnalysis, numbers: WarpNumbers, write: Operation, wait: Wait) -> bool:
    """Whether a write is in another branch of a condition that is uniform in wavefronts, or unknown.

    Or it is left to warps that share no wavefront with those that wait.
    """
    around = list(analysis.lowered.enclosing_regions(write.region))
    if any(
        _is_other_branch(region, other) or _is_other_case(analysis.lowered, region, other)
        for region in analysis.lowered.enclosing_regions(wait.region)
        if region.condition >= 0 and not _splits_wavefront(analysis, numbers, wait, region.condition)
        for other in around
    ):
        return True
    if _is_in_other_blocks(analysis, write, wait):
        return True
    waiting, writing = numbers.reaching_warps(analysis, wait.region), numbers.reaching_warps(analysis, write.region)
    return {warp // 2 for warp in waiting}.isdisjoint(warp // 2 for warp in writing)


def _is_in_other_blocks(analysis: FunctionAnalysis, write: Operation, wait: Wait) -> bool:
    """Whether a block-uniform condition keeps the write from the blocks that wait: `blockIdx.x > 0`, and `== 0`."""
    conditions = analysis.lowered.conditions(wait.region, NO_REGION)
    compared = (value for condition in conditions for value in _sides(analysis.lowered.definition(condition)))
    for value in compared:
        if analysis.uniformity.divergence(value).level == BLOCK and analysis.lowered.definition(value) is not None:
            one, other = analysis.intervals.at(value, write), analysis.intervals.at(value, wait.operation)
            if one.high < other.low or other.high < one.low:
                return True
    return False


def _sides(comparison: Operation | None) -> tuple[int, ...]:
    return comparison.arguments if comparison is not None and comparison.name in _OPPOSITES else ()


def _is_other_case(lowered: LoweredFunction, one: Region, other: Region) -> bool:
    """Whether two `if` compare one value with two constants, as for template parameters."""
    comparisons = [
        lowered.definition(region.condition) for region in (one, other) if region.kind == IF and region.holds
    ]
    if len(comparisons) < 2 or any(found is None or found.name != b"==" for found in comparisons):
        return False
    (value, case), (same, else_case) = (found.arguments for found in comparisons if found is not None)
    codes = {getattr(lowered.definition(each), "code", "") for each in (case, else_case)}
    constants = [lowered.constant(each) for each in (case, else_case)]
    is_other = case != else_case if constants == [None, None] else None not in constants and len(set(constants)) == 2
    return value == same and codes <= {EXTERN, CONST} and is_other


def _is_of_same_element(analysis: FunctionAnalysis, write: Operation, access: Access) -> bool:
    """Whether a write is to the element that its thread has waited for: whoever waits for it is released as well."""
    return any(
        analysis.memory.is_same(written, access)
        and _texts(analysis, written.indices) == _texts(analysis, access.indices)
        for written in analysis.memory.writes(write)
    )


def _texts(analysis: FunctionAnalysis, values: tuple[int, ...]) -> list[bytes]:
    """Values by their source text, those from outside of the function by themselves."""
    found = []
    for value in values:
        operation = analysis.lowered.definition(value)
        if operation is not None and operation.code == COPY:
            operation = analysis.lowered.definition(operation.arguments[0]) or operation
        is_known = operation is not None and operation.code not in (PARAMETER, EXTERN)
        found.append(compact(operation.node) if operation is not None and is_known else b"%d" % value)
    return sorted(found)


def _splitting_regions(analysis: FunctionAnalysis, numbers: WarpNumbers, wait: Wait) -> list[Region]:
    """The regions around a wait that only a part of a wavefront enters.

    Regions that lanes enter because of what they loaded from the same memory are left out, as in a table where they
    found
    a key whose value is still missing: whoever writes that has done so before the others load again.
    """
    return [
        around
        for around in analysis.lowered.enclosing_regions(wait.region)
        if around.kind in (IF, LEFT, CHOICE, SWITCH)
        and _splits_wavefront(analysis, numbers, wait, around.condition)
        and not analysis.memory.depends_on_load(around.condition, wait.access)
    ]


def _splits_wavefront(analysis: FunctionAnalysis, numbers: WarpNumbers, wait: Wait, condition: int) -> bool:
    """Whether a condition splits a wavefront, by its divergence or by the numbers of the warps.

    A flag in shared memory is for the block itself: an unknown condition must split the block.
    """
    level = analysis.uniformity.divergence(condition).level
    if level in (WARP, LANE):
        return True
    is_flag_of_block = analysis.memory.is_shared(wait.access) and not wait.is_call
    return level == UNSURE and (is_flag_of_block or numbers.splits_wavefront(analysis, condition))


def _is_role(lowered: LoweredFunction, splitting: list[Region], write: Operation, wait: Wait) -> bool:
    """Whether a write is left to threads that do not reach the wait: in the other branch, or later."""
    around = list(lowered.enclosing_regions(write.region))
    for region in splitting:
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


def _fixed_indices(analysis: FunctionAnalysis, region: int) -> set[int]:
    """The indices that the conditions around a region fix: `THREAD_INDEX` for one thread of a wavefront, and so on."""
    found: set[int] = set()
    for around in analysis.lowered.enclosing_regions(region):
        if around.kind in (IF, LEFT, CHOICE, SWITCH) and around.condition >= 0:
            if around.kind == SWITCH:
                index = analysis.uniformity.divergence(around.condition).identity
                found |= {index} if index and around.node.child_by_field_name("value") is not None else set()
                continue
            found |= _indices_fixed_by(analysis, around.condition, around.holds)
    return found


def _indices_fixed_by(
    analysis: FunctionAnalysis, value: int, holds: bool, visited: frozenset[int] = frozenset()
) -> set[int]:
    """The indices that a condition fixes where it holds, or does not."""
    if value in visited:
        return set()  # a loop variable set from its old value
    lowered, uniformity = analysis.lowered, analysis.uniformity
    operation, visited = lowered.definition(value), visited | {value}
    if operation is not None and operation.code == COPY and not _has_index_name(lowered, value):
        return _indices_fixed_by(analysis, operation.arguments[0], holds, visited)
    if operation is not None and operation.code == BINARY and operation.name in _CONDITIONS:
        one, other = operation.arguments
        if operation.name == (b"&&" if holds else b"||"):
            return _indices_fixed_by(analysis, one, holds, visited) | _indices_fixed_by(analysis, other, holds, visited)
        if operation.name == (b"==" if holds else b"!="):
            left, right = uniformity.divergence(one), uniformity.divergence(other)
            for index, opposite in ((left, right), (right, left)):
                if index.identity and opposite.level <= (WARP if index.identity == LANE_INDEX else WAVEFRONT):
                    return {index.identity}
            return (
                _index_fixed_by_name(lowered, one) | _index_fixed_by_name(lowered, other)
                if uniformity.divergence(value).level >= UNSURE
                else set()
            )
        if operation.name in (b"<", b">=") and (operation.name == b"<") == holds and lowered.constant(other) == 1:
            return {uniformity.divergence(one).identity} - {0}
        return set()
    if operation is not None and operation.code == UNARY and operation.name == b"!":
        return _indices_fixed_by(analysis, operation.arguments[0], not holds, visited)
    if not holds:
        return {uniformity.divergence(value).identity} - {0}
    return _index_fixed_by_name(lowered, value)


def _has_index_name(lowered: LoweredFunction, value: int) -> bool:
    variable = lowered.variables.get(value)
    return variable is not None and _ONE_THREAD_NAME.fullmatch(variable.name) is not None


def _index_fixed_by_name(lowered: LoweredFunction, value: int) -> set[int]:
    """The index that a condition's name fixes: a leader is one of its block, an elected lane one of its warp."""
    operation = lowered.definition(value)
    if operation is not None and operation.code == CALL:
        if _ELECTED.fullmatch(operation.name):
            return {LANE_INDEX}
        return {THREAD_INDEX} if _ONE_THREAD_NAME.fullmatch(operation.name) else set()
    return {THREAD_INDEX} if _has_index_name(lowered, value) else set()


def intra_wavefront_waits(unit: Unit) -> Iterator[tuple[int, str]]:
    """The offsets where lanes of a unit wait for lanes of their own wavefront, each with the kind of wait."""
    return unit.analysis(IntraWavefrontWaits).find()
