"""`__align__` in what the compiler of C or C++ reads."""

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("struct __align__(16) S { float x; };\n", "struct __attribute__((aligned(16))) S { float x; };\n"),
        (
            "typedef struct __align__(2 * sizeof(float)) { float x; } S;\nS __align__(32) all[4];\n",
            "typedef struct __attribute__((aligned(2 * sizeof(float)))) { float x; } S;\n"
            "S __attribute__((aligned(32))) all[4];\n",
        ),
        ("#define WIDE __align__(64)\nWIDE int x;\n", "#define WIDE __attribute__((aligned(64)))\nWIDE int x;\n"),
        ("#define __align__(n) alignas(n)\nstruct __align__(16) S { float x; };\n", None),
        ("inline __device__ void f() { __shared__ __align__(16) float x[4]; }\n", None),
        ("// struct __align__(16) S\nstruct S;\n", None),
    ],
)
@pytest.mark.parametrize("path", ["cameras.h", "cameras.cpp", "cameras.c"])
def test_it_is_gcc_s_attribute_outside_of_functions(source: str, expected: str | None, path: str) -> None:
    output = translate(source, path=path).output.decode()
    assert output.endswith(expected or source)
    assert translate(output, path=path).output.decode() == output


@pytest.mark.parametrize("path", ["cameras.cu", "cameras.cuh"])
def test_cuda_sources_keep_it(path: str) -> None:
    assert "struct __align__(16) S" in translate("struct __align__(16) S { float x; };\n", path=path).output.decode()
