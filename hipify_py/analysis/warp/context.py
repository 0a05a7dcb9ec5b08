"""The warps of a source: its warp built-ins, what their lanes are counted in, and who runs them.

A number 32 says nothing by itself. It counts here where it divides a thread index in a source that uses warp
built-ins, where a shuffle loop starts at its half, or where a constant's name says so.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from hipify_py.analysis.warp.divergence import Divergence
from hipify_py.analysis.warp.hardware_lanes import HardwareLanes
from hipify_py.analysis.warp.helpers import TEMPLATE_ARGUMENTS, Helpers
from hipify_py.analysis.warp.lane_arithmetic import LaneArithmetic
from hipify_py.analysis.warp.launch_shapes import LaunchShapes
from hipify_py.analysis.warp.single_warp_region import SingleWarpRegion
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, WarpConstants
from hipify_py.semantics.calls import Call, call_at
from hipify_py.semantics.functions import Function, Functions, functions_of
from hipify_py.unit import Unit, Use

BUILT_IN = re.compile(
    r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__(?:match_any|match_all|reduce_\w+)_sync|__activemask"
    r"|__syncwarp"
)

_FOREIGN_LANES = re.compile(rb"\bLaneId\b|\bLaneMask\w*\b|\b__lane_id\b|\bcoalesced_threads\b")
_PTX_LANES = re.compile(
    rb"%+(?:laneid|lanemask|warpid)|\b(?:vote|shfl|match|redux|activemask)\.(?:sync|ballot|any|all|up|down|bfly|idx|b32)"
)
_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*" + TEMPLATE_ARGUMENTS + rb"\(")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_HALF = re.compile(rb"\(?\s*(?:16[uU]?|(?:32[uU]?|([A-Za-z_][\w:]*))\s*(?:/\s*2|>>\s*1))\s*\)?")
_FIRST_ASSIGNED = rb"(?<![\w.>])%s\s*(?:=(?!=)|\{)\s*([^;,{}]*[^;,{}\s])\s*[;,}]"
_UPPER_BOUND = rb"(?<![\w.>])%s\s*(?:<|!=)\s*([^;)=]*[^;)=\s])\s*[;)]"
_POWER = re.compile(rb"\(?1[uU]?\s*<<\s*([A-Za-z_]\w*)\)?")
_LONGEST_LOOP = 3000
_DEEPEST = 4
"""Functions that ask for each other, one within the other, whose lanes are taken to be the same."""


class WarpCall(NamedTuple):
    """A warp built-in in use; `call` is None where no argument list follows it."""

    use: Use
    call: Call | None
    function: Function | None

    @property
    def name(self) -> str:
        return self.use.row.name

    @property
    def is_shuffle(self) -> bool:
        return self.name.startswith("__shfl")

    @property
    def masked(self) -> bool:
        """The first argument is a mask."""
        return self.name.endswith("_sync") or self.name == "__syncwarp"

    @property
    def first(self) -> int:
        """The position of the first argument behind the mask."""
        return 1 if self.masked else 0

    @property
    def has_width(self) -> bool:
        return self.call is not None and len(self.call.arguments) > self.first + 2


class WarpContext:
    """One source's warps. Everything is found once, when first asked for.

    Attributes:
        constants: what stands for the size of a warp.
        arithmetic: what makes lanes and warps of thread indices.
        single_warp_region: where only one warp of a block gets.
        divergence: where a part of a wavefront may get without the rest.
        launches: the shapes of the blocks that are launched.
        hardware_lanes: where the hardware is asked for a lane.
    """

    def __init__(self, unit: Unit, functions: Functions | None = None) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.lexemes = unit.lexemes
        self.functions = functions_of(unit) if functions is None else functions
        self.constants = WarpConstants(unit)
        self.arithmetic = LaneArithmetic(unit, self.functions, self.constants)
        self.single_warp_region = SingleWarpRegion(self.arithmetic)
        self.divergence = Divergence(self.single_warp_region)
        self.launches = LaunchShapes(unit, self.functions, self.constants)
        self.hardware_lanes = HardwareLanes(self)

    @cached_property
    def calls(self) -> list[WarpCall]:
        """The warp built-ins in the order of their places."""
        return [
            WarpCall(use, call_at(self.unit, use.end), self.functions.at(use.start))
            for use in self.unit.uses
            if use.row.library == "device" and BUILT_IN.fullmatch(use.row.name)
        ]

    @cached_property
    def _with_calls(self) -> frozenset[int]:
        return frozenset(call.function.start for call in self.calls if call.function is not None)

    def has_calls(self, function: Function) -> bool:
        """The function uses a warp built-in itself."""
        return function.start in self._with_calls

    def asks_lanes(self, function: Function) -> bool:
        """The function, or one of this source that it asks, uses warp built-ins."""
        known = self._asking.get(function.start)
        if known is None:
            named = _CALLED.findall(self.data, function.start, function.end)
            known = self._asking[function.start] = self.has_calls(function) or any(
                name in self._users for name in named
            )
        return known

    @cached_property
    def _asking(self) -> dict[int, bool]:
        return {}

    @cached_property
    def _users(self) -> frozenset[bytes]:
        """The names of the functions that use a warp built-in."""
        own = frozenset(call.function.name for call in self.calls if call.function is not None)
        return own | self.asked_elsewhere

    @cached_property
    def asked_elsewhere(self) -> frozenset[bytes]:
        """The helpers of the project's headers that this source asks and does not define itself."""
        known = self.unit.project.warp_helpers.using
        return (self.called & known) - self.defined if known else frozenset()

    @cached_property
    def uses_warps(self) -> bool:
        """The source has warp code, its own or a helper's."""
        return bool(self.calls or self.asked_elsewhere or self.hardware_lanes.places) or self.has_ptx_lanes

    @cached_property
    def called(self) -> frozenset[bytes]:
        """The names with an argument list."""
        return frozenset(_CALLED.findall(self.data))

    @cached_property
    def defined(self) -> frozenset[bytes]:
        """The functions and macros of this source."""
        return frozenset({function.name for function in self.functions}.union(d.text for d in self.lexemes.defines))

    @cached_property
    def has_foreign_lanes(self) -> bool:
        """Lane numbers come from elsewhere, too (CUB): they go to 63 whatever the arithmetic does."""
        return _FOREIGN_LANES.search(self.data) is not None

    @cached_property
    def has_ptx_lanes(self) -> bool:
        """Inline PTX asks for lane numbers or for other lanes, and is converted together with the built-ins."""
        return _PTX_LANES.search(self.data) is not None

    def owner(self, call: WarpCall) -> bytes | None:
        """The name of the macro or the function that a built-in stands in."""
        define = self.lexemes.define_around(call.use.start)
        if define is not None:
            return define.text
        return None if call.function is None else call.function.name

    @cached_property
    def helpers(self) -> Helpers:
        """Who asks the functions and macros that use warp built-ins."""
        owners = (self.owner(call) for call in self.calls)
        return Helpers(self.lexemes, self.functions, {name for name in owners if name is not None})

    def counts(self, function: Function) -> frozenset[str]:
        """What a function counts lanes in: by itself, by its rows of threads, or else as those that ask for it."""
        return self._counts_of(function.name, function, 0)

    def _counts_of(self, name: bytes, function: Function | None, depth: int) -> frozenset[str]:
        known = self._counts.get(name) if function is None else self._counts.get(function.start)
        if known is None:
            key = name if function is None else function.start
            self._counts[key] = frozenset()  # asked again on the way: it asks for itself
            known = self.arithmetic.counts(function)
            if not known and name in self.launches.row_kernels:
                known = frozenset({THIRTY_TWO})
            if not known and depth < _DEEPEST:
                asking = {asker.start: asker for _, asker in self.helpers.asking(name)}
                known = frozenset().union(*(self._counts_of(f.name, f, depth + 1) for f in asking.values()))
            self._counts[key] = known
        return known

    @cached_property
    def _counts(self) -> dict[bytes | int, frozenset[str]]:
        return {}

    def counts_32(self, function: Function | None) -> bool:
        """Every lane of a function is counted in 32, or its blocks are rows of 32 threads."""
        return function is not None and self.counts(function) == {THIRTY_TWO}

    def has_rows_of_32(self, place: int) -> bool:
        """A place in a kernel that this source launches with blocks of 32 threads, or of rows of 32."""
        function = self.functions.at(place)
        launched = self.launches.row_kernels | self.launches.single_warp_kernels
        return function is not None and function.name in launched

    @cached_property
    def all_counts(self) -> frozenset[str]:
        """What the lanes of the whole source are counted in: by arithmetic, shuffle loops and rows of threads.

        In kernels that run in rows of 32 threads `warpSize` is 32, whatever the wavefront.
        """
        found = {site.counted_in for site in self.arithmetic.sites if not self.has_rows_of_32(site.start)}
        reaches = [(call.use.start, self.loop_reach(call)) for call in self.calls]
        found.update(reach for place, reach in reaches if reach is not None and not self.has_rows_of_32(place))
        if self.launches.row_kernels or self.launches.single_warp_kernels:
            found.add(THIRTY_TWO)
        return frozenset(found)

    # ------------------------------------------------------------------ shuffles

    def loop_reach(self, call: WarpCall) -> str | None:
        """What a shuffle over a whole warp counts its lanes in; nothing is said by one over a few neighbours."""
        if not call.is_shuffle or call.name in ("__shfl", "__shfl_sync"):
            return None
        return self.reach(call) if not self.is_one_step(call) or self.argument(call, call.first + 1) == b"16" else None

    def is_one_step(self, call: WarpCall) -> bool:
        """A shuffle over a distance that is written as a number."""
        return self.argument(call, call.first + 1).rstrip(b"uU").isdigit()

    def reach(self, call: WarpCall) -> str | None:
        """How far a shuffle's offset goes: THIRTY_TWO within 32 lanes, FOLLOWS up to `warpSize`; None if unknown."""
        offset = self.argument(call, call.first + 1)
        if offset.rstrip(b"uU").isdigit():
            return THIRTY_TWO if int(offset.rstrip(b"uU")) <= 16 else None
        if _WORD.fullmatch(offset) is None:
            return THIRTY_TWO if self._is_power_of_32(call, offset) else self._half(offset)
        start, end = self.loop_limit(call) or (0, 0)
        limit = self.data[start:end]
        if limit.rstrip(b"uU") in (b"32", b"16", b"8", b"4"):
            return THIRTY_TWO
        return self.constants.counted_in(limit) if _WORD.fullmatch(limit) else self._half(limit)

    def _is_power_of_32(self, call: WarpCall, offset: bytes) -> bool:
        """`1 << i` in a loop over `i` from 4 down, or from 0 to below 5."""
        power = _POWER.fullmatch(offset)
        if power is None or call.function is None:
            return False
        first = max(call.function.start, call.use.start - _LONGEST_LOOP)
        values = re.findall(_FIRST_ASSIGNED % re.escape(power[1]), self.data[first : call.use.start])
        if not values or values[-1] != b"0":
            return bool(values) and values[-1] in (b"4", b"3", b"2", b"1")
        bound = re.compile(_UPPER_BOUND % re.escape(power[1])).search(self.data, first, call.use.start)
        return bound is not None and bound[1] in (b"5", b"4", b"3", b"2")

    def loop_limit(self, call: WarpCall) -> tuple[int, int] | None:
        """Where the loop over a shuffle's offset says how far it goes: in its first value, or in its upper bound."""
        offset = self.argument(call, call.first + 1)
        define = self.lexemes.define_around(call.use.start)
        if _WORD.fullmatch(offset) is None or (call.function is None and define is None):
            return None
        floor = define.end if define is not None else call.function.start if call.function is not None else 0
        first = max(floor, call.use.start - _LONGEST_LOOP)
        last = None
        for match in re.finditer(_FIRST_ASSIGNED % re.escape(offset), self.data[first : call.use.start]):
            if self._half(match[1]) is not None or match[1].rstrip(b"uU") in (b"1", b"2"):
                last = match
        if last is None:
            return None
        if self._half(last[1]) is not None:
            return first + last.start(1), first + last.end(1)
        bound = re.compile(_UPPER_BOUND % re.escape(offset)).search(self.data, first + last.end(1), call.use.start)
        return None if bound is None else bound.span(1)

    def _half(self, text: bytes) -> str | None:
        match = _HALF.fullmatch(text)
        if match is None:
            return None
        return THIRTY_TWO if match[1] is None else self.constants.counted_in(match[1])

    def argument(self, call: WarpCall, position: int) -> bytes:
        """The text of an argument; empty where there is none."""
        if call.call is None or position >= len(call.call.arguments):
            return b""
        start, end = call.call.arguments[position]
        return self.data[start:end]


@lru_cache(maxsize=4)
def warp_context(unit: Unit) -> WarpContext:
    """The warps of a unit, worked out once for all the rules."""
    return WarpContext(unit)
