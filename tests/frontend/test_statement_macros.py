"""Macros that are statements without a semicolon: neither they nor what follows them is a declaration."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsed_source import statement_macros

_DEFINED = {
    "block": "#define CUERR { if (cudaGetLastError()) exit(1); }\n",
    "loop": "#define CUERR do { check(__LINE__); } while (0)\n",
    "condition": "#define CUERR if (failed()) return;\n",
    "call": "#define CUERR check_last(__FILE__, __LINE__)\n",
    "several lines": "#define CUERR \\\n  if (failed()) \\\n    abort();\n",
    "through another": "#define CHECKED check(__LINE__);\n#define CUERR CHECKED\n",
    "empty in one branch": "#ifdef NDEBUG\n#define CUERR\n#else\n#define CUERR check();\n#endif\n",
    "elsewhere": '#include "check.h"\n',
}


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


@pytest.mark.parametrize("where", _DEFINED)
@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        (
            "cudaMalloc(&a, 4); CUERR\n  cudaMalloc(&b, 4); CUERR\n  cudaFree(b); CUERR\n",
            "hipMalloc(&a, 4); CUERR\n  hipMalloc(&b, 4); CUERR\n  hipFree(b); CUERR\n",
        ),
        ("cudaFree(a); CUERR // of a\n  cudaFree(b); CUERR\n", "hipFree(a); CUERR // of a\n  hipFree(b); CUERR\n"),
        ("cudaFree(a);\n  CUERR\n  cudaFree(b);\n  CUERR\n", "hipFree(a);\n  CUERR\n  hipFree(b);\n  CUERR\n"),
        ("if (a) { cudaFree(a); } CUERR\n  cudaFree(b);\n", "if (a) { hipFree(a); } CUERR\n  hipFree(b);\n"),
        ("cudaFree(a);\r\n  CUERR\r\n  cudaFree(b);\r\n", "hipFree(a);\r\n  CUERR\r\n  hipFree(b);\r\n"),
        ("cudaFree(a); CUERR\n  err = cudaFree(b); CUERR\n", "hipFree(a); CUERR\n  err = hipFree(b); CUERR\n"),
        ("cudaFree(a); CUERR cudaFree(b); CUERR\n", "hipFree(a); CUERR hipFree(b); CUERR\n"),
    ],
)
def test_what_follows_a_statement_macro_is_a_call(where: str, cuda: str, expected: str) -> None:
    define = _DEFINED[where]
    output = hip(f"{define}void f(int *a, int *b) {{\n  {cuda}}}\n")
    assert output.endswith(f"void f(int *a, int *b) {{\n  {expected}}}\n")


def test_a_name_behind_a_statement_macro_stays_the_apis_for_the_rest_of_the_block() -> None:
    assert hip("void f() {\n  g(); CUERR\n  cudaFree(a); CUERR\n  { cudaFree(b); }\n  auto e = cudaFree(c);\n}\n") == (
        "void f() {\n  g(); CUERR\n  hipFree(a); CUERR\n  { hipFree(b); }\n  auto e = hipFree(c);\n}\n"
    )


def test_an_unknown_name_behind_a_statement_macro_is_reported() -> None:
    result = translate("void f() {\n  g(); CUERR\n  cudaFooBar(a, 4);\n}\n", path="a.cu")
    assert [(finding.id, finding.line) for finding in result.findings] == [("HIP102", 3)]


def test_a_call_after_a_statement_macro_keeps_its_argument_edits() -> None:
    assert "hipMemcpyToSymbol(HIP_SYMBOL(c), p, 4);" in hip(
        "void f() {\n  g(); CUERR\n  cudaMemcpyToSymbol(c, p, 4); CUERR\n}\n"
    )


def test_a_type_on_a_line_of_its_own_is_no_statement() -> None:
    source = "}\nSTATUS_T\ncudaFree(void *p)\n{ return 0; }\nvoid g() { cudaFree(0); }\n"
    assert hip(source) == source


def test_a_macro_for_a_type_or_a_qualifier_declares_what_follows_it() -> None:
    for define in (
        "#define REAL double\n",
        "#define HIDDEN static int\n",
        "#define PACKED __attribute__((packed)) int\n",
    ):
        name = define.split()[1]
        source = f"{define}void f() {{ {name} cudaSuccess = 3; use(cudaSuccess); }}\n"
        assert hip(source) == source


@pytest.mark.parametrize("splice", ["\\\n", "\\\r\n", "\\ \n"])
@pytest.mark.parametrize("body", ["check {0}(x)", "check(x) // of the {0} last call", "{0} check(x) {0}"])
def test_a_call_may_stand_in_several_lines(splice: str, body: str) -> None:
    source = f"#define CUERR {body.format(splice)}\n"
    assert statement_macros(Lexer(frozenset()).scan(source.encode())) == {b"CUERR"}
