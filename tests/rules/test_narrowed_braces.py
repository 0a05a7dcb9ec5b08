"""Values in braces that clang does not convert."""

import pytest

from hipify_py import Options, translate

HEAD = "__global__ void k(int i, unsigned u, short s, unsigned char c, long l, size_t z, float f, double d, bool b) {\n"


@pytest.mark.parametrize(
    ("declaration", "value"),
    [
        ("int a[] = {@};", "u"),
        ("int a[2] = {1, @};", "z / sizeof(int)"),
        ("unsigned a[] = {@};", "i + 1"),
        ("short a[] = {@};", "i"),
        ("unsigned long a{@};", "l"),
        ("float a[] = {@};", "d * 2"),
        ("float a[] = {@};", "i"),
        ("int a[] = {@};", "f"),
        ("const uint32_t a[] = {@};", "s"),
        ("char a[] = {@};", "c"),
    ],
)
def test_they_are_cast(declaration: str, value: str) -> None:
    source = HEAD + declaration.replace("@", value) + "\n}\n"
    output = translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()
    assert f">({value})" in output
    assert output.replace(f">({value})", value).count("static_cast<") == 1
    assert translate(output, path="a.cu", options=Options(implicit_runtime=False)).output.decode() == output


@pytest.mark.parametrize(
    "declaration",
    [
        "int a[] = {s, c, b, i};",
        "unsigned a[] = {c, b, u};",
        "long a[] = {i, u, l};",
        "double a[] = {f, d};",
        "const int n = 3; unsigned a[] = {n, 3, n * 2};",
        "Box a[] = {i, d};",
        "int *a[] = {p};",
        "int a = u, e(z);",
    ],
)
def test_other_values_stay(declaration: str) -> None:
    source = HEAD + declaration + "\n}\n"
    assert translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode() == source


def test_plain_cpp_and_c_stay() -> None:
    source = "int f(unsigned long z) { int a[] = {z}; return a[0]; }\n"
    assert translate(source, path="a.cpp").output.decode() == source
    of_c = '#include "cuda_runtime.h"\n' + source
    assert "static_cast" not in translate(of_c, path="a.c").output.decode()
