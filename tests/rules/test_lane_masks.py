"""Lane masks in 64 bits: literals, what stands for them, variables that hold a ballot, and what is done with those."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.catalog import Targeting
from tests.growth import assert_linear
from tests.unfixed import Options, translate

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
        *["0xffffffffUL", "(1u << 32) - 1", "((1ull<<32)-1)", "static_cast<unsigned>(-1)", "UINT_MAX", "~(0u)"],
        *["(unsigned)~0", "uint32_t{0xffffffffu}", "std::numeric_limits<unsigned>::max()", "~(unsigned)0"],
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
        ("#define M (A)\n#define A ~0u", f"#define M (A)\n#define A {FULL}"),
        (
            "enum : unsigned { OTHER, A = ~0u }; const unsigned M = A;",
            f"enum : unsigned long long {{ OTHER, A = {FULL} }}; const unsigned long long M = A;",
        ),
    ],
)
def test_a_name_for_all_lanes_is_widened_where_it_is_declared(definition: str, wide: str) -> None:
    use = "\n__device__ int f(int v) { return __all_sync(M, v); }"
    assert hip(definition + use) == wide + use
    assert reported(definition + use) == []


def test_a_macro_called_a_mask_is_widened_although_it_is_used_elsewhere() -> None:
    assert hip("#define FULL_MASK 0xffffffff\n") == f"#define FULL_MASK {FULL}\n"
    assert hip("#define HASH_SEED 0xffffffff\n") == "#define HASH_SEED 0xffffffff\n"


@pytest.mark.parametrize(
    "source",
    [
        "constexpr unsigned kFullMask = 0xffffffff;",
        "inline unsigned WarpFullMask() { return 0xffffffff; }",
        "struct W { static constexpr unsigned kFullMask = 0xffffffff; };",
    ],
)
def test_a_constant_called_a_mask_is_widened_although_it_is_used_elsewhere(source: str) -> None:
    assert hip(source) == source.replace("unsigned", "unsigned long long").replace("0xffffffff", FULL)
    assert hip(source.replace("FullMask", "Seed")) == source.replace("FullMask", "Seed")


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
        ("uint32_t m; m = __ballot(v); r = __clz(m);", "{w} m; m = __ballot(v); r = (__clzll(m) - (64 - warpSize));"),
        ("r = __brev(__ballot(v));", "r = (__brevll(__ballot(v)) >> (64 - warpSize));"),
        ("r = 100 * __clz(__ballot(v)) + 1;", "r = 100 * (__clzll(__ballot(v)) - (64 - warpSize)) + 1;"),
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
            "{w} below = (({w})1 << v) - 1; r = __popcll(__ballot(v) & below);",
        ),
        (
            "auto m = __ballot(v); r = __popc(m & (((unsigned)1 << v) - 1));",
            "auto m = __ballot(v); r = __popcll(m & ((({w})1 << v) - 1));",
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


# -- what a mask goes through


@pytest.mark.parametrize(
    ("source", "wide"),
    [
        ("0xffffffff >> (32 - n)", "{f} >> (64 - n)"),
        ("~0u >> (31 - n)", "{f} >> (63 - n)"),
        ("0xffffffffu >> (WARP_SIZE - n)", "{f} >> (64 - n)"),
        ("0xffffffff << n", "{f} << n"),
        ("~0u >> 1 >> (31 - n)", "{f} >> 1 >> (63 - n)"),
        ("1u << n", "1ull << n"),
        ("(1u << n) - 1", "(1ull << n) - 1"),
        ("__ballot_sync(~0u, v) & ~(1u << n)", "__ballot(v) & ~(1ull << n)"),
        ("v ? 0xffffffff : __activemask()", "v ? {f} : __activemask()"),
        ("(unsigned)__activemask()", "({w})__activemask()"),
        ("unsigned(__activemask())", "static_cast<{w}>(__activemask())"),
    ],
)
def test_computed_masks(source: str, wide: str) -> None:
    frame = "__device__ int f(int v, int n) {{ return __any_sync({}, v); }}"
    assert hip(frame.format(source)) == frame.format(wide.format(f=FULL, w="unsigned long long"))


def test_the_upper_lanes_of_32_stay_counted_in_32() -> None:
    source = "__device__ int f(int v, int n) { return __any_sync(0xffffffff >> n, v); }"
    assert hip(source) == source.replace("0xffffffff", "0xffffffffull")
    assert reported(source) == ["0xffffffff >> n"]


WHOLE = "(0xffffffffffffffffull >> (64 - warpSize))"


@pytest.mark.parametrize(
    ("body", "wide"),
    [
        ("unsigned m = __ballot(v); r = m == 0xffffffff;", "{w} m = __ballot(v); r = m == {all};"),
        ("r = __ballot(v) != ALL;", "r = __ballot(v) != (ALL >> (64 - warpSize));"),
        ("r = ~__ballot(v) == 0;", "r = (~__ballot(v) & {all}) == 0;"),
        ("r = __popc(~__ballot(v));", "r = __popcll(~__ballot(v) & {all});"),
        ("r = __popc(__ballot(v)) == 32;", "r = __popcll(__ballot(v)) == warpSize;"),
        ("r = 32 - __clz(__ballot(v));", "r = 64 - __clzll(__ballot(v));"),
        ("r = __clz(__brev(__ballot(v)));", "r = __clzll(__brevll(__ballot(v)));"),
        ("r = __popc(__ballot(v) << (32 - v));", "r = __popcll(__ballot(v) << (64 - v));"),
        ("r = __clz(__ballot(v) << (31 - v));", "r = __clzll(__ballot(v) << (63 - v));"),
        ("r = __popc(__ballot(v) << (WARP_SIZE - 1 - v) << 1);", "r = __popcll(__ballot(v) << (64 - 1 - v) << 1);"),
        ("r = __clz(__ballot(v) << (WARP_SIZE - 1 - v));", "r = __clzll(__ballot(v) << (64 - 1 - v));"),
        ("r = __ffs(static_cast<int>(__ballot(v)));", "r = __ffsll(__ballot(v));"),
        ("unsigned m = __ballot(v); m &= 0xfffffffeu << v;", "{w} m = __ballot(v); m &= 0xfffffffffffffffeull << v;"),
        ("auto g = [](unsigned m) {{ return __ffs(m); }}; r = g(~__ballot(v));",
         "auto g = []({w} m) {{ return __ffsll(m); }}; r = g(~__ballot(v) & {all});"),
        ("r += (__ballot(v) << (31 - v)) >> 31;", "r += (__ballot(v) << (63 - v)) >> 63;"),
        ("unsigned m = __ballot(v); r = __ffs((int)m);", "{w} m = __ballot(v); r = __ffsll(m);"),
        ("unsigned m = ~__ballot(v); while (m) m &= m - 1;", "{w} m = ~__ballot(v) & {all}; while (m) m &= m - 1;"),
        ("unsigned m; m = ~__ballot(v);", "{w} m; m = ~__ballot(v) & {all};"),
        ("unsigned m = __ballot(v) & 0x55555555;", "{w} m = __ballot(v) & 0x5555555555555555ull;"),
        ("r = __fns(__ballot(v), 0, 2);", "r = __fns64(__ballot(v), 0, 2);"),
        ("unsigned m = __ballot(v); r = m >> v & 1;", "{w} m = __ballot(v); r = m >> v & 1;"),
        ("int bit = (__ballot(v) >> v) & 1;", "int bit = (__ballot(v) >> v) & 1;"),
        ("unsigned m = __ballot(v); m = m & -m;", "{w} m = __ballot(v); m = m & -m;"),
        ("unsigned m = __ballot(v), *p = &m; *p = 3;", "{w} m = __ballot(v), *p = &m; *p = 3;"),
        ("unsigned m = __ballot(v); unsigned &n = m;", "{w} m = __ballot(v); {w} &n = m;"),
        ("int lane, m; m = __ballot(v);", "int lane; {w} m; m = __ballot(v);"),
        ("int m = __ballot(v), lane;", "{w} m = __ballot(v); int lane;"),
        ("for (unsigned m = __ballot(v), i = 0; m; ++i);", "for ({w} m = __ballot(v), i = 0; m; ++i);"),
        ("if (unsigned m = __ballot(v)) r = __ffs(m);", "if ({w} m = __ballot(v)) r = __ffsll(m);"),
        ("__shared__ unsigned b[32]; b[v] = __ballot(v);", "__shared__ {w} b[32]; b[v] = __ballot(v);"),
        ("unsigned a = 0; if (v) atomicOr(&a, 1u << v); r = __popc(a & __ballot(1));",
         "{w} a = 0; if (v) atomicOr(&a, 1ull << v); r = __popcll(a & __ballot(1));"),
        ("auto g = [](unsigned m) {{ return __popc(m); }}; r = g(__ballot(v));",
         "auto g = []({w} m) {{ return __popcll(m); }}; r = g(__ballot(v));"),
        ('printf("%d %08x %u", v, __ballot(v), __activemask());', 'printf("%d %016llx %llu", v, __ballot(v), __activemask());'),
        ('printf("%d%%" " %x", v, __ballot(v));', 'printf("%d%%" " %llx", v, __ballot(v));'),
        ("int p; unsigned m = __match_all_sync(~0u, v, &p);", "int p; {w} m = __match_all_sync({f}, v, &p);"),
        ("float x = __popc(__ballot(v)); bool any = __ballot(v);", "float x = __popcll(__ballot(v)); bool any = __ballot(v);"),
    ],
)  # fmt: skip
def test_what_is_done_with_a_mask(body: str, wide: str) -> None:
    frame = "#define ALL {}\n__device__ void f(int v, int &r) {{ {} }}"
    wide = wide.format(w="unsigned long long", f=FULL, all=WHOLE)
    source = frame.format("0xffffffff", body.replace("{{", "{").replace("}}", "}"))
    converted = frame.format(FULL if "ALL" in body else "0xffffffff", wide)
    assert hip(source) == converted
    assert hip(converted) == converted


@pytest.mark.parametrize(
    ("source", "wide"),
    [
        (
            "struct S {{ int n; {u} m; }}; __device__ int f(S s, int v) {{ s.m = __ballot(v); return __popc{l}(s.m); }}",
            None,
        ),
        ("struct S {{ {u} m; __device__ S({u} a) : m(a) {{}} }}; __device__ S f() {{ return S(__activemask()); }}", None),
        ("struct S {{ {u} m; }}; __device__ void f(int v) {{ S s = {{__ballot(v)}}; }}", None),
        ("__device__ {u} lanes(int v) {{ return __ballot(v); }} __device__ int f() {{ return __ffs{l}(lanes(1)); }}", None),
        ("__device__ void g(int v, {u} *m) {{ *m = __ballot(v); }} __device__ void f() {{ {u} a; g(1, &a); }}", None),
        ("__device__ void g(int v, {u} &m) {{ m = __ballot(v); }} __device__ void f() {{ {u} a; g(1, a); }}", None),
        ("using mask_t = {u}; __device__ void f(int v) {{ mask_t m = __ballot(v); }}", None),
        ("#define VOTE(p) __ballot(p)\n__device__ void f(int v) {{ {u} m = VOTE(v); }}", None),
        ("#define ANY(m, p) __any_sync(m, p)\n__device__ int f({u} q) {{ return ANY(q, 1); }}", None),
        ("template <{u} M> __device__ int g(int v) {{ return __any_sync(M, v); }}", None),
        (
            '__device__ {u} lt() {{ {u} r; asm("mov.u32 %0, %lanemask_lt;" : "=r"(r)); return r; }}',
            "__device__ unsigned long long lt() { unsigned long long r; r = (1ull << __lane_id()) - 1; return r; }",
        ),
    ],
)  # fmt: skip
def test_what_else_holds_a_mask(source: str, wide: str | None) -> None:
    narrow = source.format(u="unsigned", l="")
    assert hip(narrow) == (wide or source.format(u="unsigned long long", l="ll"))
    assert not [f for f in translate(narrow, path="a.cu").findings if f.id in ("HIP301", "HIP320")]


@pytest.mark.parametrize(
    "source",
    [
        # a template's type is whatever its functions are called with
        "template <typename M> __device__ int g(M m, int n) {{ M low = (M(1) << n) - 1; return __popc{l}(m & low); }}\n"
        "__device__ int f(int v) {{ {u} m = __ballot(v); return g(m, v) + g<{u}>(m, v); }}",
        "template <typename T> __device__ T g(T v) {{ return max(v, __shfl_xor(v, 1)); }}\n"
        "__device__ int f(int v) {{ int a = g(v); {u} b = g(__ballot(v)); return a + __popc{l}(b); }}",
        "__device__ int f(int v) {{ auto g = [](auto m) {{ return __popc{l}(m); }}; return g(__ballot(v)); }}",
        "template <typename MaskT = {u}> struct S {{ MaskT m; __device__ int n() {{ return __popc{l}(m); }} }};\n"
        "__device__ int f(int v) {{ S<> s{{__ballot(v)}}; S<{u}> t{{__activemask()}}; return s.n() + t.n(); }}",
        # what a member function returns, inside its type and out of it
        "struct S {{ {u} m; __device__ {u} all() const {{ return m; }} __device__ S(int v) : m(__ballot(v)) {{}} }};\n"
        "__device__ int f(S s) {{ {u} m = s.all(); return __ffs{l}(m); }}",
        "class S {{ {u} m; __device__ S(int v); __device__ {u} all() const; }};\n"
        "__device__ S::S(int v) : m(__ballot(v)) {{}}\n__device__ {u} S::all() const {{ return m; }}\n"
        "__device__ int f(S s) {{ return __ffs{l}(s.all()); }}",
        "class S {{ {u} m; __device__ const {u} &all() const {{ return m; }} __device__ S(int v) : m(__ballot(v)) {{}} }};\n"
        "__device__ int f(S s) {{ return __popc{l}(s.all()); }}",
        # objects that are returned and taken apart
        "struct S {{ {u} m; int n; }};\n__device__ S g(int v) {{ return {{__ballot(v), 1}}; }}\n"
        "__device__ int f(int v) {{ auto [a, b] = g(v); const S s = g(v); const auto &[c, d] = s; "
        "return __popc{l}(a) + b + __ffs{l}(c); }}",
        "struct S {{ {u} m; int n; }};\n__device__ void f(S &s, int v) {{ s = {{__ballot(v), 1}}; }}",
        # a name that a macro pastes together
        "#define EACH(i, m) for ({u} i##_m = (m), i; i##_m && (i = __ffs{l}(i##_m) - 1, 1); i##_m &= i##_m - 1)\n"
        "__device__ int f(int v) {{ int n = 0; EACH(k, __ballot(v)) n += k; return n; }}",
        # parts of pairs and tuples
        "__device__ int f(int v) {{ std::pair<{u}, int> p(__ballot(v), 1); auto q = p; return __popc{l}(q.first); }}",
        "__device__ std::tuple<int, {u}> g(int v) {{ return {{v, __ballot(v)}}; }}\n"
        "__device__ int f(int v) {{ auto [a, b] = g(v); return a + __ffs{l}(b) + __popc{l}(std::get<1>(g(v))); }}",
        "__device__ thrust::pair<int, {u}> g(int v) {{ return thrust::make_pair(v, __ballot(v)); }}\n"
        "__device__ int f(int v) {{ return __popc{l}(g(v).second) + __popc(g(v).first); }}",
        # arrays, pointers into them, and what is called through those
        "__device__ int g(const {u} *a, const {u} *b) {{ return __popc{l}(*a ^ *b); }}\n"
        "__device__ int f(int v) {{ {u} m[2]; m[0] = __ballot(v); m[1] = 0; return g(&m[0], &m[1]); }}",
        "__device__ int f(int v) {{ __shared__ {u} m[4][8]; m[v][0] = __ballot(v); {u} *p = &m[0][0], a = 0; "
        "for (int i = 0; i < 8; ++i) a |= *p++; return __popc{l}(m[0][1] & a); }}",
        "__device__ void g(int v, {u} *m = nullptr) {{ if (m) *m = __ballot(v); }}\n"
        "__device__ int f(int v) {{ {u} m; g(v, &m); return __popc{l}(m); }}",
        "typedef {u} lanes_t;\n__device__ int f(int v) {{ __shared__ lanes_t m[4][8]; lanes_t *p = m[0]; "
        "p[v] = __ballot(v); return __ffs{l}(m[0][1]); }}",
        # small numbers need no more bits
        "__device__ int f(int v) {{ {u} m = __ballot(v); unsigned carry = 0; if (m) carry = v > 1; "
        "carry = __shfl(carry, 0); return __popc{l}(m << 1 | carry); }}",
        "template <int W> struct S {{ static constexpr {u} all = {all}; }};\n"
        "__device__ int f(int v) {{ return __any_sync(S<32>::all, v); }}",
    ],
)
def test_masks_in_templates_and_objects(source: str) -> None:
    narrow = source.format(u="unsigned", l="", all="~0u")
    assert hip(narrow) == source.format(u="unsigned long long", l="ll", all=FULL)
    assert not [f for f in translate(narrow, path="a.cu").findings if f.id in ("HIP301", "HIP320")]


def test_a_template_that_nothing_here_calls_is_given_the_type() -> None:
    source = "template <typename M> __device__ int f(M m, int v) { return __any_sync(m, v); }"
    assert hip(source) == source.replace("(m, v); }", "(static_cast<unsigned long long>(m), v); }")
    assert reported(source) == []


@pytest.mark.parametrize(
    ("wide", "argument"),
    [("unsigned long long", "m"), ("uint64_t", "static_cast<uint64_t>(m)"), ("long", "static_cast<long>(m)")],
)
def test_overloads_stay_apart(wide: str, argument: str) -> None:
    overloads = f"__device__ int bits({wide} v) {{ return __popcll(v); }}\n__device__ int bits(unsigned v);\n"
    use = "__device__ int f(int v) {{ {} m = __ballot(v); return bits({}); }}\n"
    once = hip(overloads + use.format("unsigned", "m"))
    assert once == overloads + use.format("unsigned long long", argument)
    assert hip(once) == once


def test_all_lanes_of_another_file_are_noted() -> None:
    source = "__device__ int f(int v) { return __any_sync(S::kFullMask, v); }"
    assert "static_cast<unsigned long long>(S::kFullMask)" in hip(source)
    findings = translate(source, path="a.cu").findings
    assert [(f.id, f.severity) for f in findings if f.id.startswith("HIP3")] == [("HIP326", "note")]


def test_a_container_that_takes_a_mask_is_reported() -> None:
    stack = "template <class T> struct Stack { T top; __device__ void push(T value) { top = value; } };\n"
    source = stack + "__device__ void f(Stack<unsigned> s, int v) { s.push(__ballot(v)); }"
    assert hip(source) == source
    assert [f.id for f in translate(source, path="a.cu").findings if f.id.startswith("HIP3")] == ["HIP320"]


def test_a_function_that_a_pointer_is_set_to_keeps_its_type() -> None:
    source = (
        "__device__ int a(unsigned m, int v) { return __any_sync(m, v); }\n"
        "__device__ int (*table[])(unsigned, int) = {a, &a};\n"
    )
    assert hip(source) == source.replace("(m, v)", "(static_cast<unsigned long long>(m), v)")
    assert reported(source) == ["m"]


def test_an_aggregates_literals_follow_its_member() -> None:
    source = "struct S { unsigned m; }; __device__ int f(int v) { S s = {0xffffffff}; return __any_sync(s.m, v); }"
    assert hip(source) == source.replace("unsigned", "unsigned long long").replace("0xffffffff", FULL)


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(unsigned *out, int v) { out[0] = __ballot(v); }",
        "__device__ void f(S &s, int v) { s.m = __ballot(v); }",
        "__device__ void f(int v) { unsigned m = __ballot(v); elsewhere(&m); }",
        "extern __shared__ unsigned b[]; __device__ void f(int v) { b[v] = __ballot(v); }",
        "__device__ void f(int v) { uint2 p = make_uint2(__ballot(v), 1); }",
        "__device__ void f(int v) { uint2 p{__ballot(v), 1u}; }",
        "union U { unsigned m; float f; }; __device__ void f(U &u, int v) { u.m = __ballot(v); }",
    ],
)
def test_a_mask_whose_place_others_see_is_reported(source: str) -> None:
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False))
    assert result.output.decode() == source
    assert [f.id for f in result.findings if f.id.startswith("HIP3")] == ["HIP320"]


@pytest.mark.parametrize("loop", ["i < 32", "i <= 31", "i != 32u"])
def test_a_loop_over_a_masks_lanes_is_reported_and_fixed_on_request(loop: str) -> None:
    body = f"for (int i = 0; {loop}; ++i) if (__ballot(v) >> i & 1) r += warpSize;"
    source = f"__device__ void f(int v, int &r) {{ {body} }}"
    assert "HIP322" in [f.id for f in translate(source, path="a.cu").findings]
    fixed = translate(source, path="a.cu", options=Options(fixes=frozenset({"mask-loops"}))).output.decode()
    assert loop.split()[1] + (" warpSize - 1;" if "31" in loop else " warpSize;") in fixed


@pytest.mark.parametrize("call", ["other::warp_sum(v, {})", "votes_for<{}>(v)", "g.shuffle(v, {})"])
def test_all_lanes_passed_to_another_files_function_are_widened_and_noted(call: str) -> None:
    source = f"__device__ int f(int v) {{{{ return __any_sync(1ull, v) + {call}; }}}}"
    result = translate(source.format("0xffffffffu"), path="a.cu", options=Options(implicit_runtime=False))
    assert result.output.decode() == source.format(FULL)
    assert [f.id for f in result.findings if f.id != "HIP103"] == ["HIP323"]
    assert hip(source.replace(call, "memset(p, {}, v)").format("0xffffffff")).count("0xffffffff") == 1


def test_a_bare_count_of_leading_zeros_is_reported() -> None:
    source = "__device__ int f(int v) { return __builtin_clz(__ballot(v)); }"
    assert "HIP321" in [f.id for f in translate(source, path="a.cu").findings]


@pytest.mark.parametrize(
    ("group", "body", "wide"),
    [
        ("auto g = cg::tiled_partition<32>(b);", "unsigned m = g.ballot(v); r = __popc(g.match_any(v));", None),
        ("auto g = cg::tiled_partition<8>(b);", "r = __ffs(g.ballot(v));", "r = __ffsll(g.ballot(v));"),
        ("auto g = cg::tiled_partition<8>(b);", "auto m = g.ballot(v); r = __ffs(m & (1 << v));",
         "auto m = g.ballot(v); r = __ffsll(m & (1ull << v));"),
        ("auto g = cg::coalesced_threads();", "unsigned m = g.ballot(v);", "unsigned long long m = g.ballot(v);"),
        ("Group g;", "int m = g.match_any(v); r = __ffs(m);", "unsigned long long m = g.match_any(v); r = __ffsll(m);"),
    ],
)  # fmt: skip
def test_a_tiles_ballot_fits_and_another_groups_does_not(group: str, body: str, wide: str | None) -> None:
    frame = (
        "#define HIP_ENABLE_WARP_SYNC_BUILTINS\nnamespace cg = cooperative_groups;\n"
        f"__device__ void f(int v, int &r) {{{{ {group} {{}} }}}}"
    )
    assert hip(frame.format(body)) == frame.format(wide or body)


def test_an_instruction_of_32_bits_keeps_its_operand() -> None:
    source = (
        '__device__ int g(unsigned m) { int r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(m)); return r; }\n'
        "__device__ int f(int v) { return g(__ballot(v)); }"
    )
    assert "31 - __clz(m)" in hip(source)
    assert "g(unsigned m)" in hip(source)
    assert "HIP320" in [f.id for f in translate(source, path="a.cu").findings]


def test_all_lanes_that_are_passed_on_where_some_are_missing() -> None:
    source = (
        "__device__ int g(int v, unsigned m) { return __shfl_xor_sync(m, v, 1); }\n"
        "__global__ void __launch_bounds__(32) k(int *o) { o[0] = g(o[1], {}); }\n"
    )
    assert "g(o[1], __activemask())" in hip(source.replace("{}", "0xffffffffu"))
    assert f"g(o[1], {FULL})" in hip(source.replace("{}", "0xffffffffu").replace("__launch_bounds__(32) ", ""))


def test_a_shift_that_pushes_lanes_out_is_reported() -> None:
    source = "__device__ int f(int v, int top) { unsigned m = __ballot(v); return __popc(m << (top - v)); }"
    assert "HIP325" in [f.id for f in translate(source, path="a.cu").findings]
    assert "HIP325" not in [f.id for f in translate(source.replace("top - v", "v & 8"), path="a.cu").findings]
    assert "HIP325" in [f.id for f in translate(source.replace("(top - v)", "32"), path="a.cu").findings]


@pytest.mark.parametrize(
    "source",
    [
        "__device__ int f(int v) { return __any_sync(", "__any_sync(1", "struct { unsigned m; __ballot(m", "#define M(",
        "#define M M\n__device__ int f() { return __any_sync(M, 1); }",
        "#define A B\n#define B A\n__device__ int f() { return __any_sync(A, 1); }",
        "__device__ unsigned f(int v) { return v ? f(v) : __ballot(v); }",
        "const unsigned a = b; const unsigned b = a; __device__ int f() { return __any_sync(a, 1); }",
    ],
)  # fmt: skip
def test_broken_and_circular_code_is_survived(source: str) -> None:
    once = hip(source)
    assert hip(once) == once


@pytest.mark.parametrize(
    "body",
    [
        lambda n: "".join(f"__device__ int f{i}(int v, unsigned m) {{ return __shfl_sync(m, v, 0); }}" for i in range(n)),
        lambda n: f"__device__ int f(int v) {{ unsigned m = __ballot(v); return {' & '.join(['m'] * n)}; }}",
        lambda n: "const unsigned m0 = ~0u;" + "".join(f"const unsigned m{i} = m{i - 1};" for i in range(1, n)),
        lambda n: "__device__ int f(int v) { return " + "(" * n + "__ballot(v)" + ")" * n + "; }",
        lambda n: "".join(f"__device__ void f{i}(unsigned *p) {{ *p = __ballot(1); f{i - 1}(p); }}" for i in range(n)),
    ],
)  # fmt: skip
def test_the_time_is_linear(body: Callable[[int], str]) -> None:
    assert_linear(hip, body, 50)


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
    includer = '#include <cuda_runtime.h>\n#include "block_reduce.cuh"\n__global__ void k() {}\n'
    assert hip(includer, rocm).startswith("#define HIP_ENABLE_WARP_SYNC_BUILTINS\n") is wanted


def test_syncwarp_below_rocm_7() -> None:
    fences = (
        '__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), '
        '__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");'
    )
    assert fences in hip("__device__ void f() { __syncwarp(); }", "6.4")
    assert fences in hip("__device__ void f() { __syncwarp(0xffffffff); }", "6.4")
    assert hip("__device__ void f() { __syncwarp(0xffffffff); }") == f"__device__ void f() {{ __syncwarp({FULL}); }}"


def test_a_wide_constant_with_its_qualifier_behind_stays() -> None:
    once = hip(
        "unsigned constexpr FULL = 0xffffffff;\n__device__ int f(int v) { return __shfl_xor_sync(FULL, v, 1); }\n"
    )
    assert hip(once) == once


def test_the_host_has_no_warp_size_to_compare_with() -> None:
    kernel = "struct Row { unsigned votes; };\n__global__ void k(Row *r, int v) { r->votes = __ballot_sync(~0u, v); }\n"
    compared = "{ return r.votes == 0xffffffffu && __builtin_popcount(r.votes) == 32; }\n"
    source = kernel + "bool everybody(const Row &r) " + compared
    output = hip(source)
    assert "unsigned long long votes;" in output
    assert "r.votes == 0xffffffffu && __builtin_popcountll(r.votes) == 32" in output
    assert "warpSize" not in output
    assert [f.id for f in translate(source, path="a.cu").findings].count("HIP324") == 2
    for marked in ("__device__ bool", "__host__ __device__ bool", "DEVICE_INLINE bool"):
        output = hip(kernel + f"{marked} everybody(const Row &r) " + compared)
        assert output.count("warpSize") == 2, marked


def test_a_device_lambda_in_a_host_function_knows_the_width() -> None:
    source = "void f(int v) { auto g = [=] __device__ { return __ballot_sync(~0u, v) == ~0u; }; }"
    assert "warpSize" in hip(source)


@pytest.mark.parametrize(
    ("condition", "mask", "ids"),
    [
        ("threadIdx.x < N", "(1u << N) - 1u", []),
        ("tid < N && go", "(1u << N) - 1", []),
        ("threadIdx.x /* of the row */ < N", "(1u << N) - 1u", []),
        ("(int)threadIdx.x + (int)(blockDim.x * threadIdx.y) < N", "(1u << N) - 1u", []),
        ("threadIdx.y * /* rows */ blockDim.x +\n threadIdx.x < N", "(1u << N) - 1u", []),
        ("static_cast<int>(threadIdx.x) < N", "(1u << N) - 1u", []),
        ("threadIdx.y * blockDim.y + threadIdx.x < N", "(1u << N) - 1u", ["HIP301"]),
        ("tid < M", "(1u << N) - 1u", ["HIP301"]),
        ("lane < N", "(1u << N) - 1u", ["HIP301"]),
        ("tid < N", "0xffu", ["HIP301"]),
        ("tid > N", "(1u << N) - 1u", ["HIP301"]),
    ],
)
def test_a_mask_of_the_threads_that_get_there_is_right(condition: str, mask: str, ids: list[str]) -> None:
    source = (
        "template <int N, int M> __global__ void k(float *p, bool go) {\n"
        "  int tid = threadIdx.x;\n  int lane = threadIdx.x % 32;\n"
        f"  if ({condition}) {{\n    constexpr unsigned kMask = {mask};\n"
        "    p[tid] = __shfl_xor_sync(kMask, p[tid], 1, 8);\n  }\n}\n"
    )
    found = translate(source, path="a.cu").findings
    assert [finding.id for finding in found if finding.severity == "warning"] == ids


def test_an_overload_for_a_type_of_ones_own_leaves_the_built_in_what_it_is() -> None:
    source = """__device__ Half __shfl_up_sync(const unsigned mask, const Half v, unsigned delta) {
  return __shfl_up_sync(mask, v.raw(), delta);
}
__device__ float f(float v) { return __shfl_up_sync(0xffffffff, v, 1); }
"""
    output = translate(source, path="a.cu").output.decode()
    assert "const unsigned long long mask" in output
    assert "__shfl_up_sync(0xffffffffffffffffull, v, 1)" in output


@pytest.mark.parametrize("call", ["::__match_any_sync({}, v);", "::__shfl_sync({}, v, 0);", "::__any_sync({}, v);"])
@pytest.mark.parametrize(
    "mask",
    [
        "static_cast<unsigned long long>(mask)",
        "static_cast<unsigned long long>(a & b)",
        "static_cast< uint64_t > (mask)",
        "(unsigned long long)mask",
    ],
)
def test_a_mask_that_is_cast_already_is_not_cast_again_where_the_tree_is_broken(call: str, mask: str) -> None:
    """As an earlier run left it, or the author: statements within a macro's argument, here without the rest."""
    source = f"(\n    unsigned int found = {call.format(mask)}\n"
    assert hip(source) == source


@pytest.mark.parametrize("comment", ["// f(x", "/* ) */", "// it's", "/* ((( */", "// }\n"])
@pytest.mark.parametrize("mask", ["s->mask", "mask_of(a)", "g(int h())"])
def test_a_mask_is_cast_once_whatever_its_comments_hold(comment: str, mask: str) -> None:
    """Also where the code around is broken, and the tree says nothing of it."""
    for around in ("__device__ int f(S *s, int v) {{ return {}; }}\n", "__device__ int f({}\n"):
        source = around.format(f"__shfl_sync({mask} {comment}\n | 1, v, 0)") + "void g() { cudaNotYetKnown(); }\n"
        options = Options(fixes=frozenset())
        once = translate(source, path="a.cu", options=options).output.decode()
        assert translate(once, path="a.cu", options=options).output.decode() == once
