"""Conditions that ask by its guard whether a header of CUDA is included."""

from __future__ import annotations

import pytest

from hipify_py.core.options import Options, Targeting
from hipify_py.translator.translate import translate

PLAIN = Options(implicit_runtime=False, targeting=Targeting(rocm="7.1"))


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("__cuda_cuda_h__", "HIP_INCLUDE_HIP_HIP_RUNTIME_API_H"),
        ("__VECTOR_TYPES_H__", "HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H"),
        ("CU_COMPLEX_H_", "HIP_INCLUDE_HIP_HIP_COMPLEX_H"),
        ("CUBLAS_H_", "HIPBLAS_H"),
        ("CUBLASAPI", "HIPBLAS_H"),
        ("CUFFTAPI", "HIPFFT_H_"),
        ("CURAND_KERNEL_H_", "HIPRAND_KERNEL_H_"),
        ("CUSPARSE_H_", "HIPSPARSE_H"),
        ("CUSPARSEAPI", "HIPSPARSE_H"),
        ("CUSOLVERDN_H_", "HIPSOLVER_H"),
        ("CUDNN_H_", "MIOPEN_GUARD_MIOPEN_H_"),
    ],
)
@pytest.mark.parametrize("condition", ["#ifdef {}\n", "#if defined({})\n", "#if !defined {}\n"])
def test_it_asks_for_hips_header(cuda: str, hip: str, condition: str) -> None:
    source = condition + "int a;\n#endif\n"
    translation = translate(source.format(cuda), path="a.h", options=PLAIN)
    assert translation.output.decode() == source.format(hip)
    assert translation.findings == []


@pytest.mark.parametrize("guard", ["__NVRTC_H__", "NVJPEGAPI", "NV_NPPIDEFS_H"])
def test_one_without_counterpart_is_reported(guard: str) -> None:
    source = f"#ifdef {guard}\nint a;\n#endif\n"
    translation = translate(source, path="a.h", options=PLAIN)
    assert [finding.id for finding in translation.findings] == ["HIP403"]


@pytest.mark.parametrize("guard", ["__LIBRARY_TYPES_H__", "CUSPARSE_H_", "_COOPERATIVE_GROUPS_H_"])
def test_the_guard_of_a_header_of_the_projects_stays(guard: str) -> None:
    source = f"#ifndef {guard}\n#define {guard}\nint a;\n#endif\n"
    assert translate(source, path="a.h", options=PLAIN).output.decode() == source
