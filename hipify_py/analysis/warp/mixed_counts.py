"""Functions that count lanes in 32 at one place and in `warpSize`, or by the hardware, at another."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.crossings import crossings_of
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.hardware_lanes import HardwareLane
from hipify_py.analysis.warp.lanes import text_at
from hipify_py.analysis.warp.thread_indices import LANE, WARP
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO, means_a_warp
from hipify_py.records import NamedTuple
from hipify_py.semantics.expressions import arguments_of, call_of, callee, name_in, operator_of, text_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

OTHER = {THIRTY_TWO: FOLLOWS, FOLLOWS: THIRTY_TWO}
"""What lanes are not counted in."""
_STEPS = frozenset({"*", "/", "%", "+=", "-=", "*=", "/=", "%=", "<"})
_STORED = "(assignment_expression left: [(subscript_expression) (pointer_expression)]) @stored"


class Disagreement(NamedTuple):
    """A call of a helper that counts lanes otherwise: its place, the finding's id, the helper, and what is wrong."""

    place: int
    id: str
    name: bytes
    detail: str


class MixedCounts:
    """Where one unit counts its lanes in more than one way."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._context = warp_context(unit)

    def mismatched(self) -> list[Function]:
        """The functions that count their lanes otherwise than the warps of their block."""
        context = self._context
        found = []
        for function in context.functions:
            kinds = context.lanes.kinds(function)
            lanes, warps = kinds[LANE], kinds[WARP]
            if len(warps) != 1 or not warps <= OTHER.keys() or not context.asks_lanes(function):
                continue
            if lanes == {OTHER[next(iter(warps))]}:
                found.append(function)
        return found

    def hardware_lanes(self) -> Iterator[tuple[HardwareLane, str]]:
        """The hardware's lanes in functions that count in 32, and what does so; one each."""
        asked: set[int] = set()
        for lane in self._hardware_lanes():
            if lane.function.start not in asked:
                asked.add(lane.function.start)
                counted = self._counted_in_32(lane.function)
                if counted is not None:
                    yield lane, f"{counted} counts in 32 beside it"

    def lanes_seen_outside(self) -> Iterator[tuple[HardwareLane, str]]:
        """The hardware's lanes in functions that count none by themselves, where something else goes by 32 of them."""
        context = self._context
        if self._unit.is_hip or FOLLOWS in context.all_counts:
            return
        asked: set[int] = set()
        for lane in self._hardware_lanes():
            function = lane.function
            if function.start not in asked:
                asked.add(function.start)
                said = self._seen_outside(function) if not context.lanes.counts(function) else None
                if said is not None:
                    yield lane, said

    def _hardware_lanes(self) -> Iterator[HardwareLane]:
        """The hardware's lanes that differ from those of a warp of 32."""
        context = self._context
        for lane in () if context.constants.is_ported else context.hardware_lanes.places:
            if not context.is_single_warp(lane.function) and not context.has_rows_of_32(lane.place):
                yield lane

    def _seen_outside(self, function: Function) -> str | None:
        """Memory that a function puts its lane into, or the name that the source has for 32 lanes."""
        context, body = self._context, function.body
        for node in self._unit.tree.captures(_STORED, body).get("stored", ()) if body is not None else ():
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and operator_of(node) == "=" and context.hardware_lanes.is_lane(right, 1):
                return f"it is stored in {text_of(left).decode(errors='replace')}, where CUDA puts 0 to 31"
        size = next(iter(context.constants.places), None)
        return f"{size.decode(errors='replace')} is 32 in this file" if size is not None else None

    def _counted_in_32(self, function: Function) -> str | None:
        """What counts in 32 in a function that asks the hardware for its lane; None where nothing does."""
        context = self._context
        for site in context.lanes.sites_in(function):
            if site.counted_in != THIRTY_TWO or site.start < function.start:
                continue
            if site.kind == LANE and context.hardware_lanes.is_lane(site.node.child_by_field_name("left")):
                return None  # it is brought down to 32 lanes before it is used
            return text_at(self._unit, site).decode(errors="replace")
        return self._stepped(function)

    def _stepped(self, function: Function) -> str | None:
        """A step or a factor of a constant that stands for 32 lanes."""
        if function.body is None:
            return None
        for node in self._unit.tree.nodes("binary_expression", "assignment_expression", within=function.body):
            if operator_of(node) not in _STEPS:
                continue
            fields = ("left", "right") if operator_of(node) == "*" else ("right",)
            for field in fields:
                side = node.child_by_field_name(field)
                if side is not None and self._is_warp_of_32(side) and not _is_asserted(node):
                    return text_of(side).decode(errors="replace")
        return None

    def _is_warp_of_32(self, node: Node) -> bool:
        if node.type == "call_expression":
            leaf = callee(node) if not arguments_of(node) else None
        else:
            leaf = name_in(node) if node.type in ("identifier", "qualified_identifier") else None
        name, is_name = text_of(leaf), leaf is not None
        return is_name and means_a_warp(name) and self._context.constants.counted_in(name) == THIRTY_TWO

    def disagreements(self) -> Iterator[Disagreement]:
        """Where a helper of another file is called that counts otherwise.

        A helper that may hear of other lanes is named once a function.
        """
        context = self._context
        if context.constants.is_ported:
            return
        told: set[tuple[int, bytes]] = set()
        over_32, over_all, full_wave = self._unit.project.warp_helpers[:3]
        for place, name, function in self._calls((over_32 | over_all | full_wave) - context.defined):
            counts = context.counts(function)
            if counts == {FOLLOWS} and name in over_32:
                yield Disagreement(place, "HIP306", name, says_over(THIRTY_TWO))
            elif counts == {THIRTY_TWO} and name in over_all:
                yield Disagreement(place, "HIP306", name, says_over(FOLLOWS))
            elif (
                counts == {THIRTY_TWO}
                and name in full_wave
                and (function.start, name) not in told
                and not context.single_warp_region.reaches(place, function)
            ):
                told.add((function.start, name))
                detail = "hears of all 64 lanes of a wavefront, but the lanes around it are counted in 32"
                yield Disagreement(place, "HIP305", name, detail)

    def _calls(self, names: frozenset[bytes]) -> list[tuple[int, bytes, Function]]:
        found = []
        for name in names & self._unit.lexemes.words:  # of thousands that other files have, few stand here
            for leaf in names_of(self._unit).mentions(name):
                function = self._context.functions.at(leaf.start_byte)
                if call_of(leaf) is not None and function is not None and leaf.start_byte >= function.start:
                    found.append((leaf.start_byte, name, function))
        return sorted(found, key=lambda call: call[0])

    def goes_by_both(self) -> bool:
        """The unit counts its lanes in 32, and goes by the hardware's wavefront at the same time."""
        if self._context.constants.is_ported or emulates_warp32(self._context):
            return False
        crossings = crossings_of(self._unit).all()
        return bool(crossings) or any(True for _ in self.hardware_lanes()) or any(True for _ in self.disagreements())


def _is_asserted(node: Node) -> bool:
    parent: Node | None = node
    while parent is not None and not parent.type.endswith("_statement"):
        if parent.type == "static_assert_declaration":
            return True
        parent = parent.parent
    return False


def says_over(reach: str) -> str:
    """What is wrong with a reduction over 32 or over `warpSize` lanes among lanes that are counted otherwise."""
    if reach == THIRTY_TWO:
        return "goes over 32 lanes, but the lanes around it are counted in warpSize: half of a wavefront of 64 is lost"
    return "goes over warpSize lanes, but the lanes around it are counted in 32: two warps meet in a 64-lane wavefront"


def mixed_counts_of(unit: Unit) -> MixedCounts:
    """Where a unit counts its lanes in more than one way."""
    return unit.analysis(MixedCounts)
