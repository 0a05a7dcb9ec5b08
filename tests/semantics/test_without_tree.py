"""Questions that brackets answer, so that small sources need no tree: where they answer, a tree says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.device_code import (
    in_device_code,
    is_surely_device_code,
    is_surely_no_device_code,
    may_run_on_device,
)
from hipify_py.translator.translate import lexer, translate

CORPUS = Path(__file__).parents[2] / "corpus"


def unit_of(data: bytes) -> Unit:
    catalog = load_catalog(DEFAULT_OPTIONS.targeting)
    return Unit(Source(data, "a.cu"), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS)


def places_of(unit: Unit) -> list[int]:
    return list(unit.lexemes.places(b"HERE"))


HOST = [
    "__global__ void k() {}\nvoid f() { HERE(); }",
    "__global__ void k();\nvoid f() { HERE(); }",
    "__device__ int table[] = {1, 2};\nvoid f() { HERE(); }",
    "void f() { g([] __device__ (int i) { return i; }); HERE(); }",
    "struct S { __device__ void f() {} void g() { HERE(); } };",
    "namespace n { __device__ void f() {} void g() { if (a) { HERE(); } } }",
    "#ifdef A\n__global__ void k() {}\n#else\n__global__ void k(int) {}\n#endif\nvoid f() { HERE(); }",
    "#define CHECK(call) do { HERE(call); } while (0)\n__global__ void k() {}\nvoid f() { CHECK(1); }",
    '__global__ void k() { /* } */ if (a) { f("}"); } }\nvoid f() { HERE(); }',
]
DEVICE = [
    "__global__ void k() { HERE(); }",
    "__device__ S::S() : a(f){1}, b{2} { HERE(); }",
    "__device__ void f(T t = T{1}) { HERE(); }",
    "__device__ void f() try { g(); } catch (E e) { HERE(); }",
    "template <class T> __device__ void f() requires requires(T t) { t(); } { HERE(); }",
    "struct S { __device__ void f() { if (a) { } HERE(); } };",
    "void f() { g([] __device__ (int i) { HERE(); }); }",
    "__global__ void k()\n#ifdef A\n{ g(); }\n#else\n{ HERE(); }\n#endif\n",
    "__global__ void k() { if (a) {\n#ifdef A\n f(); }\n#else\n g(); }\n#endif\n HERE(); }",
    "#define KERNEL(name) __global__ void name() { HERE(); }\nKERNEL(k)",
    "__global__ void k() {\n#define TWICE HERE()\nTWICE; }",
    "void f() { } }\n__global__ void k() { } HERE();",  # brackets that do not match tell nothing
]


@pytest.mark.parametrize("source", HOST)
def test_host_code_needs_no_tree(source: str) -> None:
    unit = unit_of(source.encode())
    (place,) = places_of(unit)
    assert is_surely_no_device_code(unit, place)
    assert not in_device_code(unit, place)
    assert not unit.tree.is_parsed


@pytest.mark.parametrize("source", DEVICE)
def test_where_a_head_may_go_on_the_tree_is_asked(source: str) -> None:
    unit = unit_of(source.encode())
    (place,) = places_of(unit)
    assert not is_surely_no_device_code(unit, place)


def test_a_macro_may_be_the_qualifier() -> None:
    source = b"#define HD __host__ __device__\nHD void f() { HERE(); }\nvoid g() { HERE(); }"
    unit = unit_of(source)
    first, second = places_of(unit)
    assert not may_run_on_device(unit, second)
    assert not unit.tree.is_parsed
    assert may_run_on_device(unit, first)


OUTSIDE = [
    "void f() { if (a) g(); HERE(); }",
    "void f() { if (a) { g(); } else if (b) g(); else { g(); } HERE(); }",
    "void f() { if (a) for (;;) { g(); } HERE(); }",
    "void f() { HERE(); if (a) g(); }",
    "#define IF if (a)\nvoid f() { HERE(); }",
    "void g() { if (a) return; }\nvoid f() { HERE(); }",
]
INSIDE = [
    "void f() { if (a) HERE(); }",
    "void f() { if (a) { g(); HERE(); } }",
    "void f() { if (a) g(); else HERE(); }",
    "void f() { if (a) { g(); } else { HERE(); } }",
    "void f() { if (a) for (;;) { g(); HERE(); } }",
    "void f() { if (a) if (b) g(); else g(); else HERE(); }",
    "void f() { if (a) do { g(); } while (HERE()); }",
    "void f() { if (a)\n#ifdef A\n g();\n#else\n HERE();\n#endif\n}",
    "void f() { if (a) try { g(); } catch (E e) { HERE(); } }",
    "#define IF if (a) HERE()\nvoid f() { IF; }",
]


@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.cu")), ids=lambda path: path.name)
def test_the_tree_says_the_same_of_the_corpus(path: Path) -> None:
    unit = unit_of(path.read_bytes())
    places = [name.start for name in unit.lexemes.names]
    host = [place for place in places if is_surely_no_device_code(unit, place)]
    assert unit.tree.is_available
    assert [place for place in host if in_device_code(unit, place)] == []
    device = [place for place in places if is_surely_device_code(unit, place)]
    assert [place for place in device if not in_device_code(unit, place)] == []


def test_a_small_program_is_translated_without_a_tree() -> None:
    source = b"""#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) puts(cudaGetErrorString(e)); } while (0)
__global__ void add(float *a, int n) { __syncthreads(); if (threadIdx.x < n) a[threadIdx.x] += 1; }
int main(void) {
    float *a;
    CHECK(cudaMalloc(&a, 4));
    add<<<1, 1>>>(a, 1);
    CHECK(cudaDeviceSynchronize());
}
"""
    done = translate(source, path="a.cu")
    assert b"hipLaunchKernelGGL(add, dim3(1), dim3(1), 0, 0, a, 1);" in done.output
    assert done.evidence == ("lexical",)


KERNEL = "__global__ void k(int *p);\n"
PLAIN = {
    "loops that count": ("__global__ void k(int *p, int n) { for (int i = 0; i < n; ++i) atomicAdd(&p[i], 1); }", ""),
    "a macro that runs once": (
        "#define A(x) do { x; } while (0)\n__device__ void f(int *p) { A(atomicAdd(p, 1)); }",
        "",
    ),
    "barriers in no branch": ("__global__ void k(int *p) { p[0] = 1; __syncthreads(); p[1] = p[0] ? 1 : 2; }", ""),
    "a dim3": (KERNEL + "void f(int *p) { dim3 g(2, 3); const dim3 b(4); k<<<g, b>>>(p); }", "(k, g, b, 0, 0, p)"),
    "a number": (KERNEL + "void f(int *p, int n) { dim3 g(2); k<<<g, n>>>(p); }", "(k, g, dim3(n), 0, 0, p)"),
    "a number beside an int": ("void f(int n) { cudaError_t e = cudaFree(0); if (n == 1) g(e); }", ""),
    "limits": ("__global__ void k(int *p) { p[0] = std::numeric_limits<int>::max(); }", ""),
    "a kernel's call of sqrt": ("__global__ void k(float *p) { p[0] = sqrt(p[1]); }", ""),
    "a cast": ("void f() { float *p; cudaMalloc((void **)&p, 4); }", "hipMalloc((void **)&p, 4)"),
    "a member template": (
        "template <class T> void f(Tensor a) { g(a.data<float>()); cudaFree(0); }",
        "a.data<float>()",
    ),
}
"""Sources and a part of their translations that need no tree."""
ASKING = {
    "a dim3 of another function": (KERNEL + "void f() { dim3 g(2); }\nvoid h(S s) { k<<<g, 1>>>(s); }", "(k, dim3(g),"),
    "one of two in a declaration": (KERNEL + "void f() { dim3 g(2), b(4); k<<<g, b>>>(0); }", "(k, g, b,"),
    "another name for dim3": (KERNEL + "using D = dim3;\nvoid f() { D g(2); k<<<g, 1>>>(0); }", "(k, g, dim3(1),"),
    "an auto dim3": (KERNEL + "void f() { auto g = dim3(2); k<<<g, 1>>>(0); }", "(k, g, dim3(1),"),
    "a distance that is set": (
        "__device__ int f(int v) {\n"
        "  for (int d = 16; d > 0; d /= 2) { d += 40; v += __shfl_down_sync(~0u, v, d); }\n  return v;\n}",
        "__shfl_down(v, d & 31, 32)",
    ),
    "a distance of 32": (
        "__device__ int f(int v) { for (int d = 32; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d); return v; }",
        "__shfl_down(v, d & 31, 32)",
    ),
    "a count of 32 in a choice": (
        "__device__ unsigned f(unsigned m) { int n = m ? 32 : __ffs(m); return (1u << n) - 1; }",
        "(n < 32 ? 1u << n : 0)",
    ),
    "a member template of a parameter": (
        "template <class T> __device__ void f(T a) { a.g<1>(); }",
        "a.template g<1>()",
    ),
}
"""Sources of which the words alone would tell something wrong, or nothing."""


@pytest.mark.parametrize("name", PLAIN)
def test_words_tell(name: str) -> None:
    source, part = PLAIN[name]
    done = translate(source, path="a.cu")
    assert part in done.output.decode()
    assert done.evidence == ("lexical",)


@pytest.mark.parametrize("name", ASKING)
def test_words_do_not_tell(name: str) -> None:
    source, part = ASKING[name]
    assert part in translate(source, path="a.cu").output.decode()
