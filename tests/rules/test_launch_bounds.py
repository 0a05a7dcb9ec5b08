"""The second argument of `__launch_bounds__` is left alone, so that no kernel gets fewer registers than with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options, translate

TREE = os.environ.get("HIPIFY_PY_ROCM_TREES", "")


def run(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    return result.output.decode(), [finding.message for finding in result.findings if finding.id == "HIP123"]


@pytest.mark.parametrize(
    ("bounds", "output"),
    [
        ("256", "256"),
        ("256, 1", "256, 1"),
        ("256, 4", "256, 4"),
        ("T, B", "T, B"),
        ("X * Y, A ? 1 : 2", "X * Y, A ? 1 : 2"),
        ("48, 1, 4", "48, 1"),
        ("T, B, Shape<2, 1>::blocks", "T, B"),
        ("256, 256 / 32 * 4", "256, 256 / 32 * 4"),
        ("", ""),
    ],
)
def test_the_number_stays(bounds: str, output: str) -> None:
    once, _ = run(f"__global__ void __launch_bounds__({bounds}) k();")
    assert once == f"__global__ void __launch_bounds__({output}) k();"
    assert run(once)[0] == once


@pytest.mark.parametrize(
    ("head", "bounds", "asks"),
    [
        ("", "64, 8", "asks for 2048 threads at a time on gfx9, but 512 in CUDA"),
        ("constexpr int T = 128;", "T, 4", "asks for 1024 threads at a time on gfx9, but 512 in CUDA"),
        ("#define T 32\n#define B (2 * 2)\n", "T, B", "asks for 1024 threads at a time on gfx9, but 128 in CUDA"),
        ("template <int T>", "T, 2", "asks for more threads at a time than in CUDA if a block has fewer than 256"),
        ("template <int B>", "128, B", "asks for more threads at a time than in CUDA if a block has fewer than 256"),
    ],
)
def test_more_threads_than_in_cuda_are_reported(head: str, bounds: str, asks: str) -> None:
    _, messages = run(f"{head}\n__global__ void __launch_bounds__({bounds}) k();\n")
    assert len(messages) == 1
    assert messages[0].endswith(asks)


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void __launch_bounds__(64, 1) k();",
        "template <int T> __global__ void __launch_bounds__(T, 1) k();",
        "__global__ void __launch_bounds__(256, 8) k();",
        "template <int B> __global__ void __launch_bounds__(512, B) k();",
        "enum { THREADS = 128 * 4 };\n__global__ void __launch_bounds__(THREADS, 2) k();",
        "#ifdef __HIP_PLATFORM_AMD__\n__global__ void __launch_bounds__(64, 4) k();\n#endif",
    ],
)
def test_no_word_where_nothing_is_lost(source: str) -> None:
    assert run(source) == (source, [])


def test_one_note_for_kernels_of_the_same_bounds() -> None:
    _, messages = run("".join(f"__global__ void __launch_bounds__(64, 4) k{n}();\n" for n in range(5)))
    assert len(messages) == 1


KERNEL = """#include <cuda_runtime.h>
template <int N>
__global__ void __launch_bounds__(BOUNDS) tile(const float *a, const float *b, float *c, int n) {
  float sums[N][N] = {};
  for (int k = 0; k < n; ++k) {
    float x[N], y[N];
#pragma unroll
    for (int i = 0; i < N; ++i) { x[i] = a[i * n + k + threadIdx.x]; y[i] = b[k * n + i * blockDim.x + threadIdx.x]; }
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j) sums[i][j] += x[i] * y[j];
  }
#pragma unroll
  for (int i = 0; i < N; ++i)
#pragma unroll
    for (int j = 0; j < N; ++j) c[(i * N + j) * n + threadIdx.x] = sums[i][j];
}
template __global__ void tile<6>(const float *, const float *, float *, int);
template __global__ void tile<11>(const float *, const float *, float *, int);
"""


def _counts(source: str, arch: str, folder: Path) -> list[tuple[int, int]]:
    """The registers of each kernel, and those that it spills."""
    clang = shutil.which("clang++-22")
    if not TREE or clang is None:
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or clang++-22 is missing")
    path = folder / "a.hip"
    path.write_text(source)
    tree = f"{TREE}/rocm-7.1"
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={tree}", "-isystem", f"{tree}/include"]
    command += ["-D__AMDGCN_WAVEFRONT_SIZE=64", "--cuda-device-only", "-O3", "-w", "-S", "-o", "-", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    numbers = [re.findall(rf"^ +\.{name}: +(\d+)$", done.stdout, re.M) for name in ("vgpr_count", "vgpr_spill_count")]
    assert len(numbers[0]) == 2
    return [(int(count), int(spilled)) for count, spilled in zip(*numbers, strict=True)]


@pytest.mark.compiler
@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("bounds", ["256, 1", "128, 8", "512, 2"])
def test_no_kernel_spills_more_than_with_the_number_left_alone(bounds: str, arch: str, tmp_path: Path) -> None:
    cuda = KERNEL.replace("BOUNDS", bounds)
    alone = _counts(cuda.replace("cuda_runtime.h", "hip/hip_runtime.h"), arch, tmp_path)
    assert _counts(translate(cuda, path="a.cu").output.decode(), arch, tmp_path) == alone
    if bounds.endswith(" 1"):
        assert [spilled for _, spilled in alone] == [0, 0]
