"""The outcome of each warp operation: kept at 32 lanes, native by proof, the author's own, or reported.

In CUDA a warp has 32 lanes, so keeping them needs no analysis. Each operation whose row in the tables has a `warp32`
form takes it, unless an AMD branch has made the code around it the author's own, or everything that is compiled
together is proved to count in `warpSize`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.analysis.dataflow.summaries import Summaries
from hipify_py.analysis.warp.amd_branches import amd_branches
from hipify_py.analysis.warp.author_choices import author_choices, is_of_own_half, may_have_choices
from hipify_py.analysis.warp.host_reads import QUERIES, may_query_warp_size
from hipify_py.analysis.warp.native_proof import native_obstacle
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.core.options import WARPS
from hipify_py.core.ranges import Ranges
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.unit import Unit, Use, is_hip_header
from hipify_py.semantics.calls import call_at, is_argument_pack
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.device_code import function_bodies
from hipify_py.semantics.effective_rows import row_with_32_lanes
from hipify_py.semantics.expressions import NAMES, operator_of, strip_parentheses, subexpressions
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import becomes_member
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LANES = 32
_BY_DISTANCE = re.compile(r"__shfl_(?:up|down|xor)(?:_sync)?")
_LOOP = re.compile(
    rb"for\s*\(\s*(?:unsigned\s+int|unsigned|int|auto)\s+(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<first>\d{1,9})\s*;"
    rb"\s*(?P=name)\s*(?:>=?\s*\d+\s*;\s*(?P=name)\s*(?:>>=|/=)|<\s*(?P<limit>\d{1,9})\s*;\s*(?P=name)\s*(?:<<=|\*=))\s*\d+\s*\)"
)
"""A loop over a falling or a rising variable, which starts with a number."""
KEPT, NATIVE, AUTHOR, REPORTED = "kept", "native", "author", "reported"
"""Kept at 32 lanes; native by proof; the author's own AMD code; unchanged, with a finding."""


class WarpDecisions:
    """The decision for each place of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._choices = author_choices(unit) if not unit.is_hip and may_have_choices(unit) else None
        self._only_amd = amd_branches(unit).only_amd
        self._cudas = amd_branches(unit).without_macros
        self._else = AUTHOR if unit.is_hip or self._is_amd_header() else ""

    def at(self, place: int) -> str:
        """The outcome of a warp operation at a place."""
        if self._else == AUTHOR or place in self._only_amd or self._is_chosen(place):
            return AUTHOR
        if not self._else:
            self._else = self._default()
        return self._else

    def _is_amd_header(self) -> bool:
        """Whether the source includes HIP's headers in every build, and none of CUDA's: llama.cpp's `vendors/hip.h`.

        What it defines for AMD GPUs under CUDA's names is HIP's.
        """
        includes = self._unit.lexemes.includes
        is_hips = any(is_hip_header(one.path) and one.start not in self._only_amd for one in includes)
        return is_hips and not self._unit.includes_cuda

    def ptx_outcome(self, place: int) -> str:
        """The outcome of an inline PTX statement. In AMD-only code it is CUDA's, not an author's choice."""
        if WARPS in self._unit.options.fixes and (self._unit.is_hip or place in self._only_amd):
            return KEPT
        return self.at(place)

    def _is_chosen(self, place: int) -> bool:
        return self._choices is not None and place not in self._cudas and self._choices.owns(place)

    def _default(self) -> str:
        if not native_obstacle(self._unit):
            return NATIVE
        return KEPT if WARPS in self._unit.options.fixes else REPORTED

    def contradicts(self, use: Use) -> bool:
        """Whether an AMD-only operation is over the wavefront, and warps around it are kept at 32 lanes.

        Around it are its function and the callers of that in the source. What AMD GPUs do not compile counts as well,
        unless
        the operation depends on nothing outside of its branch.
        """
        unit = self._unit
        if use.start not in self._only_amd or unit.is_hip or self._is_chosen(use.start):
            return False
        function = functions_of(unit).at(use.start)
        if function is None or self._default() != KEPT or not _goes_over_wavefront(unit, use):
            return False
        around = Ranges((one.start, one.end) for one in _with_callers(unit, function))
        kept = [other.start for other in warp_uses(unit) if other.start in around and self.outcome(other) == KEPT]
        beside = amd_branches(unit).beside
        return any(place not in beside for place in kept) or (bool(kept) and not self._is_self_contained(use))

    def _is_self_contained(self, use: Use) -> bool:
        """Whether the lane of a shuffle uses only constants and names that are declared in AMD-only code."""
        call = _call_of(self._unit, use)
        if call is None or not call.is_shuffle or call.distance is None:
            return False
        names = names_of(self._unit)
        told_by = [leaf for leaf in subexpressions(call.distance) if leaf.type in NAMES]
        return all(one.place in self._only_amd for leaf in told_by for one in names.resolve(leaf)) and all(
            map(names.resolve, told_by)
        )

    def outcome(self, use: Use) -> str:
        """The outcome of a name of the tables that is a warp operation."""
        decision = self.host_outcome(use.start) if use.row.name in QUERIES else self.at(use.start)
        if decision == KEPT and not self._unit.options.support and row_with_32_lanes(self._unit, use).section:
            return REPORTED
        return decision

    def host_outcome(self, place: int) -> str:
        """The outcome of a read of the device's warp size: 32, unless nothing that is linked keeps its warps so."""
        if self._else == AUTHOR or place in self._only_amd or self._is_chosen(place):
            return AUTHOR
        project, on_device = self._unit.project, self._on_device
        is_native = bool(on_device) and on_device <= {NATIVE, AUTHOR}
        if is_native or project.native_warps or (project.has_device_warps and not on_device):
            return NATIVE
        return KEPT if WARPS in self._unit.options.fixes else REPORTED

    @cached_property
    def _on_device(self) -> frozenset[str]:
        """The outcome of the unit's warp operations in device code."""
        return frozenset(self.outcome(use) for use in warp_uses(self._unit) if use.row.name not in QUERIES)


def _with_callers(unit: Unit, function: Function) -> list[Function]:
    """A function, and all functions of the source that reach it by calls."""
    functions, names = functions_of(unit), names_of(unit)
    found, pending = {function.start: function}, [function]
    while pending:
        called = pending.pop()
        callers = (functions.at(leaf.start_byte) for leaf in names.mentions(called.name))
        fresh = {one.start: one for one in callers if one is not None and one.start not in found}
        found |= fresh
        pending += fresh.values()
    return list(found.values())


def _goes_over_wavefront(unit: Unit, use: Use) -> bool:
    """Whether this is a vote that is not split into halves, a match or a reduction; or a shuffle without a width.

    A scan leaves out what comes from below its warp, so that `__shfl_up` gives it the same over 64 lanes.
    """
    if is_of_own_half(unit, use.start):
        return False
    call = _call_of(unit, use)
    if call is None or call.name == "__syncwarp":
        return False
    return not call.is_shuffle or not (call.has_width or call.name.startswith("__shfl_up"))


def _call_of(unit: Unit, use: Use) -> WarpCall | None:
    return next((call for call in warp_calls_of(unit) if call.use.start == use.start), None)


def warp_uses(unit: Unit) -> Iterator[Use]:
    """The names of the tables that are warp operations, or that read the size of warps."""
    for use in unit.uses:
        if not use.row.details or "warp32" not in use.row.details:
            continue
        if may_query_warp_size(unit, use) if use.row.name in QUERIES else not _is_member(unit, use):
            yield use


def _is_member(unit: Unit, use: Use) -> bool:
    """Whether `warpSize` is the name of a member that a macro makes of its argument."""
    if use.row.name != "warpSize" or not unit.lexemes.defines:
        return False
    leaf = unit.tree.leaf(use.start, use.end)
    return leaf is not None and becomes_member(unit, leaf)


def kept_warps(unit: Unit) -> frozenset[int]:
    """The offsets of the names that are kept at 32 lanes."""
    decisions = warp_decisions(unit)
    return frozenset(use.start for use in warp_uses(unit) if decisions.outcome(use) == KEPT)


def unbounded_distances(unit: Unit) -> frozenset[int]:
    """The offsets of the shuffles kept at 32 lanes whose distances may be outside of 0 to 31.

    Five bits of a distance count in CUDA (PTX ISA, shfl.sync), and all of them in HIP (amd_warp_functions.h).
    """
    places = {
        use.start
        for use in unit.uses
        if use.start in unit.kept_warps and _BY_DISTANCE.fullmatch(use.row.name) and not _halves_in_loop(unit, use)
    }
    if not places:
        return frozenset()
    return frozenset(
        call.use.start for call in warp_calls_of(unit) if call.use.start in places and not _is_within_warp(unit, call)
    )


def _loops_over_numbers(unit: Unit) -> dict[bytes, list[re.Match[bytes]]]:
    """The loops over falling and rising variables, in order, by the variables' names."""
    found: dict[bytes, list[re.Match[bytes]]] = {}
    for loop in _LOOP.finditer(unit.source.data):
        found.setdefault(loop["name"], []).append(loop)
    return found


def _halves_in_loop(unit: Unit, use: Use) -> bool:
    """Whether a shuffle's distance is a number from 0 to 31, or the variable of a loop over some of them.

    The words of the loop tell: `for (int d = 16; d > 0; d /= 2)`, where nothing in it sets the variable, too.
    """
    call, data, lexemes = call_at(unit, use.end), unit.source.data, unit.lexemes
    position = 2 if use.row.name.endswith("_sync") else 1
    if (
        call is None
        or len(call.arguments) <= position
        or any(is_argument_pack(data[slice(*one)]) for one in call.arguments)
    ):
        return False
    distance = data[slice(*call.arguments[position])]
    if distance.isdigit():
        return int(distance) < _LANES
    function = function_bodies(unit).at(use.start)
    if function is None:
        return False
    loops = unit.analysis(_loops_over_numbers).get(distance, [])
    before = bisect_left(loops, use.start, key=lambda loop: loop.start()) - 1
    if before < 0 or loops[before].start() < function.start:
        return False
    loop = loops[before]
    is_within = int(loop["first"]) < _LANES and int(loop["limit"] or 0) <= _LANES
    opening = lexemes.after(loop.end())
    body = match_forward(lexemes, opening, len(data)) if data[opening : opening + 1] == b"{" else None
    end = body[0] if body is not None else data.find(b";", opening)
    sets = re.compile(rb"(?:\+\+|--|&)\s*\b%b\b|\b%b\s*(?:\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=))" % (distance, distance))
    return is_within and use.start < end and sets.search(data, opening, end) is None


def _is_within_warp(unit: Unit, call: WarpCall) -> bool:
    if call.distance is None:
        return False
    if _is_masked(unit, strip_parentheses(call.distance)):
        return True
    value = constants_of(unit).value(call.distance)
    if value is not None or call.function is None:
        return value is not None and 0 <= value < 32
    analysis = unit.analysis(Summaries).analyze(call.function)
    name = call.distance.parent.parent if call.distance.parent is not None else None
    operation = analysis.lowered.calls.get(name.id) if analysis is not None and name is not None else None
    if analysis is None or operation is None or len(operation.arguments) <= call.first + 1:
        return False
    return analysis.intervals.at(operation.arguments[call.first + 1], operation).is_within(0, 31)


def _is_masked(unit: Unit, distance: Node) -> bool:
    """`x & 31`, also in the body of a macro."""
    mask = constants_of(unit).value(distance.child_by_field_name("right")) if operator_of(distance) == "&" else None
    return mask is not None and 0 <= mask < 32


def warp_decisions(unit: Unit) -> WarpDecisions:
    """The decisions about a unit's warps, computed on first use."""
    return unit.analysis(WarpDecisions)


def keeps_32(unit: Unit, place: int) -> bool:
    """Whether the warp of the code at a place has 32 lanes, also on GPUs with 64-lane wavefronts."""
    return warp_decisions(unit).at(place) == KEPT
