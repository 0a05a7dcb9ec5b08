"""Macros between the keyword and the name of a class, defined in whatever file: the class is read as without them."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsed_source import blank_class_macros
from tests.parsed import members_of


def masked(source: str) -> str:
    data = source.encode()
    result = blank_class_macros(Lexer(frozenset()).scan(data), data)
    assert len(result) == len(data)
    return result.decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("struct API S { int x; };", "struct     S { int x; };"),
        ("class MY_API(1) S final : public B<int> {", "class           S final : public B<int> {"),
        ("union _API OTHER_API\n  ns::S<T> {};", "union               \n  ns::S<T> {};"),
        ("enum class API E : int { A };", "enum class     E : int { A };"),
    ],
)
def test_the_macro_is_blank(source: str, expected: str) -> None:
    assert masked(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "struct NODE *f(struct NODE *a) { return a; }",
        "struct POINT p{1, 2};",
        "struct POINT { int x; }; struct POINT p{};",
        "for (struct NODE n : list) { g(n); }",
        "struct POINT p = {1};",
        "struct POINT f() { return p; }",
        "template <class T> T f() { return {}; }",
        "struct Api S { int x; };",
        "// struct API S {\nint x;",
    ],
)
def test_whatever_else_stays(source: str) -> None:
    assert masked(source) == source


@pytest.mark.parametrize("head", ["struct Pool", "struct MY_API Pool", "class MY_API Pool final : public Base"])
def test_members_called_like_functions_of_cuda_are_the_class_s_own(head: str) -> None:
    source = f"{head} {{ void cudaFree(void *p); void drop() {{ cudaFree(q); }} }};\n"
    assert translate(source, path="a.cu").output.decode().endswith(source)


def test_the_members_of_such_a_class_are_known() -> None:
    assert members_of("struct MY_API S { unsigned m; S() : m(0) {} };\n", "S") == ["m"]
