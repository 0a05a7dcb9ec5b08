"""What a file is asked about its warps while a run is laid out: each answer is made of what `marshal` can write."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from hipify_py.analysis.warp.context import warp_context
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32, wavefront_hindrance
from hipify_py.analysis.warp.header_facts import callers_of, lane_getters_of, mask_getters_of, users_of
from hipify_py.analysis.warp.mixed_counts import mixed_counts_of
from hipify_py.analysis.warp.shared_helpers import helpers_of
from hipify_py.analysis.warp.wavefront_names import defined_otherwise, wavefront_names_of
from hipify_py.unit import Unit


def users_in(unit: Unit) -> frozenset[bytes]:
    """The functions and macros that use warps, themselves or through each other."""
    return frozenset(users_of(warp_context(unit)))


def callers_in(unit: Unit, names: AbstractSet[bytes]) -> frozenset[bytes]:
    """The functions that call helpers of other headers, themselves or through each other."""
    return frozenset(callers_of(warp_context(unit), names))


def defined_in(unit: Unit, names: AbstractSet[bytes]) -> frozenset[bytes]:
    """Those of some names that are functions and macros of the file."""
    return frozenset(names & warp_context(unit).defined)


def helpers_in(unit: Unit, users: AbstractSet[bytes]) -> tuple[frozenset[bytes], ...]:
    """What the functions and macros do that use warp built-ins themselves: the fields of `WarpHelpers`, none using."""
    context = warp_context(unit)
    reached = [helper for helper in helpers_of(context) if helper.name in users]
    return (
        frozenset(helper.name for helper in reached if helper.is_over_32),
        frozenset(helper.name for helper in reached if helper.is_over_all),
        frozenset(helper.name for helper in reached if helper.is_full_wave_collective),
        frozenset(),
        frozenset(lane_getters_of(context)),
        frozenset(mask_getters_of(context)),
    )


def wavefront_names_in(unit: Unit) -> tuple[tuple[tuple[bytes, str], ...], frozenset[bytes]]:
    """What the file defines by `warpSize`, and which names of other files' for such things it defines otherwise."""
    own = wavefront_names_of(warp_context(unit))
    others = defined_otherwise(unit, unit.project.wavefront_names.keys() - own.keys())
    return tuple(sorted(own.items())), frozenset(others)


def goes_by_wavefronts(unit: Unit) -> bool:
    """The file cannot be kept at 32 lanes."""
    return wavefront_hindrance(warp_context(unit)) is not None


def is_kept_at_32(unit: Unit) -> bool:
    """The file's warps are kept at 32 lanes, and its masks at 32 bits."""
    return emulates_warp32(warp_context(unit))


def constants_used(unit: Unit) -> tuple[frozenset[bytes], bool]:
    """The constants that the file counts the lanes of its warps in, and whether it goes by the wavefront as well."""
    context = warp_context(unit)
    if not context.constants.used or not context.uses_warps:
        return frozenset(), False
    return frozenset(context.constants.used), mixed_counts_of(unit).goes_by_both()
