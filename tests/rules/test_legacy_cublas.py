"""cuBLAS's first interface, whose functions take no handle: reported, and left alone however often it is translated."""

from __future__ import annotations

import pytest

from hipify_py import translate

CALLS = [
    "float s = cublasSdot(4, x, 1, y, 1);",
    "int i = cublasIdamax(n, x, 1);",
    "cublasCsscal(n, a, z, 1);",
    "cublasDgemm('n', 't', m, n, k, 1.0, a, m, b, n, 0.0, c, m);",
    "cublasStrmm('L', 'U', 'N', 'N', m, n, alpha, a, lda, b, ldb);",
    "double r = cublasDznrm2(n, z, 1);",
    "cublasZherk('U', 'N', n, k, a, z, n, b, c, n);",
]


def outcome(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cpp")
    return result.output.decode(), [finding.id for finding in result.findings]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "include",
    ["#include <cublas.h>\n", '#include "cublas.h"\n', '#include "ours.h"\n', "#include <hipblas/hipblas.h>\n"],
)
def test_a_call_without_a_handle_stays_and_is_reported_in_every_pass(call: str, include: str) -> None:
    source = f"{include}void f(cublasStatus_t s) {{ {call} }}\n"
    once, found = outcome(source)
    assert call in once
    assert "hipblasStatus_t s" in once
    assert found.count("HIP501") == 1
    assert outcome(once) == (once, found)


@pytest.mark.parametrize(
    "use", ["auto f = &cublasSdot;", "#define DOT cublasSdot", "#define AXPY(...) cublasSaxpy(__VA_ARGS__)"]
)
def test_with_its_header_a_name_alone_is_the_legacy_function_too(use: str) -> None:
    source = f"#include <cublas.h>\n{use}\n"
    once, found = outcome(source)
    assert once == source
    assert found == ["HIP107", "HIP501"]
    assert outcome(once) == (once, found)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("cublasSaxpy(h, n, &a, x, 1, y, 1);", "hipblasSaxpy(h, n, &a, x, 1, y, 1);"),
        ("cublasIsamax(h, n, x, 1, &i);", "hipblasIsamax(h, n, x, 1, &i);"),
        ("cublasSdot(h, n, x, 1, y, 1, &s);", "hipblasSdot(h, n, x, 1, y, 1, &s);"),
        ("auto f = &cublasSdot;", "auto f = &hipblasSdot;"),
        ("call(cublasSdot, 4, x, 1, y, 1);", "call(hipblasSdot, 4, x, 1, y, 1);"),
        ("cublasSdot(args...);", "hipblasSdot(args...);"),
    ],
)
def test_with_a_handle_or_without_a_sign_of_the_header_it_is_renamed(source: str, output: str) -> None:
    assert outcome(source) == (output, [])


def test_what_both_interfaces_share_without_a_handle_is_renamed() -> None:
    source = "#include <cublas.h>\nvoid f() { cublasSetVector(4, 4, x, 1, d, 1); cublasStatus s; }\n"
    once, found = outcome(source)
    assert once == "#include <hipblas/hipblas.h>\nvoid f() { hipblasSetVector(4, 4, x, 1, d, 1); hipblasStatus_t s; }\n"
    assert found == []
    assert outcome(once) == (once, [])
