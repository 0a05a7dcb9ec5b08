"""Data types of matrices: `cudaDataType` in the versions of ROCm whose libraries take others."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.core.targeting import Targeting

PLAIN = Options(implicit_runtime=False)


def run(source: str, rocm: str) -> Translation:
    return translate(source, path="a.cu", options=PLAIN._replace(targeting=Targeting(rocm=rocm)))


@pytest.mark.parametrize("rocm", ["5.2", "5.6", "6.0", ""])
@pytest.mark.parametrize("number", ["R_16F", "R_32F", "R_64F", "C_16F", "C_32F", "C_64F"])
def test_those_that_every_rocm_has(rocm: str, number: str) -> None:
    result = run(f"cudaDataType_t type() {{ return CUDA_{number}; }}\n", rocm)
    assert (result.output.decode(), result.findings) == (f"hipDataType type() {{ return HIP_{number}; }}\n", [])


def test_one_that_came_later() -> None:
    assert [found.id for found in run("int type = CUDA_R_16BF;\n", "5.2").findings] == ["HIP108"]


@pytest.mark.parametrize(("rocm", "found"), [("5.2", ["HIP105"]), ("5.7", ["HIP105"]), ("6.0", []), ("", [])])
def test_hipblas_of_rocm_5_takes_types_of_its_own(rocm: str, found: list[str]) -> None:
    result = run("#include <cublas_v2.h>\nvoid f() { cublasNrm2Ex(h, n, x, CUDA_R_32F, 1, r, CUDA_R_32F, t); }\n", rocm)
    assert [finding.id for finding in result.findings] == found
