"""A source's own `warpSize`."""

from __future__ import annotations

import pytest

from hipify_py import translate


def ids(source: str, path: str) -> list[str]:
    return [finding.id for finding in translate(source.encode(), path=path).findings]


def test_a_headers_macro_hides_hips_object() -> None:
    source = "#pragma once\n#define warpSize 32u\n__device__ inline int rows(int n) { return n / warpSize; }\n"
    result = translate(source.encode(), path="tricks.cuh")
    assert b"#define warpSize 32u\n" in result.output
    assert (b"n / warpSize" in result.output, result.findings) == (True, [])


@pytest.mark.parametrize(
    "text", ["const int warpSize = 32;", "enum { warpSize = 32 };", "constexpr auto warpSize = 32;"]
)
def test_a_headers_constant_collides_with_it(text: str) -> None:
    assert ids(f"{text}\n__device__ int f() {{ return warpSize; }}\n", "tricks.cuh") == ["HIP303"]


def test_that_of_a_source_gets_another_name() -> None:
    result = translate(b"#define warpSize 32\n__device__ int f() { return warpSize; }\n", path="a.cu")
    assert b"#define kWarpSize 32\n__device__ int f() { return kWarpSize; }" in result.output
