"""Where only one warp of a block gets."""

from __future__ import annotations

from hipify_py.analysis.warp.lanes import lanes_of
from hipify_py.analysis.warp.thread_indices import SIZE, THREAD, WARP, thread_indices
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, conjuncts, control_flow_of
from hipify_py.semantics.expressions import bare, operator_of
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


class SingleWarpRegion:
    """The conditions of one unit that hold for a single warp of 32 threads of a block."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._indices = thread_indices(unit)
        self._lanes = lanes_of(unit)
        self._constants = constants_of(unit)

    def reaches(self, place: int, function: Function | None) -> bool:
        """Only 32 threads of a block, or fewer, get to a place: half of their wavefront of 64 lanes is idle there."""
        if function is None:
            return False
        return any(
            guard.condition is not None and self._is_one_warp(guard.condition, guard.holds, any_count=False)
            for guard in control_flow_of(self._unit, function).around(place)
            if guard.kind in (IF, LEFT, CHOICE)
        )

    def branches_to(self, place: int, function: Function) -> bool:
        """As `reaches`, in a branch of an `if`: the other threads of the block are still there, and wait elsewhere."""
        return any(
            guard.condition is not None and self._is_one_warp(guard.condition, guard.holds, any_count=True)
            for guard in control_flow_of(self._unit, function).around(place)
            if guard.kind == IF
        )

    def _is_one_warp(self, condition: Node, holds: bool, *, any_count: bool) -> bool:
        return any(self._says(part, true, any_count) for part, true in conjuncts(condition, holds))

    def _says(self, part: Node, holds: bool, any_count: bool) -> bool:
        """A condition holds (or with `holds` False: does not hold) for a single warp alone."""
        compared = _comparison(part)
        if compared is None:
            return not holds and self._is_warp(part, any_count)
        left, operator, right = compared
        operator = operator if holds else _NEGATED[operator]
        if self._is_warp(right, any_count) or self._is_thread(right):
            left, operator, right = right, _MIRRORED[operator], left
        value = self._constants.value(right)
        if self._is_warp(left, any_count):
            return operator == "==" or (operator, value) in (("<", 1), ("<=", 0))
        if not self._is_thread(left):
            return False
        if operator in ("<", "<=") and value is not None and 0 <= value < 32:
            return True
        if operator == "<":
            return self._indices.counted_in(right) == THIRTY_TWO
        return operator == ">=" and self._is_all_but_32(right)

    def _is_warp(self, node: Node, any_count: bool) -> bool:
        """The index of a warp in its block: of 32 threads, or of any number."""
        index = self._indices.of(node)
        return index is not None and index.kind == WARP and (any_count or index.counted_in == THIRTY_TWO)

    def _is_thread(self, node: Node) -> bool:
        """The index of a thread in its block or grid, and no lane."""
        index = self._indices.of(node)
        return index is not None and index.kind == THREAD and b"lane" not in (node.text or b"").lower()

    def _is_all_but_32(self, node: Node) -> bool:
        """`blockDim.x - 32`: the last 32 threads are those from there on."""
        node = bare(node)
        if node.type != "binary_expression" or operator_of(node) != "-":
            return False
        size, less = node.child_by_field_name("left"), node.child_by_field_name("right")
        index = self._indices.of(size)
        is_size = (index is not None and index.kind == SIZE) or self._constants.value(size) is not None
        return is_size and less is not None and self._indices.counted_in(less) == THIRTY_TWO


def _comparison(node: Node) -> tuple[Node, str, Node] | None:
    node = bare(node)
    if node.type != "binary_expression" or operator_of(node) not in _MIRRORED:
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return (bare(left), operator_of(node), bare(right)) if left is not None and right is not None else None


def single_warp_region(unit: Unit) -> SingleWarpRegion:
    """Where in a unit only one warp of a block gets."""
    return unit.analysis(SingleWarpRegion)
