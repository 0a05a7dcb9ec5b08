"""Steps between the lanes of a warp through memory, with nothing between them but that the lanes run in step."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.steps import Step, element, steps_of
from hipify_py.analysis.warp.thread_indices import THREAD_NAME
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import Loop, control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import callee, name_in, text_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_WITHIN_A_WARP = 64
_FIRST_DISTANCES = frozenset({16, 32})
_BARRIERS = (b"__sync", b"__threadfence", b"barrier", b"SYNC", b"sync")


class Lockstep:
    """The steps of one unit that rely on lockstep execution."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._context = warp_context(unit)
        self._constants = constants_of(unit)
        self._names = names_of(unit)

    def in_function(self, function: Function) -> Iterator[Step]:
        """The steps of a function that follow another one, or that a loop repeats, without a barrier between them."""
        last: Step | None = None
        for step in steps_of(self._unit, function):
            follows = last is not None and self._follows(last, step, function)
            is_loop = not follows and self._is_loop(step, function)
            if (follows or is_loop) and not self._is_volatile(step, function):
                step.previous = last if follows else None
                yield step
            last = step

    def _follows(self, last: Step, step: Step, function: Function) -> bool:
        """One step comes right after another over half the distance, or, in a scan, over twice of it."""
        near, far = self._constants.value(step.distance), self._constants.value(last.distance)
        if near is None or far is None or last.array != step.array or last.sign != step.sign:
            return False
        if step.sign == "-":
            near, far = far, near
        if near * 2 != far or far > _WITHIN_A_WARP or not _is_next(last.statement, step.statement):
            return False
        # One thread may sum up what lies in front of it.
        return step.sign == "+" or self._is_each_threads(step.index, step, function)

    def _is_each_threads(self, index: bytes, step: Step, function: Function) -> bool:
        """Each thread has an index of its own."""
        node = step.statement.named_children[0].child_by_field_name("left")
        target = element(node)
        return THREAD_NAME.fullmatch(index) is not None or (
            target is not None and self._context.uniformity.varies(target[1], function)
        )

    def _is_loop(self, step: Step, function: Function) -> bool:
        """All steps stand in a loop over the distance, from at most 32, without a barrier."""
        leaf = name_in(step.distance)
        loops = control_flow_of(self._unit, function).loops_around(step.start)
        if leaf is None or not loops or self._constants.value(step.distance) is not None:
            return False
        loop = loops[-1]
        first = [
            definition.value
            for declared in self._names.meant_by(leaf)
            for definition in definitions_of(self._unit).of(declared)
            if definition.operator == "=" and loop.start <= definition.place < loop.body.start_byte
        ]
        return any(map(self._is_at_most_32, first)) and not self._has_barrier(loop)

    def _is_at_most_32(self, value: Node | None) -> bool:
        if value is None:
            return False
        if self._constants.value(value) in _FIRST_DISTANCES:
            return True
        ranges = self._context.ranges
        return FOLLOWS in (ranges.half(value), self._context.indices.counted_in(value))

    def _has_barrier(self, loop: Loop) -> bool:
        calls = self._unit.tree.nodes("call_expression", within=loop.body)
        if any(text_of(callee(call)).startswith(_BARRIERS) for call in calls):
            return True
        names = self._unit.tree.captures("(identifier) @name", loop.body).get("name", ())
        return any(text_of(name).startswith(b"SYNC") for name in names) or b"barrier" in text_of(loop.body)

    def _is_volatile(self, step: Step, function: Function) -> bool:
        """The memory is declared `volatile`, in the function or for the whole file."""
        for declared in self._names.declared(step.array):
            if function.head <= declared.place <= function.end or self._context.functions.at(declared.place) is None:
                if any(text_of(child) == b"volatile" for child in declared.owner.children):
                    return True
                if declared.type is not None and b"volatile" in text_of(declared.type).split():
                    return True
        return False


def _is_next(last: Node, step: Node) -> bool:
    """Nothing stands between two statements but the end of one `if` and the beginning of the next."""
    node: Node = last
    while node.parent is not None and not (node.parent.start_byte <= step.start_byte < node.parent.end_byte):
        if _next_code(node) is not None:
            return False
        node = node.parent
    following = _next_code(node)
    while following is not None and following.start_byte != step.start_byte:
        if following.type == "if_statement":
            following = following.child_by_field_name("consequence")
        elif following.type == "compound_statement":
            following = next((child for child in following.named_children if child.type != "comment"), None)
        else:
            return False
    return following is not None


def _next_code(node: Node) -> Node | None:
    following = node.next_named_sibling
    while following is not None and following.type == "comment":
        following = following.next_named_sibling
    return following


def lockstep_of(unit: Unit) -> Lockstep:
    """The steps of a unit that rely on lockstep execution."""
    return unit.analysis(Lockstep)
