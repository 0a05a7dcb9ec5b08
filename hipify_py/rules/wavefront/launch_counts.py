"""Finds launches whose host code counts warps otherwise than the kernel does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.frontend.functions import Function
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.wavefront.context import WarpContext, warp_context
from hipify_py.rules.wavefront.warp_constants import THIRTY_TWO
from hipify_py.unit import Unit

_SHARED_SIZE = 2
"""The place of the dynamic shared memory's size among a launch's settings."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_BY_WAVEFRONTS = re.compile(rb"/\s*(?:\(\s*int\s*\)\s*)?[\w.>\-\[\]]*\b(?:warpSize|warp_size)\b")
_OF_THE_DEVICE = re.compile(rb"(?:\.|->)\s*warpSize\b|\bcudaDevAttrWarpSize\b|\bhipDeviceAttributeWarpSize\b")
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
        kernels = {function.name: function for function in context.functions}
        for name, launch in context.launches.launches:
            kernel = kernels.get(name)
            if kernel is None or context.counts(kernel) != {THIRTY_TWO} or len(launch.configuration) <= _SHARED_SIZE:
                continue
            start, end = launch.configuration[_SHARED_SIZE]
            around = context.functions.at(launch.opening)
            if _is_by_wavefronts(context, context.data[start:end], around, launch.opening):
                yield unit.finding("HIP315", start, name=name.decode(errors="replace"), library="device")


def _is_by_wavefronts(context: WarpContext, text: bytes, around: Function | None, place: int) -> bool:
    """A number of bytes is computed with a division by the device's warp size, in two steps at most."""
    for _ in range(3):
        if _BY_WAVEFRONTS.search(text) and (_OF_THE_DEVICE.search(text) or _is_devices(context, around, place)):
            return True
        if around is None:
            return False
        found = [
            value
            for word in set(_WORD.findall(text))
            for value in re.findall(_VALUES % re.escape(word), context.data[around.start : place])
        ]
        text = b" ; ".join(found)
    return False


def _is_devices(context: WarpContext, around: Function | None, place: int) -> bool:
    """A host variable called `warpSize` or the like holds what the device says."""
    return around is not None and _OF_THE_DEVICE.search(context.data, around.start, place) is not None
