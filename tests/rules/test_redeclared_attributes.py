"""Where a function runs is said by all of its declarations together in CUDA, and by each of them in HIP."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

HD = "#ifdef __HIPCC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"


def outcome(source: str) -> str:
    options = Options(implicit_runtime=False)
    result = translate(source, path="a.h", options=options)
    assert not result.findings
    assert translate(result.output, path="a.h", options=options).output == result.output
    return result.output.decode()


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("int f(int);\n__host__ __device__ int f(int x) { return x; }", "__host__ __device__ int f(int);"),
        ("__device__ int f(int);\n__host__ __device__ int f(int x) { return x; }", "__host__ __device__ int f(int);"),
        ("__host__ int f(int);\n__device__ int f(int x) { return x; }", "__host__ __device__ int f(int x)"),
        ("int f(int);\n__device__ int f(int x) { return x; }", "__device__ int f(int);"),
        ("static int f(void);\nstatic __device__ int f() { return 1; }", "__device__ static int f(void);"),
        ("int f(const int* p);\n__device__ int f(int const *q) { return *q; }", "__device__ int f(const int* p);"),
        ("namespace n { int f(int); }\n__device__ int n::f(int x) { return x; }", "{ __device__ int f(int); }"),
        (
            "template <class T> T f(T a);\ntemplate <typename U> __device__ U f(U a) { return a; }",
            "template <class T> __device__ T f(T a);",
        ),
        (
            "template <class T, int N = 4> struct V { T sum() const; };\n"
            "template <class U, int M> __device__ U V<U, M>::sum() const { return U(); }",
            "struct V { __device__ T sum() const; };",
        ),
        (
            "struct S { explicit S(int a = 1); int x; };\n__host__ __device__ S::S(int a) : x(a) {}",
            "{ __host__ __device__ explicit S(int a = 1); int x; }",
        ),
        (
            "struct S { __device__ S &operator+=(int); };\ninline S &S::operator+=(int a) { return *this; }",
            "__device__ inline S &S::operator+=(int a)",
        ),
        (
            "template <class T> struct A { template <class U> void set(U); };\n"
            "template <class P> template <class Q> __device__ void A<P>::set(Q q) {}",
            "template <class U> __device__ void set(U);",
        ),
        ("[[nodiscard]] int f();\n[[nodiscard]] __device__ int f() { return 1; }", "[[nodiscard]] __device__ int f();"),
    ],
)
def test_each_declaration_gets_what_the_others_say(source: str, output: str) -> None:
    once = outcome(source + "\n")
    assert output in once
    added = len(once) - len(source) - 1
    assert added in (len("__device__ "), len("__host__ "), len("__host__ __device__ "))


def test_a_macro_is_lent_as_it_is_written() -> None:
    source = f"{HD}template <class T> struct C;\ntemplate <class T> C<T> mul(C<T> a);\n"
    definition = "template <class T> inline HD\nC<T> mul(C<T> a) { return a; }\n"
    assert outcome(source + definition) == source.replace("> C<T> mul", "> HD C<T> mul") + definition


@pytest.mark.parametrize(
    "source",
    [
        "int f(int);\n__device__ int f(float x) { return 1; }\n",
        "struct S { int f() const; __device__ int f(); };\n",
        "struct S { int f(); };\nstruct R { __device__ int f(); };\n",
        "namespace a { int f(int); }\nnamespace b { __device__ int f(int); }\n",
        "int f(int x) { return x; }\n__device__ int f(int x) { return x + 1; }\n",
        "#ifdef A\n__device__ int f(int);\n#else\nint f(int);\n#endif\n",
        "int f(int);\n#ifdef __HIPCC__\n__device__ int f(int x) { return x; }\n#endif\n",
        "void k(int);\n__global__ void k(int x) {}\n",
        "template <class T> T f(T);\ntemplate <> __device__ int f<int>(int x) { return x; }\n",
        "template <class T> enable_if_t<A<T>> f(T);\ntemplate <class T> __device__ enable_if_t<B<T>> f(T x) {}\n",
        "int f(int);\n#define HD __host__ __device__\nHD int f(int x) { return x; }\n",
        "int f(int);\n#define D(T) __device__ T\nD(int) f(int x) { return x; }\n",
        "void g() { int f(int); }\n__device__ int f(int x) { return x; }\n",
    ],
)
def test_other_functions_and_what_cannot_be_lent_stay(source: str) -> None:
    assert outcome(source) == source


@pytest.mark.parametrize(
    "directive",
    [
        "#include <vector>",
        '#include "mine.h"',
        "#include_next <math.h>",
        "#define N 4",
        "#define EMPTY",
        "#define TWICE(x) \\\n    ((x) + \\\r\n     (x))",
        "#define N /* a number\n of no meaning */ 4",
        "/* a number\n*/ #define N 4",
        "  #  undef N // no longer",
        "#pragma once",
        "#error no way",
        '#line 7 "mine.cu"',
        "#import <mine.h>",
        "#ifdef MINE\n#endif",
    ],
)
def test_no_directive_belongs_to_a_head(directive: str) -> None:
    first = f"{directive}\nint f(int);\n"
    second = "__device__ int f(int x) { return x; }\n"
    expected = first.replace("int f", "__device__ int f")
    assert outcome(first + second) == expected + second
    for begin in ("\ufeff", ""):
        assert outcome(begin + first + directive + "\n" + second) == begin + expected + directive + "\n" + second
    other = f"{directive}\n__device__ int f(int);\n{directive}\n"
    assert outcome(f"{other}int f(int x) {{ return x; }}\n") == f"{other}__device__ int f(int x) {{ return x; }}\n"


def test_a_number_sign_in_a_comment_or_a_string_is_no_directive() -> None:
    source = "/*\n# */ int f(int);\n" + 'const char *s = R"(\n#define)"; __device__ int f(int x) { return x; }\n'
    assert outcome(source) == source.replace("int f(int)", "__device__ int f(int)")


def test_a_type_that_is_renamed_keeps_its_attributes_in_front() -> None:
    source = "cudaError_t f();\n__host__ __device__ cudaError_t f() { return cudaSuccess; }\n"
    assert outcome(source).startswith("__host__ __device__ hipError_t f();\n")


@pytest.mark.parametrize(
    ("specialisation", "output"),
    [
        ("template <> __device__ int g(int a) { return a; }", "template <> HD __device__ int g(int a)"),
        ("template <>\n__device__ inline int g<int>(int a) { return a; }", "HD __device__ inline int g<int>(int a)"),
        ("template <> HD int g(int a) { return a; }", "template <> HD int g(int a)"),
        ("template <> int g(int a) { return a; }", "template <> int g(int a)"),
        ("namespace m { template <> __device__ int g(int a) { return a; } }", "<> __device__ int g(int a)"),
        ("struct S { template <class T> __device__ T g(T); };", "<class T> __device__ T g(T);"),
    ],
)
def test_a_specialisation_has_the_attributes_of_its_template(specialisation: str, output: str) -> None:
    assert output in outcome(f"{HD}template <class T> HD T g(T a);\n{specialisation}\n")
