"""The warp operations that may hear of the other 32 lanes of a wavefront, in functions that count their lanes in 32."""

from __future__ import annotations

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.shuffle_sources import shuffle_sources
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.records import NamedTuple
from hipify_py.semantics.control_flow import control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    arguments_of,
    bare,
    call_of,
    callee,
    cast_of,
    is_same,
    name_in,
    operator_of,
    parts_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_COUNTS = frozenset({b"__popc", b"__popcll"})
_FIRST_BIT = frozenset({b"__ffs", b"__ffsll", b"__ctz", b"__builtin_ctz", b"__builtin_ffs"})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})


class Crossing(NamedTuple):
    """A warp operation that may hear of both warps of 32 in a wavefront, and the function around it."""

    call: WarpCall
    function: Function


class Crossings:
    """The crossings of one unit, and how certain each is."""

    def __init__(self, unit: Unit) -> None:
        self._context = warp_context(unit)
        self._names = names_of(unit)

    def all(self) -> list[Crossing]:
        """The warp operations that may hear of the other half of a wavefront."""
        found = []
        for call in self._context.calls:
            if call.call is None or call.has_width:
                continue
            for place, function in self._users(call) if not self._stays_by_itself(call) else ():
                if self.counts_32(call, function) and not self._stays(call, place, function):
                    found.append(Crossing(call, function))
                    break
        return found

    def counts_32(self, call: WarpCall, function: Function) -> bool:
        """The function counts its lanes in 32; or it counts none, and is given the lane that it reads."""
        context = self._context
        if context.counts_32(function):
            return True
        return not context.counts(function) and self.is_given(call)

    def is_given(self, call: WarpCall) -> bool:
        """A shuffle of a CUDA source reads a lane by a number that comes from memory or from the host."""
        return not self._context.unit.is_hip and shuffle_sources(self._context.unit).are_given(call)

    def _users(self, call: WarpCall) -> list[tuple[int, Function]]:
        """Where a warp operation is done: at its place, or wherever its macro is used."""
        if call.function is not None:
            return [(call.use.start, call.function)]
        owner = self._context.owner(call)
        return [(place, function) for place, function in self._context.callers.of(owner)] if owner else []

    def is_full_wave_collective(self, call: WarpCall) -> bool:
        """A warp operation of which a function that counts in 32 would hear from the other half of its wavefront."""
        if call.call is None or call.has_width:
            return False
        if call.function is None:
            return not call.name.startswith(("__shfl_xor", "__shfl_down", "__syncwarp"))
        return not self._stays(call, call.use.start, call.function)

    def _stays(self, call: WarpCall, place: int, function: Function) -> bool:
        """Nothing of the other half of a wavefront comes in, or nothing is done with it."""
        if self._stays_by_itself(call) or self._is_one_warp(place, function) or self._is_called_by_one_warp(function):
            return True
        if call.name.startswith("__shfl_up"):
            return self._context.ranges.of(call) == THIRTY_TWO and self._is_guarded(call, function)
        return call.name == "__activemask" and self._uses_bits(call) is not True

    def _stays_by_itself(self, call: WarpCall) -> bool:
        """Nothing of the other half of a wavefront comes in, wherever the operation stands."""
        if call.name.startswith("__shfl_down"):
            ranges = self._context.ranges
            return ranges.of(call) == THIRTY_TWO or ranges.halves_parameter(call)
        return call.name == "__syncwarp" or call.name.startswith("__shfl_xor")

    def _is_one_warp(self, place: int, function: Function) -> bool:
        return self._context.single_warp_region.reaches(place, function) or self._context.is_single_warp(function)

    def _is_called_by_one_warp(self, function: Function) -> bool:
        """A helper that is called only where one warp of a block gets."""
        calls = self._context.callers.of(function.name)
        return bool(calls) and all(self._is_one_warp(*call) for call in calls)

    def _is_guarded(self, call: WarpCall, function: Function) -> bool:
        """A lane is compared before the value that comes from below is used: by a condition around it, or behind."""
        place, flow = call.use.start, control_flow_of(self._context.unit, function)
        conditions = [guard.condition for guard in flow.guards if guard.start <= place < guard.end]
        conditions += [
            guard.condition for guard in flow.guards if guard.start > place and self._is_close(guard.start, call)
        ]
        return any(condition is not None and self._compares_lane(condition) for condition in conditions)

    def _is_close(self, place: int, call: WarpCall) -> bool:
        """A place in the loop that holds a shuffle, or in the same function where no loop does."""
        function = call.function
        if function is None:
            return False
        loops = control_flow_of(self._context.unit, function).loops_around(call.use.start)
        end = loops[-1].end if loops else function.end
        return place < end

    def _compares_lane(self, root: Node) -> bool:
        for node in parts_of(root):
            if node.type == "binary_expression" and operator_of(node) in _COMPARISONS:
                sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                if any(self._context.lanes.has_lane(side) or b"lane" in text_of(side).lower() for side in sides):
                    return True
        return False

    def is_certain(self, call: WarpCall, function: Function) -> bool:
        """The upper half of a wavefront computes something else, whatever the data."""
        name, context = call.name, self._context
        if name.startswith("__shfl"):
            if name.startswith(("__shfl_up", "__shfl_down")):
                return False
            return context.lanes.has_lane(call.distance) or self._is_each_warps_own(call)
        if name.startswith(("__ballot", "__match", "__activemask")):
            return self._uses_bits(call) is True and bool(context.lanes.counts(function))
        return name in ("__reduce_add_sync", "__reduce_xor_sync")

    def _is_each_warps_own(self, call: WarpCall) -> bool:
        """The value that one lane hands to all is one that another warp has otherwise, not one of the whole block."""
        value = call.value
        if value is None:
            return False
        if self._context.lanes.has_warp(value) or _is_atomic(value):
            return True
        leaf = name_in(value)
        definitions = definitions_of(self._context.unit)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        return any(_is_atomic(found.value) for each in declared for found in definitions.of(each))

    def _uses_bits(self, call: WarpCall) -> bool | None:
        """The bits of a ballot are counted, or compared with a lane; None where it cannot be told.

        That the first of them is looked up alone says little: where all warps of a block vote on the same, the first
        vote of two warps is the first of one.
        """
        leaf = self._context.unit.tree.leaf(call.use.start, call.use.end)
        node = call_of(leaf) if leaf is not None else None
        return self._bits_of(node) if node is not None else None

    def _bits_of(self, node: Node, depth: int = 0) -> bool | None:
        """What is done with the bits of an expression, followed through the variable that takes them."""
        parent = node.parent
        while parent is not None:
            if parent.type == "argument_list":
                name = text_of(callee(parent.parent)) if parent.parent is not None else b""
                if name in _COUNTS:
                    return True
                if name in _FIRST_BIT and parent.parent is not None:
                    return self._is_leader_compared(parent.parent)
                if parent.parent is None or cast_of(parent.parent) is None:
                    return None
            elif parent.type == "binary_expression" and operator_of(parent) == "&":
                other = parent.child_by_field_name(
                    "right" if is_same(parent.child_by_field_name("left"), node) else "left"
                )
                if other is not None and _is_shifted_one(other):
                    return True
            elif parent.type in ("init_declarator", "assignment_expression"):
                return self._bits_of_variable(parent, depth)
            elif parent.type.endswith("_statement"):
                return None
            node, parent = parent, parent.parent
        return None

    def _bits_of_variable(self, setting: Node, depth: int) -> bool | None:
        field = "declarator" if setting.type == "init_declarator" else "left"
        leaf = name_in(setting.child_by_field_name(field))
        if leaf is None or depth > 3:
            return None
        declared = self._names.declaration_at(leaf)
        found: bool | None = None
        for each in (declared,) if declared is not None else self._names.meant_by(leaf):
            for use in self._names.uses(each):
                said = self._bits_of(whole_name(use), depth + 1)
                if said is True:
                    return True
                found = said if said is not None else found
        return found

    def _is_leader_compared(self, call: Node) -> bool:
        """The first lane that voted is compared with a lane: by itself, or through the variable that it is put into."""
        parent = call.parent
        while parent is not None and parent.type in (
            "binary_expression",
            "parenthesized_expression",
            "cast_expression",
        ):
            if operator_of(parent) in ("==", "!="):
                return True
            parent = parent.parent
        if parent is None or parent.type not in ("init_declarator", "assignment_expression"):
            return False
        leaf = name_in(parent.child_by_field_name("declarator" if parent.type == "init_declarator" else "left"))
        declared = self._names.declaration_at(leaf) if leaf is not None else None
        every = (declared,) if declared is not None else self._names.meant_by(leaf) if leaf is not None else ()
        uses = [whole_name(use).parent for each in every for use in self._names.uses(each)]
        return any(use is not None and operator_of(use) in ("==", "!=") for use in uses if use is not None)


def _is_atomic(node: Node | None) -> bool:
    if node is None:
        return False
    node = bare(node)
    return node.type == "call_expression" and text_of(callee(node)).startswith(b"atomic") and bool(arguments_of(node))


def _is_shifted_one(node: Node) -> bool:
    node = bare(node)
    cast = cast_of(node)
    if cast is not None:
        return _is_shifted_one(cast.value)
    return node.type == "binary_expression" and operator_of(node) == "<<"


def crossings_of(unit: Unit) -> Crossings:
    """The crossings of a unit."""
    return unit.analysis(Crossings)
