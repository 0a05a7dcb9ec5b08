"""cusparseSpSM_solve remembers the buffer that the analysis got; HIP's wants it again below ROCm 10."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.targeting import Targeting

ARGUMENTS = "h, op, op, &alpha, A, B, C, CUDA_R_32F, alg, "
DIFFERS = "HIP105"


def outcome(source: str, rocm: str = "7.1") -> tuple[str, list[str]]:
    options = Options(implicit_runtime=False, targeting=Targeting(rocm=rocm))
    result = translate(source.replace("@", ARGUMENTS), path="a.cpp", options=options)
    assert translate(result.output, path="a.cpp", options=options).output == result.output
    output = result.output.decode().replace(ARGUMENTS.replace("CUDA_R", "HIP_R"), "@")
    return output.replace("hipsparseSpSM_", "cusparseSpSM_"), [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    ("source", "solved"),
    [
        ("void f(void *b) { cusparseSpSM_analysis(@d, b); cusparseSpSM_solve(@d); }", "(@d, b)"),
        ("void f(S *s) { cusparseSpSM_analysis(@s->d, s->b); cusparseSpSM_solve(@s->d); }", "(@s->d, s->b)"),
        ("void f() { void *b; cudaMalloc(&b, n); cusparseSpSM_analysis(@d, b);\n CHECK(cusparseSpSM_solve(@d)); }", "(@d, b)"),
        ("void f(void *a, void *b) { cusparseSpSM_analysis(@x, a); cusparseSpSM_analysis(@y, b); cusparseSpSM_solve(@x); }", "(@x, a)"),
        ("void f(void *b) { cusparseSpSM_analysis(@(d), (b)); if (go) { cusparseSpSM_solve(@d); } }", "(@d, (b))"),
        ("struct S { void *b_; void f() { cusparseSpSM_analysis(@d_, b_); cusparseSpSM_solve(@d_); } T d_; };", "(@d_, b_)"),
    ],
)  # fmt: skip
def test_the_buffer_of_the_analysis_is_passed_again(source: str, solved: str) -> None:
    output, found = outcome(source)
    assert f"cusparseSpSM_solve{solved}" in output
    assert DIFFERS not in found


@pytest.mark.parametrize(
    "source",
    [
        "void f() { cusparseSpSM_solve(@d); }",
        "void g(void *b) { cusparseSpSM_analysis(@d, b); }\nvoid f() { cusparseSpSM_solve(@d); }",
        "void f(void *b) { cusparseSpSM_analysis(@x, b); cusparseSpSM_solve(@y); }",
        "void f(void *b) { cusparseSpSM_analysis(@d, b); b = other(); cusparseSpSM_solve(@d); }",
        "void f(void *b) { cusparseSpSM_analysis(@d, b); cudaMalloc(&b, n); cusparseSpSM_solve(@d); }",
        "void f() { { void *b = make(); cusparseSpSM_analysis(@d, b); } cusparseSpSM_solve(@d); }",
        "void f() { cusparseSpSM_analysis(@d, make()); cusparseSpSM_solve(@d); }",
        "auto f = &cusparseSpSM_solve;",
    ],
)
def test_a_call_whose_buffer_is_not_to_be_found_is_reported(source: str) -> None:
    output, found = outcome(source)
    assert "cusparseSpSM_solve(@d, " not in output
    assert DIFFERS in found


def test_from_rocm_10_on_hip_has_it_without() -> None:
    output, found = outcome("void f(void *b) { cusparseSpSM_analysis(@d, b); cusparseSpSM_solve(@d); }", "10.0")
    assert "cusparseSpSM_solve_ex(@d)" in output
    assert found == []
