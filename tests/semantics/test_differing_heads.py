"""The look at the lexemes that spares most sources the tree: it may find too much, never too little."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.rules.device.redeclared_attributes import RedeclaredAttributes
from hipify_py.semantics import redeclarations
from hipify_py.semantics.redeclarations import may_differ

Make = Callable[[str], Unit]


CORPUS = sorted(Path(__file__).parents[2].joinpath("corpus").rglob("*.cu*"))

DIFFERING = (
    *(example.source for example in RedeclaredAttributes.INVALID),
    "float f(float);\n__device__ float f(float x) { return x; }\n",
    "float f /* a comment */ (float);\n__device__ float f\n(float x) { return x; }\n",
    "#define HD __host__ __device__\nint *f(int);\nHD int *f(int x);\n",
    "struct S { __device__ S(int); S(int, int); };\nS::S(int) {}\n",
    "struct S { __device__ ~S(); };\nS::~S() {}\n",
    "struct S { template <class T> __device__ S(T); };\ntemplate <class T> S::S(T) {}\n",
    "struct S { __device__ bool operator==(S) const; };\nbool S::operator==(S) const { return true; }\n",
    "template <class T> T f(T);\ntemplate <> __device__ int f<int>(int);\ntemplate <> int f<int>(int x) { return x; }\n",
    "template <class T> struct S { __device__ int f(); };\ntemplate <class T> int S<T>::f() { return 1; }\n",
    "struct S {\npublic: int f();\n};\n__device__ int S::f() { return 1; }\n",
    "#define N 1\nfloat f(float);\n#undef N\n__device__ float f(float x) { return x; }\n",
    "__attribute__((cold)) int f(int);\n__device__ __attribute__((cold)) int f(int x) { return x; }\n",
    "namespace n { int f(int); }\n__device__ int n::f(int x) { return x; }\n",
)
ALIKE = (
    "",
    "int f(int);\nint f(int x) { return x; }\n",
    "__device__ int f(int x) { return x; }\n",
    "__device__ int f(int);\n__device__ int f(int x) { return x; }\n",
    "__device__ int f(int x) { return x; }\n__global__ void k(int *o) { f(1); *o = f(2); o[1] = 2 * f(3); }\n",
    "__device__ int f(int x) { return x; }\n__device__ int g(int x) { return f(x) + x * f(f(x)); }\n",
    "__device__ int f(int x) { return x; }\n__device__ int g(int x) { if (x) return f(x); else return 2 * f(x); }\n",
    "struct S { __device__ S(int x) : a(x) {} int a; };\n__device__ S f(int a) { S s(a); return S(a); }\n",
    "__global__ void k(int);\nvoid f() { k<<<1, 1>>>(1); }\n__host__ __device__ void g();\n",
    "#define HD __device__\n// int f(int);\nHD int f(int x) { return x; }\n",
)


@pytest.mark.parametrize("text", DIFFERING)
def test_finds_declarations_that_differ(unit_of: Make, text: str) -> None:
    assert may_differ(unit_of(text))


@pytest.mark.parametrize("text", ALIKE)
def test_asks_no_tree_where_none_differ(unit_of: Make, text: str) -> None:
    unit = unit_of(text)
    assert not may_differ(unit)
    assert not unit.tree.is_parsed


def test_misses_nothing_of_the_corpus(unit_of: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redeclarations, "may_differ", lambda _: True)
    for path in CORPUS:
        unit = unit_of(path.read_text("utf-8", "replace"))
        assert may_differ(unit) or not list(redeclarations.missing_attributes(unit)), path
