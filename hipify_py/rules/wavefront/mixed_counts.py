"""Finds functions that count the lanes of a warp in 32 at one place and in `warpSize` at another."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.emulate_warp32 import FAMILY, emulates_warp32
from hipify_py.analysis.warp.ends_of_warps import ends_of_warps
from hipify_py.analysis.warp.groups_of_32 import Shuffle, groups_of_32
from hipify_py.analysis.warp.mixed_counts import OTHER, mixed_counts_of, says_over
from hipify_py.analysis.warp.thread_indices import COUNT, WARP
from hipify_py.analysis.warp.unrolled import chains, wider_steps
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.records import NamedTuple
from hipify_py.rules.base import NO_FIXES, Example, Rule
from hipify_py.rules.triggers import WARP_BUILT_INS, words
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.functions import Function
from hipify_py.translation import AppliedFix
from hipify_py.unit import Unit


class MixedCounts(Rule):
    """Where lanes are counted in `warpSize`, a reduction that starts at 16 leaves half of a 64-lane wavefront out.

    The other way round, one that starts at `warpSize / 2` adds two warps of 32 lanes up, each of which believes the
    sum its own. On NVIDIA GPUs both numbers are 32, so that nothing shows there. Without `--no-fix wavefront` the
    loop follows: it starts at `warpSize / 2` where all that asks for it counts in `warpSize`. One that is written out,
    a statement for each distance, gets a step over 32 lanes. In a shuffle with a width of 32, or one that only 32
    threads reach, `warpSize / 2` becomes `32 / 2`: 64 lanes make the distance 32, at which a lane reads its own value,
    or that of a lane which takes no part.

    A test whether the lane of a shuffle is there, `lane + d < 32`, follows `warpSize` as the loops do. Source lanes
    that go round at 32, steps of 32 from a lane on and 32 places for a warp in memory, arrays of 32 included, are
    reported: what belongs to them may stand elsewhere.
    """

    id = "HIP306"
    triggers = words(*WARP_BUILT_INS, "shfl", "shfl_down", "shfl_up", "shfl_xor")
    fixes = NO_FIXES
    VALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, v = o[lane];"
            " for (int i = warpSize / 2; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }"
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % 32, v = o[lane];"
            " for (int i = 16; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, v = o[lane];"
            " for (int i = 16; i > 0; i /= 2) v += __shfl_down_sync(0xffffffffffffffffull, v, i); }",
            None,
            ("HIP306",),
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x & 31, warp = threadIdx.x / warpSize;"
            " int v = __shfl_xor(o[lane], 1); if (lane == 0) o[warp] = v; }",
            None,
            ("HIP306",),
        ),
        Example(
            "__global__ void k(int *o) { int lane = threadIdx.x % warpSize, next = __shfl_down(o[lane], 1);"
            " if (lane + 1 < 32) o[lane] = next; }",
            None,
            ("HIP306",),
        ),
        Example(
            "__global__ void k(int *o, int n) { int lane = threadIdx.x % warpSize, first = __shfl(o[lane], 0);"
            " for (int i = lane; i < n; i += 32) o[i] += first; }",
            None,
            ("HIP306",),
        ),
        Example(
            "__device__ int sum(int v) { for (int i = 16; i; i /= 2) v += __shfl_xor_sync(0xffffffffffffffffull, v, i);"
            " return v; }\n__global__ void k(int *o) { if (threadIdx.x % warpSize == 0) o[0] = sum(o[1]); }",
            None,
            ("HIP306",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | AppliedFix]:
        context = warp_context(unit)
        if context.constants.is_ported or emulates_warp32(context):
            return
        for reduction in [*_loops(context), *_written_out(context)]:
            yield from _compared(context, reduction)
        yield from _among_32(context)
        yield from _warps_counted(context)
        yield from _lanes_and_warps(context)
        yield from _ends_of_32(context)


class _Reduction(NamedTuple):
    """What goes over a whole warp in a function or macro; `edits` let it follow `warpSize`, if there are any."""

    owner: bytes
    function: Function | None
    place: int
    name: str
    reach: str
    edits: tuple[Edit, ...]


def _loops(context: WarpContext) -> Iterator[_Reduction]:
    """The loops over the distance of a shuffle, those of one function together."""
    by_owner: dict[bytes, list[WarpCall]] = {}
    groups = groups_of_32(context.unit)
    for call in context.calls:
        owner = context.owner(call)
        if owner is None or call.has_width or groups.has(call):
            continue
        if context.ranges.of_warp(call) in OTHER:
            by_owner.setdefault(owner, []).append(call)
    for owner, calls in by_owner.items():
        reach = str(context.ranges.of_warp(calls[0]))
        if any(
            context.ranges.of_warp(call) != reach or context.ranges.fixed_distance(call) is not None for call in calls
        ):
            continue
        found = {context.ranges.limit(call.distance, call.use.start, call.function) for call in calls}
        limits = [limit for limit in found if limit is not None]
        edits = [
            Edit(
                limit.start_byte,
                limit.end_byte,
                b"warpSize" if text_of(limit).rstrip(b"uU") == b"32" else b"warpSize / 2",
            )
            for limit in sorted(limits, key=lambda limit: limit.start_byte)
        ]
        function = _function_of(context, calls[0])
        yield _Reduction(owner, function, calls[0].use.start, calls[0].name, reach, tuple(edits))


def _written_out(context: WarpContext) -> Iterator[_Reduction]:
    for chain in chains(context):
        step = chain.widest
        name = "__shfl" if step.call is None else step.call.name
        as_written = not context.unit.options.mends(FAMILY, "HIP306")
        edits = tuple(wider_steps(context, chain, as_written=as_written))
        yield _Reduction(chain.owner, chain.function, step.place, name, THIRTY_TWO, edits)


def _function_of(context: WarpContext, call: WarpCall) -> Function | None:
    return call.function if context.lexemes.define_around(call.use.start) is None else None


def _compared(context: WarpContext, reduction: _Reduction) -> Iterator[Edit | Finding | AppliedFix]:
    """A reduction beside what the lanes around it are counted in: its own function's, or those who ask for it."""
    function, other = reduction.function, {OTHER[reduction.reach]}
    if function is not None and _has_last_step(context, function):
        return
    counts = context.lanes.counts(function)
    if counts:
        if counts == other:
            yield from _told(context, reduction, reduction.place, reduction.name)
        return
    places = [(place, context.lanes.counts(asker)) for place, asker in context.callers.of(reduction.owner)]
    name = reduction.owner.decode()
    if places and not context.unit.source.is_header and all(counts == other for _, counts in places):
        yield from _told(context, reduction, places[0][0], name)
        return
    for place, counts in places:
        if counts == other:
            yield context.unit.finding("HIP306", place, name=name, library="device", detail=says_over(reduction.reach))


def _told(context: WarpContext, reduction: _Reduction, place: int, name: str) -> Iterator[Edit | Finding | AppliedFix]:
    """The reduction follows the lanes around it where that is asked for, and is reported otherwise."""
    edits = reduction.edits if reduction.reach == THIRTY_TWO else ()
    if edits and context.unit.options.mends(FAMILY, "HIP306"):
        yield from edits
        yield AppliedFix(place, FAMILY)
        return
    detail = says_over(reduction.reach)
    yield context.unit.finding("HIP306", place, name=name, library="device", detail=detail, fix=edits)


def _among_32(context: WarpContext) -> Iterator[Edit | Finding | AppliedFix]:
    """The `warpSize` in the distances of shuffles among 32 lanes: findings with their fixes."""
    unit, groups = context.unit, groups_of_32(context.unit)
    bounded: set[int] = set()
    for size, shuffles in groups.sizes:
        edits = [Edit(size.start, size.end, size.number)]
        for shuffle in shuffles:
            if shuffle.unbounded is not None and shuffle.place not in bounded:
                bounded.add(shuffle.place)
                edits.append(Edit(shuffle.unbounded, shuffle.unbounded, b", 32"))
        if unit.options.mends(FAMILY, "HIP306"):
            yield from edits
            yield AppliedFix(size.start, FAMILY)
        else:
            yield _leaves_32(unit, shuffles[0], size.start, edits)
    for shuffle in groups.mixed:
        yield _leaves_32(unit, shuffle, shuffle.place, [])


def _leaves_32(unit: Unit, shuffle: Shuffle, place: int, edits: list[Edit]) -> Finding:
    detail = "shuffles among 32 lanes, but counts its distance in warpSize: on 64 lanes the first step leaves them"
    if shuffle.is_indexed:
        detail = (
            "shuffles among 32 lanes, but counts the lane that it reads in warpSize: on 64 lanes that is another one"
        )
    return unit.finding("HIP306", place, name=shuffle.name, library="device", detail=detail, fix=edits)


def _warps_counted(context: WarpContext) -> Iterator[Edit | Finding | AppliedFix]:
    """The number of a block's warps, counted otherwise than the warps themselves."""
    for site in context.lanes.sites:
        function = context.functions.at(site.start)
        if site.kind != COUNT or site.counted_in not in OTHER or function is None:
            continue
        if context.lanes.counts(function) != {OTHER[site.counted_in]} or not context.asks_lanes(function):
            continue
        text = context.data[site.start : site.end]
        edits = [Edit(site.end - 2, site.end, b"warpSize")] if text.endswith(b"32") and b"/" in text else []
        if edits and context.unit.options.mends(FAMILY, "HIP306"):
            yield from edits
            yield AppliedFix(site.start, FAMILY)
            continue
        detail = f"counts warps in {site.counted_in}, but the lanes around it are counted in {OTHER[site.counted_in]}"
        name = text.decode(errors="replace")
        yield context.unit.finding("HIP306", site.start, name=name, library="device", detail=detail, fix=edits)
    yield from _warps_named(context)


def _warps_named(context: WarpContext) -> Iterator[Finding]:
    """A number of warps that a function takes from elsewhere, once for each name; an array may have more elements."""
    for function in context.functions:
        counts = context.lanes.counts(function)
        if len(counts) != 1 or not counts <= OTHER.keys() or not context.asks_lanes(function):
            continue
        (counted,) = counts
        told: set[bytes] = set()
        for leaf, index in context.lanes.numbers_of_warps(function):
            name = text_of(leaf)
            if index.counted_in != OTHER[counted] or name in told or is_constant_use(context.unit, leaf):
                continue
            told.add(name)
            detail = f"counts warps in {OTHER[counted]}, but the lanes around it are counted in {counted}"
            shown = name.decode(errors="replace")
            yield context.unit.finding("HIP306", leaf.start_byte, name=shown, library="device", detail=detail)


def _lanes_and_warps(context: WarpContext) -> Iterator[Finding]:
    """Functions whose lanes are counted in one of the two, and whose warps in the other."""
    for function in mixed_counts_of(context.unit).mismatched():
        (counted,) = context.lanes.kinds(function)[WARP]
        sites = [site for site in context.lanes.sites_in(function) if site.kind == WARP]
        place = sites[0].start if sites else function.start
        name = context.data[place : sites[0].end].decode(errors="replace") if sites else function.name.decode()
        detail = f"counts warps in {counted}, but the lanes around it are counted in {OTHER[counted]}"
        yield context.unit.finding("HIP306", place, name=" ".join(name.split()), library="device", detail=detail)


def _ends_of_32(context: WarpContext) -> Iterator[Edit | Finding | AppliedFix]:
    """The end of a warp, or the places of its lanes in memory, by 32."""
    for function in context.functions:
        for end in ends_of_warps(context.unit).of(function):
            number = end.number
            edits = [Edit(number.start_byte, number.end_byte, end.replaced)] if end.replaced is not None else []
            if edits and context.unit.options.mends(FAMILY, "HIP306"):
                yield from edits
                yield AppliedFix(number.start_byte, FAMILY)
                continue
            name = " ".join(text_of(end.whole).decode(errors="replace").split())
            yield context.unit.finding(
                "HIP306", number.start_byte, name=name, library="device", detail=end.detail, fix=edits
            )


def _has_last_step(context: WarpContext, function: Function) -> bool:
    """A shuffle over 32 lanes joins the halves of a wavefront."""
    return any(
        call.function is function and call.is_shuffle and context.ranges.fixed_distance(call) == 32
        for call in context.calls
    )
