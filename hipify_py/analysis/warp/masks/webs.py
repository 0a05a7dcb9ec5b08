"""The webs of a local variable: the definitions that reach the same uses, which must share one name.

Reaching definitions over the statements of one function. Two webs of a variable have nothing to do with each other
but their name: each may have a type of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping

from hipify_py.records import NamedTuple
from hipify_py.semantics.expressions import argument_position, bare, callee, is_same, operator_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_State = frozenset[int] | None
"""The definitions that reach a place; None where nothing gets."""

_MOST_PASSES = 50
"""Times that a loop is gone over; each pass but the last adds a definition."""
_MOST_STEPS = 20_000
_DEEPEST = 120
"""Expressions and statements within each other that are followed."""
JUMPS = (
    *("return_statement", "break_statement", "continue_statement", "goto_statement", "labeled_statement"),
    *("try_statement", "throw_statement", "co_return_statement", "ERROR"),
)
"""What matters to the flow of a function besides the uses of a variable."""
_NO_CODE = frozenset({"comment", "preproc_def", "preproc_function_def", "preproc_call", "preproc_include"})
_BRANCHES = frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_else", "preproc_elifdef"})
_UNSTRUCTURED = frozenset({"goto_statement", "labeled_statement", "try_statement", "ERROR", "seh_try_statement"})
_FUNCTIONS = frozenset({"lambda_expression", "function_definition", "struct_specifier", "class_specifier"})
_SHORT_CIRCUIT = frozenset({"&&", "||"})


class Web(NamedTuple):
    """A web of a variable: where its name stands in it, and whether the value that it begins with is part of it."""

    leaves: frozenset[int]
    is_first: bool


class _TooComplex(Exception):
    """The variable or the code around it is not followed."""


def webs_of(
    body: Node,
    declared: Node | None,
    place: int,
    leaves: list[Node],
    has_value: bool,
    is_changed_by: Callable[[Node], bool],
    jumps: list[int],
) -> list[Web] | None:
    """The webs of a variable; None where it cannot be followed.

    Args:
        body: the body of the function.
        declared: the statement that declares the variable; None for a parameter.
        place: where the name stands that is declared.
        leaves: the uses of its name.
        has_value: it has a value when it is declared.
        is_changed_by: says of a use that is a call's argument whether the call may change the variable.
        jumps: where the nodes of `JUMPS` in the body begin.
    """
    walk = _Walk(declared, place, leaves, has_value, is_changed_by)
    walk.mark(jumps)
    try:
        walk.statement(body, frozenset({0}) if declared is None else frozenset(), 0)
    except _TooComplex:
        return None
    return None if walk.is_incomplete else walk.webs()


class _Loop:
    """Where the jumps of a loop or a `switch` lead: what reaches its end, and its next turn."""

    def __init__(self) -> None:
        self.left: _State = None
        self.continued: _State = None


class _Walk:
    """One walk through a function; definition 0 is the value that the variable begins with."""

    def __init__(
        self,
        declared: Node | None,
        place: int,
        leaves: list[Node],
        has_value: bool,
        is_changed_by: Callable[[Node], bool],
    ) -> None:
        self._declared = declared
        self._place = place
        self._has_value = has_value or declared is None
        self._is_changed_by = is_changed_by
        self._leaves: Mapping[int, Node] = {leaf.start_byte: leaf for leaf in leaves}
        self._places = sorted(self._leaves)
        self._definitions = {place: at + 1 for at, place in enumerate(self._places)}
        self._parents = list(range(len(self._places) + 1))
        self._members: dict[int, int] = {}
        self._marks: list[int] = []
        self._loops: list[_Loop] = []
        self._breaks: list[_Loop] = []
        self._steps = 0

    def mark(self, jumps: list[int]) -> None:
        """Say where else than at the uses something happens."""
        declared = [] if self._declared is None else [self._declared.start_byte]
        self._marks = sorted({*self._places, *jumps, *declared})

    @property
    def is_incomplete(self) -> bool:
        """Some use was not met on the way."""
        return len(self._members) < len(self._leaves)

    def webs(self) -> list[Web]:
        """The webs, the one of the first value first where there is one."""
        by_root: dict[int, set[int]] = {}
        for place, definition in self._members.items():
            by_root.setdefault(self._root(definition), set()).add(place)
        first = self._root(0)
        if self._has_value:
            by_root.setdefault(first, set())
        found = [Web(frozenset(places), self._has_value and root == first) for root, places in by_root.items()]
        return sorted(found, key=lambda web: (not web.is_first, min(web.leaves, default=0)))

    # -- statements

    def statement(self, node: Node, state: _State, depth: int) -> _State:
        """Go through a statement; what reaches the place behind it."""
        self._steps += 1
        if self._steps > _MOST_STEPS or depth > _DEEPEST:
            raise _TooComplex
        kind = node.type
        if kind in _NO_CODE:
            return state
        if kind in _UNSTRUCTURED:
            raise _TooComplex
        if kind in ("compound_statement", "else_clause", "case_statement", "attributed_statement"):
            return self._sequence(node, state, depth)
        if kind == "if_statement":
            return self._if(node, state, depth)
        if kind in ("while_statement", "do_statement", "for_statement", "for_range_loop"):
            return self._loop(node, state, depth)
        if kind == "switch_statement":
            return self._switch(node, state, depth)
        if kind in _BRANCHES:
            return self._conditional_text(node, state, depth)
        if kind == "break_statement":
            if not self._breaks:
                raise _TooComplex
            self._breaks[-1].left = _joined(self._breaks[-1].left, state)
            return None
        if kind == "continue_statement":
            if not self._loops:
                raise _TooComplex
            self._loops[-1].continued = _joined(self._loops[-1].continued, state)
            return None
        if is_same(node, self._declared):
            return self._declaration(node, state, depth)
        state = self._expression(node, state, depth + 1)
        return None if kind in ("return_statement", "co_return_statement", "throw_statement") else state

    def _sequence(self, node: Node, state: _State, depth: int) -> _State:
        """The statements of a block in which something happens."""
        at = bisect_left(self._marks, node.start_byte)
        while at < len(self._marks) and self._marks[at] < node.end_byte:
            child = node.first_named_child_for_byte(self._marks[at])
            if child is None:
                break
            if child.start_byte <= self._marks[at]:
                state = self.statement(child, state, depth + 1)
                at = bisect_left(self._marks, child.end_byte)
            else:
                at += 1
        return state

    def _declaration(self, node: Node, state: _State, depth: int) -> _State:
        """The variable begins anew with its declarator; others may stand in front of it and behind it."""
        for child in node.named_children:
            state = self._expression(child, state, depth + 1)
            if child.start_byte <= self._place < child.end_byte:
                state = frozenset({0}) if self._has_value else frozenset()
        return state

    def _if(self, node: Node, state: _State, depth: int) -> _State:
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        otherwise = node.child_by_field_name("alternative")
        if condition is not None:
            state = self._expression(condition, state, depth + 1)
        taken = self.statement(then, state, depth + 1) if then is not None else state
        other = self.statement(otherwise, state, depth + 1) if otherwise is not None else state
        return _joined(taken, other)

    def _loop(self, node: Node, state: _State, depth: int) -> _State:
        """A loop, gone over until nothing more reaches its head."""
        body, condition = node.child_by_field_name("body"), node.child_by_field_name("condition")
        first, update = node.child_by_field_name("initializer"), node.child_by_field_name("update")
        is_done_first = node.type == "do_statement"
        if node.type == "for_range_loop":
            condition, first = None, node.child_by_field_name("right")
        if first is not None:
            state = self.statement(first, state, depth + 1)
        loop, head = _Loop(), state
        self._loops.append(loop)
        self._breaks.append(loop)
        for _ in range(_MOST_PASSES):
            at = head
            if condition is not None and not is_done_first:
                at = self._expression(condition, at, depth + 1)
            tested = at
            if body is not None:
                at = self.statement(body, at, depth + 1)
            at = _joined(at, loop.continued)
            if condition is not None and is_done_first:
                at = self._expression(condition, at, depth + 1)
            if update is not None:
                at = self._expression(update, at, depth + 1)
            again = _joined(head, at)
            if again == head:
                break
            head = again
        else:
            raise _TooComplex
        self._loops.pop()
        self._breaks.pop()
        is_endless = node.type == "for_statement" and condition is None
        return _joined(None if is_endless else at if is_done_first else tested, loop.left)

    def _switch(self, node: Node, state: _State, depth: int) -> _State:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition is not None:
            state = self._expression(condition, state, depth + 1)
        if body is None or body.type != "compound_statement":
            raise _TooComplex
        switch, at = _Loop(), None
        self._breaks.append(switch)
        for child in body.named_children:
            if child.type == "case_statement":
                at = _joined(at, state)
            at = self.statement(child, at, depth + 1)
        self._breaks.pop()
        return _joined(_joined(at, switch.left), state)

    def _conditional_text(self, node: Node, state: _State, depth: int) -> _State:
        """The branches of an `#if`: each may be the one that is compiled."""
        otherwise, at = node.child_by_field_name("alternative"), state
        skipped = {found.id for field in ("condition", "name") for found in node.children_by_field_name(field)}
        for child in node.named_children:
            if child.id not in skipped and not is_same(child, otherwise):
                at = self.statement(child, at, depth + 1)
        return _joined(at, self.statement(otherwise, state, depth + 1) if otherwise is not None else state)

    # -- expressions, in the order in which they are evaluated

    def _expression(self, node: Node, state: _State, depth: int) -> _State:
        if not self._has_leaves(node):
            return state
        self._steps += 1
        if self._steps > _MOST_STEPS or depth > _DEEPEST:
            raise _TooComplex
        kind = node.type
        if kind in _FUNCTIONS or kind == "ERROR":
            raise _TooComplex
        if node.start_byte in self._leaves and is_same(node, self._leaves[node.start_byte]):
            return self._use(node, state)
        if kind == "assignment_expression":
            return self._assignment(node, state, depth)
        if kind == "conditional_expression":
            return self._choice(node, state, depth)
        if kind == "binary_expression" and operator_of(node) in _SHORT_CIRCUIT:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            state = self._expression(left, state, depth + 1) if left is not None else state
            return _joined(state, self._expression(right, state, depth + 1)) if right is not None else state
        for child in node.named_children:
            state = self._expression(child, state, depth + 1)
        return state

    def _assignment(self, node: Node, state: _State, depth: int) -> _State:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None:
            state = self._expression(right, state, depth + 1)
        if left is None:
            return state
        leaf = self._leaves.get(bare(left).start_byte)
        if not is_same(bare(left), leaf) or leaf is None:
            return self._expression(left, state, depth + 1)
        return self._define(leaf, state, keeps=operator_of(node) != "=")

    def _choice(self, node: Node, state: _State, depth: int) -> _State:
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        otherwise = node.child_by_field_name("alternative")
        state = self._expression(condition, state, depth + 1) if condition is not None else state
        taken = self._expression(then, state, depth + 1) if then is not None else state
        other = self._expression(otherwise, state, depth + 1) if otherwise is not None else state
        return _joined(taken, other)

    def _use(self, leaf: Node, state: _State) -> _State:
        parent = leaf.parent
        if parent is None or (operator_of(parent) == "&" and parent.type == "pointer_expression"):
            raise _TooComplex
        if parent.type == "update_expression":
            return self._define(leaf, state, keeps=True)
        if parent.type in ("gnu_asm_output_operand", "lambda_capture_specifier", "decltype"):
            raise _TooComplex
        found = argument_position(leaf)
        if found is not None and callee(found[0]) is not None and self._is_changed_by(leaf):
            return _joined(state, self._define(leaf, state, keeps=True))
        self._meet(leaf, state)
        return state

    def _define(self, leaf: Node, state: _State, *, keeps: bool) -> _State:
        """The variable is set; with `keeps`, to a value that is made of its old one under the same name."""
        definition = self._definitions[leaf.start_byte]
        self._members.setdefault(leaf.start_byte, definition)
        if keeps:
            for reaching in state or ():
                self._unite(definition, reaching)
        return frozenset({definition}) if state is not None else None

    def _meet(self, leaf: Node, state: _State) -> None:
        reaching = sorted(state or ())
        if not reaching:  # not set yet, or not reached
            self._members.setdefault(leaf.start_byte, self._definitions[leaf.start_byte])
            return
        for other in reaching[1:]:
            self._unite(reaching[0], other)
        known = self._members.setdefault(leaf.start_byte, reaching[0])
        self._unite(known, reaching[0])

    def _has_leaves(self, node: Node) -> bool:
        at = bisect_left(self._places, node.start_byte)
        return at < len(self._places) and self._places[at] < node.end_byte

    def _root(self, definition: int) -> int:
        while self._parents[definition] != definition:
            self._parents[definition] = self._parents[self._parents[definition]]
            definition = self._parents[definition]
        return definition

    def _unite(self, one: int, other: int) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        self._parents[second] = first


def _joined(one: _State, other: _State) -> _State:
    if one is None or other is None:
        return other if one is None else one
    return one | other
