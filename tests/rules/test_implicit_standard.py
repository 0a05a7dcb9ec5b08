"""`<cstring>` and `<math.h>` where nvcc's implicit runtime header brought memcpy and isnan."""

from __future__ import annotations

import pytest

from hipify_py import translate


def hip(source: str, path: str = "a.cu") -> str:
    return translate(source, path=path).output.decode()


@pytest.mark.parametrize(
    "call", ["memcpy(&a, b, 4)", "memset (p, 0, 4)", "std::memcpy(&a, b, 4)", "strlen(s)", "strcmp(a, b)"]
)
def test_the_header_is_added(call: str) -> None:
    source = f"// Copies.\n#include <vector>\nvoid f() {{ {call}; }}\n"
    assert hip(source) == f"// Copies.\n#include <cstring>\n#include <vector>\nvoid f() {{ {call}; }}\n"


def test_it_goes_behind_the_runtime() -> None:
    source = "#include <cuda_runtime.h>\nvoid f(void *a) { memcpy(a, a, 4); cudaFree(a); }\n"
    assert hip(source).count("#include <cstring>\n") == 1
    assert hip(hip(source)) == hip(source)


@pytest.mark.parametrize(
    "source",
    [
        "#include <cstring>\nvoid f() { memcpy(&a, b, 4); }\n",
        "#include <string.h>\nvoid f() { memcpy(&a, b, 4); }\n",
        "// memcpy(a, b)\nvoid f() { p.memcpy(1); q->memset(2); }\n",
        'const char *s = "memcpy(";\n',
        "void f() { my_memcpy(1); memcpyAsync(2); }\n",
    ],
)
def test_it_is_not_added_where_nothing_wants_it(source: str) -> None:
    assert hip(source) == source


def test_plain_cpp_has_its_own_includes() -> None:
    source = "void f() { memcpy(&a, b, 4); }\n"
    assert hip(source, "a.cpp") == source


@pytest.mark.parametrize("included", ["string", "iostream", "vector"])
def test_a_header_that_only_declares_them_in_std_does_not_do(included: str) -> None:
    assert hip(f"#include <{included}>\nvoid f() {{ strlen(s); }}\n").startswith("#include <cstring>\n")


@pytest.mark.parametrize("call", ["isnan(x)", "!isinf (x)", "::isfinite(x)", "x && signbit(x)"])
def test_classification_on_the_host_gets_its_header(call: str) -> None:
    source = f"#include <cmath>\nbool f(double x) {{ return {call}; }}\n"
    assert hip(source) == "#include <math.h>\n" + source


@pytest.mark.parametrize(
    "source",
    [
        "#include <math.h>\nbool f(double x) { return isnan(x); }\n",
        "bool f(double x) { return std::isnan(x) || v.isnan(x) || my::isnan(x); }\n",
        "static bool isnan(double x) { return x != x; }\n",
    ],
)
def test_classification_that_is_found_gets_none(source: str) -> None:
    assert hip(source) == source


def test_a_header_with_device_code_gets_c_headers() -> None:
    source = "__device__ int f();\ninline void g(void *a, void *b) { memcpy(a, b, 4); }\n"
    assert "#include <string.h>\n" in hip(source, "a.h")
    plain = "inline void g(void *a, void *b) { memcpy(a, b, 4); }\n"
    assert hip(plain, "a.h") == plain


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("void f(void *a) { memcpy /* all */ (a, a, 4); }\n", True),
        ("void f(P *p) { p -> memcpy(3); p /* a */ . memcpy(3); }\n", False),
        ("Text strdup(Text other);\n", False),
        ("void f(void *a) { ::memcpy(a, a, 4); std :: memset(a, 0, 4); }\n", True),
        ("void f(void *a) { my :: memcpy(a, a, 4); }\n", False),
        ("#define memcpy(a, b, n) copied(a, b, n)\n", False),
    ],
)
def test_calls_are_told_from_members_and_declarations(source: str, needs: bool) -> None:
    assert ("#include <cstring>" in hip(source)) == needs


@pytest.mark.parametrize(
    ("call", "is_added"),
    [
        ("sin(x)", True),
        ("pow(x, 2)", True),
        ("::atan2(x, unknown())", True),
        ("sqrt(y)", False),
        ("pow(x, y)", False),
        ("sqrt(3)", False),
        ("std::sin(x)", False),
        ("sinf(x)", False),
    ],
)
def test_functions_of_float_on_the_host_get_theirs(call: str, is_added: bool) -> None:
    body = f"(float x, double y) {{ return {call}; }}\n"
    for function in ("__host__ __device__ double f", "__global__ void k() {}\nstatic double g", "__device__ double f"):
        once = hip(f"#include <cmath>\n{function}{body}")
        assert ("#include <math.h>\n" in once) is (is_added and not function.startswith("__device__"))
        assert hip(once) == once
