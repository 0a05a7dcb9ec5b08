"""Reports constants that fix the warp size at 32."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, counted_against, warp_constants
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit


class WarpSizeLiterals(Rule):
    """A constant called `WARP_SIZE` with the value 32 is not the size of a wavefront on gfx9, which is 64.

    That alone is no fault: a program that counts in 32 throughout runs two of its warps in a wavefront. What goes
    wrong where the two meet is reported at its own place. A constant that is chosen by an `#if` in a source with
    branches for AMD GPUs is somebody's decision already.
    """

    id = "HIP302"
    VALID = (
        Example("#define TILE 32\n__global__ void k() {}"),
        Example("#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n__global__ void k() {}"),
    )
    INVALID = (
        Example("#define WARP_SIZE 32\n__global__ void k() {}", None, ("HIP302",)),
        Example("template <int kWarpSize = 32> __global__ void k() {}", None, ("HIP302",)),
        Example("enum { A, WARPSIZE = 32 };\n__global__ void k() {}", None, ("HIP302",)),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        constants = warp_constants(unit)
        for name, place in constants.places.items():
            if constants.counted_in(name) == THIRTY_TWO and counted_against(unit, name) is None:
                text = name.decode()
                yield unit.finding("HIP302", place, name=text, library="device", detail=f"{text} = 32")
