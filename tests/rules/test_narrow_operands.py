"""What keeps 32 bits beside a lane mask of 64 is named; masks that lose their lanes begin with those that there are."""

from __future__ import annotations

import pytest

from tests.unfixed import Options, translate

THERE = "(0xffffffffffffffffull >> (64 - warpSize))"


def found(source: str, id: str) -> list[str]:
    """What the findings of an id are about, by the text that each of them stands at."""
    findings = translate(source, path="a.cu").findings
    return [finding.name for finding in findings if finding.id == id]


def hip(source: str) -> str:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode()


def kernel(statements: str, before: str = "") -> str:
    return (
        f"{before}__global__ void k(int *o, const unsigned *data, unsigned char small) {{\n"
        f"  unsigned d = data[threadIdx.x]; unsigned m = __ballot_sync(0xffffffff, d > 3);\n  {statements}\n}}\n"
    )


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("o[0] = __popc(m & ~d);", "d"),
        ("o[0] = __popc(~d & m);", "d"),
        ("if (m & d) o[0] = 1;", "d"),
        ("o[0] = __ffs(m ^ d);", "d"),
        ("o[0] = __popc(m & (d << 3));", "d"),
        ("o[0] = __popc(m & (d + 3));", "d"),
        ("o[0] = __popc(m & (o[1] ? ~d : 1));", "d"),
        ("o[0] = __popc(m & (unsigned)~d);", "d"),
        ("o[0] = m == d;", "d"),
        ("m &= ~data[blockIdx.x]; o[0] = __popc(m);", "data[blockIdx.x]"),
        ("m = m & ~*data; o[0] = __popc(m);", "*data"),
        ("o[0] = __popc(m & ~__ldg(data + 1));", "__ldg(data + 1)"),
        ("o[0] = __popc(m & __shfl_sync(0xffffffff, d, 0));", "d"),
        ("o[0] = __popc(m & 0xffff0000u);", "0xffff0000u"),
        ("o[0] = __popc(o[1] ? m : d);", "d"),
    ],
)
def test_a_number_of_32_bits_beside_a_mask_is_named(statement: str, part: str) -> None:
    assert found(kernel(statement), "HIP327") == [part]


def test_members_functions_and_macros_of_32_bits_are_named() -> None:
    members = "struct Row { unsigned live; int pad; };\n__device__ Row rows[4];\n"
    assert found(kernel("rows[1].live = d * 3; o[0] = __popc(m & rows[0].live);", members), "HIP327") == [
        "rows[0].live"
    ]
    hashed = "__device__ unsigned mix(unsigned x) { return x * 2654435761u; }\n"
    assert found(kernel("o[0] = __popc(m & mix(d));", hashed), "HIP327") == ["mix(d)"]
    cleared = "#define CLEAR(mask, bits) ((mask) & ~(bits))\n"
    assert found(kernel("o[0] = __popc(CLEAR(m, d));", cleared), "HIP327") == ["d"]


@pytest.mark.parametrize(
    "statement",
    [
        "unsigned below = (1u << (threadIdx.x % warpSize)) - 1; o[0] = __popc(m & below);",
        "o[0] = __popc(m & ((1u << (threadIdx.x % warpSize)) - 1u));",
        "unsigned bit = 1u; o[0] = __popc(m & ~(bit << (threadIdx.x % warpSize)));",
        "unsigned other = __ballot_sync(0xffffffff, d > 9); o[0] = __popc(m & ~other) + (m == other);",
        "o[0] = (m >> (threadIdx.x % warpSize)) & 1;",
        "o[0] = __popc(m & ~1u) + __popc(m & 0x55555555u) + __popc(m & 0xfffffffe);",
        "bool is = d > 7; o[0] = __popc(m & (is ? ~0u : 0u));",
        "unsigned long long wide = d; o[0] = __popc(m & wide);",
        "unsigned left = m; left &= left - 1; o[0] = __popc(left);",
    ],
)
def test_masks_and_lanes_beside_a_mask_are_not_named(statement: str) -> None:
    assert found(kernel(statement), "HIP327") == []


@pytest.mark.parametrize(
    ("declaration", "question"),
    [
        ("int v = __ballot_sync(~0u, p);", "v < 0"),
        ("const int v = __ballot_sync(~0u, p);", "v >= 0"),
        ("int32_t v = __activemask();", "v > -1"),
        ("signed v; v = __ballot_sync(~0u, p);", "v <= -1"),
        ("unsigned u = __ballot_sync(~0u, p);", "(int)u < 0"),
        ("unsigned u = __ballot_sync(~0u, p);", "static_cast<int>(u) < 0"),
    ],
)
def test_the_sign_of_a_mask_is_named(declaration: str, question: str) -> None:
    source = f"__device__ bool f(int p) {{ {declaration} return {question}; }}"
    assert found(source, "HIP328") == [question]


@pytest.mark.parametrize(
    "statements",
    [
        "unsigned v = __ballot_sync(~0u, p); return v > 0;",
        "int v = __ballot_sync(~0u, p); return v != 0;",
        "int n = __popc(__ballot_sync(~0u, p)); return n < 3;",
        "int first = __ffs(__ballot_sync(~0u, p)) - 1; return first < 0;",
    ],
)
def test_what_has_no_sign_or_is_no_mask_is_not_named(statements: str) -> None:
    assert found(f"__device__ bool f(int p) {{ {statements} }}", "HIP328") == []


@pytest.mark.parametrize(
    ("begin", "rest"),
    [
        ("unsigned left = 0xffffffffu; ", "while (left) left &= ~__match_any_sync(0xffffffff, v);"),
        ("unsigned left = ~0u; ", "for (; left; left = left & (left - 1)) o[__shfl_sync(left, v, 0)] = 1;"),
        ("unsigned left = -1; ", "do left &= left - 1; while (__any_sync(left, v));"),
        ("unsigned left; left = 0xffffffff; ", "left ^= __ballot_sync(0xffffffff, v); o[0] = __popc(left);"),
    ],
)
def test_a_mask_that_loses_lanes_begins_with_those_that_there_are(begin: str, rest: str) -> None:
    """On 32 lanes nothing would ever clear the upper half of a mask that begins with 64."""
    output = hip(f"__global__ void k(int *o) {{ int v = o[blockIdx.x]; {begin}{rest} }}")
    assert f"left = {THERE};" in output


def test_named_constants_and_arguments_begin_so_too() -> None:
    drain = (
        "#define ALL 0xffffffffu\n__device__ int drain(unsigned todo, int v) {\n"
        "  int n = 0; while (todo) { todo &= ~__ballot_sync(ALL, v == __shfl_sync(ALL, v, __ffs(todo) - 1)); ++n; }\n"
        "  return n; }\n"
        "__global__ void k(int *o) { unsigned left = ALL; left &= __activemask(); "
        "o[0] = drain(0xffffffff, 1) + drain(ALL, 2) + __popc(left); }"
    )
    output = hip(drain)
    assert "unsigned long long left = (ALL >> (64 - warpSize));" in output
    assert f"drain({THERE}, 1) + drain((ALL >> (64 - warpSize)), 2) + __popcll(left)" in output


def test_where_lanes_are_missing_those_that_are_there_are_asked() -> None:
    source = (
        "__global__ void k(int *o) { int v = o[threadIdx.x]; unsigned left = 0xffffffff;"
        " while (left) left &= ~__match_any_sync(0xffffffff, v); }\nvoid run(int *o) { k<<<1, 32>>>(o); }"
    )
    assert "unsigned long long left = __activemask();" in hip(source)


def test_a_mask_that_keeps_its_lanes_stays_a_constant() -> None:
    source = "__global__ void k(int *o) { const unsigned all = 0xffffffff; o[0] = __shfl_sync(all, o[0], 0); }"
    assert "const unsigned long long all = 0xffffffffffffffffull;" in hip(source)


@pytest.mark.parametrize(
    ("counted", "wide"),
    [
        ("__popc(mask)", f"__popcll(mask & {THERE})"),
        ("31 - __clz(mask)", f"63 - __clzll(mask & {THERE})"),
        ("__ffs(mask)", "__ffsll(mask)"),
    ],
)
def test_the_bits_of_a_mask_that_is_given_as_all_lanes_are_those_that_there_are(counted: str, wide: str) -> None:
    source = f"__device__ int f(unsigned mask, int v) {{ return __shfl_sync(mask, v, 0) + ({counted}); }}"
    assert f"({wide})" in hip(source)
