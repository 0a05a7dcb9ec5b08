"""Loops that wait: for a lock, or for what another thread is to write."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter

from hipify_py.analysis.warp.uncounted_loops import uncounted_loops
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import ControlFlow, Guard, Loop, control_flow_of, leaves
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    NAMES,
    arguments_of,
    bare,
    callee,
    cast_of,
    is_same,
    name_in,
    names_in,
    operator_of,
    parts_of,
    text_of,
    values_returned,
)
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

LOCK, FLAG = "lock", "flag"
"""What a loop waits for: a lock that it takes itself, or memory that another thread writes."""

_ATOMIC = re.compile(rb"atomic(?:[A-Z]\w*?)(?:_block|_system)?|__(?:hip_)?atomic_\w+|__sync_\w+")
_TAKES = re.compile(rb"atomic(?:CAS|Exch)(?:_block|_system)?|compare_exchange_(?:strong|weak)|exchange|test_and_set")
_READS = re.compile(
    rb"atomic(?:Add|Or|CAS)(?:_block|_system)?|load|test|__ldcg|__ldcv|__ldg|__atomic_load_n|__hip_atomic_load"
)
_IDLE = re.compile(
    rb"__nanosleep|__threadfence\w*|__syncwarp|__builtin_amdgcn_s_sleep|clock(?:64)?|__builtin_ia32_pause|yield"
    rb"|__shfl\w*|__any\w*|__all\w*|__ballot\w*"
)
_ALL_CAPITALS = re.compile(rb"[A-Z_][A-Z0-9_]*|k[A-Z]\w*")
_LOCKING = (b"atomicCAS", b"atomicExch", b"compare_exchange", b"exchange", b"test_and_set")
_LARGEST_IDLE = 120
"""Nodes in the body of a loop that does nothing but look again."""
_DEEPEST = 5
_start_of, _place_of = attrgetter("start"), attrgetter("place")
"""Variables and helpers that stand for one another."""


class SpinLoop(NamedTuple):
    """A loop that waits.

    Attributes:
        kind: `LOCK` or `FLAG`.
        loop: the loop.
        read: the expression that looks at the lock or the flag; the call of a function of this unit that does so.
        memory: the name of the memory that is looked at; empty where that is not a plain name.
        element: the expression that says which element of it; None for the only one.
    """

    kind: str
    loop: Loop
    read: Node
    memory: bytes
    element: Node | None


class SpinLoops:
    """The waiting loops of one unit, found by function."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._definitions = definitions_of(unit)
        self._constants = constants_of(unit)
        self._functions = functions_of(unit)
        self._places = uncounted_loops(unit)
        self._known: dict[int, list[SpinLoop]] = {}

    def of(self, function: Function) -> list[SpinLoop]:
        """The loops of a function that go on until another thread has done something."""
        if function.node is None or not function.is_device or not self._may_wait_in(function.start, function.end):
            return []
        known = self._known.get(function.start)
        if known is None:
            flow = control_flow_of(self._unit, function)
            found = (self._waits(loop, flow) for loop in flow.loops)
            known = self._known[function.start] = [spin for spin in found if spin is not None]
        return known

    def of_macros(self) -> list[tuple[Macro, SpinLoop]]:
        """The loops in the bodies of macros that go on until another thread has done something."""
        found = []
        for macro in macros_of(self._unit).all():
            if not self._may_wait_in(macro.start, macro.end):
                continue
            root = self._unit.tree.leaf(macro.start, macro.end)
            if root is not None:
                around = Function(macro.name, macro.place, macro.start, macro.end, root, root, False, True)
                found += [(macro, spin) for spin in self.of(around)]
        return found

    def _may_wait_in(self, start: int, end: int) -> bool:
        return bisect_left(self._places, start) < bisect_left(self._places, end)

    def _waits(self, loop: Loop, flow: ControlFlow) -> SpinLoop | None:
        may_take_lock = self._may_take_lock(loop)
        may_be_idle = loop.body.descendant_count <= _LARGEST_IDLE and self._changes_nothing(loop)
        if not may_take_lock and not may_be_idle:
            return None  # nearly every loop: what decides over it is not looked for
        deciders = list(self._deciders(loop, flow.guards))
        for decider in deciders if may_take_lock else ():
            for node in self._reads_in(decider, loop):
                name = text_of(callee(node)) if node.type == "call_expression" else b""
                if node.type == "call_expression" and self._takes_lock(node, name):
                    memory, index = _memory(node, arguments_of(node))
                    if not self._is_released_in(loop, memory, node) and not self._goes_on(loop, node):
                        return SpinLoop(LOCK, loop, node, memory, index)
                    return None
        if not may_be_idle or not self._sets_what_it_looks_at(loop, deciders):
            return None
        for decider in deciders:
            for node in self._reads_in(decider, loop):
                if self._is_read(node):
                    memory, index = _memory(node, arguments_of(node) if node.type == "call_expression" else [])
                    if memory:
                        return SpinLoop(FLAG, loop, node, memory, index)
        return None

    def _may_take_lock(self, loop: Loop) -> bool:
        data = self._unit.source.data
        return any(data.find(name, loop.start, loop.end) >= 0 for name in self._lock_names)

    @cached_property
    def _lock_names(self) -> list[bytes]:
        """The atomic operations that take locks, and the functions of this unit that come to use them."""
        data = self._unit.source.data
        found = [name for name in _LOCKING if name in data]
        fresh = found
        for _ in range(_DEEPEST):
            fresh = [
                function.name
                for function in self._functions
                if function.name not in found
                and any(data.find(name, function.start, function.end) >= 0 for name in fresh)
            ]
            if not fresh:
                break
            found = found + fresh
        return found

    def _deciders(self, loop: Loop, guards: list[Guard]) -> Iterator[Node]:
        """What says whether the loop goes on: its condition, and those of the exits in it."""
        if loop.condition is not None and self._constants.value(loop.condition) is None:
            yield loop.condition
        first = bisect_left(guards, loop.body.start_byte, key=_start_of)
        for guard in guards[first : bisect_left(guards, loop.body.end_byte, first, key=_start_of)]:
            if guard.kind == "if":
                statement = guard.node.child_by_field_name("consequence" if guard.holds else "alternative")
                if guard.condition is not None and leaves(_unwrapped(statement)):
                    yield guard.condition

    def _reads_in(self, root: Node, loop: Loop, depth: int = 0) -> Iterator[Node]:
        """The calls and memory accesses in an expression, through the variables that the loop sets."""
        pending = [root]
        while pending:
            node = bare(pending.pop())
            if node.type in ("call_expression", "subscript_expression", "pointer_expression") and cast_of(node) is None:
                yield node
            elif node.type in NAMES:
                declared = self._names.meant_by(node)
                for found in declared if depth < _DEEPEST else ():
                    if _is_memory(found):
                        yield node
                    for definition in self._definitions.of(found):
                        if definition.value is not None and loop.start <= definition.place < loop.end:
                            yield from self._reads_in(definition.value, loop, depth + 1)
            pending += node.named_children

    def _takes_lock(self, call: Node, name: bytes, depth: int = 0) -> bool:
        """An atomic operation puts a fixed value into a lock, if it is free; or a function of this unit does so."""
        arguments = arguments_of(call)
        if _TAKES.fullmatch(name):
            if name.startswith((b"atomicCAS", b"compare_exchange")):
                free = arguments[-2] if len(arguments) > 1 else None
                taken = arguments[-1] if arguments else None
                if free is None or taken is None or text_of(free) == text_of(taken):
                    return False
                return self._is_fixed(free)
            return name == b"test_and_set" or bool(arguments and self._is_fixed(arguments[-1]))
        for function in self._functions.named(name) if depth < _DEEPEST else ():
            for node in self._calls_returned(function):
                if self._takes_lock(node, text_of(callee(node)), depth + 1):
                    return True
        return False

    def _calls_returned(self, function: Function) -> list[Node]:
        if function.body is None:
            return []
        returned = values_returned(self._unit.tree, function.body)
        return [call for value in returned for call in self._unit.tree.nodes("call_expression", within=value)]

    def _is_fixed(self, node: Node) -> bool:
        """A value that is the same each time: a number, a constant's name."""
        node = bare(node)
        cast = cast_of(node)
        if cast is not None:
            return self._is_fixed(cast.value)
        if self._constants.value(node) is not None:
            return True
        leaf = name_in(node)
        return leaf is not None and _ALL_CAPITALS.fullmatch(text_of(leaf)) is not None

    def _goes_on(self, loop: Loop, call: Node) -> bool:
        """The loop asks at another place each time (it probes a table), or as often as it has been told to."""
        address = next(iter(arguments_of(call)), None)
        for leaf in parts_of(address) if address is not None else ():
            for declared in self._names.meant_by(leaf) if leaf.type in NAMES else ():
                every = self._definitions.of(declared)
                first = bisect_left(every, loop.start, key=_place_of)
                within = every[first : bisect_left(every, loop.end, first, key=_place_of)]
                if any(definition.operator != "&" for definition in within):
                    return True
        return loop.node.type == "for_statement" and loop.node.child_by_field_name("update") is not None

    def _is_released_in(self, loop: Loop, memory: bytes, taken: Node) -> bool:
        """The loop gives the lock back itself, so that a lane that has it never waits for the others."""
        if not memory:
            return False
        for node in self._unit.tree.nodes("call_expression", "assignment_expression", within=loop.body):
            if is_same(node, taken):
                continue
            if node.type == "assignment_expression":
                target = node.child_by_field_name("left")
                if target is not None and memory in names_in(target) and name_in(target) is None:
                    return True
                continue
            name = text_of(callee(node))
            arguments = arguments_of(node)
            is_change = (
                _ATOMIC.fullmatch(name) is not None or b"unlock" in name.lower() or name in (b"store", b"release")
            )
            if is_change and arguments and memory in names_in(node) and text_of(node) != text_of(taken):
                return True
        return False

    def _is_read(self, node: Node) -> bool:
        """Memory that other threads may change is looked at, and not changed."""
        if node.type != "call_expression":
            return True
        name, arguments = text_of(callee(node)), arguments_of(node)
        if not _READS.fullmatch(name):
            return False
        if name.startswith(b"atomicCAS"):
            return len(arguments) == 3 and text_of(arguments[1]) == text_of(arguments[2])
        return not name.startswith(b"atomic") or (len(arguments) == 2 and self._constants.value(arguments[1]) == 0)

    def _changes_nothing(self, loop: Loop) -> bool:
        """The loop may do nothing but look again: it counts nothing, and calls nothing that does more than that."""
        for part in self._parts(loop):
            if self._unit.tree.nodes("update_expression", within=part):
                return False
            for node in self._unit.tree.nodes("call_expression", within=part):
                name = text_of(callee(node))
                if not (_IDLE.fullmatch(name) or _READS.fullmatch(name) or cast_of(node) is not None):
                    return False
            for node in self._unit.tree.nodes("assignment_expression", within=part):
                if name_in(node.child_by_field_name("left")) is None or operator_of(node) not in ("=", ""):
                    return False
        return True

    def _sets_what_it_looks_at(self, loop: Loop, deciders: list[Node]) -> bool:
        """What the loop sets, if it sets anything, are the names that decide whether it goes on."""
        looked_at = {name for decider in deciders for name in names_in(decider)}
        return all(
            text_of(name_in(node.child_by_field_name("left"))) in looked_at
            for part in self._parts(loop)
            for node in self._unit.tree.nodes("assignment_expression", within=part)
        )

    def _parts(self, loop: Loop) -> Iterator[Node]:
        """What a loop does again and again."""
        for field in ("update", "condition"):
            part = loop.node.child_by_field_name(field)
            if part is not None:
                yield part
        yield loop.body


def _unwrapped(statement: Node | None) -> Node | None:
    if statement is not None and statement.type == "else_clause":
        return next(iter(statement.named_children), None)
    return statement


def _is_memory(declared: Declaration) -> bool:
    """A variable that other threads may change: in shared or global memory, or `volatile`."""
    words = {text_of(child) for child in declared.owner.children}
    return declared.shape == "value" and bool(words & {b"__shared__", b"__device__", b"volatile", b"__managed__"})


def _memory(node: Node, arguments: list[Node]) -> tuple[bytes, Node | None]:
    """The name of the memory that an access is of, and which element."""
    target: Node | None = node
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        is_member = function is not None and function.type == "field_expression"
        target = function.child_by_field_name("argument") if is_member and function is not None else None
        target = target if target is not None else next(iter(arguments), None)
    index: Node | None = None
    for _ in range(_DEEPEST * 2):
        if target is None:
            return b"", index
        target = bare(target)
        if target.type == "subscript_expression":
            index = index or next(iter(target.child_by_field_name("indices").named_children), None)  # type: ignore[union-attr]
            target = target.child_by_field_name("argument")
        elif target.type in ("pointer_expression", "cast_expression"):
            target = target.child_by_field_name("argument" if target.type == "pointer_expression" else "value")
        elif target.type == "binary_expression" and operator_of(target) == "+":
            index = index or target.child_by_field_name("right")
            target = target.child_by_field_name("left")
        elif target.type == "call_expression" and cast_of(target) is not None:
            target = cast_of(target).value  # type: ignore[union-attr]
        else:
            break
    leaf = name_in(target)
    return (text_of(leaf), index) if leaf is not None else (b"", index)


def spin_loops_of(unit: Unit) -> SpinLoops:
    """The waiting loops of a unit."""
    return unit.analysis(SpinLoops)
