"""Bitwise atomics of signed 64-bit integers."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


CAST = "reinterpret_cast<unsigned long long *>"


@pytest.mark.parametrize(
    ("declared", "place"),
    [
        ("long long *p", "p"),
        ("long long *p", "p + 3"),
        ("long long int *p", "&p[3]"),
        ("long long &p", "&p"),
        ("volatile long long *p", "(p)"),
    ],
)
def test_the_address_is_cast_and_the_old_value_back(declared: str, place: str) -> None:
    frame = "__device__ long long f({}) {{ return {}; }}"
    converted = frame.format(declared, f"static_cast<long long>(atomicXor({CAST}({place}), 5))")
    assert hip(frame.format(declared, f"atomicXor({place}, 5)")) == converted
    assert hip(converted) == converted


@pytest.mark.parametrize("declared", ["unsigned long long *p", "int *p", "T *p", "long *p"])
def test_other_types_stay(declared: str) -> None:
    source = f"__device__ void f({declared}) {{ atomicAnd(p, 5); }}"
    assert hip(source) == source


def test_a_member_and_a_shared_variable() -> None:
    source = "struct S { long long m; }; __device__ void f(S *s) { __shared__ long long t; atomicOr(&s->m, 1); atomicOr(&t, 1); }"
    assert hip(source).count(CAST) == 2


@pytest.mark.parametrize("source", ["atomicOr(", "long long p; atomicOr(p", "atomicOr(&, 1)", "atomicOr()"])
def test_broken_code_stays(source: str) -> None:
    assert hip(source) == source
