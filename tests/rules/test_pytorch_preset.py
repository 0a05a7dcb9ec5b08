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
