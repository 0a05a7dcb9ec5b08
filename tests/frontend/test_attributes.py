"""CUDA's attributes that the grammar does not know: what they belong to is read as without them."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsed_source import blank_attributes
from hipify_py.semantics.symbols import names_of
from tests.parsed import members_of, unit_of

_AS_WIDE = Options(implicit_runtime=False, fixes=frozenset())
_VOTE = "__device__ int f(S &s, int v) { s.m = __ballot_sync(0xffffffffu, v); return __popc(s.m); }\n"
_WIDE_VOTE = "__device__ int f(S &s, int v) { s.m = __ballot_sync(0xffffffffffffffffull, v); return __popcll(s.m); }\n"


def masked(source: str) -> str:
    data = source.encode()
    result = blank_attributes(Lexer(frozenset()).scan(data), data)
    assert len(result) == len(data)
    return result.decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__shared__ __align__(16) float a[4];", "__shared__               float a[4];"),
        ("struct __align__(sizeof(T) * 2) S { T x; };", "struct                          S { T x; };"),
        ("struct S { int x; } __align__ (8);", "struct S { int x; }              ;"),
        ("void __cluster_dims__(2,\r\n1) k();", "void                    \r\n   k();"),
        ("#define A __align__(\\\n4) int x\n", "#define A           \\\n   int x\n"),
    ],
)
def test_they_and_their_arguments_are_blank(source: str, expected: str) -> None:
    assert masked(source) == expected


@pytest.mark.parametrize(
    "source",
    ["// __align__(4)\nint a;", 'puts("__align__(4)");', "int __align__;", "int a __align__(4;", "alignas(4) int a;"],
)
def test_whatever_else_stays(source: str) -> None:
    assert masked(source) == source


@pytest.mark.parametrize("head", ["struct __align__(8) S", "struct __builtin_align__(8) S"])
def test_the_members_of_an_aligned_class_are_known(head: str) -> None:
    assert members_of(f"{head} {{ unsigned m, n; }};\n", "S") == ["m", "n"]


def test_an_aligned_array_has_its_own_name() -> None:
    unit = unit_of("__device__ void f(int v) { __shared__ __align__(8) unsigned m[2]; m[0] = v; }")
    assert [one.shape for one in names_of(unit).declared(b"m")] == ["array"]
    assert not names_of(unit).declared(b"__align__")


def test_an_aligned_class_with_a_constructor_is_held_in_shared_memory() -> None:
    source = (
        "struct __align__(16) V { float x; V() : x(0) {} };\n__global__ void k() { __shared__ V v[4]; v[0].x = 1; }"
    )
    result = translate(source, path="a.cu").output.decode()
    assert "__shared__ hipify::uninitialized<V[4]> v; v.value[0].x = 1;" in result
