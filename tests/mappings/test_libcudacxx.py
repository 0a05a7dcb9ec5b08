"""libcu++: what of it the support header has, and what the C++ standard library gives to device code."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate


def hip(source: str) -> str:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    assert not [found for found in result.findings if found.severity == "error"]
    return result.output.decode()


@pytest.mark.parametrize(
    ("call", "converted"),
    [
        ("cuda::std::popcount(x)", "hipify::popcount(x)"),
        ("cuda::std::countl_zero(x)", "hipify::countl_zero(x)"),
        ("cuda::std::fill(p, p + n, 0)", "hipify::fill(p, p + n, 0)"),
        ("cuda::std::accumulate(p, p + n, 0)", "hipify::accumulate(p, p + n, 0)"),
        ("cuda::std::lower_bound(p, p + n, 3)", "hipify::lower_bound(p, p + n, 3)"),
        ("cuda::std::gcd(a, b)", "std::gcd(a, b)"),
        ("cuda::std::sqrtf(a)", "sqrtf(a)"),
        ("cuda::round_up(a, b)", "hipify::round_up(a, b)"),
        ("cuda::ilog2(a)", "hipify::ilog2(a)"),
        ("__isGlobal(p)", "hipify::is_global(p)"),
    ],
)
def test_functions(call: str, converted: str) -> None:
    once = hip(f"__device__ void f() {{ {call}; }}")
    assert f"{{ {converted}; }}" in once
    assert hip(once) == once


@pytest.mark.parametrize("name", ["latch", "counting_semaphore", "binary_semaphore"])
def test_threads_that_wait_for_a_count(name: str) -> None:
    header = "latch" if name == "latch" else "semaphore"
    once = hip(f"#include <cuda/{header}>\n__device__ cuda::{name}<cuda::thread_scope_device> x{{1}};\n")
    assert f"hipify::{name}<hipify::thread_scope_device> x{{1}};" in once
    assert f"cuda/{header}" not in once
