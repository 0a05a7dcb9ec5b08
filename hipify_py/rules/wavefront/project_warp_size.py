"""Reports the constant of a header by which a project counts warps of 32 lanes, and the hardware's beside them."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.warp_constants import counted_against, warp_constants
from hipify_py.findings import Finding
from hipify_py.project_context import CountedBy
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.unit import Unit


class ProjectWarpSize(Rule):
    """A constant in a header decides how all files of a project count their warps, here in 32.

    That is right on 64 lanes as long as nothing goes by the hardware's wavefront: its lane numbers, votes, and shuffles
    without a width do. The files that have both are named; each has findings of its own at the places.
    """

    id = "HIP317"
    triggers = facts(Fact.PROJECT_WARP_COUNTS)
    VALID = (
        Example("constexpr int kWarpSize = 32;\n__global__ void k(int *o) { o[threadIdx.x / kWarpSize] = 0; }"),
        Example(
            "#define WARP_SIZE 32\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = __shfl_xor(o[threadIdx.x], 1, WARP_SIZE); }"
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for name, place in warp_constants(unit).places.items():
            counted = counted_against(unit, name)
            if counted is not None:
                yield unit.finding("HIP317", place, name=name.decode(), library="device", detail=_says(counted))


def _says(counted: CountedBy) -> str:
    first, more = counted.against[0], len(counted.against) - 1
    files = "1 file counts its" if counted.files == 1 else f"{counted.files} files count their"
    others = f"{first} and {more} more go" if more else f"{first} goes"
    return f"{files} warps by, but {others} by the hardware's wavefront as well"
