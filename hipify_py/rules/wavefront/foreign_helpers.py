"""Finds functions that count lanes otherwise than the helpers of the project's headers that they ask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.helpers import TEMPLATE_ARGUMENTS
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.mixed_counts import says_over
from hipify_py.unit import Unit


class ForeignHelpers(Rule):
    """A reduction in a header goes over 32 lanes or over `warpSize`, and its callers count their lanes in either.

    On NVIDIA GPUs both are 32. What the headers of a project do is known where they are converted together, or stand
    beside the file; what differs is reported where the helper is asked for.
    """

    id = "HIP306"
    VALID = (Example("__global__ void k(float *o) { if (threadIdx.x % warpSize == 0) o[0] = warp_sum(o[1]); }"),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for place, id, name, detail in disagreements(warp_context(unit)):
            yield unit.finding(id, place, name=name.decode(), library="device", detail=detail)


def disagreements(context: WarpContext) -> Iterator[tuple[int, str, bytes, str]]:
    """Where a helper is asked that counts otherwise: the place, the finding's id, the helper, and what is wrong.

    A helper that may hear of other lanes is named once a function.
    """
    told: set[tuple[int, bytes]] = set()
    if context.constants.is_ported:
        return
    over_32, over_all, full_wave_collectives = context.unit.project.warp_helpers[:3]
    for match in _asked(context, (over_32 | over_all | full_wave_collectives) - context.defined):
        function, place = context.functions.at(match.start()), match.start(1)
        if function is None or place < function.start or context.lexemes.non_code_at(place) is not None:
            continue
        counts, name = context.counts(function), match[1]
        if counts == {FOLLOWS} and name in over_32:
            yield place, "HIP306", name, says_over(THIRTY_TWO)
        elif counts == {THIRTY_TWO} and name in over_all:
            yield place, "HIP306", name, says_over(FOLLOWS)
        elif (
            counts == {THIRTY_TWO}
            and name in full_wave_collectives
            and (function.start, name) not in told
            and not context.single_warp_region.reaches(place, function)
        ):
            told.add((function.start, name))
            detail = "hears of all 64 lanes of a wavefront, but the lanes around it are counted in 32"
            yield place, "HIP305", name, detail


def _asked(context: WarpContext, names: frozenset[bytes]) -> Iterator[re.Match[bytes]]:
    if not names:
        return
    either = b"|".join(sorted(map(re.escape, names), reverse=True))
    yield from re.finditer(rb"(?<![\w.>])(" + either + rb")\s*" + TEMPLATE_ARGUMENTS + rb"\(", context.data)
