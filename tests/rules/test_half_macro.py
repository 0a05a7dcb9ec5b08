"""cuBLAS's functions for half numbers where no cast of their arguments can be written."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.targeting import Targeting

MACRO = "#define HIPBLAS_USE_HIP_HALF\n"
INCLUDE = "#include <cublas_v2.h>\n#include <cuda_fp16.h>\n"
HIP_INCLUDE = "#include <hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\n"


def outcome(source: str, path: str = "a.cpp", rocm: str = "", target: str = "hip") -> tuple[str, list[str]]:
    options = Options(implicit_runtime=False, targeting=Targeting(rocm=rocm, target=target))
    result = translate(source, path=path, options=options)
    assert translate(result.output, path=path, options=options).output == result.output
    return result.output.decode(), [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    "source",
    [
        "auto f = &cublasHgemm;\n",
        "Function table[] = {cublasHgemm, nullptr};\n",
        "template <> struct Gemm<half> { static constexpr auto call = cublasHgemmStridedBatched; };\n",
        "#define GEMM cublasHgemmStridedBatched\n",
        "#define GEMM(...) cublasHgemm(handle, __VA_ARGS__)\n",
        "int f() { return RUN(cublasHgemmBatched, a, b); }\n",
        "template <class... A> auto g(A... a) { return cublasHgemm(a...); }\n",
    ],
)
def test_the_macro_makes_them_take_half(source: str) -> None:
    output, found = outcome(INCLUDE + source)
    assert output == MACRO + HIP_INCLUDE + source.replace("cublasHgemm", "hipblasHgemm")
    assert found == []


def test_a_call_is_cast_without_it() -> None:
    call = "cublasHgemm(h, t, t, m, n, k, &alpha, a, m, b, k, &beta, c, m);"
    output, found = outcome(f"{INCLUDE}void f() {{ {call} }}\n")
    assert output.startswith(HIP_INCLUDE)
    assert "(hipblasHalf*)(c)" in output
    assert found == []


@pytest.mark.parametrize(
    ("source", "path", "rocm", "target"),
    [
        ("auto f = &cublasHgemm;\n", "a.cpp", "", "hip"),
        (INCLUDE + "auto f = &cublasHgemm;\n", "a.cpp", "5.7", "hip"),
        (INCLUDE + "auto f = &cublasHgemm;\n", "a.cpp", "", "roc"),
    ],
)
def test_where_the_macro_does_not_help_it_is_reported(source: str, path: str, rocm: str, target: str) -> None:
    output, found = outcome(source, path, rocm, target)
    assert "HIPBLAS_USE_HIP_HALF" not in output
    assert found == ["HIP104"]


def test_in_a_header_the_macro_may_come_too_late() -> None:
    output, found = outcome(INCLUDE + "#define GEMM cublasHgemm\n", "a.h")
    assert output.startswith(MACRO)
    assert found == ["HIP104"]


def test_other_precisions_need_no_macro() -> None:
    output, found = outcome(INCLUDE + "auto f = &cublasSgemm;\n")
    assert output == HIP_INCLUDE + "auto f = &hipblasSgemm;\n"
    assert found == []
