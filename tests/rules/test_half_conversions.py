"""Conversions between half and bfloat16, which are ambiguous in HIP."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

HEAD = "#include <hip/hip_fp16.h>\n#include <hip/hip_bf16.h>\n"
FRAME = "__device__ void f(half h, __half *p, __hip_bfloat16 b, const __hip_bfloat16 *q, S s) {{ {} }}\n"
SUPPORT = '#define HIPIFY_NEEDS_FP16\n#include "hipify_support.hpp"\n'


def outcome(source: str, *, support: bool = True) -> tuple[str, list[str]]:
    options = Options(implicit_runtime=False, support=support)
    result = translate(HEAD + source, path="a.cu", options=options)
    again = translate(result.output, path="a.cu", options=options)
    assert again.output == result.output
    output = result.output.decode().replace(SUPPORT, "").removeprefix(HEAD)
    return output, [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("h = static_cast<half>(b);", "h = static_cast<half>(static_cast<float>(b));"),
        ("h = (half)q[1];", "h = (half)static_cast<float>(q[1]);"),
        ("p[0] = __half(*q);", "p[0] = __half(static_cast<float>(*q));"),
        ("half x = b;", "half x = static_cast<float>(b);"),
        ("__hip_bfloat16 x(h);", "__hip_bfloat16 x(static_cast<float>(h));"),
        ("b = p[3];", "b = static_cast<float>(p[3]);"),
        ("using B = __hip_bfloat16; B x = h;", "using B = __hip_bfloat16; B x = static_cast<float>(h);"),
        ("auto x = b; h = half(x);", "auto x = b; h = half(static_cast<float>(x));"),
        ("h = static_cast<half>(static_cast<float>(b));", "h = static_cast<half>(static_cast<float>(b));"),
        ("float x = b; h = x; h = p[1]; b = *q; half2 z = half2(h);", "float x = b; h = x; h = p[1]; b = *q; half2 z = half2(h);"),
        ("h = other(b); use(half(3));", "h = other(b); use(half(3));"),
    ],
)  # fmt: skip
def test_it_goes_through_float(cuda: str, hip: str) -> None:
    assert outcome(FRAME.format(cuda)) == (FRAME.format(hip), [])


@pytest.mark.parametrize(
    ("template", "hip", "use"),
    [
        ("A f(B b) { return static_cast<A>(b); }", "A f(B b) { return hipify::convert<A>(b); }", "f<half>(*q);"),
        ("A f(B b) { return A(b); }", "A f(B b) { return hipify::convert<A>(b); }", "f<half, __hip_bfloat16>(1);"),
        ("A f(const B &b) { return (A)b; }", "A f(const B &b) { return hipify::convert<A>(b); }", "f<half>(*q);"),
        ("void f(A *a, B const *b) { a[0] = b[0]; }", "void f(A *a, B const *b) { a[0] = hipify::convert<A>(b[0]); }", "f(p, q);"),
        ("struct f { A g(B b) { A a = b; return a; } };", "struct f { A g(B b) { A a = hipify::convert<A>(b); return a; } };", "f<half, __hip_bfloat16> x;"),
        ("void f(A a, B &b) { b = a; }", "void f(A a, B &b) { b = hipify::convert<B>(a); }", "f(*p, *r);"),
    ],
)  # fmt: skip
def test_in_a_template_the_types_decide(template: str, hip: str, use: str) -> None:
    frame = "template <class A, class B> {}\nvoid g(half *p, const __hip_bfloat16 *q, __hip_bfloat16 *r) {{ {} }}\n"
    assert outcome(frame.format(template, use)) == (frame.format(hip, use), [])
    output, found = outcome(frame.format(template, use), support=False)
    assert output == frame.format(template, use)
    assert found == ["HIP136"]


@pytest.mark.parametrize(
    "source",
    [
        "template <class A, class B> A f(B b) { return static_cast<A>(b); }\nvoid g(half *p, float x) { f<half>(x); f<float>(*p); }\n",
        "template <class A> A f(half h) { return static_cast<A>(h); }\nhalf g(half h) { __hip_bfloat16 b; return f<half>(h); }\n",
        "template <class A, class B> A f(B b) { return static_cast<A>(b); }\n",
        "template <class A> A f(A a) { return static_cast<A>(a); }\nvoid g(half h, __hip_bfloat16 b) { f(h); f(b); }\n",
    ],
)
def test_templates_that_never_convert_between_them_stay(source: str) -> None:
    assert outcome(source) == (source, [])
