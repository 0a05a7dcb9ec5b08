"""Lane masks in 64 bits: literals, what stands for them, variables that hold a ballot, and what is done with those."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import Targeting

FULL = "0xffffffffffffffffull"


def hip(source: str, rocm: str = "") -> str:
    options = Options(implicit_runtime=False, targeting=Targeting(rocm=rocm))
    return translate(source, path="a.cu", options=options).output.decode()


def reported(source: str) -> list[str]:
    findings = translate(source, path="a.cu").findings
    return [source[f.offset :].split(",", maxsplit=1)[0] for f in findings if f.id == "HIP301"]


@pytest.mark.parametrize(
    "mask",
    [
        *["0xffffffff", "0xFFFFFFFFu", "0XffffffffU", "0xffff'ffff", "(0xffffffff)", "4294967295u", "0xffffffffu"],
        *["~0", "~0u", "~ 0", "-1", "(unsigned)-1", "(unsigned int) -1", "unsigned(-1)", "uint32_t(-1)", "UINT32_MAX"],
    ],
)
def test_all_lanes_stay_all_lanes(mask: str) -> None:
    assert hip(f"__device__ int f(int v) {{ return __shfl_sync({mask}, v, 0); }}") == (
        f"__device__ int f(int v) {{ return __shfl_sync({FULL}, v, 0); }}"
    )


@pytest.mark.parametrize("mask", ["0xffffffffffffffff", FULL, "~0ull", "-1LL", "__activemask()", "g.ballot(1)"])
def test_what_is_wide_stays(mask: str) -> None:
    source = f"__device__ int f(int v) {{ return __any_sync({mask}, v); }}"
    assert hip(source) == source
    assert reported(source) == []


@pytest.mark.parametrize(("mask", "wide"), [("0x0000ffff", "0x0000ffffull"), ("0xfu", "0xfull"), ("1", "1ull")])
def test_some_lanes_stay_those_and_are_reported(mask: str, wide: str) -> None:
    source = f"__device__ int f(int v) {{ return __any_sync({mask}, v); }}"
    assert hip(source) == source.replace(mask, wide, 1)
    assert reported(source) == [mask]


@pytest.mark.parametrize(
    ("definition", "wide"),
    [
        ("#define M 0xffffffff", f"#define M {FULL}"),
        ("#define M (0xffffffffu) // all", f"#define M {FULL} // all"),
        ("constexpr unsigned M = 0xffffffff;", f"constexpr unsigned long long M = {FULL};"),
        ("static const unsigned int M{~0u};", f"static const unsigned long long M{{{FULL}}};"),
        ("const uint32_t M = 0xffffffffu;", f"const unsigned long long M = {FULL};"),
        ("template <unsigned M = 0xffffffffu>", f"template <unsigned long long M = {FULL}>"),
    ],
)
def test_a_name_for_all_lanes_is_widened_where_it_is_declared(definition: str, wide: str) -> None:
    use = "\n__device__ int f(int v) { return __all_sync(M, v); }"
    assert hip(definition + use) == wide + use
    assert reported(definition + use) == []


def test_a_macro_called_a_mask_is_widened_although_it_is_used_elsewhere() -> None:
    assert hip("#define FULL_MASK 0xffffffff\n") == f"#define FULL_MASK {FULL}\n"
    assert hip("#define HASH_SEED 0xffffffff\n") == "#define HASH_SEED 0xffffffff\n"


@pytest.mark.parametrize("mask", ["s.mask", "mask_of(v)", "OTHER_HEADERS_MASK", "p->m"])
def test_a_mask_from_elsewhere_is_cast_and_reported(mask: str) -> None:
    source = f"__device__ int f(S s, S *p, int v) {{ return __any_sync({mask}, v); }}"
    assert hip(source) == source.replace(f"({mask},", f"(static_cast<unsigned long long>({mask}),")
    assert reported(source) == [mask]


@pytest.mark.parametrize(
    ("body", "wide"),
    [
        ("unsigned m = __ballot_sync(~0u, v); r = __popc(m);", "{w} m = __ballot_sync({f}, v); r = __popcll(m);"),
        ("int m = __activemask(); r = __ffs(m) - 1;", "{w} m = __activemask(); r = __ffsll(m) - 1;"),
        ("uint32_t m; m = __ballot(v); r = __clz(m);", "{w} m; m = __ballot(v); r = __clzll(m);"),
        ("auto m = __ballot(v); r = 31 - __clz(m);", "auto m = __ballot(v); r = 63 - __clzll(m);"),
        ("r = __popc(__ballot_sync(~0u, v));", "r = __popcll(__ballot_sync({f}, v));"),
        ("r = __popc(__activemask() & ((1u << v) - 1));", "r = __popcll(__activemask() & ((1ull << v) - 1));"),
        ("unsigned m = __ballot(v); while (m) m &= m - 1;", "{w} m = __ballot(v); while (m) m &= m - 1;"),
        ("unsigned m = __ballot(v); m &= ~1u;", "{w} m = __ballot(v); m &= ~1ull;"),
        ("unsigned m = __ballot(v), n = m & (1 << v);", "{w} m = __ballot(v), n = m & (1ull << v);"),
        (
            "unsigned m = __ballot(v); unsigned n = m >> 1; r = __popc(n);",
            "{w} m = __ballot(v); {w} n = m >> 1; r = __popcll(n);",
        ),
        (
            "unsigned below = (1u << v) - 1; unsigned m = __ballot(v); r = __popc(m & below);",
            "{w} below = (1ull << v) - 1; {w} m = __ballot(v); r = __popcll(m & below);",
        ),
        ("unsigned m = __ballot(v); int bit = m & 1;", "{w} m = __ballot(v); int bit = m & 1;"),
        (
            "unsigned below = ((unsigned int)1 << v) - 1; r = __popc(__ballot(v) & below);",
            "unsigned below = ((unsigned int)1 << v) - 1; r = __popcll(__ballot(v) & below);",
        ),
        (
            "auto m = __ballot(v); r = __popc(m & (((unsigned)1 << v) - 1));",
            "auto m = __ballot(v); r = __popcll(m & ((1ull << v) - 1));",
        ),
        ("my::uint32_t m = __ballot(v);", "my::uint32_t m = __ballot(v);"),
        ("unsigned n = 1 << v; r = __popc(n);", "unsigned n = 1 << v; r = __popc(n);"),
        ("S s; s.m = __ballot(v); unsigned m = 3;", "S s; s.m = __ballot(v); unsigned m = 3;"),
    ],
)
def test_variables_that_hold_a_mask(body: str, wide: str) -> None:
    frame = "__device__ void f(int v, int &r) {{ {} }}"
    assert hip(frame.format(body)) == frame.format(wide.format(w="unsigned long long", f=FULL))


def test_parameters_are_widened_and_literals_that_calls_pass_for_them() -> None:
    source = (
        "__device__ int sum(int v, unsigned m = 0xffffffff) { return v + __shfl_down_sync(m, v, 1); }\n"
        "__device__ int g(int v) { return sum(v, 0xffffffffu) + sum(0xffffffff); }\n"
    )
    assert hip(source) == (
        f"__device__ int sum(int v, unsigned long long m = {FULL}) {{ return v + __shfl_down_sync(m, v, 1); }}\n"
        f"__device__ int g(int v) {{ return sum(v, {FULL}) + sum(0xffffffff); }}\n"
    )


def test_the_declarations_of_all_branches_are_widened() -> None:
    source = "#if A\nconst unsigned M = ~0u;\n#else\nconst unsigned M = -1;\n#endif\n__device__ int f(int v) { return __any_sync(M, v); }"
    assert hip(source).count(f"const unsigned long long M = {FULL};") == 2


def test_another_functions_variable_of_that_name_stays() -> None:
    source = "__device__ void g() { unsigned m = 3; use(__popc(m)); }\n"
    other = "__device__ void f(int v) { unsigned m = __ballot(v); }\n"
    assert hip(source + other) == source + other.replace("unsigned", "unsigned long long")


def test_a_computed_mask_is_widened_and_reported() -> None:
    source = "__device__ int f(int v) { unsigned m = 0xffu << (v & 24); return __any_sync(m, v); }"
    assert "unsigned long long m = 0xffull << (v & 24)" in hip(source)
    assert reported(source) == ["m"]


@pytest.mark.parametrize("definition", ["#define M 0xffffffff", "constexpr unsigned M = ~0u;", "int M;"])
def test_translating_again_changes_nothing(definition: str) -> None:
    body = "unsigned m = __ballot_sync(M, v); return __popc(m) + __any_sync(s.m, 1) + __shfl_sync(m, v, 0);"
    source = f"{definition}\n__device__ int f(S s, int v) {{ {body} }}"
    once = hip(source)
    assert hip(once) == once


# -- by ROCm version


def test_below_rocm_6_2_the_mask_goes() -> None:
    source = "__device__ int f(int v) { return __shfl_xor_sync(0xffffffff, v, 1) + __any_sync(M, v); }"
    assert hip(source, "6.1") == "__device__ int f(int v) { return __shfl_xor(v, 1) + __any(v); }"


@pytest.mark.parametrize(
    ("rocm", "wanted"), [("6.2", True), ("6.4", True), ("7.0", False), ("", False), ("6.1", False)]
)
def test_rocm_6_2_to_6_4_want_a_macro(rocm: str, wanted: bool) -> None:
    source = "#pragma once\n#include <vector>\n__device__ int f(int v) { return __all_sync(~0u, v); }"
    assert ("#define HIP_ENABLE_WARP_SYNC_BUILTINS\n" in hip(source, rocm)) is wanted
    assert "HIP_ENABLE_WARP_SYNC_BUILTINS" not in hip("__device__ int f(int v) { return __popc(v); }", rocm)


def test_syncwarp_below_rocm_7() -> None:
    fences = (
        '__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), '
        '__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");'
    )
    assert fences in hip("__device__ void f() { __syncwarp(); }", "6.4")
    assert fences in hip("__device__ void f() { __syncwarp(0xffffffff); }", "6.4")
    assert hip("__device__ void f() { __syncwarp(0xffffffff); }") == f"__device__ void f() {{ __syncwarp({FULL}); }}"
