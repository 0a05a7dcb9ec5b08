"""The warps of a unit: its warp operations, what its functions count lanes in, and who runs them."""

from __future__ import annotations

import re
from functools import cached_property

from hipify_py.analysis.warp.callers import Callers
from hipify_py.analysis.warp.groups_of_32 import groups_of_32
from hipify_py.analysis.warp.hardware_lanes import hardware_lanes
from hipify_py.analysis.warp.lanes import lanes_of
from hipify_py.analysis.warp.launch_shapes import launch_shapes
from hipify_py.analysis.warp.pasted_built_ins import pasted_built_ins
from hipify_py.analysis.warp.shuffle_range import shuffle_ranges
from hipify_py.analysis.warp.single_warp_region import single_warp_region
from hipify_py.analysis.warp.uniformity import uniformity_of
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, warp_constants
from hipify_py.semantics.expressions import call_of, text_of, whole_name
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_PTX_LANES = re.compile(
    rb"%+(?:laneid|lanemask|warpid)"
    rb"|\b(?:vote|shfl|match|redux|activemask|elect)\.(?:sync|ballot|any|all|up|down|bfly|idx|b32)"
)
_PTX_VOTES = re.compile(rb"\b(?:vote|match|redux|activemask|elect)\.(?:sync|ballot|any|all|b32)")
_WAVEFRONT_LANES = frozenset(b"LaneId LaneMaskLt LaneMaskLe LaneMaskGt LaneMaskGe __lane_id coalesced_threads".split())
"""Functions whose lanes are a wavefront's: CUB's, HIP's and those of cooperative groups."""

_DEEPEST = 4
"""Functions that call each other, one within the other, whose lanes are taken to be the same."""


class WarpContext:
    """One unit's warps: the analyses of them under one roof, and what follows from several of them.

    Attributes:
        functions: the unit's functions.
        constants: what stands for the size of a warp.
        indices: what expressions say of the thread that computes them.
        lanes: what makes lanes and warps of thread indices.
        single_warp_region: where only one warp of a block gets.
        uniformity: where a part of a wavefront may get without the rest.
        launches: the shapes of the blocks that are launched.
        ranges: how far shuffles go.
        hardware_lanes: where the hardware is asked for a lane.
        calls: the warp operations in the order of their places.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.lexemes = unit.lexemes
        self.functions = functions_of(unit)
        self.constants = warp_constants(unit)
        self.lanes = lanes_of(unit)
        self.indices = self.lanes.indices
        self.single_warp_region = single_warp_region(unit)
        self.uniformity = uniformity_of(unit)
        self.launches = launch_shapes(unit)
        self.ranges = shuffle_ranges(unit)
        self.hardware_lanes = hardware_lanes(unit)

    @cached_property
    def calls(self) -> list[WarpCall]:
        return warp_calls_of(self.unit)

    @cached_property
    def _with_calls(self) -> frozenset[int]:
        return frozenset(call.function.start for call in self.calls if call.function is not None)

    def has_calls(self, function: Function) -> bool:
        """The function uses a warp operation itself."""
        return function.start in self._with_calls

    def asks_lanes(self, function: Function) -> bool:
        """The function, or one of this unit that it calls, uses warp operations."""
        return self.has_calls(function) or function.start in self._calling

    @cached_property
    def _calling(self) -> frozenset[int]:
        """The functions that call one with a warp operation, by the places of their bodies."""
        found = set()
        for name in self._users:
            for leaf in names_of(self.unit).mentions(name):
                function = self.functions.at(leaf.start_byte) if call_of(leaf) is not None else None
                if function is not None and leaf.start_byte > function.start:
                    found.add(function.start)
        return frozenset(found)

    @cached_property
    def _users(self) -> frozenset[bytes]:
        """The names of the functions and macros that use a warp operation."""
        return frozenset(filter(None, map(self.owner, self.calls))) | self.asked_elsewhere

    @cached_property
    def asked_elsewhere(self) -> frozenset[bytes]:
        """The helpers of the project's headers that this unit calls and does not define itself."""
        known = self.unit.project.warp_helpers.using
        return frozenset(name for name in known if self.is_called(name)) - self.defined if known else frozenset()

    def is_called(self, name: bytes) -> bool:
        """A function or macro of that name is called in this unit."""
        return any(call_of(leaf) is not None for leaf in names_of(self.unit).mentions(name))

    @cached_property
    def uses_warps(self) -> bool:
        """The unit has warp code, its own or a helper's."""
        return bool(self.calls or self.asked_elsewhere or self.hardware_lanes.places) or self.has_ptx_lanes

    @cached_property
    def defined(self) -> frozenset[bytes]:
        """The functions and macros of this unit."""
        return frozenset({function.name for function in self.functions}.union(d.text for d in self.lexemes.defines))

    @cached_property
    def has_wavefront_lanes(self) -> bool:
        """Lane numbers come from the hardware or a library, too: they go to 63 whatever the arithmetic does."""
        names = names_of(self.unit)
        helpers, macros = self.unit.project.warp_helpers, macros_of(self.unit)
        named = self.lexemes.words & _WAVEFRONT_LANES
        own = {word for word in named if names.is_declared(word) or macros.named(word)} | helpers.lanes | helpers.masks
        return any(
            _is_of_cub(leaf) or (call_of(leaf) is not None and word not in own)
            for word in named
            for leaf in names.mentions(word)
        )

    @cached_property
    def has_ptx_lanes(self) -> bool:
        """Inline PTX, or a function of `<cuda/ptx>`, asks for lanes, and is converted together with the built-ins."""
        is_asked = b"asm" in self.data and _PTX_LANES.search(self.data) is not None
        return is_asked or bool(self.hardware_lanes.called_as_ptx)

    @cached_property
    def has_ptx_votes(self) -> bool:
        """Inline PTX asks for what all lanes of a warp say together."""
        return b"asm" in self.data and _PTX_VOTES.search(self.data) is not None

    @cached_property
    def pastes_built_ins(self) -> bool:
        """A macro makes the name of a warp operation out of pieces."""
        return bool(pasted_built_ins(self.unit).pieces)

    def owner(self, call: WarpCall) -> bytes | None:
        """The name of the macro or the function that a warp operation stands in."""
        define = self.lexemes.define_around(call.use.start)
        if define is not None:
            return define.text
        return None if call.function is None else call.function.name

    @cached_property
    def callers(self) -> Callers:
        """Who calls the functions and macros that use warp operations."""
        return Callers(self.unit, filter(None, map(self.owner, self.calls)))

    def counts(self, function: Function) -> frozenset[str]:
        """What a function counts lanes in: by itself, by its rows of threads, or else as those that call it."""
        return self._counts_of(function.name, function, 0)

    def _counts_of(self, name: bytes, function: Function | None, depth: int) -> frozenset[str]:
        key = name if function is None else function.start
        known = self._counts.get(key)
        if known is None:
            self._counts[key] = frozenset()  # asked again on the way: it calls itself
            known = self.lanes.counts(function)
            if not known and name in self.launches.row_kernels:
                known = frozenset({THIRTY_TWO})
            if not known and depth < _DEEPEST:
                calling = {caller.start: caller for _, caller in self.callers.of(name)}
                known = frozenset().union(*(self._counts_of(f.name, f, depth + 1) for f in calling.values()))
            self._counts[key] = known
        return known

    @cached_property
    def _counts(self) -> dict[bytes | int, frozenset[str]]:
        return {}

    def counts_32(self, function: Function | None) -> bool:
        """Every lane of a function is counted in 32, or its blocks are rows of 32 threads."""
        return function is not None and self.counts(function) == {THIRTY_TWO}

    def has_rows_of_32(self, place: int) -> bool:
        """A place in a kernel that this unit launches with blocks of 32 threads, or of rows of 32."""
        function = self.functions.at(place)
        launched = self.launches.row_kernels | self.launches.single_warp_kernels
        return function is not None and function.name in launched

    def means_32(self, place: int) -> bool:
        """A `warpSize` at a place, or a shuffle counted in one, means 32 lanes, whatever the wavefront has."""
        return place in groups_of_32(self.unit).places or self.has_rows_of_32(place)

    def is_single_warp(self, function: Function) -> bool:
        """The blocks of a kernel have 32 threads: there is no second half of a wavefront."""
        if function.name in self.launches.single_warp_kernels:
            return True
        return self._bounded_to_32(function)

    def _bounded_to_32(self, function: Function) -> bool:
        """`__launch_bounds__(32)` stands in a kernel's head."""
        node = function.node
        bounds = [child for child in node.children if child.type == "launch_bounds"] if node is not None else []
        return any(
            self.indices.counted_in(bound.named_children[0]) == THIRTY_TWO
            for bound in bounds
            if bound.named_child_count
        )

    @cached_property
    def all_counts(self) -> frozenset[str]:
        """What the lanes of the whole unit are counted in: by arithmetic, shuffle loops and rows of threads.

        In kernels that run in rows of 32 threads `warpSize` is 32, whatever the wavefront.
        """
        found = {site.counted_in for site in self.lanes.sites if not self.has_rows_of_32(site.start)}
        reaches = [(call.use.start, self.ranges.of_warp(call)) for call in self.calls]
        found.update(reach for place, reach in reaches if reach is not None and not self.means_32(place))
        if self.launches.row_kernels or self.launches.single_warp_kernels:
            found.add(THIRTY_TWO)
        return frozenset(found)


def _is_of_cub(leaf: Node) -> bool:
    return text_of(whole_name(leaf)).startswith((b"cub::", b"hipcub::"))


def warp_context(unit: Unit) -> WarpContext:
    """The warps of a unit, worked out once for all the rules."""
    return unit.analysis(WarpContext)
