"""What declares names of the source's own is found however it is written: `using`, enumerations, bindings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.shadowing import _lists, _using_targets


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("using mine::cudaFree;", ["cudaFree"]),
        ("using mine :: inner\n:: cudaFree ;", ["cudaFree"]),
        ("using namespace mine; using typename T::cudaFree;", ["cudaFree"]),
        ("using cudaFree = mine::T; using cudaFree; using namespacer::T;", ["T"]),
        ("using mine:: /* the */ cudaFree /* one */;", ["cudaFree"]),
        ("using mine::cudaFree, mine::cudaMalloc;", ["cudaMalloc"]),
        ("using mine::operator==;", ["=="]),
        ("#define USE using mine::cudaFree\nint x;", ["cudaFree"]),
        ("#define USE using mine:: \\\n cudaFree\nint x;", ["cudaFree"]),
        ("// using mine::cudaFree;", []),
        ("using mine::" + "a" * 300 + ";", ["a" * 300]),
        ("using " + "a::" * 300 + "cudaFree;", ["cudaFree"]),
    ],
)
def test_the_last_word_is_found(unit_of: Callable[[str], Unit], source: str, names: list[str]) -> None:
    """What is no name of another scope need not be found."""
    assert [name.decode() for name in _using_targets(unit_of(source).lexemes)] == names


@pytest.mark.parametrize(
    ("source", "lists"),
    [
        ("enum { a };", ["{ a }"]),
        ("enum class E : unsigned char { a };", ["{ a }"]),
        ("enum E : decltype(0) { a };", []),
        ("enum E; enum E f() { }", []),
        ("enum /* E { */ E\n// {\n{ a, /* } */ b };", ["{ a, /* } */ b }"]),
        ("auto [a, b] = f();", ["[a, b]"]),
        ("const auto &[a, b] = f();", ["[a, b]"]),
        ("auto a = b[1]; auto f() -> int; auto g = [] { };", []),
        ("auto /* a */ [a] = f();", ["[a]"]),
        ("#define A enum E\n{ a };", []),
        ("#define A enum E \\\n{ a };", ["{ a }"]),
        ("enum " + "a::" * 300 + "E { a };", ["{ a }"]),
    ],
)
def test_lists_of_names_are_found(unit_of: Callable[[str], Unit], source: str, lists: list[str]) -> None:
    assert [source[start : end + 1] for start, end in _lists(unit_of(source).lexemes)] == lists
