"""Warp built-ins whose masks name lanes that are not there on a wavefront of 64 lanes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.drop_sync_mask import drops_its_mask, has_maskless_form
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32, masks_kept_narrow
from hipify_py.analysis.warp.mask_checks import several_checks
from hipify_py.analysis.warp.masks.literals import FULL, is_all_lanes, is_called_full
from hipify_py.analysis.warp.thread_indices import LANE
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.semantics.definitions import Definition, definitions_of
from hipify_py.semantics.expressions import bare, name_in, operator_of, parts_of, text_of
from hipify_py.semantics.functions import Function
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_Place = Callable[[int, "Function | None"], bool]
"""Says of a place in a function who gets there."""


class InactiveLanes:
    """The warp built-ins of one unit whose masks name lanes that are not there."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._context = warp_context(unit)

    @cached_property
    def calls(self) -> tuple[WarpCall, ...]:
        """Those built-ins, in no particular order."""
        context, unit = self._context, self._unit
        if emulates_warp32(context):
            return ()
        masked = [call for call in context.calls if call.masked and drops_its_mask(unit, call)]
        full = [call for call in masked if self._is_full(call)]
        # A mask that its author wrote for 64 lanes is doubted only where it must be wrong. Branches for AMD GPUs say
        # nothing of a mask of 32 bits: with it HIP's built-in does not compile.
        wide = [] if context.constants.is_ported else [call for call in full if self._text(call) == FULL]
        found = self._where(wide, self._is_one_warp)
        if not unit.is_hip:
            narrow = [call for call in full if self._text(call) != FULL]
            found += self._where(narrow, self._is_partial)
            found += [call for call in masked if call not in full and self._names_lanes_of_32(call)]
            gone = {call.use.start for call in found}
            crowded = several_checks(context, [call for call in masked if call.use.start not in gone])
            found += [
                call
                for call in narrow
                if call.use.start not in gone and context.owner(call) in crowded and has_maskless_form(call)
            ]
        return tuple(found)

    def are_missing(self, place: int) -> bool:
        """Less than a whole wavefront may get to a place of a CUDA source."""
        context = self._context
        return not context.constants.is_ported and self._is_partial(place, context.functions.at(place))

    def _text(self, call: WarpCall) -> bytes:
        if call.call is None or not call.call.arguments:
            return b""
        start, end = call.call.arguments[0]
        return self._context.data[start:end]

    def _where(self, calls: list[WarpCall], says: _Place) -> list[WarpCall]:
        """The built-ins at such places, and those in functions that are called there."""
        if not calls:
            return []
        context = self._context
        called = context.callers.called_where(says)
        return [call for call in calls if context.owner(call) in called or says(call.use.start, call.function)]

    def _is_one_warp(self, place: int, function: Function | None) -> bool:
        """The first 32 threads of a block alone get to a place."""
        if function is None:
            return False
        context = self._context
        return context.single_warp_region.reaches(place, function) or context.is_single_warp(function)

    def _is_partial(self, place: int, function: Function | None) -> bool:
        """Less than a whole wavefront may get to a place."""
        context = self._context
        if self._unit.source.is_header and (function is None or not function.is_kernel):
            return True  # who calls a header's function, and where, is not seen
        if function is None:
            return False
        return (
            self._is_one_warp(place, function)
            or function.name in context.launches.partial_wavefront_kernels
            or context.uniformity.parts(place, function)
        )

    def _is_full(self, call: WarpCall) -> bool:
        text = self._text(call)
        if is_all_lanes(text) or text == FULL or is_called_full(text):
            return True
        node = call.argument(0)
        leaf = name_in(bare(node)) if node is not None else None
        if leaf is None:
            return False
        declared = names_of(self._unit).meant_by(leaf)
        if any(found.kind == "parameter" for found in declared):
            return False  # its callers choose
        texts = [text_of(d.value) for found in declared for d in definitions_of(self._unit).of(found)]
        if not declared:
            macros = macros_of(self._unit).named(text_of(leaf))
            texts = [self._context.data[macro.start : macro.end] for macro in macros]
        return bool(texts) and all(map(is_all_lanes, texts))

    def _names_lanes_of_32(self, call: WarpCall) -> bool:
        """A shuffle's mask is shifted to a lane counted in 32: in the upper half of a wavefront it names the lower.

        Which lanes a shuffle reads it says by itself; that those of its mask have come is what CUDA asks for.
        """
        node = call.argument(0)
        if not (call.is_shuffle or call.name == "__syncwarp") or call.function is None or node is None:
            return False
        leaf = name_in(bare(node))
        if leaf is None:
            return self._is_shifted_to_lane_of_32(node)
        definitions = definitions_of(self._unit)
        found = [d for declared in names_of(self._unit).meant_by(leaf) for d in definitions.of(declared)]
        return any(self._is_set_by_lane_of_32(definition) for definition in found)

    def _is_set_by_lane_of_32(self, definition: Definition) -> bool:
        return definition.value is not None and self._is_shifted_to_lane_of_32(definition.value)

    def _is_shifted_to_lane_of_32(self, root: Node) -> bool:
        for node in parts_of(root):
            if node.type == "binary_expression" and operator_of(node) == "<<":
                lane = self._context.lanes.lane_in(node.child_by_field_name("right"))
                if lane is not None and lane.kind == LANE and lane.counted_in == THIRTY_TWO:
                    return True
        return False


def inactive_lanes_of(unit: Unit) -> InactiveLanes:
    """The warp built-ins of a unit whose masks name lanes that are not there."""
    return unit.analysis(InactiveLanes)


def inactive_lane_masks(unit: Unit) -> frozenset[int]:
    """The places of the built-ins of a CUDA source whose full masks name lanes that are not there."""
    if unit.is_hip:
        return frozenset()
    return frozenset(call.use.start for call in inactive_lanes_of(unit).calls)


def dropped_masks(unit: Unit) -> frozenset[int]:
    """The places of the built-ins whose masks go, or stay as CUDA has them, whatever for."""
    return unit.analysis(_dropped)


def _dropped(unit: Unit) -> frozenset[int]:
    return inactive_lane_masks(unit) | masks_kept_narrow(unit)
