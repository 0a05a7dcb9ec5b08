"""Masks that objects are made of, or that `operator[]` gives, are widened with the members that hold them."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.options import DEFAULT_OPTIONS

AT_64 = DEFAULT_OPTIONS._replace(fixes=frozenset())
VOTES = "struct Votes { unsigned yes, no; __device__ Votes(unsigned a, unsigned b) : yes(a), no(b) {} };\n"
ELEMENTS = "struct Masks { unsigned kept[2]; __device__ unsigned &operator[](int i) { return kept[i]; } };\n"
MASKS = "unsigned all = __activemask(); unsigned y = __ballot_sync(all, in[0]);"


def at_64(source: str) -> tuple[str, list[str]]:
    """The translation for 64 lanes, and its findings about masks."""
    result = translate(source, options=AT_64)
    return result.output.decode(), [finding.id for finding in result.findings if finding.id in ("HIP301", "HIP320")]


@pytest.mark.parametrize(
    "made", ["Votes v(all, y);", "Votes v(y, y & all);", "Votes v{y, all};", "auto v = Votes(y, all);"]
)
def test_a_constructors_parameters_take_masks(made: str) -> None:
    output, found = at_64(VOTES + f"__global__ void k(int *out, int *in) {{ {MASKS} {made} out[0] = __popc(v.no); }}")
    assert (
        "struct Votes { unsigned long long yes, no; __device__ Votes(unsigned long long a, unsigned long long b)"
        in output
    )
    assert "__popcll(v.no)" in output
    assert found == []


def test_one_that_is_given_data_by_name_as_well_stays() -> None:
    body = f"{MASKS} unsigned n = in[1] * 3, m = in[2] * 5; Votes v(all, y); Votes w(n, m); out[0] = v.no + w.no;"
    output, found = at_64(VOTES + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert VOTES in output
    assert found


@pytest.mark.parametrize(
    "body",
    [
        "Masks a; a[0] = __ballot_sync(0xffffffff, in[0]); out[0] = __popc(a[0]);",
        "Masks a; a[0] |= __ballot_sync(0xffffffff, in[0]); out[0] = __popc(a[0]);",
        "Masks a; a.kept[1] = __ballot_sync(0xffffffff, in[0]); out[0] = __popc(a[0]);",
        "Masks b; Masks &a = b; a[0] = __ballot_sync(0xffffffff, in[0]); out[0] = __popc(a[0]);",
    ],
)
def test_elements_by_operator_are_the_members(body: str) -> None:
    output, found = at_64(ELEMENTS + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert "struct Masks { unsigned long long kept[2]; __device__ unsigned long long &operator[]" in output
    assert "__popcll(a[0])" in output
    assert found == []


def test_elements_that_are_data_elsewhere_stay() -> None:
    body = "Masks a, b; b[1] = in[1] * 3; a[0] = __ballot_sync(0xffffffff, in[0]);"
    output, found = at_64(ELEMENTS + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert ELEMENTS in output
    assert found == ["HIP320"]


@pytest.mark.parametrize(
    "body",
    [
        "unsigned *p; p = data; p[0] = __ballot_sync(0xffffffff, in[0]);",
        "Slots s; s.first = data; s.first[0] = __ballot_sync(0xffffffff, in[0]);",
    ],
)
def test_a_pointer_has_the_type_of_what_it_is_set_to(body: str) -> None:
    source = "struct Slots { unsigned *first; };\n" + f"__global__ void k(unsigned *data, int *in) {{ {body} }}"
    output, found = at_64(source)
    assert "unsigned long long" not in output
    assert found == ["HIP320"]


@pytest.mark.parametrize(
    "more",
    [
        "unsigned short *p = reinterpret_cast<unsigned short *>(&a[0]); p[2] = 7;",
        "memcpy(out, &a[0], 8);",
        "unsigned short &half = reinterpret_cast<unsigned short &>(a[0]); half = 7;",
        "unsigned short &half = (unsigned short &)(a[0]); half = 7;",
        "atomicSub(&a[1], 5u); out[1] = a[1] >> 4;",
        "atomicAdd(&(a[1]), 5u);",
        "atomicAdd(&(in[3] ? a[0] : a[1]), 5u);",
        "(in[3] ? a[0] : a[1]) = in[2] * 3;",
        "unsigned &r = a[1]; r = in[2] * 3;",
        "unsigned *p = &a[1]; *p = in[2] * 3;",
        "negate(a[1]);",
        "auto first = [&]() -> unsigned & { return a[1]; }; first() = in[2] * 3;",
        "Masks *q = &a; (*q)[1] = in[2] * 3;",
        "Masks many[2]; many[1][0] = in[2] * 3;",
        "Pair s; s.left[1] = in[2] * 3;",
        'asm("mov.u32 %0, 7;" : "=r"(a[1]));',
    ],
)
def test_elements_by_operator_whose_memory_is_data_stay(more: str) -> None:
    functions = "struct Pair { Masks left, right; };\n__device__ void negate(unsigned &v) { v = 0u - v; }\n"
    body = f"Masks a; a[0] = __ballot_sync(0xffffffff, in[0]); {more} out[0] = __popc(a[0]);"
    output, found = at_64(ELEMENTS + functions + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert ELEMENTS in output
    assert "HIP320" in found


def test_an_element_by_operator_that_a_function_returns_a_reference_to_stays() -> None:
    body = "Masks a; a[0] = __ballot_sync(0xffffffff, in[0]); first(a) = in[2] * 3; out[0] = __popc(a[0]);"
    first = "__device__ unsigned &first(Masks &m) { return m[0]; }\n"
    output, found = at_64(ELEMENTS + first + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert ELEMENTS + first in output
    assert "HIP320" in found


@pytest.mark.parametrize(
    ("more", "widened"),
    [
        ("unsigned *p = &a[1]; *p = a[0];", "unsigned long long *p = &a[1];"),
        ("unsigned &r = a[1]; r = a[0];", "unsigned long long &r = a[1];"),
        ("atomicOr(&a[1], a[0]);", "atomicOr(&a[1], a[0]);"),
    ],
)
def test_what_points_to_an_element_by_operator_is_widened_with_it(more: str, widened: str) -> None:
    body = f"Masks a; a[0] = __ballot_sync(0xffffffff, in[0]); {more} out[0] = __popc(a[0]);"
    output, found = at_64(ELEMENTS + f"__global__ void k(int *out, int *in) {{ {body} }}")
    assert "struct Masks { unsigned long long kept[2];" in output
    assert widened in output
    assert found == []


KEPT = "struct Kept { unsigned votes[4]; };\n"
VOTING = "__global__ void k(int *out, Kept *kept) { kept->votes[0] = __ballot_sync(0xffffffff, out[0]); }\n"


@pytest.mark.parametrize(
    "body",
    [
        "Kept *d; cudaMalloc(&d, 16);",
        "Kept *d; cudaMalloc((void **)&d, 4 * sizeof(unsigned));",
        "Kept *d; cudaMalloc(reinterpret_cast<void **>(&d), bytes);",
        "Kept *d; cudaMemset(d, 0, n * 16);",
        "Kept h; unsigned buffer[4]; memcpy(buffer, &h, sizeof(Kept));",
        "Kept h; int *numbers = reinterpret_cast<int *>(&h); numbers[1] = 7;",
        "Kept h[2]; int *numbers = (int *)h; numbers[1] = 7;",
        "Kept *d = (Kept *)malloc(16);",
        "Kept *d; d = static_cast<Kept *>(malloc(16 * n));",
        "struct All { Kept first; int rest; }; All *d; cudaMalloc(&d, 20);",
        "struct More : Kept { int rest; }; More *d; cudaMalloc(&d, 20);",
    ],
)
def test_members_of_objects_whose_bytes_are_counted_by_hand_stay(body: str) -> None:
    output, found = at_64(KEPT + VOTING + f"void use(int n, size_t bytes) {{ {body} }}\n")
    assert KEPT in output
    assert found == ["HIP320"]


@pytest.mark.parametrize(
    "body",
    [
        "Kept *d, h[2]; cudaMalloc(&d, n * sizeof(Kept)); cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);",
        "Kept *d; size_t bytes = n * sizeof(*d); cudaMalloc((void **)&d, bytes); cudaMemset(d, 0, bytes);",
        "Kept *d = (Kept *)malloc(n * sizeof(Kept));",
        "Kept h; write(reinterpret_cast<char *>(&h), sizeof h);",
        "int *other; Kept *d; cudaMalloc(&other, 16); cudaMalloc(&d, sizeof(Kept) * n);",
        "struct All { Kept first; int rest; }; All *d; cudaMalloc(&d, sizeof(All));",
    ],
)
def test_members_of_objects_whose_bytes_follow_their_type_are_widened(body: str) -> None:
    output, found = at_64(KEPT + VOTING + f"void use(int n) {{ {body} }}\n")
    assert "struct Kept { unsigned long long votes[4]; };" in output
    assert found == []
