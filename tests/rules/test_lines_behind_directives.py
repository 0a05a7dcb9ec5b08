"""What is added behind a directive stands behind its continued lines, and behind a comment that begins on them."""

from __future__ import annotations

import pytest

from hipify_py.translator.translate import translate

SUPPORT = '#include "hipify_support.hpp"\n'


def output_of(source: str, path: str = "a.h") -> str:
    return translate(source, path=path).output.decode()


@pytest.mark.parametrize(
    "condition",
    [
        "#if defined(A) && \\\n    defined(B)\n",
        "#ifdef A /* as\n  long as it is */\n",
        "#if A // more \\\n of it\n",
        "#ifdef A\n",
    ],
)
def test_the_support_header_under_a_condition(condition: str) -> None:
    source = condition + "__device__ cuda::atomic<int> a;\n#endif\nint stays();\n"
    expected = condition + SUPPORT + "__device__ hipify::atomic<int> a;\n#endif\nint stays();\n"
    assert output_of(source) == expected


@pytest.mark.parametrize("behind", ["", " // runtime", " /* runtime\n  and all */", " // more \\\n of it"])
def test_the_support_header_behind_the_runtime(behind: str) -> None:
    source = f"#ifdef A\n#include <cuda_runtime.h>{behind}\n__device__ cuda::atomic<int> a;\n#endif\nint stays();\n"
    expected = source.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("__device__", SUPPORT + "__device__")
    assert output_of(source) == expected.replace("cuda::atomic", "hipify::atomic")


@pytest.mark.parametrize("behind", ["", " /* BLAS\n  of old */", " // more \\\n of it"])
def test_the_header_of_half_numbers_behind_that_of_a_library(behind: str) -> None:
    source = f"#include <cublas_v2.h>{behind}\nhalf a;\n"
    expected = f"#include <hipblas/hipblas.h>{behind}\n#include <hip/hip_fp16.h>\nhalf a;\n"
    assert output_of(source, "a.cpp").endswith(expected)


@pytest.mark.parametrize("comment", ["/**\n * Of threads.\n */", "// of threads \\\n and more"])
def test_a_comment_that_begins_behind_a_pragma_stays_whole(comment: str) -> None:
    source = f"#pragma once {comment}\n__global__ void k();\n"
    assert comment in output_of(source, "a.cuh")
