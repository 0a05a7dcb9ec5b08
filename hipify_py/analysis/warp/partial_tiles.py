"""Votes of a tile of cooperative groups that some of its threads do not come to."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.thread_indices import LANE, THREAD, thread_indices
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, Guard, control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import (
    arguments_of,
    bare,
    call_of,
    callee,
    name_in,
    operator_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

VOTES = (b"any", b"all", b"ballot", b"match_any", b"match_all")
"""The members of a tile that HIP gives a mask of all its threads."""
_TILE = b"thread_block_tile"
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_WARP = 32
_DEEPEST = 8
"""Variables that are set from each other, and parts of an expression."""


class PartialVote(NamedTuple):
    """A vote of a tile, and the condition that holds for some of its threads only."""

    place: int
    name: bytes
    condition: Node


class PartialTiles:
    """Where one unit asks part of a tile for a vote of the whole. Found when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._functions = functions_of(unit)
        self._indices = thread_indices(unit)
        self._definitions = definitions_of(unit)
        self._constants = constants_of(unit)

    def votes(self) -> Iterator[PartialVote]:
        """The votes that some threads of their tile do not come to."""
        for name in VOTES:
            for leaf in self._names.mentions(name):
                condition = self._missed_by(leaf) if leaf.type == "field_identifier" and call_of(leaf) else None
                if condition is not None:
                    yield PartialVote(leaf.start_byte, name, condition)

    def _missed_by(self, leaf: Node) -> Node | None:
        """The condition that keeps some threads of a tile from its vote."""
        function = self._functions.at(leaf.start_byte)
        if function is None or not self._is_tile(whole_name(leaf).child_by_field_name("argument")):
            return None
        for guard in control_flow_of(self._unit, function).around(leaf.start_byte):
            if guard.kind in (IF, LEFT, CHOICE) and guard.condition is not None and self._parts_tile(guard):
                return guard.condition
        return None

    def _is_tile(self, object: Node | None) -> bool:
        return type_of(self._names, object) == _TILE

    def _parts_tile(self, guard: Guard) -> bool:
        """The threads of a tile answer a condition differently: by their ranks, or by a bound that some are behind."""
        nodes = [guard.condition] if guard.condition is not None else []
        while nodes:
            node = bare(nodes.pop())
            operator = operator_of(node)
            if operator in ("&&", "||", "!"):
                nodes += node.named_children
            elif node.type == "binary_expression" and operator in _COMPARISONS:
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                for side, other in ((left, right), (right, left)):
                    if side is not None and other is not None and self._tells_apart(side, operator, other, guard):
                        return True
            elif self._is_rank(node, 0):
                return True
        return False

    def _tells_apart(self, side: Node, operator: str, other: Node, guard: Guard) -> bool:
        if self._is_rank(side, 0):
            return True
        index = self._indices.of(side)
        if index is None or index.kind != THREAD or self._is_divided(side, 0):
            return False
        bound = self._constants.value(other)
        if operator in ("==", "!="):
            return bound is not None
        # threads that have returned are no part of a CUDA tile's vote; in a branch they would be waited for
        return guard.kind == LEFT and (bound is None or bound % _WARP != 0)

    def _is_divided(self, node: Node, depth: int) -> bool:
        """A thread's index by some number of threads, which is the same for all of a tile."""
        node = bare(node)
        if operator_of(node) in ("/", ">>"):
            return True
        leaf = name_in(node)
        declared = self._names.meant_by(leaf) if leaf is not None and depth < _DEEPEST else ()
        values = [found.value for each in declared for found in self._definitions.of(each) if found.operator == "="]
        return any(value is not None and self._is_divided(value, depth + 1) for value in values)

    def _is_rank(self, node: Node, depth: int) -> bool:
        """A thread's rank within its tile, or its lane: by itself, in a variable, or as a part of a sum."""
        node = bare(node)
        if depth > _DEEPEST:
            return False
        if node.type == "call_expression":
            leaf = callee(node)
            if text_of(leaf) != b"thread_rank" or leaf is None:
                return False
            object = whole_name(leaf).child_by_field_name("argument")
            return self._is_tile(object if object is not None else next(iter(arguments_of(node)), None))
        if node.type == "binary_expression" and operator_of(node) in ("+", "-", "%", "&"):
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            if any(side is not None and self._is_rank(side, depth + 1) for side in sides):
                return True
        leaf = name_in(node)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        for found in (found for each in declared for found in self._definitions.of(each)):
            if found.operator == "=" and found.value is not None and self._is_rank(found.value, depth + 1):
                return True
        index = self._indices.of(node)
        return index is not None and index.kind == LANE


def partial_tiles(unit: Unit) -> PartialTiles:
    """Where a unit asks part of a tile for a vote of the whole."""
    return unit.analysis(PartialTiles)
