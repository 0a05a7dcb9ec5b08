"""Braces assigned to HIP's numbers of 16 bits."""

from __future__ import annotations

import pytest

from hipify_py import translate

HEAD = "#include <cuda_fp16.h>\n"


def _hip(source: str) -> str:
    return translate(HEAD + source, path="a.cu").output.decode()


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("__device__ void f(half *p) { p[1] = {}; }", "p[1] = __half{};"),
        ("__device__ void f(half2 *p, half h) { *p = {h, h}; }", "*p = __half2{h, h};"),
        ("__device__ void f() { __nv_bfloat162 v; v = {}; }", "v = __hip_bfloat162{};"),
        ("__device__ void f(half *p) { p[1]={}; }", "p[1]=__half{};"),
        ("__device__ void f(half *p) { p[1] =\n    {}; }", "p[1] =\n    __half{};"),
        ("__device__ void f(half *p) { p[1] = /* none */ {}; }", "p[1] = /* none */ __half{};"),
        ("__device__ void f(half *p) { if (a == 1) (p[1]) = \\\n {}; }", "(p[1]) = \\\n __half{};"),
        ("__device__ void f(half *p) { a ? b : (*p = {}); }", "(*p = __half{})"),
    ],
)
def test_the_type_stands_in_front(source: str, wanted: str) -> None:
    assert wanted in _hip(source)


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void f(half2 h) { half2 v = {}; half2 w{h}; }",
        "__device__ void f(half h, float4 v) { v = {}; v = {1, 2, 3, 4}; }",
        "__device__ void f(half2 h) { h = {",
        "// h = {}\n__device__ void f(half2 h) { auto g = [=] {}; }",
    ],
)
def test_what_is_not_ambiguous_stays(source: str) -> None:
    assert source in _hip(source)


def test_a_second_run_changes_nothing() -> None:
    once = _hip("__device__ void f(half2 h) { h = {}; }")
    assert translate(once, path="a.cu").output.decode() == once
