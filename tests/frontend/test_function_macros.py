"""Macros that head a body, as those of test frameworks do: what the body declares is read."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsed_source import blank_function_macros

_BODY = """{{
    std::vector<TestType> vec{{1.0, 2.0}};
    auto cublasCaller = make_shared_cublas_caller();
    SECTION("sums") {{
        sum(vec.data(), *cublasCaller);
    }}
}}
"""


def masked(source: str) -> str:
    data = source.encode()
    result = blank_function_macros(Lexer(frozenset()).scan(data), data)
    assert len(result) == len(data)
    return result.decode()


def test_the_arguments_in_front_of_a_body_are_blank() -> None:
    source = '\nTEST_CASE("a, b", "[gpu]",\r\n          float, double) {\n}\n'
    assert masked(source) == "\nTEST_CASE(                \r\n                       ) {\n}\n"


@pytest.mark.parametrize(
    "source",
    [
        '\nTEST_CASE("sums") {\n}\n',
        '\nCHECK("sums", 1);\n',
        "\nTEST_F(Sums, Gpu) {\n}\n",
        '\n// \nprintf("a", 1) {\n',
        '\n/*\nTEST_CASE("a", "b") {\n*/\n',
        '\nTEST_CASE("a",\n#ifdef WIDE\n  double,\n#endif\n  float) {\n}\n',
        '\nTEST_CASE("a", float\n',
    ],
)
def test_whatever_else_stays(source: str) -> None:
    assert masked(source) == source


@pytest.mark.parametrize("head", ['TEMPLATE_TEST_CASE("sums", "[gpu]", float, double)', "TEST(Sums, Gpu)"])
def test_what_a_body_declares_is_its_own(head: str) -> None:
    result = translate(f"#include <cublas_v2.h>\n{head} {_BODY.format()}", path="a.cpp")
    assert [finding.id for finding in result.findings] == []
    assert "cublasCaller" in result.declared
