"""Where functions that count their lanes in `warpSize` take a warp's end, or its lanes in memory, to be at 32."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.groups_of_32 import groups_of_32
from hipify_py.analysis.warp.thread_indices import LANE
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import control_flow_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import bare, compact, entries_of, is_same, name_in, operator_of, parts_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_COMPARISONS = frozenset({*_MIRRORED, "==", "!="})
_ENDS = {("<", 32), (">=", 32), ("<=", 31), (">", 31)}
"""What asks whether a lane is one of 32."""
_LASTS = {("<", 31), (">=", 31)}
"""What asks whether there is a lane behind a lane."""
_DOWN = ("__shfl_down", "__shfl_down_sync")
_MAKE_LANES = frozenset({"%", "&", "^", "-"})
"""What makes another lane of a lane with the number of lanes, or of the last one."""
_ELEMENTS = "(subscript_expression) @element"
_DEEPEST = 8
"""Operators and variables between a lane and what is computed from it."""


class End(NamedTuple):
    """A number that takes a warp to have 32 lanes.

    Attributes:
        number: the 32, or the 31.
        whole: the expression that it stands in.
        replaced: what the number is where the warp has `warpSize` lanes; None where more than it would have to change.
        detail: what is wrong with it.
    """

    number: Node
    whole: Node
    replaced: bytes | None
    detail: str


class EndsOfWarps:
    """The numbers of one unit by which functions that count their lanes in `warpSize` take a warp to have 32.

    A shuffle leads to a lane: `lane + d`, or a lane by its number. Whether that lane is there, or which one it is, is
    asked of the end of the warp; what lanes have in memory begins a warp further on for the next warp.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._context = warp_context(unit)
        self._names = names_of(unit)
        self._definitions = definitions_of(unit)
        self._constants = constants_of(unit)

    def of(self, function: Function) -> list[End]:
        """The ends of 32 lanes in a function, in the order of their places."""
        context = self._context
        if function.body is None or not context.asks_lanes(function) or context.counts(function) != {FOLLOWS}:
            return []
        if context.is_single_warp(function) or context.has_rows_of_32(function.start):
            return []
        calls = self._calls.get(function.start, [])
        found = [*self._compared(function, calls), *self._sources(calls), *self._strides(function)]
        region = context.single_warp_region
        by_place = {end.number.start_byte: end for end in found if not region.reaches(end.number.start_byte, function)}
        return [by_place[place] for place in sorted(by_place)]

    @cached_property
    def _calls(self) -> dict[int, list[WarpCall]]:
        """The shuffles that go over the wavefront, by the functions that they stand in."""
        found: dict[int, list[WarpCall]] = {}
        groups = groups_of_32(self._unit)
        for call in self._context.calls:
            if call.function is None or not call.is_shuffle or call.distance is None or call.has_width:
                continue
            if not groups.has(call):
                found.setdefault(call.function.start, []).append(call)
        return found

    # ------------------------------------------------------------------ whether there is a lane

    def _compared(self, function: Function, calls: list[WarpCall]) -> Iterator[End]:
        """Comparisons that ask whether the lane is there which a shuffle reads."""
        if function.body is None or not calls:
            return
        down = [call.distance for call in calls if call.name in _DOWN and call.distance is not None]
        distances = {compact(bare(distance)) for distance in down}
        sources = {compact(part) for call in calls if call.is_indexed for part in self._parts(call)}
        for node in self._unit.tree.nodes("binary_expression", within=function.body):
            operator = operator_of(node)
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if operator not in _MIRRORED or left is None or right is None:
                continue
            for lane, end, asked in ((left, right, operator), (right, left, _MIRRORED[operator])):
                number, value = self._number(end, distances)
                if number is None:
                    continue
                replaced: bytes | None = b"warpSize" if value == 32 else b"warpSize - 1"
                if self._is_lane(lane):
                    is_less = not is_same(bare(end), number)  # `32 - d`
                    leads = is_less or ((asked, value) in _LASTS and b"1" in distances)
                elif (asked, value) not in _ENDS:
                    leads = False
                else:
                    leads = self._is_lane_further(lane, distances)
                    if not leads and compact(bare(lane)) in sources:
                        leads, replaced = self._is_of_lane(lane), None  # which lane it is may go by 32 elsewhere, too
                if leads:
                    detail = "asks for the end of 32 lanes, but the lanes around it are counted in warpSize"
                    yield End(number, node, replaced, detail)

    def _number(self, end: Node, distances: set[bytes]) -> tuple[Node | None, int]:
        """The 32 or 31 that a lane is compared with, also in `32 - d`, `d` being a shuffle's distance."""
        value = self._constants.value(end)
        if value in (31, 32):
            return bare(end), value
        node = bare(end)
        if operator_of(node) == "-" and compact(node.child_by_field_name("right")) in distances:
            left = node.child_by_field_name("left")
            if left is not None and self._constants.value(left) == 32:
                return left, 32
        return None, 0

    def _is_lane(self, node: Node) -> bool:
        """A lane that is counted in `warpSize`, as it was made: no variable that goes on from it."""
        index = self._context.indices.of(node)
        if index is None or index.kind != LANE or index.counted_in != FOLLOWS:
            return False
        leaf = name_in(bare(node))
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        return all(len(self._definitions.of(each)) <= 1 for each in declared)

    def _is_lane_further(self, node: Node, distances: set[bytes]) -> bool:
        """`lane + d`, `d` being the distance of a shuffle from lanes behind."""
        node = bare(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator_of(node) != "+" or left is None or right is None:
            return False
        sides = ((left, right), (right, left))
        return any(self._is_lane(lane) and compact(bare(distance)) in distances for lane, distance in sides)

    def _is_of_lane(self, node: Node, depth: int = 0) -> bool:
        """A sum, or a choice, of a lane that is counted in `warpSize`."""
        node = bare(node)
        if self._is_lane(node) or depth > _DEEPEST:
            return depth <= _DEEPEST
        if node.type == "conditional_expression":
            values = [node.child_by_field_name(field) for field in ("consequence", "alternative")]
        elif node.type == "binary_expression" and operator_of(node) in ("+", "-"):
            values = [node.child_by_field_name("left")]
        else:
            values = [found.value for each in self._declared(node) for found in self._definitions.of(each)]
        return bool(values) and all(value is not None and self._is_of_lane(value, depth + 1) for value in values)

    def _declared(self, node: Node) -> tuple[Declaration, ...]:
        leaf = name_in(node) if node.type == "identifier" else None
        return self._names.meant_by(leaf) if leaf is not None else ()

    # ------------------------------------------------------------------ which lane it is

    def _parts(self, call: WarpCall) -> Iterator[Node]:
        """What a shuffle's source lane is computed from, variables of one value looked through."""
        pending, seen = [call.distance], set[Declaration]()
        while pending:
            node = pending.pop()
            for part in parts_of(node) if node is not None else ():
                yield part
                for declared in self._declared(part):
                    found = self._definitions.of(declared)
                    if declared not in seen and len(found) == 1 and found[0].operator == "=":
                        pending.append(found[0].value)
                    seen.add(declared)

    def _sources(self, calls: list[WarpCall]) -> Iterator[End]:
        """The source lanes of shuffles that are brought down to 32 lanes, counted from the end of 32, or all of 32."""
        for call in calls:
            if not call.is_indexed or call.distance is None:
                continue
            if name_in(call.distance) is not None:
                yield from self._gathered(call)
            for part in self._parts(call):
                operator = operator_of(part) if part.type == "binary_expression" else ""
                left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
                if left is None or right is None or operator not in _MAKE_LANES:
                    continue
                number, of = (left, right) if operator == "-" else (right, left)
                if self._constants.value(number) != (32 if operator == "%" else 31) or not self._is_of_lane(of):
                    continue
                yield End(number, part, None, "is a lane of 32, but the lanes around it are counted in warpSize")

    def _gathered(self, call: WarpCall) -> Iterator[End]:
        """The bound of a loop that reads each of 32 lanes in turn."""
        leaf, function = name_in(call.distance), call.function
        if leaf is None or function is None or self._context.indices.of(leaf) is not None:
            return
        for loop in control_flow_of(self._unit, function).loops_around(call.use.start):
            condition = bare(loop.condition) if loop.condition is not None else None
            if condition is None or operator_of(condition) not in ("<", "!="):
                continue
            left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
            if right is None or compact(left) != compact(leaf) or self._constants.value(right) != 32:
                continue
            detail = "ends a loop over 32 lanes, but the lanes around it are counted in warpSize"
            yield End(right, condition, None, detail)

    # ------------------------------------------------------------------ what lanes have in memory

    def _strides(self, function: Function) -> Iterator[End]:
        """Steps of 32 from a lane on, and rows of 32 places for a lane each."""
        if function.body is None:
            return
        for node in self._unit.tree.captures(_ELEMENTS, function.body).get("element", ()):
            lane = self._of_32(node)
            if lane is not None and not self._is_guarded(node, function):
                yield End(lane, node, None, "has 32 places for lanes that are counted in warpSize")
        for node in self._unit.tree.nodes("assignment_expression", "binary_expression", within=function.body):
            operator = operator_of(node)
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None or operator not in ("+=", "+"):
                continue
            if operator == "+=":
                if self._steps_by_lanes(left, right):
                    detail = "goes on by 32, but the lane that it begins at is counted in warpSize"
                    yield End(right, node, None, detail)
            else:
                for product, lane in ((left, right), (right, left)):
                    factor = self._factor(product) if self._is_lane(lane) else None
                    if factor is not None and not self._is_guarded(node, function):
                        detail = "has 32 places for lanes that are counted in warpSize"
                        yield End(factor, node, None, detail)

    def _steps_by_lanes(self, variable: Node, step: Node) -> bool:
        """`i += 32` from a lane on, or `i += 32 * 4` from `lane * 4`."""
        values = [
            found.value
            for each in self._declared(variable)
            for found in self._definitions.of(each)
            if found.operator == "=" and found.value is not None
        ]
        if len(values) != 1:
            return False
        if self._is_lane(values[0]):
            return self._is_32(step)
        first = bare(values[0])
        left, right = first.child_by_field_name("left"), first.child_by_field_name("right")
        if operator_of(first) != "*" or left is None or right is None:
            return False
        count, number = (right if self._is_lane(left) else left), self._constants.value(step)
        each = self._constants.value(count) if self._is_lane(left) or self._is_lane(right) else None
        return each is not None and number == 32 * each

    def _factor(self, node: Node) -> Node | None:
        """The 32 in a product."""
        node = bare(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator_of(node) != "*" or left is None or right is None:
            return None
        return next((side for side in (left, right) if self._is_32(side)), None)

    def _of_32(self, node: Node) -> Node | None:
        """The lane whose element an array, or a row of one, is asked for that has 32."""
        index = _index(node)
        if index is None or not self._is_lane(index):
            return None
        levels, array = 1, node.child_by_field_name("argument")
        while array is not None and array.type == "subscript_expression":
            levels, array = levels + 1, array.child_by_field_name("argument")
        declared = self._declared(array) if array is not None else ()
        row = declared[0].leaf.parent if len(declared) == 1 else None
        for _ in range(levels - 1):
            row = row.parent if row is not None else None
        size = row.child_by_field_name("size") if row is not None and row.type == "array_declarator" else None
        return index if size is not None and self._constants.value(size) == 32 else None

    def _is_guarded(self, node: Node, function: Function) -> bool:
        """What lanes get to a place is asked on the way: their number, or that of their thread."""
        guards = control_flow_of(self._unit, function).around(node.start_byte)
        return any(guard.condition is not None and self._asks_lane(guard.condition) for guard in guards)

    def _asks_lane(self, condition: Node) -> bool:
        if self._context.lanes.has_lane(condition):
            return True
        compared = (part for part in parts_of(condition) if operator_of(part) in _COMPARISONS)
        sides = (part.child_by_field_name(field) for part in compared for field in ("left", "right"))
        return any(side is not None and self._context.indices.is_thread_x(side) for side in sides)

    def _is_32(self, node: Node) -> bool:
        return self._constants.value(node) == 32 and self._context.indices.counted_in(node) == THIRTY_TWO


def _index(node: Node) -> Node | None:
    """The index of `a[i]`."""
    indices = node.child_by_field_name("indices")
    found = entries_of(indices) if indices is not None else []
    return found[0] if len(found) == 1 else None


def ends_of_warps(unit: Unit) -> EndsOfWarps:
    """Where a unit takes warps that it counts in `warpSize` to have 32 lanes."""
    return unit.analysis(EndsOfWarps)
