"""Which places run on the device."""

from __future__ import annotations

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.device_code import in_device_code, in_kernel_body, is_surely_host_code, may_run_on_device
from hipify_py.translator.translate import lexer


def unit_of(source: str) -> tuple[Unit, int]:
    """A source, and the place of `HERE` in it."""
    catalog = load_catalog(DEFAULT_OPTIONS.targeting)
    data = source.encode()
    return Unit(Source(data, "a.cu"), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS), data.index(b"HERE")


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void f() { HERE(); }",
        "__global__ void k() { // not __device__ alone\n HERE(); }",
        "__global__ void k() { /* __global__ { */ if (a) { HERE(); } }",
        "__global__ /* " + "a kernel { of } many words " * 60 + "*/ void k() { HERE(); }",
        '__global__ void k() { printf("__device__"); HERE(); }',
        "template <class T>\n__device__ \\\n  void f(T t) { for (;;) { HERE(); } }",
        "struct S { __device__ void f() { HERE(); } void g() {} };",
    ],
)
def test_device_code(source: str) -> None:
    assert in_device_code(*unit_of(source))
    assert may_run_on_device(*unit_of(source))


@pytest.mark.parametrize(
    "source",
    [
        "void f() { HERE(); }",
        "__device__ int x;\nvoid f() { HERE(); }",
        "// __device__\nvoid f() { HERE(); }",
        "void f() { /* __global__ */ HERE(); }",
        "__host__ __device__ void f() { HERE(); }",
        "void /* not __device__ */ f() { HERE(); }",
        "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); HERE(); }",
    ],
)
def test_host_code(source: str) -> None:
    assert not in_device_code(*unit_of(source))
    assert not in_kernel_body(*unit_of(source))


@pytest.mark.parametrize(
    ("source", "is_host"),
    [
        ("void f() { HERE(); }", True),
        ("void f() { HERE(); } // threadIdx\n", True),
        ("void f() { /* threadIdx.x */ HERE(); }", True),
        ("void /* __device__ ON DEVICE */ f() { HERE(); }", True),
        ("void f() { " + "count(); " * 4000 + "HERE(); __syncthreads(); }", False),
        ("DEVICE void f() { HERE(); }", False),
        ("void f() { auto g = [] { HERE(); return threadIdx.x; }; }", False),
    ],
)
def test_what_is_surely_for_the_host(source: str, is_host: bool) -> None:
    unit, place = unit_of(source)
    leaf = unit.tree.leaf(place, place + 4)
    assert leaf is not None
    assert is_surely_host_code(unit, leaf) == is_host


@pytest.mark.parametrize(
    ("source", "may"),
    [
        ("#define QUALIFIED __device__\nQUALIFIED void f() { HERE(); }", True),
        ("#define QUALIFIED // no __device__\nQUALIFIED void f() { HERE(); }", False),
        ('#define QUALIFIED f("__device__")\nvoid f() { HERE(); }', False),
        ("#define CALL HERE()\n__global__ void k() { CALL; }", True),
        ("#define CALL HERE()\nvoid f() { CALL; }\n// __global__ void k() { CALL; }", False),
        ("#define CALL HERE()\n#define TWICE CALL, CALL\n__device__ void f() { TWICE; }", True),
    ],
)
def test_what_may_run_on_the_device(source: str, may: bool) -> None:
    assert may_run_on_device(*unit_of(source)) == may
