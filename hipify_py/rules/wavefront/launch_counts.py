"""Finds launches that count warps otherwise than their kernels: with too little shared memory, or too few blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.context import WarpContext, warp_context
from hipify_py.analysis.warp.lane_arithmetic import WARP
from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

_SHARED_SIZE = 2
"""The place of the dynamic shared memory's size among a launch's settings."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_BY_WAVEFRONTS = re.compile(rb"/\s*(?:\(\s*int\s*\)\s*)?[\w.>\-\[\]]*\b(?:warpSize|warp_size)\b")
_OF_THE_DEVICE = re.compile(rb"(?:\.|->)\s*warpSize\b|\bcudaDevAttrWarpSize\b|\bhipDeviceAttributeWarpSize\b")
_FACTOR = re.compile(
    rb"\*\s*([A-Za-z_][\w:]*|32)\b(?!\s*[(.\[])|\b(?:\w*[tT]hreads\w*|\w*[bB]lock\w*|BLOCK\w*|THREADS\w*)\s*/\s*([A-Za-z_][\w:]*|32)\b"
)
_VALUES = rb"\b%s\s*(?:=(?!=)|\{)([^;{}]{1,300})[;}]"


class LaunchCounts(Rule):
    """Shared memory for one value a warp, by the device's warp size, is too little for a kernel that counts in 32.

    A block of 256 threads has four wavefronts of 64 lanes, but eight warps of 32: with `threads / prop.warpSize`
    values the kernel writes behind its shared memory. NVIDIA GPUs have 32 in both places.
    """

    id = "HIP315"
    VALID = (
        Example(
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }\n"
            "void run(float *x, int n, hipDeviceProp_t p) { k<<<1, n, n / p.warpSize * 4>>>(x); }",
            "__global__ void k(float *x) { extern __shared__ float s[]; s[threadIdx.x / 32] = __shfl_xor(x[0], 1); }\n"
            "void run(float *x, int n, hipDeviceProp_t p)"
            " { hipLaunchKernelGGL(k, dim3(1), dim3(n), n / p.warpSize * 4, 0, x); }",
            ("HIP315",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        context = warp_context(unit)
        if context.constants.is_ported:
            return
        yield from _narrow_grids(context)
        kernels = {function.name: function for function in context.functions}
        for name, launch in context.launches.launches:
            kernel = kernels.get(name)
            if kernel is None or context.counts(kernel) != {THIRTY_TWO} or len(launch.configuration) <= _SHARED_SIZE:
                continue
            start, end = launch.configuration[_SHARED_SIZE]
            around = context.functions.at(launch.opening)
            if _is_by_wavefronts(context, context.data[start:end], around, launch.opening):
                yield unit.finding("HIP315", start, name=name.decode(errors="replace"), library="device")


def _narrow_grids(context: WarpContext) -> Iterator[Finding]:
    """Launches with a warp of 32 threads for each item of a kernel that takes a wavefront for each."""
    kernels = {function.name: function for function in context.functions}
    for name, launch in context.launches.launches:
        kernel = kernels.get(name)
        if kernel is None or context.arithmetic.kinds(kernel)[WARP] != {FOLLOWS}:
            continue
        if b"gridDim" in context.data[kernel.start : kernel.end]:
            continue  # its wavefronts go on to further items
        start, end = launch.configuration[0]
        around = context.functions.at(launch.opening)
        for text in _texts(context.data[start:end], context, around, launch.opening):
            if any(word == b"32" or context.constants.counted_in(word) == THIRTY_TWO for word in _factors(text)):
                yield context.unit.finding("HIP318", start, name=name.decode(errors="replace"), library="device")
                break


def _factors(text: bytes) -> list[bytes]:
    """What a number of threads is worked out with: `rows * 32`, `threads / 32`."""
    return [word for match in _FACTOR.finditer(text) for word in (match[1], match[2]) if word is not None]


def _texts(text: bytes, context: WarpContext, around: Function | None, place: int) -> Iterator[bytes]:
    """An expression, and those that the variables in it are set to."""
    for _ in range(3):
        yield text
        if around is None:
            return
        found = [
            value
            for word in sorted(set(_WORD.findall(text)))
            for value in re.findall(_VALUES % re.escape(word), context.data[around.start : place])
        ]
        text = b" ; ".join(found)


def _is_by_wavefronts(context: WarpContext, text: bytes, around: Function | None, place: int) -> bool:
    """A number of bytes is computed with a division by the device's warp size, in two steps at most."""
    return any(
        _BY_WAVEFRONTS.search(text) and (_OF_THE_DEVICE.search(text) or _is_devices(context, around, place))
        for text in _texts(text, context, around, place)
    )


def _is_devices(context: WarpContext, around: Function | None, place: int) -> bool:
    """A host variable called `warpSize` or the like holds what the device says."""
    return around is not None and _OF_THE_DEVICE.search(context.data, around.start, place) is not None
