"""Numbers that CUDA's device pointers are, and HIP's are not."""

from __future__ import annotations

import pytest

from hipify_py import translate

KINDS = "struct Pool { CUdeviceptr base; size_t used; };\nCUdeviceptr next(Pool &p);\n"


def body(statements: str) -> str:
    """What statements with `Pool &p`, `CUdeviceptr d` and `uint64_t n` become."""
    source = f"{KINDS}void f(Pool &p, CUdeviceptr d, uint64_t n) {{\n{statements}\n}}\n"
    return translate(source.encode()).output.decode().split("{\n", 1)[1].split("\n}\n")[0]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("size_t m = d % 512;", "size_t m = (uintptr_t)d % 512;"),
        ("bool b = (p.base & 15) == 0;", "bool b = ((uintptr_t)p.base & 15) == 0;"),
        ("n = p.base + 4;", "n = (uintptr_t)p.base + 4;"),
        ("n = n - d;", "n = n - (uintptr_t)d;"),
        ("unsigned long long m = p.base;", "unsigned long long m = (uintptr_t)p.base;"),
        ("auto e = ~(d + 63);", "auto e = ~((uintptr_t)d + 63);"),
        ("n = d >> 12;", "n = (uintptr_t)d >> 12;"),
        ("CUdeviceptr q = n;", "hipDeviceptr_t q = (hipDeviceptr_t)n;"),
        ("p.base = (d + 255) & ~n;", "p.base = (hipDeviceptr_t)(((uintptr_t)d + 255) & ~n);"),
        ("CUdeviceptr q = d + n;", "hipDeviceptr_t q = (char *)d + n;"),
        ("g(next(p) + 8);", "g((char *)next(p) + 8);"),
        ("size_t m = d - p.base;", "size_t m = (char *)d - (char *)p.base;"),
        ("CUdeviceptr q = 0; if (!d || d == q) return;", "hipDeviceptr_t q = 0; if (!d || d == q) return;"),
        ("float *x = (float *)d; n = (size_t)d;", "float *x = (float *)d; n = (size_t)d;"),
        ("n = p.used * 2 + n % 4;", "n = p.used * 2 + n % 4;"),
    ],
)
def test_a_number_is_cast_where_one_is_needed(cuda: str, hip: str) -> None:
    assert body(cuda) == hip


@pytest.mark.parametrize("source", [b"void f(CUdeviceptr d) { size_t n = d; CUdeviceptr q = (d + 7) & ~7; }"])
def test_a_second_pass_changes_nothing(source: bytes) -> None:
    once = translate(source).output
    assert translate(once).output == once


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("n = d & MASK;", "n = (uintptr_t)d & MASK;"),
        ("p.base = d & MASK;", "p.base = (hipDeviceptr_t)((uintptr_t)d & MASK);"),
        ("pin(d, 1);", "pin((uintptr_t)d, 1);"),
        ("pin(p.base + 8, 1);", "pin((uintptr_t)p.base + 8, 1);"),
        ("show(d);", "show(d);"),
        ("both(d);", "both(d);"),
        ("p.base = ROUNDED(d, 64);", "p.base = (hipDeviceptr_t)ROUNDED((uintptr_t)d, 64);"),
        ("n = ROUNDED(n, 64);", "n = ROUNDED(n, 64);"),
        ("LOGGED(d);", "LOGGED(d);"),
        ("n = info.start - d;", "n = info.start - (uintptr_t)d;"),
    ],
)
def test_a_number_is_passed_where_a_function_or_macro_takes_one(cuda: str, hip: str) -> None:
    declared = (
        "#define ROUNDED(x, n) (((x) + (n) - 1) & ~((n) - 1))\n#define LOGGED(x) (log(x) & 1)\n"
        "int pin(unsigned long start, size_t size);\nvoid show(void *);\nvoid both(unsigned long);\nvoid both(void *);\n"
    )
    source = f"{KINDS}{declared}void f(Pool &p, CUdeviceptr d, uint64_t n) {{\n{cuda}\n}}\n"
    assert hip == translate(source.encode()).output.decode().split("n) {\n", 1)[1].split("\n}\n")[0]


def test_an_alias_of_the_type() -> None:
    source = (
        b"using address = CUdeviceptr;\naddress f(const void *p) { return reinterpret_cast<address>(p); }\n"
        b"void *g(address a) { return reinterpret_cast<void *>(a + 8); }\n"
    )
    output = translate(source).output
    assert b"return (address)(p);" in output
    assert b"reinterpret_cast<void *>((char *)a + 8)" in output


def test_a_variable_of_a_function_whose_braces_hide_in_macros() -> None:
    source = b"void f() {\n  CUdeviceptr d = 0;\n  BEGIN {\n    g();\n  } END;\n  g(d + 4);\n  BEGIN { g(); } END;\n  g(d + 5);\n}\n"
    output = translate(source).output
    assert b"g((char *)d + 4)" in output
    assert b"g((char *)d + 5)" in output
