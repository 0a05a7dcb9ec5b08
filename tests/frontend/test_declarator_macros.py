"""Words in declarators that the grammar does not know: what they stand in is read as without them."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.source import Source
from hipify_py.frontend.declarator_macros import blank_declarator_macros
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.syntax import SyntaxTree
from hipify_py.semantics.symbols import names_of
from tests.parsed import unit_of

_AS_WIDE = Options(implicit_runtime=False, fixes=frozenset())


def masked(source: str) -> str:
    data = source.encode()
    result = blank_declarator_macros(Lexer(frozenset()).scan(data), data)
    assert len(result) == len(data)
    return result.decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("run(n, [=] __device__(int i) { });", "run(n, [=]           (int i) { });"),
        (
            "auto f = [&, x = a[0]] __host__ __device__ (int i) {",
            "auto f = [&, x = a[0]]                     (int i) {",
        ),
        ("return [] GPU_LAMBDA(int i) { };", "return []           (int i) { };"),
        ("void f(const float * RESTRICT x, T *RESTRICT y);", "void f(const float *          x, T *         y);"),
        ("int *const RESTRICT p = q;", "int *const          p = q;"),
        ("static void CALLBACK done(int s) {}", "static void          done(int s) {}"),
        ("size_t MY_DEVICE ns::A::f(int a);", "size_t           ns::A::f(int a);"),
        ("__global__ void BOUNDS_2(512, 2)\n  k(int *p) {}", "__global__ void                 \n  k(int *p) {}"),
        ("int API CALLBACK f(int);", "int              f(int);"),
        ("#define F(T) T * RESTRICT x = y;\n", "#define F(T) T *          x = y;\n"),
    ],
)
def test_they_are_blank(source: str, expected: str) -> None:
    assert masked(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "x = a[i] PLUS (b);",
        "[[nodiscard]] API (x);",
        "y = a & FLAG and (b);",
        "y = (a & FLAG);",
        "#define A(x) (x & B)\nint c(int);",
        "const FOO bar(1);",
        "return FOO bar(1);",
        "HRESULT WINAPI f(int);",
        "template <class T> TYPE f(int);",
        "#ifdef __linux__\nHANDLE f(int);\n#endif",
        "#define name FOO bar(1)",
        "// text\nTYPE f(int);",
        "/* text TYPE f(int), a & B c; */",
        "a * FOO\nb = c;",
    ],
)
def test_whatever_else_stays(source: str) -> None:
    assert masked(source) == source


@pytest.mark.parametrize(
    "source",
    [
        "void g(int n) { run(n, [=] __device__(int i) { o[i] = i; }); }",
        "void g(int n) { run(n, [=] MY_LAMBDA(int i) -> int { return i; }); }",
        "__device__ void f(float * RESTRICT p, float *RESTRICT const q) { float * RESTRICT r = p, *s = r; }",
        "__global__ void MY_BOUNDS(256) k(int *p) { *p = 1; }",
        "#define BODY(T) { T * RESTRICT r = p; run([=] __device__(int i) { r[i] = i; }); }\n",
    ],
)
def test_the_tree_has_no_errors(source: str) -> None:
    data = source.encode()
    tree = SyntaxTree(Source(data, "a.cu"), Lexer(frozenset()).scan(data))
    assert not tree.root.has_error
    for node in tree.nodes("preproc_arg"):
        fragment = tree.leaf(node.start_byte + 1, node.end_byte - 1)
        while fragment is not None and fragment.parent is not None:
            fragment = fragment.parent
        assert fragment is not None
        assert not fragment.has_error


def test_a_pointer_in_front_of_a_macro_has_its_own_name() -> None:
    unit = unit_of("__device__ void f(int v) { unsigned m[2]; unsigned *RESTRICT p = m; p[0] = v; }")
    assert [one.shape for one in names_of(unit).declared(b"p")] == ["pointer"]
    assert not names_of(unit).declared(b"RESTRICT")


def test_a_function_whose_type_a_macro_follows_is_the_source_s_own() -> None:
    source = "int MY_API cudaFree(int x) { return x; }\nint g() { return cudaFree(1); }\n"
    assert translate(source, path="a.cu").output.decode().endswith(source)
