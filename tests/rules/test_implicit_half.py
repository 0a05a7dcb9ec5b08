"""The headers of half numbers, which CUDA's cuBLAS header brings."""

from __future__ import annotations

import pytest

from hipify_py.translator.translate import translate


def includes(source: str, path: str) -> list[str]:
    output = translate(source, path=path).output.decode()
    return [line.removeprefix("#include ") for line in output.splitlines() if line.startswith("#include")]


def test_each_type_brings_its_header() -> None:
    source = "#include <hip/hip_runtime.h>\n#include <cublas_v2.h>\nvoid f(half *p, __nv_bfloat16 *q);"
    assert includes(source, "a.cu") == [
        "<hip/hip_runtime.h>",
        "<hipblas/hipblas.h>",
        "<hip/hip_bf16.h>",
        "<hip/hip_fp16.h>",
    ]


@pytest.mark.parametrize("header", ["cublasLt.h", "cusolverDn.h"])
def test_other_headers_bring_it_too(header: str) -> None:
    assert "<hip/hip_fp16.h>" in includes(f"#include <{header}>\nhalf f();", "a.cpp")


def test_a_header_hands_it_on() -> None:
    """What includes `handle.h` may lean on it for `half`."""
    assert "<hip/hip_fp16.h>" in includes("#pragma once\n#include <cublas_v2.h>\nnamespace n {}\n", "handle.h")
    assert "<hip/hip_fp16.h>" not in includes("#pragma once\n#include <cublas_v2.h>\nint f(void);\n", "handle.h")


def test_the_line_ends_as_the_source_does() -> None:
    output = translate(b"#include <cublas_v2.h>\r\nhalf f();\r\n", path="a.cpp").output
    assert b"#include <hipblas/hipblas.h>\r\n#include <hip/hip_fp16.h>\r\n" in output


def test_each_branch_of_the_preprocessor_gets_it() -> None:
    """One of the branches is compiled, and the first is as likely to be left out as another."""
    source = (
        "#if defined(QUIET)\n#pragma warning(push, 0)\n#include <cublas_v2.h>\n#pragma warning(pop)\n"
        "#elif defined(LOUD)\n#include <cublas_v2.h>\n#include <cusolverDn.h>\n#endif\nhalf f();\n"
    )
    assert includes(source, "a.cpp") == [
        "<hipblas/hipblas.h>",
        "<hip/hip_fp16.h>",
        "<hipblas/hipblas.h>",
        "<hip/hip_fp16.h>",
        "<hipsolver/hipsolver.h>",
    ]


def test_one_that_is_always_compiled_serves_the_branches_behind_it() -> None:
    source = "#include <cublas_v2.h>\n#ifdef SOLVE\n#include <cusolverDn.h>\n#endif\nhalf f();\n"
    assert includes(source, "a.cpp").count("<hip/hip_fp16.h>") == 1
    behind = "#ifdef SOLVE\n#include <cusolverDn.h>\n#endif\n#include <cublas_v2.h>\nhalf f();\n"
    assert includes(behind, "a.cpp")[-2:] == ["<hipblas/hipblas.h>", "<hip/hip_fp16.h>"]


@pytest.mark.parametrize("header", ["cublas_v2.h", "cusolverDn.h", "cusolverMp.h"])
def test_twice_changes_nothing(header: str) -> None:
    """`cusolverMp.h` has no counterpart, so its name stays."""
    once = translate(f"#include <{header}>\nhalf f();", path="a.cpp").output
    assert b"<hip/hip_fp16.h>" in once
    assert translate(once, path="a.cpp").output == once
