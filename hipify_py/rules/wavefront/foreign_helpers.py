"""Finds functions that count lanes otherwise than the helpers of the project's headers that they call."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.mixed_counts import mixed_counts_of
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.unit import Unit


class ForeignHelpers(Rule):
    """A reduction in a header goes over 32 lanes or over `warpSize`, and its callers count their lanes in either.

    On NVIDIA GPUs both are 32. What the headers of a project do is known where they are converted together, or stand
    beside the file; what differs is reported where the helper is asked for.
    """

    id = "HIP306"
    triggers = facts(Fact.PROJECT_WARP_HELPERS)
    VALID = (Example("__global__ void k(float *o) { if (threadIdx.x % warpSize == 0) o[0] = warp_sum(o[1]); }"),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for place, id, name, detail in mixed_counts_of(unit).disagreements():
            yield unit.finding(id, place, name=name.decode(), library="device", detail=detail)
