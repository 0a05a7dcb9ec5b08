"""Shuffles among 32 lanes whose distance is counted in `warpSize`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.callers import Callers
from hipify_py.analysis.warp.shuffle_range import shuffle_ranges
from hipify_py.analysis.warp.single_warp_region import single_warp_region
from hipify_py.analysis.warp.thread_indices import thread_indices
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO, built_in_sizes
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


class GroupsOf32:
    """The shuffles of one unit in which `warpSize` means 32, though a wavefront may have 64 lanes.

    Either they say so by their width, `__shfl_down_sync(mask, v, warpSize / 2, 32)`, or no more than 32 threads of a
    block get to them. On 64 lanes a distance of `warpSize / 2` is 32: it leaves the group, so that each lane hears of
    itself, or of one that is not there.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._indices = thread_indices(unit)
        self._ranges = shuffle_ranges(unit)
        self._region = single_warp_region(unit)

    @cached_property
    def _sizes(self) -> list[Node]:
        return built_in_sizes(self._unit)

    @cached_property
    def _by_size(self) -> dict[int, list[WarpCall]]:
        """The shuffles whose distance goes by a `warpSize`, by the place of that."""
        found: dict[int, list[WarpCall]] = {}
        for call in warp_calls_of(self._unit) if self._sizes else ():
            if call.is_shuffle:
                for size in self._sizes_of(call):
                    found.setdefault(size.start_byte, []).append(call)
        return found

    def _sizes_of(self, call: WarpCall) -> list[Node]:
        """Where the distance of a shuffle, or the loop over it, names `warpSize`."""
        distance = call.distance
        if distance is None:
            return []
        within = _inside(self._sizes, distance)
        if within or call.is_indexed or self._ranges.of(call) != FOLLOWS:
            return within
        limit = self._ranges.limit(call)
        return _inside(self._sizes, limit) if limit is not None else []

    @cached_property
    def sizes(self) -> list[tuple[Node, list[WarpCall]]]:
        """The `warpSize` that mean 32, each with the shuffles that go by it, all of which stay among 32 lanes."""
        return [
            (size, calls)
            for size in self._sizes
            if (calls := self._by_size.get(size.start_byte)) and all(map(self.has, calls))
        ]

    @cached_property
    def mixed(self) -> list[WarpCall]:
        """The shuffles among 32 lanes that share a `warpSize` with others, which go over the wavefront."""
        known = {size.start_byte for size, _ in self.sizes}
        shared = {
            call.use.start: call
            for place, calls in self._by_size.items()
            if place not in known
            for call in calls
            if self.has(call)
        }
        return [shared[place] for place in sorted(shared)]

    @cached_property
    def places(self) -> frozenset[int]:
        """The places of all the `warpSize` that mean 32, and of the shuffles that go by them."""
        sizes = {size.start_byte for size, _ in self.sizes}
        return frozenset(sizes.union(call.use.start for size in sizes for call in self._by_size[size]))

    def has(self, call: WarpCall) -> bool:
        """A shuffle stays among 32 lanes, by its width or because no more of them get to it."""
        if call.has_width:
            width = call.argument(call.first + 2)
            return width is not None and self._indices.counted_in(width) == THIRTY_TWO
        function = call.function
        if function is None or self._region.reaches(call.use.start, function):
            return function is not None
        callers = [] if function.is_kernel or self._unit.source.is_header else self._callers.of(function.name)
        return bool(callers) and all(self._region.reaches(place, caller) for place, caller in callers)

    @cached_property
    def _callers(self) -> Callers:
        """Who calls the functions with shuffles."""
        calls = (call for call in warp_calls_of(self._unit) if call.is_shuffle)
        return Callers(self._unit, {call.function.name for call in calls if call.function is not None})


def _inside(leaves: list[Node], node: Node) -> list[Node]:
    return [leaf for leaf in leaves if node.start_byte <= leaf.start_byte < node.end_byte]


def groups_of_32(unit: Unit) -> GroupsOf32:
    """The shuffles of a unit in which `warpSize` means 32."""
    return unit.analysis(GroupsOf32)
