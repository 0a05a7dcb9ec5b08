"""The options for CUDA and HIP, and that programs parse with them where the parts are there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from hipify_py.clang.dialects import cuda_options, hip_options
from hipify_py.clang.protocol import DONE, Job
from hipify_py.clang.toolchain import FETCHED, Part, Toolchain, find_toolchain
from hipify_py.clang.worker_pool import Asker
from hipify_py.translator.translate import translate

NOTHING = Toolchain(None, None, None, None)

PROGRAM = b"""\
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <typename T> __global__ void sums(T *out, const T *in, const __half *scale, int n) {
  __shared__ T shared[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = i < n ? in[i] * T(__half2float(scale[i])) : T(0);
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  cg::this_thread_block().sync();
  if (threadIdx.x == 0) atomicAdd(out, shared[0]);
}

int main() {
  float *out, *in;
  __half *scale;
  std::vector<float> host(256, 1.0f);
  if (cudaMalloc(&out, sizeof(float)) != cudaSuccess) return 1;
  cudaMalloc(&in, host.size() * sizeof(float));
  cudaMalloc(&scale, host.size() * sizeof(__half));
  cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  sums<<<1, 256>>>(out, in, scale, 256);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""


def library(version: str) -> Toolchain:
    return NOTHING._replace(library=Part("/l", version, ""), resources=Part("/r", version, ""))


def test_an_old_clang_is_told_of_what_hip_7_asks_it_for() -> None:
    options = hip_options(library("18.1.1"), device=True)
    assert "-D__builtin_amdgcn_wavefrontsize()=64" in options
    assert "-D__builtin_amdgcn_wavefrontsize()=32" in hip_options(library("18.1.1"), device=True, arch="gfx1100")
    assert not [option for option in options if "WAVEFRONT_SIZE" in option]
    assert options[options.index("-resource-dir") :][:2] == ("-resource-dir", "/r")


def test_a_new_clang_is_told_of_what_it_has_forgotten() -> None:
    options = hip_options(library("22"), device=False)
    assert "-D__AMDGCN_WAVEFRONT_SIZE=64" in options
    assert not [option for option in options if "builtin" in option]
    assert not [option for option in hip_options(library("20.1"), device=False) if "WAVEFRONT" in option]


def test_an_old_clang_reads_cuda_13() -> None:
    def mended(clang: str, cuda: str) -> bool:
        parts = library(clang)._replace(cuda=Part("/c", cuda, ""))
        return "-D_NV_RSQRT_SPECIFIER=" in cuda_options(parts, device=False)

    assert (mended("18.1.1", "13.0"), mended("18.1.1", "12.9"), mended("22", "13.0")) == (True, False, False)


def test_what_is_installed_besides_does_not_count() -> None:
    """clang would take a CUDA or ROCm that it comes upon for the one that is meant, and set options by its version."""
    cuda, hip = cuda_options(library("18.1.1"), device=True), hip_options(library("18.1.1"), device=True)
    assert [option.partition("=")[0] for option in cuda if "-path=" in option] == ["--cuda-path"]
    assert [option.partition("=")[0] for option in hip if "-path=" in option] == ["--rocm-path"]
    assert {"-fcuda-allow-variadic-functions", "-target-sdk-version=12.0"} < {*cuda}


def test_what_stands_in_for_headers_comes_after_all_others() -> None:
    options = cuda_options(library("18.1.1"), device=False)
    folders = [Path(folder) for option, folder in pairwise(options) if option == "-idirafter"]
    names = {path.name for folder in folders for path in folder.iterdir()}
    assert names >= {"curand_mtgp32_kernel.h", "texture_fetch_functions.h", "omp.h"}


def test_each_pass_has_its_option_and_its_headers(tmp_path: Path) -> None:
    (tmp_path / "include/cccl").mkdir(parents=True)
    parts = library("22")._replace(cuda=Part(str(tmp_path), "13.5", ""))
    host, device = (cuda_options(parts, device=device) for device in (False, True))
    assert ("--cuda-host-only" in host, "--cuda-device-only" in host) == (True, False)
    assert ("--cuda-host-only" in device, "--cuda-device-only" in device) == (False, True)
    assert host[-6:-2] == ("-isystem", str(tmp_path / "include"), "-isystem", str(tmp_path / "include/cccl"))
    assert "-isystem" not in hip_options(parts, device=True)


def errors(parts: Toolchain, path: str, text: bytes, passes: list[tuple[str, ...]]) -> list[list[tuple[str, int, str]]]:
    """By pass, the errors with their files and lines."""
    assert parts.library is not None
    job = Job("messages", path, [["-std=c++17", *one] for one in passes], {path: text}, parts.library.path)
    answer = Asker().ask(job)
    assert answer.status == DONE, answer.detail
    return [
        [(one["path"], one["line"], one["text"]) for one in value["messages"] if one["severity"] == "error"]
        for value in answer.values
    ]


@pytest.mark.parametrize("side", ["cuda", "hip"])
def test_a_program_and_its_translation_parse_without_an_error(side: str, tmp_path: Path) -> None:
    parts = find_toolchain()
    missing = [name for name in ("library", "resources", side) if getattr(parts, name) is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)}: `hipify-py fetch-headers` and `pip install libclang` bring them")
    if side == "cuda":
        passes = [cuda_options(parts, device=device) for device in (False, True)]
        text, name = PROGRAM, "sums.cu"
    else:
        passes = [hip_options(parts, device=device) for device in (False, True)]
        text, name = translate(PROGRAM, path="sums.cu").output, "sums.hip"
    path = str(tmp_path / name)
    found = errors(parts, path, text, passes)
    assert [[error for error in one if error[0] == path] for one in found] == [[], []]
    if getattr(parts, side).origin == FETCHED:  # installed headers may be older or newer than any that were tried
        assert found == [[], []]
