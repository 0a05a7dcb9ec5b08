"""The names of PyTorch extensions up to PyTorch 2.10, with `--preset pytorch-v1`."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import Targeting
from hipify_py.catalog.presets import preset_paths

V1 = Options(targeting=Targeting(tables=preset_paths("pytorch-v1")), implicit_runtime=False)


@pytest.mark.parametrize(
    ("cuda", "rocm"),
    [
        ("#include <ATen/cuda/CUDAContext.h>", "#include <ATen/hip/HIPContext.h>"),
        ("#include <c10/cuda/CUDAException.h>", "#include <c10/hip/HIPException.h>"),
        ("#include <c10/cuda/CUDAGuard.h>", "#include <ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h>"),
        ("#include <c10/cuda/CUDAStream.h>", "#include <ATen/hip/impl/HIPStreamMasqueradingAsCUDA.h>"),
        ("at::cuda::CUDAGuard g(0);", "at::hip::HIPGuardMasqueradingAsCUDA g(0);"),
        (
            "auto s = at::cuda::getCurrentCUDAStream();",
            "auto s = at::hip::getCurrentHIPStreamMasqueradingAsCUDA();",
        ),
        (
            "auto s = c10::cuda::getCurrentCUDAStream().stream();",
            "auto s = c10::hip::getCurrentHIPStreamMasqueradingAsCUDA().stream();",
        ),
        ("::c10::cuda::OptionalCUDAGuard g;", "::c10::hip::OptionalHIPGuardMasqueradingAsCUDA g;"),
        (
            "void f() { c10::cuda::CUDACachingAllocator::emptyCache(); }",
            "void f() { c10::hip::HIPCachingAllocatorMasqueradingAsCUDA::emptyCache(); }",
        ),
        ("void f() { c10::cuda::set_device(0); }", "void f() { c10::hip::set_device(0); }"),
        (
            "using at::cuda::CUDAStream;\nCUDAStream s;",
            "using at::hip::HIPStreamMasqueradingAsCUDA;\nHIPStreamMasqueradingAsCUDA s;",
        ),
        ("void f() { C10_CUDA_KERNEL_LAUNCH_CHECK(); }", "void f() { C10_HIP_KERNEL_LAUNCH_CHECK(); }"),
        ("void f() { C10_CUDA_CHECK(cudaFree(0)); }", "void f() { C10_HIP_CHECK(hipFree(0)); }"),
    ],
)
def test_names_are_those_of_the_rocm_build(cuda: str, rocm: str) -> None:
    source = f"#include <torch/extension.h>\n{cuda}\n"
    assert translate(source, path="a.cpp", options=V1).output.decode() == source.replace(cuda, rocm)


@pytest.mark.parametrize(
    "source",
    [
        "int n = at::cuda::warp_size();",
        "void f() { AT_CUDA_CHECK(hipFree(0)); }",
        "bool b = torch::cuda::is_available();",
        "struct Guard { int getCurrentCUDAStream(); };\nint i = Guard().getCurrentCUDAStream();",
    ],
)
def test_what_it_keeps_stays(source: str) -> None:
    assert translate(source, path="a.cpp", options=V1).output.decode() == source


def test_the_newer_names_are_not_added_again() -> None:
    source = "#include <c10/cuda/CUDAGuard.h>\nc10::cuda::CUDAGuard g(0);\n"
    assert "HIPGuardMasqueradingAsCUDA g" in translate(source, path="a.cpp", options=V1).output.decode()
