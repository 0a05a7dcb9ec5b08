"""What `--fix wavefront` writes: compiled for 64 and 32 lanes, and worked out lane by lane on a model of a wavefront.

`HIPIFY_PY_ROCM_TREES` names a folder with the headers of `rocm-7.1` for clang-22.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")
FIX = Options(fixes=frozenset({"wavefront"}))

BLOCK_SUM = """
__device__ float warp_sum(float v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
__global__ void block_sum(float *out) {
    __shared__ float partial[32];
    const int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
    float v = warp_sum(out[threadIdx.x]);
    if (lane == 0) partial[wid] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0;
    if (wid == 0) v = warp_sum(v);
    if (threadIdx.x == 0) out[0] = v;
}
"""
COMPACTION = """
__global__ void compact(const int *in, int *out, int *count) {
    const int lane = threadIdx.x & 31, v = in[threadIdx.x];
    const unsigned mask = __ballot_sync(0xffffffffu, v > 0);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (v > 0) out[base + __popc(mask & ((1u << lane) - 1))] = v;
    const unsigned same = __match_any_sync(__activemask(), v);
    if (lane == __ffs(same) - 1 && __any_sync(same, v < 0)) out[0] = __popc(same);
}
"""
SOURCES = {
    "block_sum": BLOCK_SUM,
    "following": BLOCK_SUM.replace("threadIdx.x % 32", "threadIdx.x % warpSize").replace(
        "wid = threadIdx.x / 32", "wid = threadIdx.x / warpSize"
    ),
    "compaction": COMPACTION,
}


@pytest.mark.compiler
@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("name", SOURCES)
def test_a_fixed_program_compiles(name: str, arch: str, tmp_path: Path) -> None:
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    result = translate(SOURCES[name], path="a.cu", options=FIX)
    (tmp_path / "a.hip").write_bytes(result.output)
    (tmp_path / HEADER).write_bytes(render(result.support))
    tree = os.path.join(TREE, "rocm-7.1")
    width = "32" if arch.startswith("gfx1") else "64"  # upstream clang dropped what ROCm's defines
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include"]
    for side in ("--cuda-device-only", "--cuda-host-only"):
        full = [*command, f"-D__AMDGCN_WAVEFRONT_SIZE={width}", side, "-O1", "-c", "a.hip", "-o", os.devnull]
        run = subprocess.run(full, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
        assert run.returncode == 0, run.stderr[:4000]


@pytest.mark.parametrize("name", SOURCES)
def test_a_fixed_program_leaves_nothing_to_do_and_stays(name: str) -> None:
    result = translate(SOURCES[name], path="a.cu", options=FIX)
    assert not [f for f in result.findings if f.id.startswith("HIP3")]
    assert translate(result.output, path="a.cu", options=FIX).output == result.output


Values = list[int]


def _shuffle(values: Values, source: Callable[[int], int], width: int) -> Values:
    """Each lane reads another; what lies outside of its part of `width` lanes is its own."""
    read = [source(lane) for lane in range(len(values))]
    return [values[at if at // width == lane // width and at >= 0 else lane] for lane, at in enumerate(read)]


def _down(values: Values, distance: int, width: int) -> Values:
    return _shuffle(values, lambda lane: lane + distance, width)


def _up(values: Values, distance: int, width: int) -> Values:
    return _shuffle(values, lambda lane: lane - distance, width)


def _from(values: Values, lane: int, width: int) -> Values:
    return _shuffle(values, lambda own: own // width * width + lane % width, width)


def _sum(values: Values, width: int, start: int) -> Values:
    while start:
        values = [a + b for a, b in zip(values, _down(values, start, width), strict=True)]
        start //= 2
    return values


def _scan(values: Values, width: int) -> Values:
    for distance in (1, 2, 4, 8, 16):
        below = _up(values, distance, width)
        values = [v + b if lane % 32 >= distance else v for lane, (v, b) in enumerate(zip(values, below, strict=True))]
    return values


def _last(values: Values, width: int) -> Values:
    return _from(_scan(values, width), 31, width)


@pytest.mark.parametrize("program", [partial(_sum, start=16), _scan, _last, lambda v, width: _down(v, 3, width)])
def test_a_width_of_32_makes_two_warps_of_a_wavefront(program: Callable[..., Values]) -> None:
    values = random.Random(7).sample(range(1000), 64)
    warps = program(values[:32], width=32) + program(values[32:], width=32)
    assert program(values, width=32) == warps
    if program in (_last, _scan):
        assert (program(values, width=64) == warps) == (program is _scan)  # the broadcast crosses, the guard holds


def test_a_reduction_from_16_is_right_for_the_first_lane_of_each_half_without_a_width() -> None:
    values = list(range(64))
    with_width, without = _sum(values, 32, 16), _sum(values, 64, 16)
    assert [without[0], without[32]] == [with_width[0], with_width[32]] == [sum(range(32)), sum(range(32, 64))]


def test_a_vote_of_32_lanes_is_the_own_half_of_the_wavefronts() -> None:
    votes = random.Random(3).getrandbits(64)
    for lane in range(64):
        own = votes >> (lane & 32) & 0xFFFFFFFF
        assert own == (votes & 0xFFFFFFFF if lane < 32 else votes >> 32)
