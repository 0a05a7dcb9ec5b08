"""The names of PyTorch extensions, with `--preset pytorch`."""

from __future__ import annotations

import os

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import Targeting
from hipify_py.catalog.places import mappings_dir

PRESET = Targeting(tables=(os.path.join(mappings_dir(), "presets", "pytorch.yaml"),))


def hip(source: str, targeting: Targeting = PRESET) -> str:
    options = Options(targeting=targeting, implicit_runtime=False)
    return translate(source, path="a.cpp", options=options).output.decode()


@pytest.mark.parametrize(
    ("cuda", "rocm"),
    [
        ("#include <ATen/cuda/CUDAContext.h>", "#include <ATen/hip/HIPContext.h>"),
        ("#include <c10/cuda/CUDAGuard.h>", "#include <c10/hip/HIPGuard.h>"),
        ("#include <c10/cuda/CUDAStream.h>", "#include <c10/hip/HIPStream.h>"),
        ("#include <THC/THCAtomics.cuh>", "#include <ATen/hip/Atomic.cuh>"),
    ],
)
def test_headers_are_those_of_the_rocm_build(cuda: str, rocm: str) -> None:
    assert hip(cuda) == rocm
    assert hip(cuda, Targeting()) == rocm  # a source that includes them needs no option


@pytest.mark.parametrize(
    "source",
    [
        "auto s = at::cuda::getCurrentCUDAStream();",
        "c10::cuda::CUDAGuard guard(x.device());",
        "void f() { C10_CUDA_KERNEL_LAUNCH_CHECK(); }",
    ],
)
def test_names_that_the_rocm_build_keeps_stay_and_are_no_findings(source: str) -> None:
    options = Options(targeting=PRESET, implicit_runtime=False)
    result = translate(source, path="a.cpp", options=options)
    assert result.output.decode() == source
    assert [finding for finding in result.findings if finding.severity != "note"] == []


def test_cuda_itself_is_translated_as_ever() -> None:
    source = "void f(void *p) { C10_CUDA_CHECK(cudaFree(p)); }"
    assert hip(source) == "void f(void *p) { C10_CUDA_CHECK(hipFree(p)); }"


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(float *o) { __shared__ float s[C10_WARP_SIZE]; s[threadIdx.x] = o[0]; }",
        "__global__ void k(float *o) { constexpr int n = 256 / C10_WARP_SIZE; o[n] = 0; }",
        "__global__ void __launch_bounds__(C10_WARP_SIZE * 4) k(float *o) { o[0] = 0; }",
        "__global__ void k(float *o) { static_assert(C10_WARP_SIZE * 2 <= 256); o[0] = 0; }",
        "template <int N> __device__ void f();\n__global__ void k() { f<C10_WARP_SIZE>(); }",
        "int warps(int n) { return n / C10_WARP_SIZE; }",
        "#define ROWS (256 / C10_WARP_SIZE)\n__global__ void k(float *o) { __shared__ float s[ROWS]; o[0] = s[0]; }",
    ],
)
def test_the_size_of_a_warp_is_noted_where_it_must_be_a_constant_and_on_the_host(source: str) -> None:
    assert [found.id for found in translate(source, path="a.cu", options=Options(targeting=PRESET)).findings] == [
        "HIP103"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(int *o) { o[threadIdx.x / C10_WARP_SIZE] = threadIdx.x % C10_WARP_SIZE; }",
        "__device__ int f(int i, int n) { for (; i < n; i += C10_WARP_SIZE) {} return i; }",
        "__global__ void k(int *o) { if (threadIdx.x < C10_WARP_SIZE) o[0] = 1; }",
        "template <typename T>\nC10_LAUNCH_BOUNDS_1(128)\n__global__ void k(T *o) { o[threadIdx.x * C10_WARP_SIZE] = 1; }",
    ],
)
def test_the_size_of_a_warp_in_plain_device_code_is_no_note(source: str) -> None:
    assert list(translate(source, path="a.cu", options=Options(targeting=PRESET)).findings) == []
