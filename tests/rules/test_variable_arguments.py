"""Warp operations whose arguments are a macro's variable ones, or a template's pack: only the compiler counts them."""

from __future__ import annotations

import pytest

from hipify_py.translator.translate import translate


def line(text: str) -> str:
    lines = translate(text + "\n", path="a.cuh").output.decode().splitlines()
    return next(line for line in lines if not line.startswith("#include"))


@pytest.mark.parametrize(
    ("before", "operation", "after"),
    [
        ("#define F(m, ...) ", "shfl_sync", "(m, __VA_ARGS__)"),
        ("#define F(m, v, ...) ", "shfl_xor_sync", "(m, v, __VA_ARGS__)"),
        ("#define F(...) ", "shfl_down", "(__VA_ARGS__, 16)"),
        ("#define F(args...) ", "shfl_up_sync", "(~0u, args...)"),
        ("#define F(...) ", "shfl_sync", "(__VA_ARGS__)"),
        ("#define F(...) ", "ballot_sync", "( __VA_ARGS__ )"),
        ("#define F ", "shfl_down_sync", ""),
        ("template <class... A> __device__ int f(A... args) { return ", "shfl_up_sync", "(args...); }"),
    ],
)
def test_the_support_headers_function_takes_them(before: str, operation: str, after: str) -> None:
    expected = f"{before}hipify::warp32::{operation}{after}"
    assert line(f"{before}__{operation}{after}") == expected
    assert line(expected) == expected
