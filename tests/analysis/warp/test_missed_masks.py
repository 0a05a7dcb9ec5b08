"""Masks behind lambdas, `decltype`, aliases and the parameters of templates."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


def reported(source: str) -> list[str]:
    found = translate(source, path="a.cu", options=Options(implicit_runtime=False)).findings
    return [finding.id for finding in found if finding.id in ("HIP301", "HIP320")]


def check(source: str) -> None:
    narrow = source.format(u="unsigned", l="", ull="")
    assert hip(narrow) == source.format(u="unsigned long long", l="ll", ull="ull")
    assert hip(hip(narrow)) == hip(narrow)
    assert reported(narrow) == []


@pytest.mark.parametrize(
    "source",
    [
        "template <class F> __device__ int apply(F f) {{ auto m = f(); return __popc{l}(m); }}\n"
        "__device__ int g(int p) {{ return apply([=] {{ return __ballot(p); }}); }}",
        "template <class F> __device__ int apply(F &&f, int n) {{ {u} m = f(n); return __ffs{l}(m); }}\n"
        "__device__ int g(int p) {{ return apply([=](int n) -> {u} {{ return __ballot(p > n); }}, 3); }}",
        "__device__ int g(int p) {{ auto vote = [&] {{ return __ballot(p); }}; auto m = vote(); return __popc{l}(m); }}",
        "template <class F> __device__ int inner(F f) {{ return __popc{l}(f()); }}\n"
        "template <class F> __device__ int outer(F f) {{ return inner(f); }}\n"
        "__device__ int g(int p) {{ auto vote = [=] {{ return __activemask(); }}; return outer(vote); }}",
        "__device__ int g(int p) {{ return __popc{l}([=] {{ return __ballot(p); }}()); }}",
        "__device__ {u} vote(int p) {{ return __ballot(p); }}\n"
        "template <class F> __device__ int count(F f, int p) {{ return __popc{l}(f(p)); }}\n"
        "__device__ int g(int p) {{ return count(vote, p) + count(&vote, p); }}",
        "template <class F> __device__ int apply(F &&f) {{ return __ffs{l}(std::forward<F>(f)()); }}\n"
        "__device__ int g(int p) {{ return apply([=] {{ if (p) return __ballot(p); return __activemask(); }}); }}",
    ],
)
def test_what_a_lambda_returns_is_followed_to_its_calls(source: str) -> None:
    check(source)


@pytest.mark.parametrize(
    "source",
    [
        "template <class F> __device__ int apply(F f) { return __popc(f()); }\n"
        "__device__ int g(int p, int v) { return apply([=] { return __ballot(p); }) + apply([=] { return v * 3; }); }",
        "__device__ void g(int p, int *o) { elsewhere(o, [=] { return __ballot(p); }); }",
        "__device__ void g(int p) { auto f = [=](int v) { if (p) return __ballot(p); return v * 3u; }; }",
    ],
)
def test_a_lambda_for_masks_and_for_data_is_reported(source: str) -> None:
    """A count of 64 bits would count the sign of an `int`; one of 32 bits leaves half of the mask out."""
    assert hip(source) == source
    assert set(reported(source)) == {"HIP320"}


@pytest.mark.parametrize(
    "source",
    [
        "__device__ int g(int p) {{ decltype(__activemask()) w = 0{ull}; if (p) w |= 1{ull} << p; return __popc{l}(w); }}",
        "__device__ int g(int p) {{ {u} m = __ballot(p); decltype(m) n = m >> 1; return __ffs{l}(n); }}",
        "using Lanes = decltype(__ballot(0));\n__device__ int g(int p) {{ Lanes w; w = 1{ull} << p; return __popc{l}(w); }}",
        "typedef decltype(__activemask()) Word;\nstruct S {{ Word w; }};\n"
        "__device__ int g(S s, int p) {{ s.w |= 1{ull} << p; return __popc{l}(s.w); }}",
        "__device__ int g(int p) {{ const decltype(__match_any_sync(0xffffffffffffffffull, p)) w = __ballot(p); "
        "return __popc{l}(w); }}",
    ],
)
def test_decltype_of_a_mask_is_one(source: str) -> None:
    check(source)


def test_decltype_of_data_is_none() -> None:
    source = "__device__ void g(int p, const unsigned *in, unsigned *o) { unsigned k = in[p]; decltype(k) x = __ballot(p); o[0] = x; }"
    assert hip(source) == source
    assert reported(source) == ["HIP320"]


@pytest.mark.parametrize(
    ("source", "wide"),
    [
        (
            "using T = unsigned;\n__device__ int g(int p) { T m = (T)__ballot(p); return __popc(m); }",
            "using T = unsigned;\n__device__ int g(int p) { @ m = (@)__ballot(p); return __popcll(m); }",
        ),
        (
            "typedef uint32_t word;\n__device__ int g(int p) { word m = static_cast<word>(__ballot(p)); return __ffs(m); }",
            "typedef uint32_t word;\n__device__ int g(int p) { @ m = static_cast<@>(__ballot(p)); return __ffsll(m); }",
        ),
        (
            "typedef unsigned int word;\n__device__ int g(int p) { auto m = word(__ballot(p)); return __popc(m); }",
            "typedef unsigned int word;\n__device__ int g(int p) { auto m = static_cast<@>(__ballot(p)); return __popcll(m); }",
        ),
        (
            "using mask_t = unsigned;\n__device__ int g(int p) { return __popc((mask_t)__ballot(p)); }",
            "using mask_t = @;\n__device__ int g(int p) { return __popcll((mask_t)__ballot(p)); }",
        ),
        (
            "template <typename T> __device__ T vote(int p) { return (T)__ballot(p); }\n"
            "__device__ int g(int p) { unsigned m = vote<unsigned>(p); return __popc(m); }",
            "template <typename T> __device__ T vote(int p) { return (T)__ballot(p); }\n"
            "__device__ int g(int p) { @ m = vote<@>(p); return __popcll(m); }",
        ),
        (
            "template <typename T> __device__ int first(int p) { T m = static_cast<T>(__activemask()); return __ffs(m); }\n"
            "__device__ int g(int p) { return first<uint32_t>(p); }",
            "template <typename T> __device__ int first(int p) { T m = static_cast<T>(__activemask()); return __ffsll(m); }\n"
            "__device__ int g(int p) { return first<@>(p); }",
        ),
        (
            "template <class M> struct Votes { M m; __device__ Votes(int p) : m(M(__ballot(p))) {} };\n"
            "__device__ int g(int p) { Votes<unsigned> v(p); return __popc(v.m); }",
            "template <class M> struct Votes { M m; __device__ Votes(int p) : m(M(__ballot(p))) {} };\n"
            "__device__ int g(int p) { Votes<@> v(p); return __popcll(v.m); }",
        ),
    ],
)
def test_a_cast_to_a_type_of_the_source_goes_with_the_mask(source: str, wide: str) -> None:
    assert hip(source) == wide.replace("@", "unsigned long long")
    assert reported(source) == []


@pytest.mark.parametrize(
    "source",
    [
        # T is what the caller deduces, and holds its data
        "template <typename T> __device__ T f(T v) { return v + (T)__ballot(v > 0); }\n"
        "__device__ int g(int p) { return f(p * 3); }",
        "template <typename T> __device__ T f(const T *in, int p) { T v = in[p]; return v * (T)__ballot(p); }\n"
        "__device__ int g(const int *in, int p) { return f<int>(in, p); }",
    ],
)
def test_a_cast_to_the_type_of_data_is_reported(source: str) -> None:
    assert hip(source) == source
    assert set(reported(source)) == {"HIP320"}
