"""Headers of ROCm's libraries in sources of C."""

from __future__ import annotations

import pytest

from hipify_py.translator.translate import translate

TYPE = b"#ifndef __cplusplus\ntypedef struct __half_raw __half; /* named by hipRAND's headers */\n#endif\n"


@pytest.mark.parametrize(
    ("path", "source", "has_type"),
    [
        ("a.c", b"#include <curand.h>\n", True),
        ("a.c", b'#ifdef GPU\n# include "curand.h" // numbers\n#endif\n', True),
        ("a.h", b'#ifdef __cplusplus\nextern "C" {\n#endif\n#include <curand.h>\n', True),
        ("a.h", b"#include <curand.h>\n", False),
        ("a.cpp", b"#include <curand.h>\n", False),
        ("a.cu", b"#ifdef __cplusplus\n#endif\n#include <curand.h>\n", False),
        ("a.c", b"#include <cublas_v2.h>\n", False),
        ("a.c", b"/* #include <curand.h> */\n", False),
    ],
)
def test_the_type_that_hiprand_names_is_declared_for_c(path: str, source: bytes, has_type: bool) -> None:
    done = translate(source, path=path)
    assert (TYPE in done.output) == has_type
    assert translate(done.output, path=path).output == done.output
    assert done.findings == []


def test_it_is_declared_once_before_the_first_include() -> None:
    done = translate(b"#include <curand.h>\n#include <stdio.h>\n#include <curand.h>\n", path="a.c")
    assert done.output.count(TYPE) == 1
    assert done.output.index(TYPE) < done.output.index(b"#include <hiprand/hiprand.h>")


@pytest.mark.parametrize(
    ("path", "header", "ids"),
    [
        ("a.c", b"cudnn.h", ["HIP624"]),
        ("a.c", b"cublasLt.h", ["HIP624"]),
        ("a.c", b"cuda_bf16.h", ["HIP624"]),
        ("a.c", b"cufft.h", []),
        ("a.cpp", b"cudnn.h", []),
        ("a.h", b"cudnn.h", []),
    ],
)
def test_headers_that_are_cpp_are_reported_in_sources_of_c(path: str, header: bytes, ids: list[str]) -> None:
    done = translate(b"#include <" + header + b">\n", path=path)
    assert [found.id for found in done.findings] == ids
