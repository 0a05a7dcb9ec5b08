"""Atomic additions of half-precision numbers."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.targeting import Targeting

FRAME = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"


def body(source: str) -> str:
    return translate(FRAME + source, path="a.cu").output.decode().rpartition(">\n")[2]


@pytest.mark.parametrize(
    "type", ["half", "__half", "half2", "__half2", "__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16"]
)
@pytest.mark.parametrize("place", ["p", "p + i", "&p[i]", "&(p[i])"])
def test_the_declared_type_decides(type: str, place: str) -> None:
    added = body(f"__device__ void f({type} *p, int i, {type} x) {{ atomicAdd({place}, x); }}")
    assert "hipify::atomic_add(" in added or (type.endswith("2") and "unsafeAtomicAdd(" in added)


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void f(unsigned *p, int i) { atomicAdd((half2 *)p, g(i)); }",
        "struct S { half *m; }; __device__ void f(S s, half x) { atomicAdd(s.m + 1, x); }",
        "using number = __nv_bfloat16;\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
        "__device__ void f(S s) { atomicAdd(s.unknown, __float2half(1.f)); }",
        "template <class T> __global__ void k(T *p, T x) { atomicAdd(p, x); }\nvoid f() { k<half><<<1, 1>>>(0, half()); }",
    ],
)
def test_what_else_tells_the_type(source: str) -> None:
    assert "hipify::atomic_add(" in body(source)


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void f(float *p, half x) { atomicAdd(p, __half2float(x)); }",
        "__device__ void f(half *h, int *p) { atomicAdd(p, 1); }",
        "template <class T> __global__ void k(T *p, T x) { atomicAdd(p, x); }\nvoid f(half h) { k<float><<<1, 1>>>(0, 1.f); }",
        "__device__ void f(half *p) { pool.atomicAdd(p, *p); }",
        "__device__ void f(half *p) { atomicAdd(p",
    ],
)
def test_other_additions_stay(source: str) -> None:
    assert "hipify::" not in body(source)


def test_braces_in_conditions_that_break_the_tree_do_not_hide_a_template() -> None:
    source = (
        FRAME
        + """template <typename scalar_t>
__global__ void k(scalar_t *out, int n) {
#if __CUDA_ARCH__ < 800
  if constexpr (std::is_same<scalar_t, nv_bfloat16>::value) {
    return;
  } else {
#endif
    for (int i = 0; i < n; i++) atomicAdd(&out[i], g(i));
#if __CUDA_ARCH__ < 800
  }
#endif
}
"""
    )
    assert "hipify::atomic_add(&out[i], g(i))" in translate(source, path="a.cu").output.decode()


def test_without_the_support_header_it_is_reported() -> None:
    result = translate(
        FRAME + "__device__ void f(half *p, half x) { atomicAdd(&p[1], g(x)); }",
        path="a.cu",
        options=Options(support=False),
    )
    assert b"hipify::" not in result.output
    assert [found.id for found in result.findings if found.severity == "error"] == ["HIP254"]


def test_a_second_run_changes_nothing() -> None:
    once = translate(FRAME + "__device__ void f(half *p, half x) { atomicAdd(p, x); }", path="a.cu").output
    assert translate(once, path="a.cu").output == once


_ADDS = "template <class T, class U = int> __global__ void k(T *p, T x) { atomicAdd(p, x); }\n"


@pytest.mark.parametrize(
    "source",
    [
        _ADDS + "void f() { k<half, std::tuple<" + "unsigned, " * 30 + "int>><<<1, 1>>>(0, half()); }",
        _ADDS + "void f() { k<std::conditional_t<(sizeof(int) > 2), " + "half, float>><<<1, 1>>>(0, {}); }",
        _ADDS + "void f() { k< /* in " + "half " * 40 + "*/ __half ><<<1, 1>>>(0, {}); }",
        _ADDS + "template __global__ void k<__nv_bfloat16>(__nv_bfloat16 *p, __nv_bfloat16 x);",
        _ADDS + "#define RUN(p) k<half2> \\\n  <<<1, 1>>>(p, {})\n",
        "using number = /* of 16 bits */ __nv_bfloat16;\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
        "#define number half  // of 16 bits\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
        "#define number \\\n  half\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
        "typedef half other, number;\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
    ],
)
def test_instances_and_aliases_are_read_from_the_tree(source: str) -> None:
    assert "hipify::atomic_add(" in body(source)


@pytest.mark.parametrize(
    "source",
    [
        _ADDS + "// k<half><<<1, 1>>>\nvoid f(half h) { k<float><<<1, 1>>>(0, 1.f); }",
        _ADDS + 'const char *name = "k<half>";\nhalf h;',
        _ADDS + "bool f(int a, half h) { return a < 3 && half(1) > h; }",
        "// using number = half;\nusing number = float;\n__device__ void f(number *p, number x) { atomicAdd(p, x); } half h;",
        "using other = half *;\nusing number = float;\n__device__ void f(number *p, number x) { atomicAdd(p, x); }",
    ],
)
def test_what_only_looks_like_an_instance_is_none(source: str) -> None:
    assert "hipify::" not in body(source)


@pytest.mark.parametrize("rocm", ["5.2", "6.2", "7.0", "7.1"])
@pytest.mark.parametrize("type", ["__nv_bfloat162", "nv_bfloat162", "__half2", "__nv_bfloat16", "__half"])
def test_a_second_pass_adds_nothing_of_its_own(type: str, rocm: str) -> None:
    source = f"#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n__device__ void f({type} *p, {type} x) {{ atomicAdd(p, x); }}\n"
    options = Options(targeting=Targeting(rocm=rocm))
    once = translate(source, path="a.cu", options=options).output
    assert translate(once, path="a.cu", options=options).output == once
