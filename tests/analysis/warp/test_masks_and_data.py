"""Masks become 64 bits wide; what holds data, too, keeps its type, and the mask gets a variable of its own.

What AMD's result is can be argued in each case: on 64 lanes a mask needs 64 bits, and every other value of the output
is computed with the types, and so to the bits, that it has in CUDA.
"""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

FULL = "0xffffffffffffffffull"


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


def reported(source: str) -> list[str]:
    found = translate(source, path="a.cu", options=Options(implicit_runtime=False)).findings
    return [finding.id for finding in found if finding.id in ("HIP301", "HIP320", "HIP325")]


FRAME = "__global__ void k(const int *in, unsigned *o, int p, int n) {{ {} }}"


@pytest.mark.parametrize(
    ("body", "split"),
    [
        # sign extension would make 0xffffffff of 15: `in` is int, and r >> 28 keeps the bits that a wide r would add
        (
            "unsigned r = in[0]; o[0] = r >> 28; r = __ballot_sync(0xffffffff, p); o[1] = __popc(r);",
            "unsigned r = in[0]; o[0] = r >> 28; {w} r_mask = __ballot_sync({f}, p); o[1] = __popcll(r_mask);",
        ),
        # the mask first: it keeps the name, as the declaration's value does
        (
            "uint32_t r = __ballot(p); o[0] = __ffs(r); r = in[0] * 3; o[1] = r << 4;",
            "{w} r = __ballot(p); o[0] = __ffsll(r); uint32_t r_data = in[0] * 3; o[1] = r_data << 4;",
        ),
        # a declaration without a value is the data's
        (
            "int r; r = in[0]; o[0] = -r; r = __activemask(); o[1] = __popc(r); r = in[1]; o[2] = r;",
            "int r; r = in[0]; o[0] = -r; {w} r_mask = __activemask(); o[1] = __popcll(r_mask); r = in[1]; o[2] = r;",
        ),
        # each turn of a loop sets it to data first, and to a mask then
        (
            "for (int i = 0; i < n; ++i) {{ unsigned x = in[i]; o[i] = x * 5; x = __match_any_sync(0xffffffff, p); "
            "while (x) x &= x - 1; }}",
            "for (int i = 0; i < n; ++i) {{ unsigned x = in[i]; o[i] = x * 5; "
            "{w} x_mask = __match_any_sync({f}, p); while (x_mask) x_mask &= x_mask - 1; }}",
        ),
        # set in the branches of an `if`: both masks reach the same use, so they share the name
        (
            "unsigned x = in[0]; o[0] = x + 1; if (p) {{ x = __ballot(p); }} else {{ x = __activemask(); }} o[1] = __popc(x);",
            "{w} x_mask; unsigned x = in[0]; o[0] = x + 1; if (p) {{ x_mask = __ballot(p); }} "
            "else {{ x_mask = __activemask(); }} o[1] = __popcll(x_mask);",
        ),
        # a parameter begins as what the caller passes
        (
            "n = n * 2; o[0] = n; n = __ballot(p); o[1] = __ffs(n);",
            "n = n * 2; o[0] = n; {w} n_mask = __ballot(p); o[1] = __ffsll(n_mask);",
        ),
        # what the source calls r_mask itself is left alone
        (
            "unsigned r_mask = 3, r = in[r_mask]; o[0] = r / 3; r = __ballot(p); o[1] = __popc(r);",
            "unsigned r_mask = 3, r = in[r_mask]; o[0] = r / 3; {w} r_mask2 = __ballot(p); o[1] = __popcll(r_mask2);",
        ),
        # the branches of a `switch`, and a jump out of a loop
        (
            "unsigned x = in[0]; switch (n) {{ case 0: o[0] = x ^ (x << 3); break; default: o[0] = x; }} "
            "for (;;) {{ x = __ballot(p); if (x == 0) break; o[1] = __popc(x); }}",
            "unsigned x = in[0]; switch (n) {{ case 0: o[0] = x ^ (x << 3); break; default: o[0] = x; }} "
            "for (;;) {{ {w} x_mask = __ballot(p); if (x_mask == 0) break; o[1] = __popcll(x_mask); }}",
        ),
    ],
)
def test_a_variable_of_data_and_of_masks_becomes_two(body: str, split: str) -> None:
    wide = FRAME.format(
        split.format(w="unsigned long long", f=FULL)
        .replace("{", "{{")
        .replace("}", "}}")
        .replace("{{", "{")
        .replace("}}", "}")
    )
    source = FRAME.format(body.replace("{{", "{").replace("}}", "}"))
    assert hip(source) == wide
    assert reported(source) == []
    assert hip(wide) == wide


def test_the_new_variable_stands_on_a_line_of_its_own() -> None:
    source = (
        "__device__ int f(int v) {\r\n  unsigned x = v * 3;\r\n  v = x >> 2;\r\n"
        "  if (v) x = __ballot(1); else x = 0;\r\n  return __popc(x);\r\n}\r\n"
    )
    assert hip(source).startswith(
        "__device__ int f(int v) {\r\n  unsigned long long x_mask;\r\n  unsigned x = v * 3;\r\n"
    )
    assert hip(source).endswith("if (v) x_mask = __ballot(1); else x_mask = 0;\r\n  return __popcll(x_mask);\r\n}\r\n")


@pytest.mark.parametrize(
    "body",
    [
        # masks or data, whichever branch was taken: there is one variable for both
        "unsigned x = in[0]; if (p) x = __ballot(p); o[0] = x * 3;",
        "unsigned x = p ? __ballot(p) : in[0]; o[0] = x;",
        "unsigned x = in[0]; x ^= __ballot(p); o[0] = x;",
        "unsigned x = __ballot(p); for (int i = 0; i < n; ++i) { o[i] = x; x = x * 7 + in[i]; }",
        "unsigned x = in[0]; unsigned *q = &x; x = __ballot(p); o[0] = *q;",
        "__shared__ unsigned s[8]; s[0] = in[0]; s[1] = __ballot(p); __syncthreads(); o[0] = s[n];",
        "unsigned x = in[0]; again: o[0] = x; x = __ballot(p); if (n--) goto again;",
        "unsigned x = in[0]; auto g = [&] { x = __ballot(p); }; g(); o[0] = x + 1;",
        "static unsigned x = 0; o[0] = x; x = __ballot(p); x += in[0];",
    ],
)  # fmt: skip
def test_what_cannot_be_told_apart_stays_and_is_reported(body: str) -> None:
    """On 64 lanes the upper half of the mask is lost there, as on any variable of 32 bits: a warning says so."""
    source = FRAME.replace("{{", "{").replace("}}", "}").replace("{}", body)
    assert hip(source) == source
    assert set(reported(source)) == {"HIP320"}


@pytest.mark.parametrize(
    "source",
    [
        # halves of 64 bits, each shuffled by itself: what one loses the other has
        "__device__ unsigned long long up(unsigned long long v, int d) { unsigned lo = __shfl_up((int)v, d); "
        "unsigned hi = __shfl_up((int)(v >> 32), d); return ((unsigned long long)hi << 32) | lo; }\n"
        "__device__ unsigned long long f(int p) { return up(__ballot(p), 1); }",
        "__device__ uint64_t x(uint64_t v, int m) { uint32_t lo = v, hi = v >> 32; lo = __shfl_xor(lo, m); "
        "hi = __shfl_xor(hi, m); return (uint64_t)hi << 32 | lo; }\n"
        "__device__ uint64_t f(int p) { uint64_t m = __ballot(p); return x(m, 1); }",
        "template <class T> __device__ T down(T v, int d) { unsigned lo = __shfl_down(static_cast<unsigned>(v), d); "
        "unsigned hi = __shfl_down(static_cast<unsigned>(v >> 32), d); return T(hi) << 32 | lo; }\n"
        "__device__ unsigned long f(int p) { unsigned long m = __ballot(p); return down(m, 1); }",
        "struct Pair { unsigned lo, hi; };\n__device__ Pair f(int p) { unsigned long long m = __ballot(p); "
        "Pair r; r.lo = m; r.hi = m >> 32; return r; }",
        "__device__ void put(unsigned a, unsigned b);\n__device__ void f(int p) { unsigned long long m = __activemask(); "
        "put(unsigned(m), unsigned(m >> 32)); }",
    ],
)
def test_the_halves_of_a_number_of_64_bits_keep_their_types(source: str) -> None:
    assert hip(source) == source
    assert reported(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void swap(uint32_t &a, uint32_t &b) { uint32_t t = a; a = b; b = t; }\n"
        "__device__ int f(int p, uint32_t *keys) { uint32_t m = __ballot(p), n = 0; swap(m, n); swap(keys[0], keys[1]); "
        "return __popc(n); }",
        "template <int B> __device__ void step(uint32_t &key, int p) { uint32_t b = key >> B & 1; key ^= __ballot(b); }\n"
        "__device__ void f(uint32_t *keys, int p) { uint32_t k = keys[p]; step<3>(k, p); keys[p] = k; }",
        "__device__ unsigned mix(unsigned x) { return x * 2654435761u; }\n"
        "__device__ unsigned f(int p, unsigned k) { if (p) return __ballot(p); return mix(k); }",
        "struct Slot { unsigned word; };\n__device__ void f(Slot *s, const unsigned *in, int p) { "
        "s->word = in[0] + 7; if (p) s->word = __ballot(p); }",
        "__device__ int bits(unsigned w) { return __popc(w); }\n"
        "__device__ int f(int p, const unsigned *in) { return bits(__ballot(p)) + bits(in[p]); }",
        # the type is written down elsewhere, in what points to the function
        "__device__ unsigned vote(int p) { return __ballot(p); }\nusing Vote = unsigned (*)(int);\n"
        "__device__ Vote pick() { return vote; }",
        "__device__ unsigned vote(int p) { return __ballot(p); }\nstruct Ops { unsigned (*vote)(int); };\n"
        "__device__ Ops ops = {vote};",
        "__device__ unsigned vote(int p) { return __ballot(p); }\ntypedef unsigned (*Vote)(int);\n"
        "__device__ int count(Vote v, int p) { return __popc(v(p)); }\n"
        "__device__ int f(int p) { return count(vote, p) + count(&vote, p); }",
        "__device__ unsigned vote(int p) { return __ballot(p); }\n"
        "template <unsigned (*F)(int)> __device__ int count(int p) { return __popc(F(p)); }\n"
        "__device__ int f(int p) { return count<vote>(p); }",
        "__device__ void f(int p) { std::function<unsigned()> g = [=] { return __ballot(p); }; }",
    ],
)
def test_what_shares_its_type_is_widened_as_a_whole_or_not_at_all(source: str) -> None:
    assert hip(source) == source
    assert set(reported(source)) == {"HIP320"}


@pytest.mark.parametrize(
    ("source", "mask"),
    [
        ("#define NONE 0xFFFFFFFF\n{f} unsigned best = in[0]; o[0] = __shfl_sync(NONE, best, 0); if (best == NONE) o[1] = 0; }}", "NONE"),
        ("constexpr unsigned EMPTY = ~0u;\n{f} unsigned key = in[p]; if (key != EMPTY) o[0] = __any_sync(EMPTY, key); }}", "EMPTY"),
        ("const int kInvalid = -1;\n{f} int slot = in[p]; o[0] = __all_sync(kInvalid, p); o[1] = slot < kInvalid; }}", "kInvalid"),
        ("#define INF UINT_MAX\n{f} unsigned d = INF; for (int i = 0; i < n; ++i) d = in[i] > INF ? d : in[i]; o[0] = __any_sync(INF, d); }}", "INF"),
        ("static const unsigned M = 0xffffffffu;\n{f} o[0] = __popc(__ballot_sync(M, p)); o[1] = in[0] % M; }}", "M"),
        ("#define M (~0)\n{f} unsigned long long sum = M; sum += in[p]; o[0] = __any_sync(M, p) + sum; }}", "M"),
        ("#define ALL 0xffffffff\n{f} unsigned key = in[p], low = ALL >> (32 - n); o[0] = (key + low) * __any_sync(ALL, p); low = low * 3 + key; }}", "ALL"),
    ],
)  # fmt: skip
def test_a_sentinel_stays_32_bits_and_the_mask_is_written_down(source: str, mask: str) -> None:
    """A key of 32 bits is never equal to a number of 64 ones: the comparison would have changed its answer."""
    text = source.format(f="__global__ void k(const unsigned *in, unsigned *o, int p, int n) {")
    wide = text.replace(f"_sync({mask},", f"_sync({FULL},").replace("__popc(", "__popcll(")
    assert hip(text) == wide
    assert reported(text) == []


@pytest.mark.parametrize(
    "source",
    [
        "#define FULL_MASK 0xffffffff\n__device__ bool f(int p) { return __ballot_sync(FULL_MASK, p) == FULL_MASK; }",
        "#define FULL_MASK 0xffffffff\n__device__ bool f(unsigned mask, int p) { return mask == FULL_MASK && __any_sync(FULL_MASK, p); }",
        "constexpr unsigned ALL = ~0u;\n__device__ bool f(int p) { unsigned m = __match_any_sync(ALL, p); return m != ALL; }",
    ],
)  # fmt: skip
def test_all_lanes_compared_with_masks_are_widened(source: str) -> None:
    assert "0xffffffffffffffffull" in hip(source).split("\n")[0]


def test_overloads_and_methods_of_one_name_are_told_apart() -> None:
    source = (
        "struct Votes { unsigned m; __device__ void set(unsigned v) { m = v; } };\n"
        "struct Keys { unsigned k; __device__ void set(unsigned v) { k = v; } };\n"
        "__device__ void f(Votes *a, Keys *b, const unsigned *in, int p) { a->set(__ballot(p)); b->set(in[p] * 3); }\n"
    )
    first, rest = hip(source).split("\n", 1)
    assert first == "struct Votes { unsigned long long m; __device__ void set(unsigned long long v) { m = v; } };"
    assert rest == source.split("\n", 1)[1]
    assert reported(source) == []


def test_an_overload_with_more_parameters_is_another_function() -> None:
    source = (
        "template <int N> __device__ unsigned get(unsigned word, int lane, unsigned mask) { return __shfl_sync(mask, word, lane); }\n"
        "__device__ unsigned get(unsigned word, int lane, int flags, unsigned mask);\n"
        "__device__ unsigned f(unsigned w, int flags, unsigned mask) { return get<3>(w, 0, 0xffffffff) + get(w, 0, flags, mask); }\n"
    )
    assert "int lane, unsigned long long mask) {" in hip(source)
    assert "int flags, unsigned mask);" in hip(source)


def test_a_ballot_whose_mask_goes_is_followed_all_the_same() -> None:
    source = (
        "constexpr unsigned ALL = 0xffffffff;\n__global__ void k(int *o, int n) { int i = threadIdx.x; if (i >= n) return; "
        "unsigned m = __ballot_sync(ALL, o[i] > 0); o[i] = __popc(m); }\n"
    )
    assert "unsigned long long m = __ballot(o[i] > 0); o[i] = __popcll(m);" in hip(source)
