"""Loops that wait: a round of theirs may change nothing, and only memory that others write ends them.

That is told from the loop as a whole. A loop that probes a table, counts its rounds, or repeats an update with the
value that it was given back makes progress in each round, and waits for nobody.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.dataflow.memory import Access, Memory, is_member_call
from hipify_py.dataflow.operations import (
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
from hipify_py.dataflow.plain import FLAG, LOCK, Waiting
from hipify_py.dataflow.uniformity import BLOCK, UNSURE, Uniformity
from hipify_py.semantics.control_flow import LOOP, SWITCH

if TYPE_CHECKING:
    from tree_sitter import Node

_OF_OTHER_LANES = re.compile(rb"__(?:shfl|any|all|ballot|reduce|match)\w*|ballot|any|all|shfl\w*|match_any")
_BARRIERS = re.compile(rb"__syncthreads\w*|__barrier_sync\w*|__builtin_amdgcn_s_barrier|bar_sync|named_barrier\w*")
_FENCES = re.compile(rb"__threadfence(?:_block|_system)?|atomic_thread_fence")
"""What makes a compiler load memory again: `do { t = flag[i]; __threadfence(); } while (t)` in SuperLU."""
_IDLE = re.compile(
    rb"__nanosleep|nanosleep|__threadfence\w*|__syncwarp|__builtin_amdgcn_s_sleep|clock(?:64)?|__builtin_\w*pause"
    rb"|yield|printf|__trap|assert|\w*fence\w*|\w*sleep\w*|\w*backoff\w*|\w*delay\w*|__ldg|static_cast|trap"
)
_MEMBERS_THAT_WAIT = re.compile(rb"wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire")
_WAITING_TYPES = re.compile(rb"barrier|pipeline|Barrier|Pipeline")
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
        operation: what looks at it.
        region: the region that the loop or the call stands in.
        start: where the loop or the call begins.
        end: where it ends.
        compared: the values that the memory is compared with.
        level: how the element differs between threads, as far as a called function says.
        compared_level: how the values differ between threads, as far as a called function says.
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
        """A call of what waits, not a loop of the function's own."""
        return self.operation.place == self.start and self.operation.node.type == "call_expression"


def waits_of(function: LoweredFunction, memory: Memory) -> list[Wait]:
    """What a function waits for: in its loops, at barriers, and in the functions that it calls."""
    loops = (_WaitingLoop(function, memory, loop).wait() for loop in function.loops)
    return [*(wait for wait in loops if wait is not None), *_calls_that_wait(function, memory)]


def _calls_that_wait(function: LoweredFunction, memory: Memory) -> Iterator[Wait]:
    for operation in function.operations:
        if operation.code != CALL:
            continue
        place, end, region = operation.node.start_byte, operation.node.end_byte, operation.region
        if _MEMBERS_THAT_WAIT.fullmatch(operation.name) and is_member_call(operation):
            access = memory.access(operation.arguments[0])
            variable = memory.variable(access)
            if variable is not None and _WAITING_TYPES.search(variable.type):  # a part of the block may be missing
                yield Wait(FLAG, access, operation, region, place, end, ())
        summary = memory.summaries.get(operation.name)
        for waiting in sorted(summary.waits, key=repr) if summary is not None else ():
            found = memory.given(operation, waiting)
            if found is not None:
                compared = memory.arguments(operation, waiting.compared)
                levels = waiting.level, waiting.compared_level
                yield Wait(waiting.kind, found, operation, region, place, end, compared, *levels)


def waiting(wait: Wait, memory: Memory, uniformity: Uniformity) -> Waiting | None:
    """A wait as callers see it; None where it is for memory of the function's own."""
    place, compared = memory.place(wait.access), memory.function.parameters_of(wait.compared)
    if place is None:
        return None
    level = max(wait.level, _level(uniformity, wait.access.indices))
    compared_level = max(wait.compared_level, _level(uniformity, wait.compared))
    return Waiting(wait.kind, place.root, place.field, place.parameters, level, compared, compared_level)


def _level(uniformity: Uniformity, values: Iterable[int]) -> int:
    """How values differ whatever the callers give: one that is not known is theirs."""
    level = max((uniformity.of(value).level for value in values), default=BLOCK)
    return BLOCK if level == UNSURE else level


class _WaitingLoop:
    """One loop, looked at."""

    def __init__(self, function: LoweredFunction, memory: Memory, loop: Loop) -> None:
        self._function = function
        self._memory = memory
        self._loop = loop
        self._operations = function.operations[loop.first : loop.last]
        self._defined: dict[int, list[Operation]] = {}
        self._changes: list[int] = []

    def wait(self) -> Wait | None:
        """What the loop waits for; None where it does not."""
        loop = self._loop
        if loop.node.type == "for_range_loop" or not any(map(self._may_look, self._operations)):
            return None
        if any(found.code == CALL and _BARRIERS.fullmatch(found.name) for found in self._operations):
            return None  # the whole block goes round together
        for operation in self._operations:
            if operation.code not in (EXTERN, CONST):  # those are there before the loop, wherever it names them first
                self._defined.setdefault(operation.result, []).append(operation)
            for value in self._memory.given_back(operation) if operation.code == CALL else ():
                self._defined.setdefault(value, []).append(operation)
        exits = self._exits()
        deciding = self._slice(exits, with_conditions=True)
        is_anew = not any(found.code in (COPY, STORE) for found in self._operations) or any(
            found.code == CALL and _FENCES.fullmatch(found.name) for found in self._operations
        )
        looks = [found for each in deciding if (found := self._look(each, is_anew)) is not None]
        if not looks:
            return None
        of_decisions = {id(found) for found in deciding}
        asked = {value for found in deciding for value in found.arguments}
        self._changes = sorted(
            found.place for found in self._operations if self._is_progress(found, of_decisions, asked)
        )
        if not self._may_pass_round():
            return None
        for kind, access, operation in sorted(looks, key=lambda look: (look[0], look[2].place)):
            is_given_back = self._is_written(access, operation) and not self._is_left_with(access, operation)
            if is_given_back or self._moves_on(access, operation):
                return None
            compared = self._compared(exits, looks)
            around = self._function.regions[loop.region].parent
            return Wait(kind, access, operation, around, loop.node.start_byte, loop.node.end_byte, compared)
        return None

    def _may_look(self, operation: Operation) -> bool:
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
        for left in self._leaving():
            found += self._function.conditions(left.region, self._loop.region)
        return found

    def _leaving(self) -> Iterator[Exit]:
        """What leaves the loop other than by its condition."""
        exits, node = self._function.exits, self._loop.node
        first = bisect_left(exits, node.start_byte, key=_place_of)
        for left in exits[first : bisect_left(exits, node.end_byte, first, key=_place_of)]:
            if self._function.is_within(left.region, self._loop.region) and self._leaves(left.kind, left.region):
                yield left

    def _leaves(self, kind: str, region: int) -> bool:
        if kind in _EXITING:
            inner = itertools.takewhile(lambda around: around.node != self._loop.node, self._function.around(region))
            return all(around.kind != LAMBDA for around in inner)
        while self._function.regions[region].kind not in (LOOP, SWITCH):
            region = self._function.regions[region].parent
        return kind == "break" and region == self._loop.region

    def _slice(self, values: Iterable[int], *, with_conditions: bool = False) -> list[Operation]:
        """The operations of the loop that values come from; with those that decide whether these are carried out."""
        region = self._loop.region if with_conditions else None
        return self._function.slice(values, lambda value: self._defined.get(value, ()), region)

    def _look(self, operation: Operation, is_anew: bool) -> tuple[int, Access, Operation] | None:
        """What an operation looks at; `is_anew` says that a plain load is made anew in each round."""
        for access in self._memory.attempts(operation):
            return LOCK, access, operation
        for access in self._memory.reads(operation):
            return FLAG, access, operation
        if is_anew and operation.code == LOAD:
            access = self._memory.access(operation.result)
            variable = self._memory.variable(access)
            if variable is not None and not variable.is_own_array and (variable.shape != "value" or variable.is_memory):
                return FLAG, access, operation
        return None

    def _compared(self, exits: list[int], looks: list[tuple[int, Access, Operation]]) -> tuple[int, ...]:
        """The values that the loop compares the memory with, which do not come from it themselves."""
        looking = {operation.result for _, _, operation in looks}
        found, seen, pending = [], set[int](), list(exits)
        while pending:
            value = pending.pop()
            if value in seen or value in looking:
                continue
            seen.add(value)
            sources = self._slice([value])
            if any(operation.result in looking for operation in sources):
                pending += [argument for operation in self._defined[value] for argument in operation.arguments]
            else:
                found.append(value)
        return tuple(found)

    # ------------------------------------------------------------------ progress

    def _is_progress(self, operation: Operation, deciding: set[int], asked: set[int]) -> bool:
        """An operation changes memory, or a variable that decides over the loop so that the next round differs.

        Args:
            operation: the operation.
            deciding: the ids of the operations that decide over the loop.
            asked: the values that these are worked out from.
        """
        if operation.code == COPY:
            return self._is_carried(operation.result) and id(operation) in deciding and self._advances(operation)
        if operation.code == STORE:
            return True
        if operation.code != CALL or next(self._memory.attempts(operation), None) is not None:
            return False
        if next(self._memory.writes(operation), None) is not None:
            return True
        if operation.name in self._memory.summaries:
            is_changing = self._memory.summaries[operation.name].is_changing and is_member_call(operation)
            return is_changing and operation.arguments[0] in asked and self._is_from_before(operation.arguments[0])
        if _IDLE.fullmatch(operation.name):
            return False
        return self._memory.is_statement(operation) and not _OF_OTHER_LANES.fullmatch(operation.name)

    def _is_carried(self, value: int) -> bool:
        """A variable that the loop sets, and that keeps its value from round to round."""
        return value in self._defined and self._is_from_before(value)

    def _is_from_before(self, value: int) -> bool:
        """A variable that the loop does not declare."""
        variable = self._function.variables.get(value)
        if variable is None:
            return False
        return variable.region < 0 or not self._function.is_within(variable.region, self._loop.region)

    def _advances(self, copy: Operation) -> bool:
        """A variable gets a value that is worked out from the one that it had: `i + 1`, `next[i]`."""
        pending, seen = [(argument, True) for argument in copy.arguments], set[tuple[int, bool]]()
        while pending:
            value, is_neutral = pending.pop()
            if (value, is_neutral) in seen:
                continue
            seen.add((value, is_neutral))
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
        """The result says no more than the arguments: a copy, a comparison, a value of another lane."""
        if operation.code in (COPY, CAST, SELECT):
            return True
        if operation.code in (BINARY, UNARY):
            return operation.name in _NEUTRAL_OPERATORS
        return operation.code == CALL and _OF_OTHER_LANES.fullmatch(operation.name) is not None

    def _is_unknown(self, call: Operation) -> bool:
        """A call of a function that may give back something else each time."""
        return (
            not _OF_OTHER_LANES.fullmatch(call.name)
            and not _IDLE.fullmatch(call.name)
            and call.name not in self._memory.summaries
            and not any(True for found in (self._memory.reads, self._memory.attempts) for _ in found(call))
        )

    def _may_pass_round(self) -> bool:
        """Control may get round the loop without any progress."""
        node = self._loop.node
        return all(self._idle_ways(node.child_by_field_name(field)) for field in ("condition", "body", "update"))

    def _idle_ways(self, node: Node | None) -> set[str]:
        """How control may leave a statement, without progress, to go on: by its end, or by a `continue`."""
        if node is None:
            return {"end"}
        kind = node.type
        if kind in _BLOCKS:
            found = set[str]()
            for child in node.named_children:
                ways = self._idle_ways(child)
                found |= ways - {"end"}
                if "end" not in ways:
                    return found
            return found | {"end"}
        if kind in _LEAVING:
            return set()
        if kind == "continue_statement":
            return {"continue"}
        if kind == "if_statement" and not self._changes_in(node.child_by_field_name("condition")):
            branches = (node.child_by_field_name(field) for field in ("consequence", "alternative"))
            return set[str]().union(*map(self._idle_ways, branches))
        if not self._changes_in(node):
            return {"end"}
        body = node.child_by_field_name("body")
        if kind == "switch_statement" and body is not None:
            return set[str]().union(*map(self._idle_ways, body.named_children))
        return {"end"} if kind in _LOOPS and self._idle_ways(body) else set()

    def _changes_in(self, node: Node | None) -> bool:
        if node is None:
            return False
        at = bisect_left(self._changes, node.start_byte)
        return at < len(self._changes) and self._changes[at] < node.end_byte

    # ------------------------------------------------------------------ the memory

    def _is_written(self, access: Access, look: Operation) -> bool:
        """The loop itself writes the memory: a lock is given back in it, a flag is set in it."""
        return next(self._writes(access, look), None) is not None

    def _writes(self, access: Access, look: Operation) -> Iterator[Operation]:
        """The operations of the loop that write the memory, other attempts left out."""
        for operation in self._operations:
            if operation.code not in (CALL, STORE) or operation.result == look.result:
                continue
            if next(self._memory.attempts(operation), None) is not None:
                continue
            if any(self._memory.is_same(written, access) for written in self._memory.writes(operation)):
                yield operation

    def _is_left_with(self, access: Access, attempt: Operation) -> bool:
        """A lane that got the lock leaves the loop, by a `break` or `return`, before it gives the lock back.

        Those give it back in the loop that go round again: without the second of two locks, or where a vote fails.
        """
        free = self._when_free(attempt)
        if free is None:
            return False
        releases = [*self._writes(access, attempt), *filter(self._is_unknown_statement, self._operations)]
        for left in self._leaving():
            guards = self._guards(left.region)
            decided_by = self._slice([condition for condition, _ in guards], with_conditions=True)
            if left.place < attempt.place or attempt not in decided_by or not self._may_hold(guards, attempt, free):
                continue
            between = (one for one in releases if attempt.place < one.place < left.place)
            if not any(self._may_hold([*guards, *self._guards(one.region)], attempt, free) for one in between):
                return True
        return False

    def _is_unknown_statement(self, operation: Operation) -> bool:
        """A call of a function that is not known, or of a lambda, which may write anything."""
        is_known = operation.name in self._memory.summaries or operation.name.startswith(b"__")
        return operation.code == CALL and not is_known and self._memory.is_statement(operation)

    def _when_free(self, attempt: Operation) -> int | None:
        """What a lock is while nobody has it; None where that is not known, as for attempts of other functions."""
        if attempt.name in self._memory.summaries or len(attempt.arguments) < 2:
            return None
        found = self._function.constant(attempt.arguments[1])
        return found if len(attempt.arguments) > 2 else 0 if found else None

    def _guards(self, region: int) -> list[tuple[int, bool]]:
        """The conditions that a place of the loop is reached by, each with whether it holds."""
        around = itertools.takewhile(lambda one: one.node != self._loop.node, self._function.around(region))
        return [(one.condition, one.holds) for one in around if one.condition >= 0]

    def _may_hold(self, guards: list[tuple[int, bool]], attempt: Operation, free: int) -> bool:
        """All conditions may be met by a lane for which an attempt has found the lock free."""

        def given(operation: Operation) -> int | None:
            return free if operation == attempt else None

        values = [(self._function.evaluated(condition, given), holds) for condition, holds in guards]
        is_contradicted = any((condition, not holds) in guards for condition, holds in guards)
        return not is_contradicted and all(value is None or bool(value) == holds for value, holds in values)

    def _moves_on(self, access: Access, look: Operation) -> bool:
        """The place in memory is found anew in each round: by a vote of the lanes, or by a look at the same memory."""
        for operation in self._slice(list(look.arguments)):
            if operation.code == CALL and operation != look and self._is_of_this_round(operation):
                return True
            if operation.code == COPY and self._is_carried(operation.result) and self._advances(operation):
                return not self._is_decided_by(operation, look)
            is_look = operation.result != look.result and operation.code == LOAD
            if is_look and self._is_of_same(operation, access) and operation.arguments[0] not in look.arguments:
                return True
        return False

    def _is_of_this_round(self, call: Operation) -> bool:
        """A call tells of the other lanes, or of what the loop has loaded."""
        if _OF_OTHER_LANES.fullmatch(call.name):
            return True
        return any(found.code == LOAD for found in self._slice(list(call.arguments)))

    def _is_decided_by(self, operation: Operation, look: Operation) -> bool:
        """An operation waits for what the loop looks at."""
        conditions = self._function.conditions(operation.region, self._loop.region)
        return look in self._slice(conditions, with_conditions=True)

    def _is_of_same(self, load: Operation, access: Access) -> bool:
        other = self._memory.access(load.result)
        return self._memory.is_same(other, access) and other.indices != access.indices
