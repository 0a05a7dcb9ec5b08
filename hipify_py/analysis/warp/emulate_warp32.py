"""Keeps the warps of a program at 32 lanes, two in a 64-lane wavefront: exact, and local to each call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.drop_sync_mask import drops_its_mask, keeps_its_name
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, built_in_sizes, is_wavefront_size
from hipify_py.semantics.expressions import arguments_of, bare, call_of, callee, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

FAMILY = "wavefront"
"""What `--fix` takes for it."""

SECTION = "warp32"
"""The section of the support header with the votes of 32 lanes."""
KEPT = b"hipify::warp32::"
"""What a source says that was kept before."""
_SIZE_HINTS = re.compile(rb"arp_?(?:[sS]i?z|[tT]hr|[lL]an|[wW]id)"), re.compile(rb"ARP_?[STLW]")
_WAVEFRONT_HINTS = (
    *(b"er_warp", b"erWarp", b"er_Warp", b"ER_WARP", b"er_WARP", b"anes_per", b"LANES", b"avefront", b"AVEFRONT"),
    *(b"LaneId", b"LaneMask", b"__lane_id", b"coalesced_threads", b"__popcll", b"__ffsll", b"__clzll"),
    *(b"__ballot", b"__any", b"__all", b"__match_", b"__reduce_", b"__activemask"),
    b"##",
    *(b"laneid", b"lanemask", b"vote.", b"match.", b"redux.", b"activemask."),
    b"hipify",
)
"""One of these stands in every text that names the size of a warp, a lane or a vote, or pastes names together."""
_COUNTS_64 = (b"__popcll", b"__ffsll", b"__clzll")
_REDUCTIONS = frozenset(b"reduce_%b_sync" % word for word in (b"add", b"and", b"max", b"min", b"or", b"xor"))
"""Functions of the support header that reduce over the lanes of a wavefront."""
_GIVES_MASK = (b"__ballot", b"__activemask")


def emulates_warp32(context: WarpContext) -> bool:
    """True where the warps of a source are kept at 32 lanes: that is asked for, and nothing in it counts otherwise.

    That is what CUDA has, so a source that counts no lanes at all is kept as well: masks go from one file of a
    project to another.
    """
    unit = context.unit
    return FAMILY in unit.options.fixes and not unit.is_hip and unit.analysis(_is_emulated)


def _is_emulated(unit: Unit) -> bool:
    context = warp_context(unit)
    return (bool(context.calls) or context.has_ptx_lanes) and hindrance(context) is None


def hindrance(context: WarpContext) -> str | None:
    """What keeps the warps of a source from being kept at 32 lanes; None where nothing does.

    Files that ask for each other's helpers are kept at 32 lanes together, or none of them is: a mask or a lane that one
    makes is the other's as well.
    """
    mixed_in = context.unit.project.mixed_in
    shared = f"it shares helpers with {mixed_in}, which cannot be kept at 32 lanes" if mixed_in else None
    return own_hindrance(context) or shared


def own_hindrance(context: WarpContext) -> str | None:
    """What in a source itself keeps its warps from being kept at 32 lanes; None where nothing does.

    Within a source it is all or nothing: with some of the calls kept and others not, one warp would hear of the other.
    """
    return "it has branches for AMD GPUs" if context.constants.is_ported else wavefront_hindrance(context)


def wavefront_hindrance(context: WarpContext) -> str | None:
    """What in a source goes by the whole wavefront, or cannot be brought down to 32 lanes; None where nothing does."""
    unit = context.unit
    if context.has_wavefront_lanes:
        return "it has lanes that go by the wavefront (CUB's, the hardware's, or coalesced threads)"
    if _reduces_wavefronts(unit):
        return "it has reductions that go by the wavefront, as they were converted before"
    if not context.all_counts <= {THIRTY_TWO}:
        return "it counts lanes in more than 32"
    if not all(context.means_32(place) for place, _ in warp_sizes(context)):
        return "it names warpSize"
    by_wavefront = next(names_by_wavefront(unit), None)
    if by_wavefront is not None:
        return f"it names {by_wavefront[0].decode(errors='replace')}, which goes by warpSize in another file"
    if _reads_votes_as_64_bits(unit):
        return "it reads votes as 64 bits"
    if context.pastes_built_ins:
        return "it pastes the names of warp built-ins together"
    votes = [call for call in context.calls if is_vote(call)]
    if (votes or context.has_ptx_votes) and not unit.options.support:
        return "that takes the support header"
    if not all(call.call is not None and keeps_its_name(unit, call) for call in votes):
        return "some of its votes are not called directly"
    named = all(call.is_whole for call in context.calls if call.is_shuffle)
    return None if named else "some of its shuffles are not called directly"


def may_go_by_wavefronts(data: bytes) -> bool:
    """False only for a text that nothing keeps from being kept at 32 lanes."""
    return any(hint in data for hint in _WAVEFRONT_HINTS) or any(hint.search(data) for hint in _SIZE_HINTS)


def warp_sizes(context: WarpContext) -> list[tuple[int, int]]:
    """The places where a source names the compiler's `warpSize`."""
    return [(leaf.start_byte, leaf.end_byte) for leaf in built_in_sizes(context.unit)]


def names_by_wavefront(unit: Unit) -> Iterator[tuple[bytes, Node]]:
    """What other files define by `warpSize`, but for other names of it: where this source means that, with its name.

    A macro of its own of that name may be the other file's all the same: one of the two was undefined, or is guarded.
    """
    names = names_of(unit)
    for name in sorted(unit.project.wavefront_names.keys() & unit.lexemes.words):
        if not is_wavefront_size(unit, name) and not functions_of(unit).named(name):
            yield from ((name, leaf) for leaf in names.mentions(name) if not names.meant_by(leaf))


def _reduces_wavefronts(unit: Unit) -> bool:
    """The source names `hipify::reduce_add_sync` or its like: an earlier run could not keep it at 32 lanes."""
    lexemes, data = unit.lexemes, unit.source.data
    for word in lexemes.words & _REDUCTIONS:
        for place in lexemes.places(word):
            colons = lexemes.before(place)
            if data[max(colons - 1, 0) : colons + 1] == b"::" and lexemes.word_before(colons - 1) == b"hipify":
                return True
    return False


def _reads_votes_as_64_bits(unit: Unit) -> bool:
    """The source counts the bits of a vote by the built-ins for 64 of them."""
    for name in _COUNTS_64:
        for leaf in names_of(unit).mentions(name):
            call = call_of(leaf)
            arguments = arguments_of(call) if call is not None else []
            if arguments and text_of(callee(bare(arguments[0]))).startswith(_GIVES_MASK):
                return True
    return False


def is_emulated(unit: Unit) -> bool:
    """The run keeps the warps of this source at 32 lanes."""
    return FAMILY in unit.options.fixes and emulates_warp32(warp_context(unit))


def masks_kept_narrow(unit: Unit) -> frozenset[int]:
    """The places of the built-ins whose masks stay 32 bits wide, because something else takes their place."""
    if not is_emulated(unit):
        return frozenset()
    context = warp_context(unit)
    return frozenset(call.use.start for call in context.calls if is_vote(call) or is_rewritten(unit, call))


def is_vote(call: WarpCall) -> bool:
    """The result speaks of all lanes of a wavefront."""
    return not call.is_shuffle and call.name != "__syncwarp"


def is_rewritten(unit: Unit, call: WarpCall) -> bool:
    """The mask goes: in CUDA it names the lanes that are there."""
    return not is_vote(call) and drops_its_mask(unit, call)
