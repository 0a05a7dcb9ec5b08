"""How far shuffles go: over 32 lanes, over `warpSize`, or over a few neighbours."""

from __future__ import annotations

from hipify_py.analysis.warp.thread_indices import thread_indices
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.project_context import HALF_OF_IT
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import Loop, control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import bare, name_in, operator_of, text_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_WITHIN_32 = frozenset({4, 8, 16, 32})
_FEWEST_OF_A_LOOP = frozenset({1, 2})
"""The first distances of a loop that goes up."""
_MIRRORED = {"<": ">", ">": "<", "!=": "!=", "<=": ">=", ">=": "<="}

_HALVES = (("/", 2), (">>", 1))
_DEEPEST = 4
"""Variables that are set to one another."""


class ShuffleRanges:
    """How far one unit's shuffles go."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._indices = thread_indices(unit)
        self._constants = constants_of(unit)
        self._names = names_of(unit)
        self._definitions = definitions_of(unit)

    def of_warp(self, call: WarpCall) -> str | None:
        """What a shuffle over a whole warp counts its lanes in; None for one over a few neighbours."""
        if not call.is_shuffle or call.is_indexed:
            return None
        distance = self.fixed_distance(call)
        return self.of(call) if distance is None or distance == 16 else None

    def fixed_distance(self, call: WarpCall) -> int | None:
        """The distance of a shuffle that is a constant."""
        return self._constants.value(call.distance)

    def of(self, call: WarpCall) -> str | None:
        """How far a shuffle's distance goes: THIRTY_TWO within 32 lanes, FOLLOWS up to `warpSize`; None if unknown."""
        return self.of_distance(call.distance, call.use.start, call.function) if call.distance is not None else None

    def of_distance(self, node: Node, place: int, function: Function | None) -> str | None:
        """How far the distance of the shuffle at a place of a function goes; `None` for a macro's."""
        distance = self._constants.value(node)
        if distance is not None:
            return THIRTY_TWO if distance <= 16 else None
        node = bare(node)
        if name_in(node) is None or node.type == "field_expression":
            return THIRTY_TWO if self._is_power_below_32(node) else self.half(node)
        limit = self.limit(node, place, function)
        if limit is None:
            return self._of_outer_loop(node, place, function)
        if self._constants.value(limit) in _WITHIN_32:
            return THIRTY_TWO
        half = self.half(limit)
        return half if half is not None else self._indices.counted_in(limit)

    def halves_parameter(self, call: WarpCall) -> bool:
        """A loop's distances begin with half of a template's parameter: in CUDA that is no more than 32 lanes."""
        leaf = name_in(call.distance)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        definitions = [found for each in declared for found in self._definitions.of(each) if found.operator == "="]
        wholes = [self._halved(found.value) for found in definitions if found.place <= call.use.start]
        return bool(wholes) and all(whole is not None and self._is_of_template(whole) for whole in wholes)

    def _halved(self, node: Node | None) -> Node | None:
        node = bare(node) if node is not None else None
        if node is None or (operator_of(node), self._constants.value(node.child_by_field_name("right"))) not in _HALVES:
            return None
        return node.child_by_field_name("left")

    def _is_of_template(self, node: Node) -> bool:
        leaf = name_in(bare(node))
        owners = [found.owner.parent for found in self._names.meant_by(leaf)] if leaf is not None else []
        return bool(owners) and all(owner is not None and owner.type == "template_parameter_list" for owner in owners)

    def limit(self, distance: Node | None, place: int, function: Function | None) -> Node | None:
        """Where the loop over a shuffle's distance says how far it goes: its first value, or its upper bound."""
        leaf = name_in(distance)
        if leaf is None:
            return None
        first = self._first_value(leaf, place)
        if first is None:
            return None
        if self._is_half(first):
            return first
        if self._constants.value(first) not in _FEWEST_OF_A_LOOP:
            return None
        return self._upper_bound(leaf, place, function)

    def _of_outer_loop(self, node: Node, place: int, function: Function | None) -> str | None:
        """How far a distance goes that begins at half of what a loop around it doubles, as in a bitonic sort."""
        leaf = name_in(node)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        values = [d.value for each in declared for d in self._definitions.of(each) if d.operator == "="]
        whole = self._halved(values[0]) if len(values) == 1 else None
        outer = name_in(whole)
        bound = self._upper_bound(outer, place, function, ("<=",)) if outer is not None else None
        return self._indices.counted_in(bound) if bound is not None else None

    def _first_value(self, leaf: Node, place: int) -> Node | None:
        """What the variable of a loop, or a macro's loop, starts with."""
        for declared in self._names.meant_by(leaf):
            values = [d for d in self._definitions.of(declared) if d.operator == "=" and d.place <= place]
            for definition in reversed(values):
                value = definition.value
                if value is not None and (self._is_half(value) or self._constants.value(value) in _FEWEST_OF_A_LOOP):
                    return bare(value)
        return None

    def _upper_bound(
        self, leaf: Node, place: int, function: Function | None, operators: tuple[str, ...] = ("<", "!=")
    ) -> Node | None:
        for loop in reversed(self._loops(place, function)):
            condition = bare(loop.condition) if loop.condition is not None else None
            if condition is None or condition.type != "binary_expression":
                continue
            left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
            operator = operator_of(condition)
            if name_in(right) is not None and (name_in(right).text == leaf.text):  # type: ignore[union-attr]
                left, right, operator = right, left, _MIRRORED.get(operator, "")
            named = name_in(left)
            if named is not None and named.text == leaf.text and operator in operators and right is not None:
                return bare(right)
        return None

    def _loops(self, place: int, function: Function | None) -> list[Loop]:
        return control_flow_of(self._unit, function).loops_around(place) if function is not None else []

    def _is_power_below_32(self, node: Node) -> bool:
        """`1 << i` in a loop over `i` from 4 down, or from 0 to below 5."""
        if node.type != "binary_expression" or operator_of(node) != "<<":
            return False
        leaf = name_in(node.child_by_field_name("right"))
        if self._constants.value(node.child_by_field_name("left")) != 1 or leaf is None:
            return False
        values = [d for found in self._names.meant_by(leaf) for d in self._definitions.of(found) if d.operator == "="]
        first = self._constants.value(values[0].value) if len(values) == 1 else None
        if first != 0:
            return first is not None and 1 <= first <= 4
        bound = self._bound_of(leaf)
        return bound is not None and (self._constants.value(bound) or 99) <= 5

    def _bound_of(self, leaf: Node) -> Node | None:
        node: Node | None = leaf
        while node is not None:
            if node.type in ("for_statement", "while_statement"):
                condition = node.child_by_field_name("condition")
                condition = bare(condition) if condition is not None else None
                if condition is not None and operator_of(condition) == "<":
                    named = name_in(condition.child_by_field_name("left"))
                    if named is not None and named.text == leaf.text:
                        return condition.child_by_field_name("right")
            node = node.parent
        return None

    def _is_half(self, node: Node) -> bool:
        return self._constants.value(node) == 16 or self.half(node) is not None

    def half(self, node: Node, depth: int = 0) -> str | None:
        """What half of a warp counts in: `16`, `warpSize / 2`, `WARP >> 1`; None for anything else.

        A variable counts in what it is set to, if that is once.
        """
        node = bare(node)
        macro = self._macro(node)
        if macro is not None:
            return self.half(macro, depth)
        left = self._halved(node)
        if left is not None:
            return self._indices.counted_in(left)
        if self._constants.value(node) == 16:
            return THIRTY_TWO
        if self._is_half_of_wavefront(node):
            return FOLLOWS
        value = self._only_value(node) if depth < _DEEPEST else None
        return self.half(value, depth + 1) if value is not None else None

    def _is_half_of_wavefront(self, node: Node) -> bool:
        """The name of what an included header defines as half of `warpSize`."""
        leaf = name_in(node)
        is_half = leaf is not None and self._unit.project.wavefront_names.get(text_of(leaf)) == HALF_OF_IT
        return is_half and leaf is not None and not self._names.meant_by(leaf)

    def _only_value(self, node: Node) -> Node | None:
        leaf = name_in(node) if node.type == "identifier" else None
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        definitions = [definition for found in declared for definition in self._definitions.of(found)]
        return definitions[0].value if len(definitions) == 1 and definitions[0].operator == "=" else None

    def _macro(self, node: Node) -> Node | None:
        macros = macros_of(self._unit)
        found = [macro for macro in macros.named(node.text or b"") if macro.parameters is None]
        return macros.body(found[0]) if len(found) == 1 and node.type == "identifier" else None


def shuffle_ranges(unit: Unit) -> ShuffleRanges:
    """How far a unit's shuffles go."""
    return unit.analysis(ShuffleRanges)
