"""Control flow within a function: branches and loops with their conditions, exits, and the guards of a place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import operator_of, strip_parentheses, text_of
from hipify_py.semantics.functions import Function

if TYPE_CHECKING:
    from tree_sitter import Node

# Things that lie within each other in a text.

_Thing = TypeVar("_Thing")


class Nested(Generic[_Thing]):
    """Things with byte ranges that lie within each other, to be asked which of them are around a place."""

    __slots__ = ("_ends", "_outer", "_starts", "_things")

    def __init__(self, ranged: Iterable[tuple[int, int, _Thing]]) -> None:
        """`ranged` holds the start and end of each, and the thing itself."""
        found = sorted(ranged, key=lambda one: (one[0], -one[1]))
        self._things = [thing for _, _, thing in found]
        self._starts = [start for start, _, _ in found]
        self._ends = [end for _, end, _ in found]
        self._outer: list[int] = []
        """The number of the one next around each, which may end before it does; -1 for none."""
        open: list[int] = []
        for at, start in enumerate(self._starts):
            while open and self._ends[open[-1]] <= start:
                open.pop()
            self._outer.append(open[-1] if open else -1)
            open.append(at)

    def around(self, place: int) -> list[_Thing]:
        """Those whose ranges hold a place, outer ones first: from the last one that begins before it outwards."""
        found = []
        at = bisect_right(self._starts, place) - 1
        while at >= 0:
            if place < self._ends[at]:
                found.append(self._things[at])
            at = self._outer[at]
        found.reverse()
        return found


IF, LOOP, SWITCH, CHOICE, LEFT = "if", "loop", "switch", "choice", "left"
"""The kinds of guards: a branch of an `if`, a loop's body, a `switch`, a part of `?:`, `&&` or `||`, and the code
after a branch that leaves.
"""

_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_EXITS = ("return_statement", "break_statement", "continue_statement", "goto_statement")
_CHOICES = frozenset({"&&", "||", "and", "or"})
_LEAVING = frozenset({"return_statement", "break_statement", "continue_statement", "goto_statement", "throw_statement"})
_STOPPING = frozenset({b"__trap", b"abort", b"exit", b"__builtin_trap", b"__builtin_unreachable"})


class Guard(NamedTuple):
    """A condition for code at `[start, end)` to be reached.

    Attributes:
        kind: `IF`, `LOOP`, `SWITCH`, `CHOICE` or `LEFT`.
        condition: the condition; None for a loop without one.
        holds: whether the code is reached if the condition holds, or if it does not.
        start: the start of the guarded code.
        end: its end.
        node: the statement or expression that makes the guard.
    """

    kind: str
    condition: Node | None
    holds: bool
    start: int
    end: int
    node: Node


class Loop:
    """A loop; `condition` is None where none is written."""

    __slots__ = ("body", "condition", "end", "node", "start")

    def __init__(self, node: Node, condition: Node | None, body: Node, start: int, end: int) -> None:
        self.node = node
        self.condition = condition
        self.body = body
        self.start = start
        self.end = end


class Exit(NamedTuple):
    """A `return`, `break`, `continue` or `goto`; `start` and `end` span what `node` leaves.

    `is_of_loop`: it leaves an iteration of a loop, not a function or a `switch`.
    """

    kind: str
    place: int
    start: int
    end: int
    node: Node
    is_of_loop: bool


class ControlFlow:
    """The control flow of one function, built on first use."""

    def __init__(self, unit: Unit, function: Function) -> None:
        self._function = function
        self._tree = unit.tree

    def _nodes(self, *kinds: str) -> list[Node]:
        node = self._function.node
        return self._tree.nodes(*kinds, within=node) if node is not None else []

    @cached_property
    def guards(self) -> list[Guard]:
        """The guards of the function's code, sorted by start, outer ones first."""
        return sorted(self._guards(), key=lambda guard: (guard.start, -guard.end))

    def around(self, place: int) -> list[Guard]:
        """The guards of a place, outer ones first."""
        return self._nested_guards.around(place)

    @cached_property
    def _nested_guards(self) -> Nested[Guard]:
        return Nested((guard.start, guard.end, guard) for guard in self.guards)

    @cached_property
    def loops(self) -> list[Loop]:
        """The loops in source order."""
        found = (_loop(node) for node in self._nodes(*_LOOPS))
        return sorted((loop for loop in found if loop is not None), key=lambda loop: loop.start)

    def loops_around(self, place: int) -> list[Loop]:
        """The loops whose bodies contain a place, outer ones first."""
        return self._bodies.around(place)

    @cached_property
    def _bodies(self) -> Nested[Loop]:
        return Nested((loop.body.start_byte, loop.body.end_byte, loop) for loop in self.loops)

    @cached_property
    def _switches(self) -> Nested[tuple[int, int]]:
        found = ((node.start_byte, node.end_byte) for node in self._nodes("switch_statement"))
        return Nested((start, end, (start, end)) for start, end in found)

    @cached_property
    def exits(self) -> list[Exit]:
        """The exits of the function, of loops and of `switch` statements in source order."""
        own = self._function.node
        lambdas = Nested(
            (node.start_byte, node.end_byte, (node.start_byte, node.end_byte))
            for node in self._nodes("lambda_expression")
            if own is not None and node.id != own.id
        )
        found = (self._exit(node, lambdas) for node in self._nodes(*_EXITS))
        return sorted((left for left in found if left is not None), key=lambda left: left.place)

    def _guards(self) -> Iterator[Guard]:
        for node in self._nodes("if_statement"):
            yield from _guards_of_if(node)
        for loop in self.loops:
            yield Guard(LOOP, loop.condition, True, loop.body.start_byte, loop.body.end_byte, loop.node)
        for node in self._nodes("switch_statement"):
            condition, body = condition_of(node), node.child_by_field_name("body")
            if body is not None:
                yield Guard(SWITCH, condition, True, body.start_byte, body.end_byte, node)
        for node in self._nodes("conditional_expression", "binary_expression"):
            if node.type == "conditional_expression" or operator_of(node) in _CHOICES:
                yield from _guards_of_choice(node)

    def _exit(self, node: Node, lambdas: Nested[tuple[int, int]]) -> Exit | None:
        place, kind = node.start_byte, node.type.removesuffix("_statement")
        if kind in ("return", "goto"):
            own = lambdas.around(place)
            start, end = max(own) if own else (self._function.start, self._function.end)
            return Exit(kind, place, start, end, node, is_of_loop=False)
        around = [(loop.start, loop.end, True) for loop in self.loops_around(place)]
        if kind == "break":
            around += [(first, last, False) for first, last in self._switches.around(place)]
        if not around:
            return None
        start, end, is_of_loop = max(around)
        return Exit(kind, place, start, end, node, is_of_loop)


def condition_of(statement: Node) -> Node | None:
    """The condition of an `if`, a loop or a `switch`; None where it has none."""
    condition = statement.child_by_field_name("condition")
    if condition is not None and condition.type == "condition_clause":
        condition = condition.child_by_field_name("value")
    return strip_parentheses(condition) if condition is not None else None


def always_exits(statement: Node | None) -> bool:
    """Whether the end of a statement is never reached: it returns, jumps, or stops the program."""
    if statement is None:
        return False
    if statement.type in _LEAVING:
        return True
    if statement.type == "compound_statement":
        inner = [child for child in statement.named_children if child.type != "comment"]
        return bool(inner) and always_exits(inner[-1])
    if statement.type == "if_statement":
        other = statement.child_by_field_name("alternative")
        return (
            other is not None
            and always_exits(statement.child_by_field_name("consequence"))
            and always_exits(_else(other))
        )
    if statement.type == "expression_statement":
        call = next(iter(statement.named_children), None)
        name = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
        return text_of(name) in _STOPPING
    return False


def conjuncts(condition: Node, holds: bool = True) -> Iterator[tuple[Node, bool]]:
    """The parts of a condition that certainly hold where it does (or, with `holds` False, where it does not)."""
    condition = strip_parentheses(condition)
    operator = operator_of(condition) if condition.type in ("binary_expression", "unary_expression") else ""
    if operator == ("&&" if holds else "||"):
        for field in ("left", "right"):
            part = condition.child_by_field_name(field)
            if part is not None:
                yield from conjuncts(part, holds)
    elif operator == "!" and condition.type == "unary_expression":
        argument = condition.child_by_field_name("argument")
        if argument is not None:
            yield from conjuncts(argument, not holds)
    else:
        yield condition, holds


def _guards_of_if(node: Node) -> Iterator[Guard]:
    condition = condition_of(node)
    then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    for part, holds in ((then, True), (other, False)):
        if part is not None:
            yield Guard(IF, condition, holds, part.start_byte, part.end_byte, node)
    block = _block(node)
    if block is None:
        return
    if always_exits(then):
        yield Guard(LEFT, condition, False, node.end_byte, block, node)
    elif other is not None and always_exits(_else(other)):
        yield Guard(LEFT, condition, True, node.end_byte, block, node)


def _block(node: Node) -> int | None:
    """The end of the block around a statement; the branches of an `#if` are not blocks."""
    parent = node.parent
    while parent is not None and (parent.type.startswith("preproc_") or parent.type == "else_clause"):
        if parent.type == "else_clause":
            return None  # `else if`: not everything that follows comes after it
        parent = parent.parent
    return parent.end_byte if parent is not None and parent.type in ("compound_statement", "case_statement") else None


def _else(clause: Node) -> Node | None:
    return next(iter(clause.named_children), None) if clause.type == "else_clause" else clause


def _guards_of_choice(node: Node) -> Iterator[Guard]:
    if node.type == "conditional_expression":
        condition = node.child_by_field_name("condition")
        for field, holds in (("consequence", True), ("alternative", False)):
            part = node.child_by_field_name(field)
            if part is not None:
                yield Guard(CHOICE, condition, holds, part.start_byte, part.end_byte, node)
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None:
        yield Guard(CHOICE, left, operator_of(node) in ("&&", "and"), right.start_byte, right.end_byte, node)


def _loop(node: Node) -> Loop | None:
    body = node.child_by_field_name("body")
    if body is None:
        return None
    return Loop(node, condition_of(node), body, node.start_byte, node.end_byte)


class _Flows:
    """The control flow of a unit's functions, each built on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._cache: dict[int, ControlFlow] = {}

    def for_function(self, function: Function) -> ControlFlow:
        cached = self._cache.get(function.start)
        if cached is None:
            cached = self._cache[function.start] = ControlFlow(self._unit, function)
        return cached


def control_flow_of(unit: Unit, function: Function) -> ControlFlow:
    """The control flow of one of a unit's functions."""
    return unit.analysis(_Flows).for_function(function)
