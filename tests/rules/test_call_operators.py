"""Functors that hipCUB calls by const reference."""

from __future__ import annotations

import pytest

from hipify_py import translate

USE = "void f(int *p, size_t n, int *q) { cub::DeviceReduce::Reduce(nullptr, n, p, q, 9, op, 0); }\n"


def _hip(source: str) -> str:
    return translate(source + USE, path="a.cu").output.decode()


@pytest.mark.parametrize(
    "source",
    [
        "struct Add { template <class T> __device__ T operator()(const T &a, const T &b) { return a + b; } };\n",
        "struct Scale { float s; __device__ float operator()(float a) { float r = a * s; return r; } };\n",
        "struct Odd : public thrust::unary_function<int, bool> { HD bool operator()(int a) { return a & 1; } };\n",
        "class Least { public: int HD operator()(int a, int b) { return a < b ? a : b; } };\n",
        "struct Long { int n; __device__ int operator()(int a) { /* n = a; */ "
        + "a += 2; " * 4000
        + "return a; } };\n",
        'struct Text { int n; __device__ int operator()(int a) { log("n = %d; n++", a); return a; } };\n',
        "struct Mask { int n; __device__ int operator()(int a) { int b = a & n; b <<= 2; return b; } };\n",
        "struct Same { int n; __device__ bool operator() /* the call */ (int a) { return a == n && a <= n; } };\n",
        "struct Odd : thrust :: unary_function<std::pair<int, int>, bool> { HD bool operator()(int a) { return a; } };\n",
    ],
)
def test_a_functor_that_changes_nothing_becomes_const(source: str) -> None:
    assert ") const {" in _hip(source)


@pytest.mark.parametrize(
    "source",
    [
        "struct Count { int n; __device__ int operator()(int a) { n++; return a + n; } };\n",
        "struct Sum { int n; __device__ int operator()(int a) { return n += a; } };\n",
        "struct Uses { __device__ int twice(int a) { return 2 * a; } __device__ int operator()(int a) { return twice(a); } };\n",
        "struct Self { __device__ int operator()(int a) { this->last = a; return a; } int last; };\n",
        "struct Bound { int n; __device__ int operator()(int a) { int &m = n; m = a; return m; } };\n",
        "struct Taken { int n; __device__ int operator()(int a) { keep(& /* it */ n); return a; } };\n",
        "struct Part { S s; __device__ int operator()(int a) { s /* of it */ .n = a; return a; } };\n",
        "struct Item { int v[2], n; __device__ int operator()(int a) { v[a\n] = a; return a; } };\n",
        "struct Down { int n; __device__ int operator()(int a) { return --n + a; } };\n",
        "struct Kin : Base { __device__ int operator()(int a) { return a + offset; } };\n",
        "struct Done { __device__ int operator()(int a) const { return a; } };\n",
        "struct Far { __device__ int operator()(int a); };\n",
        "struct Open { __device__ int operator()(int a) { return a\n",
    ],
)
def test_other_functors_stay(source: str) -> None:
    assert source.rstrip() in _hip(source)


def test_sources_without_hipcub_stay() -> None:
    source = "struct Add { __device__ int operator()(int a, int b) { return a + b; } };\n"
    assert source in translate(source, path="a.cu").output.decode()
