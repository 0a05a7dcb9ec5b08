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
