"""Device pointers and functions with numbers that a source's headers declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

HEADER = """#pragma once
#include <cuda.h>
#define FLOORED(x, n) ((x) & ~((n) - 1UL))
struct Arena {
  CUdeviceptr first;
  size_t used;
  CUdeviceptr begin() const;
  CUdeviceptr end();
};
struct Other { float *used; };
struct Deep : Arena { size_t more; };
"""
LIBRARY = (
    "int reg(void *handle, unsigned long where, size_t size);\nint reg2(unsigned long where);\nint reg2(void *where);\n"
)
BODY = '#include "arena.h"\n#include "library.h"\nCUdeviceptr Arena::end() {{\n  {} }}\n'


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("return first + used;", "return (char *)first + used;"),
        ("return g(begin() + 4);", "return g((char *)begin() + 4);"),
        ("return g(other.used + 4);", "return g(other.used + 4);"),
        ("reg(0, first, used);", "reg(0, (uintptr_t)first, used);"),
        ("reg(0, first + 4, used);", "reg(0, (uintptr_t)first + 4, used);"),
        ("reg2(first);", "reg2(first);"),
        ("CUdeviceptr x = FLOORED(first, 64);", "hipDeviceptr_t x = (hipDeviceptr_t)FLOORED((uintptr_t)first, 64);"),
        ("std::vector<float> v; return g(v.begin() + 4);", "std::vector<float> v; return g(v.begin() + 4);"),
        ("Deep d; return g(d.begin() + 4);", "Deep d; return g((char *)d.begin() + 4);"),
        ("Unknown u; return g(u.first + 4);", "Unknown u; return g(u.first + 4);"),
        ("own.reg(0, first, used);", "own.reg(0, first, used);"),
        ("int first = 3; return g(first + 1);", "int first = 3; return g(first + 1);"),
    ],
)
def test_names_of_headers(tmp_path: Path, cuda: str, hip: str) -> None:
    (tmp_path / "arena.h").write_text(HEADER)
    (tmp_path / "library.h").write_text(LIBRARY)
    (tmp_path / "arena.cpp").write_text(BODY.format(cuda))
    convert([tmp_path], output=tmp_path / "hip")
    assert f"  {hip} }}" in (tmp_path / "hip" / "arena.cpp").read_text()


def test_a_source_that_does_not_name_the_type(tmp_path: Path) -> None:
    (tmp_path / "arena.h").write_text(HEADER)
    (tmp_path / "use.cpp").write_text(
        '#include "arena.h"\nvoid f(Arena &a, char *x) {\n  cuMemcpyHtoD(a.begin() + 8, x + 8, 4);\n}\n'
    )
    convert([tmp_path], output=tmp_path / "hip")
    assert "((char *)a.begin() + 8, x + 8, 4)" in (tmp_path / "hip" / "use.cpp").read_text()
