"""Macros of other files that stand for `__host__` and `__device__`."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

MACROS = """#ifdef __CUDACC__
#define ON_GPU __device__ // the GPU
#define ON_CPU __host__
#else
#define ON_GPU
#define ON_CPU
#endif
#define ANYWHERE ON_CPU ON_GPU
#define ANYWHERE_INLINE ANYWHERE inline
#define EXPORTED __attribute__((visibility("default")))
#define ROUND(x) ((x) + 1)
"""
SPECIAL = "template <> inline __device__ int whole(double x) { return __double2int_rz(x); }\n"


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("template <class T> inline ANYWHERE int whole(T);\n" + SPECIAL, "template <> ANYWHERE inline __device__ int"),
        ("template <class T> EXPORTED __device__ int whole(T);\n" + SPECIAL, SPECIAL),
        ("template <class T> ELSEWHERE int whole(T);\n" + SPECIAL, SPECIAL),
        ("ANYWHERE int f();\nint f() { return 1; }\n", "\nANYWHERE int f() {"),
        ("int f();\nANYWHERE_INLINE int f() { return 1; }\n", "\nint f();"),
        ("ANYWHERE int g();\nint f();\nANYWHERE int f() { return 1; }\n", "\nANYWHERE int f();"),
        ("#define ANYWHERE\nANYWHERE int f();\n__device__ int f() { return 1; }\n", "\n__device__ int f() {"),
    ],
)
def test_attributes_by_a_macro_of_a_header(tmp_path: Path, cuda: str, hip: str) -> None:
    (tmp_path / "macros.h").write_text(MACROS)
    (tmp_path / "between.h").write_text('#include "macros.h"\n')
    (tmp_path / "code.cuh").write_text('#include "between.h"\n' + cuda)
    convert([tmp_path], output=tmp_path / "hip")
    once = (tmp_path / "hip" / "code.cuh").read_text()
    assert hip in once
    convert([tmp_path / "hip"], output=tmp_path / "again")
    assert (tmp_path / "again" / "code.cuh").read_text() == once


def test_macros_that_call_each_other_have_no_sides(tmp_path: Path) -> None:
    (tmp_path / "macros.h").write_text("#define A B __device__\n#define B A\n")
    (tmp_path / "code.cuh").write_text('#include "macros.h"\nA int f();\nint f() { return 1; }\n')
    convert([tmp_path], output=tmp_path / "hip")
    assert (tmp_path / "hip" / "code.cuh").read_text().endswith("A int f();\nint f() { return 1; }\n")
