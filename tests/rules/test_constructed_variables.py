"""Variables of shared and device memory whose types have a constructor."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.project.api import convert
from hipify_py.project.constructed_classes import _classes
from tests.growth import assert_linear

HOLDER = "hipify::uninitialized<"
D = "__host__ __device__"

CONSTRUCTED = {
    "a member with a value": "struct P { int a = 1; };",
    "a member with empty braces": "struct P { int a{}; };",
    "a constructor that sets members": f"struct P {{ int a; {D} P() : a(0) {{}} }};",
    "one that sets them by constants": f"struct P {{ int a; {D} constexpr P() : a(0) {{}} }};",
    "one with statements": f"struct P {{ int a; {D} P() {{ a = 0; }} }};",
    "one with an empty statement": f"struct P {{ int a; {D} P() {{ ; }} }};",
    "one of a default argument": f"struct P {{ int a; {D} P(int x = 0) : a(x) {{}} }};",
    "one for the host alone": "struct P { int a; P() {} };",
    "one that is defined behind": f"struct P {{ int a; {D} P(); }};\n{D} P::P() {{}}",
    "one of a macro": "struct P { int a; HD P() : a(0) {} };",
    "one of a class template": f"template <class T> struct Q {{ T a; {D} Q() : a(0) {{}} }};\nusing P = Q<int>;",
    "one of a base": f"struct B {{ int a; {D} B() : a(0) {{}} }};\nstruct P : B {{}};",
    "one of a member": f"struct B {{ int a; {D} B() : a(0) {{}} }};\nstruct P {{ B b; int a; }};",
    "one of a member of an empty one": f"struct B {{ {D} B() {{ f(); }} }};\nstruct P {{ B b; int a; {D} P() {{}} }};",
    "one of an array": "struct B { int x = 0; };\nstruct P { B b[4]; int a; };",
    "a member of the library's": "#include <complex>\nstruct P { std::complex<float> c; int a; };",
    "a library's array of such": "#include <array>\nstruct B { int x = 0; };\nstruct P { std::array<B, 4> b; int a; };",
    "virtual functions": f"struct P {{ int a; {D} virtual void f(); }};",
    "a destructor": f"struct P {{ int a; {D} ~P() {{ f(a); }} }};",
    "a typedef": "typedef struct { int a = 0; } P;",
    "an initializer after a comment": f"struct P {{ int a; {D} P() : /* none */ a(0) {{}} }};",
    "one after a comment of a line": f"struct P {{ int a; {D} P() : // none\n  a(0) {{}} }};",
    "one with comments inside": f"struct P {{ int a; {D} P() : a /* x */ ( /* y */ 0 /* z */ ) {{}} }};",
    "the second of two": f"struct B {{ {D} B() {{}} }};\nstruct P : B {{ int a; {D} P() : B(), // b\n a(0) {{}} }};",
}
EMPTY = {
    "nothing": "struct P { int a; };",
    "an empty constructor": f"struct P {{ int a; {D} P() {{}} }};",
    "an empty one with a comment": f"struct P {{ int a; {D} P() {{ /* nothing */ }} }};",
    "a defaulted one": f"struct P {{ int a; P() = default; {D} P(int x) : a(x) {{}} }};",
    "one defaulted behind": f"struct P {{ int a; {D} P(); }};\n{D} P::P() = default;",
    "other constructors": f"struct P {{ int a; {D} P(int x) : a(x) {{}} }};",
    "one of a union": f"struct B {{ int x; {D} B() {{}} }};\nunion P {{ int a; B b; {D} P() {{}} }};",
    "an empty base": f"struct B {{ int a; {D} B() {{}} }};\nstruct P : B {{ {D} P() : B() {{}} }};",
    "an empty base after a comment": f"struct B {{ {D} B() {{}} }};\n"
    f"struct P : B {{ int a; {D} P() : // base\n  B /* x */ ( /* nothing */ ) /* y */ {{}} }};",
    "pointers": "struct B { int x = 0; };\nstruct P { B *b; B &f(); int a; };",
    "a static member": "struct P { static constexpr int size = 3; int a; };",
    "itself": "struct P { P *next; int a; };",
    "an empty destructor": f"struct P {{ int a; {D} ~P() {{}} }};",
    "another class inside": "struct P { struct Q { int x = 1; }; int a; };",
}


def shared(types: str, body: str = "__shared__ P s[4]; s[0].a = 1;") -> str:
    return translate(f"{types}\n__global__ void k() {{ {body} }}\n", path="a.cu").output.decode()


@pytest.mark.parametrize("types", CONSTRUCTED.values(), ids=CONSTRUCTED)
def test_what_clang_does_not_take_is_held_without_a_constructor(types: str) -> None:
    assert "{ __shared__ hipify::uninitialized<P[4]> s; s.value[0].a = 1; }" in shared(types)


@pytest.mark.parametrize("types", EMPTY.values(), ids=EMPTY)
def test_what_clang_takes_stays(types: str) -> None:
    assert "{ __shared__ P s[4]; s[0].a = 1; }" in shared(types)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("__shared__ P s; s.a = 1;", "__shared__ hipify::uninitialized<P> s; s.value.a = 1;"),
        ("static __shared__ P s[2][3]; f(s, &s[1]);", "static __shared__ H<P[2][3]> s; f(s.value, &s.value[1]);"),
        ("__shared__ P s[2], t;\nf(*s, &t);", "__shared__ H<P[2]> s; __shared__ H<P> t;\nf(*s.value, &t.value);"),
        ("volatile __shared__ struct P s; s.a = 1;", "volatile __shared__ H<struct P> s; s.value.a = 1;"),
        ("P __shared__ s; s.a = 1;", None),
        ("extern __shared__ P s[]; s[0].a = 1;", "extern __shared__ P s[]; s[0].a = 1;"),
        ("__shared__ P *s; s->a = 1;", "__shared__ P *s; s->a = 1;"),
        ("__shared__ P s; auto f = [&] { return s.a + sizeof s; };", "__shared__ H<P> s; auto f = [&] { return s.value.a + sizeof s.value; };"),
        ("__shared__ P s; { int s = 0; ++s; } x.s = s.a;", "__shared__ H<P> s; { int s = 0; ++s; } x.s = s.value.a;"),
        ("__shared__ P s; for (P &p : all.s) f(p, s /* s */, \"s\");", "__shared__ H<P> s; for (P &p : all.s) f(p, s.value /* s */, \"s\");"),
    ],
)  # fmt: skip
def test_the_forms_of_declarations_and_uses(body: str, expected: str | None) -> None:
    source = f"struct P {{ int a = 1; }};\n__global__ void k() {{ {body} }}\n"
    result = translate(source, path="a.cu")
    wanted = body if expected is None else expected.replace("H<", HOLDER)
    assert f"{{ {wanted} }}" in result.output.decode()
    assert [finding.id for finding in result.findings] == (["HIP226"] if expected is None else [])


@pytest.mark.parametrize(
    ("around", "body", "is_held"),
    [
        ("#define TWICE(s) (2 * (s))", "__shared__ P s; f(TWICE(s.a));", True),
        ("#define OTHER x.s", "__shared__ P s; f(s.a, OTHER);", True),
        ("#define FIRST s[0]", "__shared__ P s[4]; FIRST.a = 1;", False),
        ("#define BEST(T, s) __shared__ T s", "BEST(P, s); s.a = 1;", None),
    ],
)
def test_uses_in_macros(around: str, body: str, is_held: bool | None) -> None:
    result = translate(f"struct P {{ int a = 1; }};\n{around}\n__global__ void k() {{ {body} }}\n", path="a.cu")
    assert (HOLDER in result.output.decode()) == bool(is_held)
    assert [finding.id for finding in result.findings] == (["HIP226"] if is_held is False else [])


def test_a_templates_parameter_is_what_the_source_gives_for_it() -> None:
    kernel = "template <class T> __global__ void k(T *p) { __shared__ T s[4]; s[0] = p[0]; }\n"
    held = "__shared__ hipify::uninitialized<T[4]> s; s.value[0] = p[0];"
    assert held in shared("struct P { int a = 1; };\n" + kernel + "void h(P *p) { k<P><<<1, 1>>>(p); }", "")
    assert held in shared("struct P { int a = 1; };\n" + kernel + "void h(P *p) { k<<<1, 1>>>(p); }", "")
    assert held not in shared("struct P { int a = 1; };\n" + kernel + "void h(int *p) { k<int><<<1, 1>>>(p); }", "")


@pytest.mark.parametrize(
    "type",
    [
        "thrust::pair<int,float>",
        "thrust::tuple<int>",
        "std::complex<float>",
        "dim3",
        "Eigen::Vector3f",
        "curandState",
        "Eigen::Matrix<float,3,3>",
        "c10::complex<T>",
        "::std::pair<int,int>",
        "E::Array3f",
        "Vector4d",
    ],
)
def test_types_of_libraries(type: str) -> None:
    usings = "namespace E = Eigen;\nusing Eigen::Vector4d;"
    assert HOLDER in shared(usings, f"__shared__ {type} s[4]; f(s);")


@pytest.mark.parametrize(
    "type",
    [
        "thrust::complex<float>",
        "cub::BlockReduce<int,64>::TempStorage",
        "float4",
        "half2",
        "Vector4d",
        "Pair::Inner",
        "typename Q<P>::Storage",
        "std::complex<float> *",
        "curandStateMtgp32",
        "mine::pair<int,int>",
    ],
)
def test_types_without_a_constructor_that_does_something(type: str) -> None:
    result = translate(f"__global__ void k() {{ __shared__ {type} s[4]; f(s); }}\n", path="a.cu")
    assert HOLDER not in result.output.decode()
    assert "HIP226" not in [finding.id for finding in result.findings]


def test_states_of_random_numbers_in_device_memory() -> None:
    source = "__device__ curandState states[64];\n__global__ void k() { curand_init(1, 2, 3, &states[threadIdx.x]); }\n"
    output = translate(source, path="a.cu").output.decode()
    assert "__device__ hipify::uninitialized<hiprandState[64]> states;" in output
    assert "&states.value[threadIdx.x]" in output
    held = "struct P { int a = 1; };\n__device__ P p;\n__global__ void k() { p.a = 1; }\n"
    assert HOLDER not in translate(held, path="a.cu").output.decode()


def test_what_other_files_may_name_is_reported() -> None:
    result = translate("__device__ curandState states[64];\n", path="states.cuh")
    assert "__device__ hiprandState states[64];" in result.output.decode()
    assert [finding.id for finding in result.findings] == ["HIP226"]


def test_without_the_support_header_it_is_reported() -> None:
    source = "struct P { int a = 1; };\n__global__ void k() { __shared__ P s[4]; s[0].a = 1; }\n"
    result = translate(source, path="a.cu", options=Options(support=False))
    assert "__shared__ P s[4]; s[0].a = 1;" in result.output.decode()
    assert [finding.id for finding in result.findings] == ["HIP226"]


def test_a_second_translation_changes_nothing() -> None:
    once = shared("struct P { int a = 1; };")
    again = translate(once, path="a.cu")
    assert again.output.decode() == once
    assert not again.findings


HEADERS = {
    "a class": "struct P { int a = 1; };\n",
    "a class template": "template <class T, int n> class P { public: T a; __device__ P() : a(0) {} };\n",
    "a class with an alignment": "struct alignas(16) P { int a = 1; };\n",
    "a class with a base": "struct B { int a = 1; };\nstruct P final : public B {};\n",
    "an alias": "template <class T, int n> using P = Eigen::Matrix<T, n, 1>;\n",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_classes_of_headers(header: str, tmp_path: Path) -> None:
    (tmp_path / "in/math").mkdir(parents=True)
    (tmp_path / "in/math/p.h").write_text("#pragma once\n" + header)
    (tmp_path / "in/all.h").write_text('#pragma once\n#include "math/p.h"\n')
    type = "P<float, 3>" if "template" in header else "P"
    kernel = f"__global__ void k() {{ __shared__ {type} s[4]; f(s); }}\n"
    (tmp_path / "in/a.cu").write_text('#include "all.h"\n' + kernel)
    (tmp_path / "in/b.cu").write_text("struct P { int a; };\n" + kernel)
    convert([tmp_path / "in"], output=tmp_path / "out")
    assert f"{HOLDER}{type}[4]> s; f(s.value);" in (tmp_path / "out/a.cu").read_text()
    assert HOLDER not in (tmp_path / "out/b.cu").read_text()
    convert([tmp_path / "in/a.cu"], output=tmp_path / "one.cu")
    assert f"{HOLDER}{type}[4]> s; f(s.value);" in (tmp_path / "one.cu").read_text()


@pytest.mark.parametrize(
    "piece", [b"struct ", b"struct a : ", b"struct a : b {", b"typedef ", b"typedef int a;", b"using a "]
)
def test_classes_are_searched_in_one_go(piece: bytes) -> None:
    assert_linear(_classes, lambda count: piece * count, 200)
