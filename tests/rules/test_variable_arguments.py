"""Warp operations whose arguments are a macro's variable ones, or a template's pack."""

from __future__ import annotations

import pytest

from hipify_py.options import Options
from hipify_py.translator import translate

DEFAULTS, NO_FIXES = Options(), Options(fixes=frozenset())


def first_line(line: str, options: Options = DEFAULTS, path: str = "a.cuh") -> str:
    """What becomes of a line, without what is put in front of it."""
    lines = translate(line + "\n", path=path, options=options).output.decode().splitlines()
    return next(line for line in lines if not line.startswith("#include"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#define F(m, ...) __shfl_sync(m, __VA_ARGS__)", "#define F(m, ...) __shfl(__VA_ARGS__, 32)"),
        (
            "#define F(m, v, ...) __shfl_xor_sync(m, v, __VA_ARGS__)",
            "#define F(m, v, ...) __shfl_xor(v, __VA_ARGS__, 32)",
        ),
        ("#define F(...) __shfl_down(__VA_ARGS__, 16)", "#define F(...) __shfl_down(__VA_ARGS__, 16)"),
        ("#define F(args...) __shfl_up_sync(~0u, args...)", "#define F(args...) __shfl_up(args..., 32)"),
    ],
)
def test_the_mask_goes_where_it_is_an_argument_of_its_own(line: str, expected: str) -> None:
    assert first_line(line) == expected
    assert first_line(expected) == expected


@pytest.mark.parametrize("options", [DEFAULTS, NO_FIXES])
@pytest.mark.parametrize(
    "line",
    [
        "#define F(...) __shfl_sync(__VA_ARGS__)",
        "#define F(...) __shfl_xor_sync( __VA_ARGS__ )",
        "#define F __shfl_down_sync",
        "template <class... A> __device__ int f(A... args) { return __shfl_up_sync(args...); }",
    ],
)
def test_a_mask_among_other_arguments_stays(line: str, options: Options) -> None:
    assert first_line(line, options) == line


def test_such_a_shuffle_keeps_others_from_being_kept_at_32_lanes() -> None:
    source = "#define F(...) __shfl_sync(__VA_ARGS__)\n__device__ int g(int v) { return __shfl_xor_sync(~0u, v, 1); }\n"
    assert ", 32)" not in translate(source, path="a.cu").output.decode()


def test_a_cast_around_an_argument_survives_the_mask_before_it() -> None:
    source = "__device__ long long f(long long *p) { return __shfl_sync(~0u, atomicOr(p, 1ll), 0); }\n"
    output = translate(source, path="a.cu").output.decode()
    assert "__shfl(static_cast<long long>(atomicOr(reinterpret_cast<unsigned long long *>(p), 1ll)), 0, 32)" in output
