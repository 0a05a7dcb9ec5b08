"""Detects spin loops: an iteration may change nothing, and only memory that others write ends them.

The loop is judged as a whole. A loop that probes a table, counts its iterations, or retries an update with the value
that it got back makes progress in each iteration, and does not wait.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.analysis.dataflow.memory import Access, Memory, is_member_call
from hipify_py.analysis.dataflow.operations import (
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    FIELD,
    LAMBDA,
    LOAD,
    SELECT,
    STORE,
    UNARY,
    Exit,
    Loop,
    LoweredFunction,
    Operation,
)
from hipify_py.analysis.dataflow.plain import FLAG, LOCK, WaitSummary
from hipify_py.analysis.dataflow.uniformity import BLOCK, UNSURE, Uniformity
from hipify_py.core.patterns import lazy_pattern
from hipify_py.semantics.control_flow import LOOP, SWITCH

if TYPE_CHECKING:
    from tree_sitter import Node

_OF_OTHER_LANES = lazy_pattern(rb"__(?:shfl|any|all|ballot|reduce|match)\w*|ballot|any|all|shfl\w*|match_any")
_BARRIERS = lazy_pattern(rb"__syncthreads\w*|__barrier_sync\w*|__builtin_amdgcn_s_barrier|bar_sync|named_barrier\w*")
_FENCES = lazy_pattern(rb"__threadfence(?:_block|_system)?|atomic_thread_fence")
"""What makes a compiler reload memory: `do { t = flag[i]; __threadfence(); } while (t)` in SuperLU."""
_IDLE = lazy_pattern(
    rb"__nanosleep|nanosleep|__threadfence\w*|__syncwarp|__builtin_amdgcn_s_sleep|clock(?:64)?|__builtin_\w*pause"
    rb"|yield|printf|__trap|assert|\w*fence\w*|\w*sleep\w*|\w*backoff\w*|\w*delay\w*|__ldg|static_cast|trap"
)
_MEMBERS_THAT_WAIT = lazy_pattern(rb"wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire")
_WAITING_TYPES = lazy_pattern(rb"barrier|pipeline|Barrier|Pipeline")
_NEUTRAL_OPERATORS = frozenset({b"==", b"!=", b"<", b">", b"<=", b">=", b"&&", b"||", b"|", b"&", b"!"})
_BLOCKS = frozenset({"compound_statement", "else_clause", "case_statement", "labeled_statement"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
_LEAVING = frozenset({"break_statement", "return_statement", "throw_statement", "goto_statement"})
_place_of = attrgetter("place")
_EXITING = ("return", "throw", "goto")


class Wait(NamedTuple):
    """A loop or a call that waits.

    Attributes:
        kind: `LOCK` or `FLAG`.
        access: the memory that is waited for.
        operation: the operation that polls it.
        region: the region around the loop or the call.
        start: the start offset of the loop or the call.
        end: its end offset.
        compared: the values that the memory is compared with.
        level: how the element differs between threads, as far as a callee determines it.
        compared_level: how the values differ between threads, as far as a callee determines it.
    """

    kind: int
    access: Access
    operation: Operation
    region: int
    start: int
    end: int
    compared: tuple[int, ...]
    level: int = BLOCK
    compared_level: int = BLOCK

    @property
    def is_call(self) -> bool:
        """Whether it is a call of a function that waits, not a loop of this function."""
        return self.operation.place == self.start and self.operation.node.type == "call_expression"


def find_waits(function: LoweredFunction, memory: Memory) -> list[Wait]:
    """What a function waits for: in its loops, at barriers, and in its callees."""
    loops = (_WaitingLoop(function, memory, loop).find_wait() for loop in function.loops)
    return [*(wait for wait in loops if wait is not None), *_calls_that_wait(function, memory)]


def _calls_that_wait(function: LoweredFunction, memory: Memory) -> Iterator[Wait]:
    for operation in function.operations:
        if operation.code != CALL:
            continue
        place, end, region = operation.node.start_byte, operation.node.end_byte, operation.region
        if _MEMBERS_THAT_WAIT.fullmatch(operation.name) and is_member_call(operation):
            access = memory.access(operation.arguments[0])
            variable = memory.variable(access)
            if variable is not None and _WAITING_TYPES.search(variable.type):  # part of the block may not take part
                yield Wait(FLAG, access, operation, region, place, end, ())
        summary = memory.summaries.get(operation.name)
        for wait_summary in sorted(summary.waits, key=repr) if summary is not None else ():
            found = memory.access_at_call(operation, wait_summary)
            if found is not None:
                compared = memory.arguments(operation, wait_summary.compared)
                levels = wait_summary.level, wait_summary.compared_level
                yield Wait(wait_summary.kind, found, operation, region, place, end, compared, *levels)


def wait_summary(wait: Wait, memory: Memory, uniformity: Uniformity) -> WaitSummary | None:
    """A wait in the caller's terms; None where it is for the function's own memory."""
    place, compared = memory.to_place(wait.access), memory.function.source_parameters(wait.compared)
    if place is None:
        return None
    level = max(wait.level, _level(uniformity, wait.access.indices))
    compared_level = max(wait.compared_level, _level(uniformity, wait.compared))
    return WaitSummary(wait.kind, place.root, place.field, place.parameters, level, compared, compared_level)


def _level(uniformity: Uniformity, values: Iterable[int]) -> int:
    """How values differ whatever the arguments are: unknown ones depend on the caller."""
    level = max((uniformity.divergence(value).level for value in values), default=BLOCK)
    return BLOCK if level == UNSURE else level


class _WaitingLoop:
    """The analysis of one loop."""

    def __init__(self, function: LoweredFunction, memory: Memory, loop: Loop) -> None:
        self._function = function
        self._memory = memory
        self._loop = loop
        self._operations = function.operations[loop.first : loop.last]
        self._defined: dict[int, list[Operation]] = {}
        self._changes: list[int] = []

    def find_wait(self) -> Wait | None:
        """What the loop waits for; None where it does not wait."""
        loop = self._loop
        if loop.node.type == "for_range_loop" or not any(map(self._may_poll, self._operations)):
            return None
        if any(found.code == CALL and _BARRIERS.fullmatch(found.name) for found in self._operations):
            return None  # the whole block iterates together
        for operation in self._operations:
            if operation.code not in (EXTERN, CONST):  # these are loop-invariant, wherever they are first named
                self._defined.setdefault(operation.result, []).append(operation)
            for value in self._memory.output_variables(operation) if operation.code == CALL else ():
                self._defined.setdefault(value, []).append(operation)
        exits = self._exits()
        deciding = self._slice(exits, with_conditions=True)
        reloads = not any(found.code in (COPY, STORE) for found in self._operations) or any(
            found.code == CALL and _FENCES.fullmatch(found.name) for found in self._operations
        )
        polls = [found for each in deciding if (found := self._polled(each, reloads)) is not None]
        if not polls:
            return None
        deciding_ids = {id(found) for found in deciding}
        inputs = {value for found in deciding for value in found.arguments}
        self._changes = sorted(
            found.place for found in self._operations if self._is_progress(found, deciding_ids, inputs)
        )
        if not self._may_iterate_idly():
            return None
        for kind, access, operation in sorted(polls, key=lambda poll: (poll[0], poll[2].place)):
            is_released = self._is_written(access, operation) and not self._may_exit_locked(access, operation)
            if is_released or self._polls_other_place(access, operation):
                return None
            compared = self._compared_values(exits, polls)
            around = self._function.regions[loop.region].parent
            return Wait(kind, access, operation, around, loop.node.start_byte, loop.node.end_byte, compared)
        return None

    def _may_poll(self, operation: Operation) -> bool:
        if operation.code == LOAD:
            return True
        return operation.code in (CALL, FIELD) and (
            next(self._memory.reads(operation), None) is not None
            or next(self._memory.attempts(operation), None) is not None
        )

    # ------------------------------------------------------------------ what decides

    def _exits(self) -> list[int]:
        """The conditions that end the loop."""
        found = [self._loop.condition] if self._loop.condition >= 0 else []
        for left in self._early_exits():
            found += self._function.conditions(left.region, self._loop.region)
        return found

    def _early_exits(self) -> Iterator[Exit]:
        """What leaves the loop other than by its condition."""
        exits, node = self._function.exits, self._loop.node
        first = bisect_left(exits, node.start_byte, key=_place_of)
        for left in exits[first : bisect_left(exits, node.end_byte, first, key=_place_of)]:
            if self._function.is_within(left.region, self._loop.region) and self._exits_loop(left.kind, left.region):
                yield left

    def _exits_loop(self, kind: str, region: int) -> bool:
        if kind in _EXITING:
            inner = itertools.takewhile(
                lambda around: around.node != self._loop.node, self._function.enclosing_regions(region)
            )
            return all(around.kind != LAMBDA for around in inner)
        while self._function.regions[region].kind not in (LOOP, SWITCH):
            region = self._function.regions[region].parent
        return kind == "break" and region == self._loop.region

    def _slice(self, values: Iterable[int], *, with_conditions: bool = False) -> list[Operation]:
        """The operations of the loop that values depend on; with control dependences if asked."""
        region = self._loop.region if with_conditions else None
        return self._function.slice(values, lambda value: self._defined.get(value, ()), region)

    def _polled(self, operation: Operation, reloads: bool) -> tuple[int, Access, Operation] | None:
        """The memory that an operation polls; `reloads`: plain loads are repeated in each iteration."""
        for access in self._memory.attempts(operation):
            return LOCK, access, operation
        for access in self._memory.reads(operation):
            return FLAG, access, operation
        if reloads and operation.code == LOAD:
            access = self._memory.access(operation.result)
            variable = self._memory.variable(access)
            if (
                variable is not None
                and not variable.is_private_array
                and (variable.shape != "value" or variable.is_memory)
            ):
                return FLAG, access, operation
        return None

    def _compared_values(self, exits: list[int], polls: list[tuple[int, Access, Operation]]) -> tuple[int, ...]:
        """The values that the loop compares the memory with, and that do not depend on it themselves."""
        looking = {operation.result for _, _, operation in polls}
        found, visited, pending = [], set[int](), list(exits)
        while pending:
            value = pending.pop()
            if value in visited or value in looking:
                continue
            visited.add(value)
            sources = self._slice([value])
            if any(operation.result in looking for operation in sources):
                pending += [argument for operation in self._defined[value] for argument in operation.arguments]
            else:
                found.append(value)
        return tuple(found)

    # ------------------------------------------------------------------ progress

    def _is_progress(self, operation: Operation, deciding: set[int], inputs: set[int]) -> bool:
        """Whether an operation changes memory, or a variable that decides whether the loop ends.

        Args:
            operation: the operation.
            deciding: the ids of the operations that the loop's exits depend on.
            inputs: the values that these operations read.
        """
        if operation.code == COPY:
            return self._is_loop_carried(operation.result) and id(operation) in deciding and self._advances(operation)
        if operation.code == STORE:
            return True
        if operation.code != CALL or next(self._memory.attempts(operation), None) is not None:
            return False
        if next(self._memory.writes(operation), None) is not None:
            return True
        if operation.name in self._memory.summaries:
            changes_object = self._memory.summaries[operation.name].changes_object and is_member_call(operation)
            return (
                changes_object
                and operation.arguments[0] in inputs
                and self._is_declared_outside(operation.arguments[0])
            )
        if _IDLE.fullmatch(operation.name):
            return False
        return self._memory.is_statement(operation) and not _OF_OTHER_LANES.fullmatch(operation.name)

    def _is_loop_carried(self, value: int) -> bool:
        """Whether a variable is assigned in the loop and keeps its value across iterations."""
        return value in self._defined and self._is_declared_outside(value)

    def _is_declared_outside(self, value: int) -> bool:
        """Whether a variable is declared outside of the loop."""
        variable = self._function.variables.get(value)
        if variable is None:
            return False
        return variable.region < 0 or not self._function.is_within(variable.region, self._loop.region)

    def _advances(self, copy: Operation) -> bool:
        """Whether a variable's new value is computed from its old one: `i + 1`, `next[i]`."""
        pending, visited = [(argument, True) for argument in copy.arguments], set[tuple[int, bool]]()
        while pending:
            value, is_neutral = pending.pop()
            if (value, is_neutral) in visited:
                continue
            visited.add((value, is_neutral))
            if value == copy.result:
                if not is_neutral:
                    return True
                continue
            for operation in self._defined.get(value, ()):
                if operation.code == CALL and self._is_unknown(operation):
                    return True
                neutral = is_neutral and self._is_neutral(operation)
                pending += [(argument, neutral) for argument in operation.arguments]
        return False

    def _is_neutral(self, operation: Operation) -> bool:
        """Whether the result adds no information to the arguments: a copy, a comparison, another lane's value."""
        if operation.code in (COPY, CAST, SELECT):
            return True
        if operation.code in (BINARY, UNARY):
            return operation.name in _NEUTRAL_OPERATORS
        return operation.code == CALL and _OF_OTHER_LANES.fullmatch(operation.name) is not None

    def _is_unknown(self, call: Operation) -> bool:
        """Whether a call is of an unknown function, which may return something else each time."""
        return (
            not _OF_OTHER_LANES.fullmatch(call.name)
            and not _IDLE.fullmatch(call.name)
            and call.name not in self._memory.summaries
            and not any(True for found in (self._memory.reads, self._memory.attempts) for _ in found(call))
        )

    def _may_iterate_idly(self) -> bool:
        """Whether an iteration may complete without any progress."""
        node = self._loop.node
        return all(self._idle_exits(node.child_by_field_name(field)) for field in ("condition", "body", "update"))

    def _idle_exits(self, node: Node | None) -> set[str]:
        """The ways in which control may pass a statement without progress: to its end, or by a `continue`."""
        if node is None:
            return {"end"}
        kind = node.type
        if kind in _BLOCKS:
            found = set[str]()
            for child in node.named_children:
                idle = self._idle_exits(child)
                found |= idle - {"end"}
                if "end" not in idle:
                    return found
            return found | {"end"}
        if kind in _LEAVING:
            return set()
        if kind == "continue_statement":
            return {"continue"}
        if kind == "if_statement" and not self._changes_in(node.child_by_field_name("condition")):
            branches = (node.child_by_field_name(field) for field in ("consequence", "alternative"))
            return set[str]().union(*map(self._idle_exits, branches))
        if not self._changes_in(node):
            return {"end"}
        body = node.child_by_field_name("body")
        if kind == "switch_statement" and body is not None:
            return set[str]().union(*map(self._idle_exits, body.named_children))
        return {"end"} if kind in _LOOPS and self._idle_exits(body) else set()

    def _changes_in(self, node: Node | None) -> bool:
        if node is None:
            return False
        at = bisect_left(self._changes, node.start_byte)
        return at < len(self._changes) and self._changes[at] < node.end_byte

    # ------------------------------------------------------------------ the memory

    def _is_written(self, access: Access, poll: Operation) -> bool:
        """Whether the loop itself writes the memory: it releases a lock, or sets a flag."""
        return next(self._writes(access, poll), None) is not None

    def _writes(self, access: Access, poll: Operation) -> Iterator[Operation]:
        """The operations of the loop that write the memory, other than attempts."""
        for operation in self._operations:
            if operation.code not in (CALL, STORE) or operation.result == poll.result:
                continue
            if next(self._memory.attempts(operation), None) is not None:
                continue
            if any(self._memory.is_same(written, access) for written in self._memory.writes(operation)):
                yield operation

    def _may_exit_locked(self, access: Access, attempt: Operation) -> bool:
        """Whether a lane that got the lock leaves the loop, by a `break` or `return`, before it releases the lock.

        Lanes that release it in the loop iterate again: without the second of two locks, or where a vote fails.
        """
        free = self._free_value(attempt)
        if free is None:
            return False
        releases = [*self._writes(access, attempt), *filter(self._is_unknown_statement, self._operations)]
        for left in self._early_exits():
            guards = self._guards(left.region)
            decided_by = self._slice([condition for condition, _ in guards], with_conditions=True)
            if left.place < attempt.place or attempt not in decided_by or not self._may_hold(guards, attempt, free):
                continue
            between = (one for one in releases if attempt.place < one.place < left.place)
            if not any(self._may_hold([*guards, *self._guards(one.region)], attempt, free) for one in between):
                return True
        return False

    def _is_unknown_statement(self, operation: Operation) -> bool:
        """Whether an operation calls an unknown function or a lambda as a statement, which may write anything."""
        is_known = operation.name in self._memory.summaries or operation.name.startswith(b"__")
        return operation.code == CALL and not is_known and self._memory.is_statement(operation)

    def _free_value(self, attempt: Operation) -> int | None:
        """The value of a free lock; None where it is unknown, as for attempts in callees."""
        if attempt.name in self._memory.summaries or len(attempt.arguments) < 2:
            return None
        found = self._function.constant(attempt.arguments[1])
        return found if len(attempt.arguments) > 2 else 0 if found else None

    def _guards(self, region: int) -> list[tuple[int, bool]]:
        """The conditions that guard a region of the loop, each with whether it holds there."""
        around = itertools.takewhile(lambda one: one.node != self._loop.node, self._function.enclosing_regions(region))
        return [(one.condition, one.holds) for one in around if one.condition >= 0]

    def _may_hold(self, guards: list[tuple[int, bool]], attempt: Operation, free: int) -> bool:
        """Whether all conditions may be met by a lane whose attempt has found the lock free."""

        def resolve(operation: Operation) -> int | None:
            return free if operation == attempt else None

        values = [(self._function.evaluate(condition, resolve), holds) for condition, holds in guards]
        is_contradicted = any((condition, not holds) in guards for condition, holds in guards)
        return not is_contradicted and all(value is None or bool(value) == holds for value, holds in values)

    def _polls_other_place(self, access: Access, poll: Operation) -> bool:
        """Whether each iteration polls another place: chosen by a vote of the lanes, or loaded from the same memory."""
        for operation in self._slice(list(poll.arguments)):
            if operation.code == CALL and operation != poll and self._depends_on_iteration(operation):
                return True
            if operation.code == COPY and self._is_loop_carried(operation.result) and self._advances(operation):
                return not self._is_controlled_by(operation, poll)
            is_look = operation.result != poll.result and operation.code == LOAD
            if is_look and self._is_other_element(operation, access) and operation.arguments[0] not in poll.arguments:
                return True
        return False

    def _depends_on_iteration(self, call: Operation) -> bool:
        """Whether a call depends on the other lanes, or on what the loop has loaded."""
        if _OF_OTHER_LANES.fullmatch(call.name):
            return True
        return any(found.code == LOAD for found in self._slice(list(call.arguments)))

    def _is_controlled_by(self, operation: Operation, poll: Operation) -> bool:
        """Whether an operation is control-dependent on what the loop polls."""
        conditions = self._function.conditions(operation.region, self._loop.region)
        return poll in self._slice(conditions, with_conditions=True)

    def _is_other_element(self, load: Operation, access: Access) -> bool:
        other = self._memory.access(load.result)
        return self._memory.is_same(other, access) and other.indices != access.indices
