"""Where a unit asks the hardware for a thread's lane, which goes to 63 on gfx9."""

from __future__ import annotations

from functools import cached_property

from hipify_py.analysis.warp.lanes import lanes_of
from hipify_py.analysis.warp.thread_indices import LANE, thread_indices
from hipify_py.records import NamedTuple
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    asm_outputs,
    bare,
    call_of,
    callee,
    cast_of,
    name_in,
    operator_of,
    text_of,
    values_returned,
)
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_PTX_FUNCTION = b"get_sreg_laneid"
"""What reads the register in `<cuda/ptx>`."""
_BUILT_INS = (b"__lane_id", b"LaneId", _PTX_FUNCTION)
_REGISTER = b"%laneid"
_CUTS = frozenset({"&", "%", "&=", "%="})


class HardwareLane(NamedTuple):
    """A place that asks the hardware for the lane, by `name`, in a function."""

    place: int
    name: bytes
    function: Function


class HardwareLanes:
    """The lanes of one unit that the hardware counts. Found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._functions = functions_of(unit)
        self._definitions = definitions_of(unit)
        self._getters_so_far: set[bytes] | None = None

    @cached_property
    def getters(self) -> frozenset[bytes]:
        """The functions of this unit that do no more than to return such a lane."""
        self._getters_so_far = set[bytes]()
        functions = {function for place, _ in self._direct if (function := self._functions.at(place)) is not None}
        pending = [function for function in functions if not function.is_kernel]
        while found := [function for function in pending if self._returns_lane(function)]:
            self._getters_so_far.update(function.name for function in found)
            pending = [function for function in pending if function not in found]
        return frozenset(self._getters_so_far)

    def _is_getter(self, name: bytes) -> bool:
        """A function is known to return a lane; while they are looked for, one of those found so far."""
        return name in (self.getters if self._getters_so_far is None else self._getters_so_far)

    @cached_property
    def places(self) -> list[HardwareLane]:
        """Where functions ask for such lanes and do not bring them down to 32, but for the getters themselves."""
        found = [(place, name) for place, name in self._direct if not self._is_in_getter(place)]
        for name in self.getters | self._elsewhere:
            for leaf in self._names.mentions(name):
                call = call_of(leaf)
                if call is not None and not self._is_cut(call):
                    found.append((leaf.start_byte, name))
        lanes = []
        for place, name in found:
            function = self._functions.at(place)
            if function is not None and place >= function.start and function.name != name:
                lanes.append(HardwareLane(place, name, function))
        return sorted(lanes, key=lambda lane: lane.place)

    @property
    def _elsewhere(self) -> frozenset[bytes]:
        """The functions of the project's headers that return such a lane, and that this unit does not define."""
        known = self._unit.project.warp_helpers.lanes
        return frozenset(name for name in known if not self._functions.named(name))

    @property
    def called_as_ptx(self) -> list[Node]:
        """The calls of the function that `<cuda/ptx>` has for the register, but for those brought down to 32 lanes."""
        calls = [call_of(leaf) for leaf in self._names.mentions(_PTX_FUNCTION)]
        return [call for call in calls if call is not None and not self._is_cut(call)]

    def _is_in_getter(self, place: int) -> bool:
        function = self._functions.at(place)
        return function is not None and function.name in self.getters

    @cached_property
    def _direct(self) -> list[tuple[int, bytes]]:
        """The places that ask the hardware itself and whose answer is not cut to 32 lanes at once."""
        found = []
        for name in _BUILT_INS:
            for leaf in self._names.mentions(name):
                call = call_of(leaf)
                if call is not None and not self._is_cut(call):
                    found.append((leaf.start_byte, name))
        for node, _ in self._assembly:
            found.append((node.start_byte, _REGISTER))
        return sorted(found)

    @cached_property
    def _assembly(self) -> list[tuple[Node, tuple[Declaration, ...]]]:
        """The `asm` statements that read the register, each with the variable that takes it."""
        data = self._unit.source.data
        if b"laneid" not in data:
            return []
        found = []
        for node in self._unit.tree.nodes("gnu_asm_expression"):
            if _REGISTER not in text_of(node):
                continue
            outputs = asm_outputs(node)
            leaf = name_in(outputs[0]) if outputs else None
            found.append((node, self._names.meant_by(leaf) if leaf is not None else ()))
        return found

    @cached_property
    def _registers(self) -> frozenset[Declaration]:
        return frozenset(declared for _, taken in self._assembly for declared in taken)

    def is_lane(self, node: Node | None, depth: int = 0) -> bool:
        """An expression is the lane that the hardware counts, not brought down to 32."""
        if node is None or depth > 10:
            return False
        node = bare(node)
        cast = cast_of(node)
        if cast is not None:
            return self.is_lane(cast.value, depth + 1)
        if node.type == "call_expression":
            name = text_of(callee(node))
            return name in _BUILT_INS or name in self._elsewhere or (depth > 0 and self._is_getter(name))
        leaf = name_in(node)
        if leaf is None:
            return False
        for declared in self._names.meant_by(leaf):
            if declared in self._registers:
                return True
            values = self._definitions.of(declared)
            if any(found.operator == "=" and self.is_lane(found.value, depth + 1) for found in values):
                return True
        return False

    def _returns_lane(self, function: Function) -> bool:
        if function.body is None:
            return False
        values = values_returned(self._unit.tree, function.body)
        is_cut = any(site.kind == LANE for site in lanes_of(self._unit).sites_in(function)) or self._cuts(function)
        return len(values) == 1 and not is_cut and self.is_lane(values[0])

    def _cuts(self, function: Function) -> bool:
        """The function brings a value down to 32 lanes."""
        if function.body is None:
            return False
        found = self._unit.tree.nodes("binary_expression", "assignment_expression", within=function.body)
        return any(self._brings_down(node) for node in found)

    def _is_cut(self, node: Node) -> bool:
        """A value is brought down to the lane within 32 where it stands: `& 31`, `% kWarpSize`."""
        parent = node.parent
        while parent is not None and parent.type in (
            "parenthesized_expression",
            "cast_expression",
            "qualified_identifier",
        ):
            node, parent = parent, parent.parent
        return parent is not None and parent.type == "binary_expression" and self._brings_down(parent)

    def _brings_down(self, node: Node) -> bool:
        right = node.child_by_field_name("right")
        if operator_of(node) not in _CUTS or right is None:
            return False
        indices = thread_indices(self._unit)
        return indices.is_divisor(operator_of(node).rstrip("="), right)


def hardware_lanes(unit: Unit) -> HardwareLanes:
    """The lanes of a unit that the hardware counts."""
    return unit.analysis(HardwareLanes)
