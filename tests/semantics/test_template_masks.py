"""Masks in instances of templates: widened where a compiler sees that they have 32 bits, and the source shows the rest."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.evidence import TYPE, Evidence, Typed
from hipify_py.options import DEFAULT_OPTIONS
from hipify_py.project_context import ProjectContext
from hipify_py.translation import Translation

AT_64 = DEFAULT_OPTIONS._replace(fixes=frozenset())
NARROW, WIDE = Typed("unsigned int", "", 0, 32, 1), Typed("unsigned long", "", 0, 64, 1)
VOTE = "__ballot_sync(0xffffffff, in[threadIdx.x])"
VOTE_OF_P = "__ballot_sync(0xffffffff, p)"
HOLDER = "template <class T> struct Holder { T value; };\n"
VOTER = (
    "template <class T> struct Holder { T value; __device__ void set(T v) { value = v; }"
    " __device__ T get() const { return value; } };\n"
)
ARRAY = (
    "template <class T, int N> struct Array { T data[N]; __device__ T &operator[](int i) { return data[i]; }"
    " __device__ const T &operator[](int i) const { return data[i]; } };\n"
)


def kernel(body: str, more: str = "") -> str:
    """A kernel whose input is `in`, and whose result `out`."""
    return f"__global__ void k(int *out, const int *in{more}) {{ {body} }}\n"


def seen(source: str, *types: Typed) -> Translation:
    """The translation where all that is asked about has these types."""
    doubts = [doubt for doubt in translate(source, options=AT_64).doubts if doubt.kind == TYPE]
    assert doubts, "nothing was asked"
    evidence = Evidence((), tuple((doubt, types) for doubt in doubts))
    return translate(source, project=ProjectContext(evidence=evidence), options=AT_64)


def ids(translation: Translation) -> list[str]:
    return [finding.id for finding in translation.findings if finding.id == "HIP320"]


CASES = {
    "member": (
        HOLDER + kernel(f"Holder<unsigned> h; h.value = {VOTE}; out[0] = __popc(h.value);"),
        ["Holder<unsigned long long> h;", "__popcll(h.value)"],
    ),
    "member functions": (
        VOTER + kernel(f"Holder<uint32_t> h; h.set({VOTE}); unsigned m = h.get(); out[0] = __popc(m);"),
        ["Holder<unsigned long long> h;", "unsigned long long m = h.get()", "__popcll(m)"],
    ),
    "beside another instance": (
        VOTER + kernel(f"Holder<unsigned> h; Holder<float> f; h.set({VOTE}); f.set(0.5f); out[0] = __popc(h.get());"),
        ["Holder<unsigned long long> h; Holder<float> f;", "__popcll(h.get())"],
    ),
    "alias in the template": (
        "template <class T> struct Voter { using M = T; M seen; __device__ void vote(int p)"
        " { seen = __ballot_sync(0xffffffff, p); } };\n"
        + kernel("Voter<unsigned> v; v.vote(in[0]); out[0] = __popc(v.seen);"),
        ["Voter<unsigned long long> v;", "__popcll(v.seen)"],
    ),
    "operator": (
        ARRAY + kernel(f"Array<unsigned, 2> a; a[0] = {VOTE}; a[1] = ~a[0]; out[0] = __popc(a[0] & a[1]);"),
        ["Array<unsigned long long, 2> a;", "__popcll(a[0] & a[1])"],
    ),
    "operator of a parameter": (
        ARRAY
        + "__device__ int sum(const Array<unsigned, 2> &a) { return __popc(a[0]); }\n"
        + kernel(f"Array<unsigned, 2> a; Array<float, 3> f; f[0] = 2.5f; a[0] = {VOTE}; out[0] = sum(a);"),
        [
            "const Array<unsigned long long, 2> &a",
            "__popcll(a[0])",
            "Array<unsigned long long, 2> a; Array<float, 3> f;",
        ],
    ),
    "result": (
        "template <class T> __device__ T vote(int p) { T m = __ballot_sync(0xffffffff, p); return m; }\n"
        + kernel("auto m = vote<unsigned>(in[0]); out[0] = __popc(m);"),
        ["auto m = vote<unsigned long long>(in[0])", "__popcll(m)"],
    ),
    "dependent member": (
        "struct Policy { using bits = unsigned; };\n"
        f"template <class P> __global__ void k(int *out, const int *in) {{ typename P::bits m = {VOTE};"
        " out[0] = __popc(m); }\nvoid run(int *o, int *i) { k<Policy><<<1, 64>>>(o, i); }",
        ["unsigned long long m = __ballot_sync", "__popcll(m)"],
    ),
    "alias template": (
        "template <class T> struct Traits { using mask = T; };\n"
        "template <class T> using mask_of = typename Traits<T>::mask;\n"
        + kernel(f"mask_of<unsigned> m = {VOTE}; out[0] = __popc(m);"),
        ["unsigned long long m = __ballot_sync", "__popcll(m)"],
    ),
    "constructor and default": (
        "template <class T = unsigned> struct Votes { T yes, no; __device__ Votes(T a, T b) : yes(a), no(b) {} };\n"
        + kernel(f"unsigned all = __activemask(); unsigned y = {VOTE}; Votes<> v(y, all & ~y); out[0] = __popc(v.no);"),
        ["template <class T = unsigned long long> struct Votes", "__popcll(v.no)"],
    ),
    "template within a template": (
        "template <class T> struct Inner { T value; };\ntemplate <class T> struct Outer { Inner<T> in; T more; };\n"
        "template <class T> __device__ void fill(Outer<T> &o, int p)"
        " { o.in.value = __ballot_sync(0xffffffff, p); o.more = ~o.in.value; }\n"
        + kernel("Outer<unsigned> o; fill(o, in[0]); out[0] = __popc(o.in.value) + __popc(o.more);"),
        ["Outer<unsigned long long> o;", "__popcll(o.in.value) + __popcll(o.more)"],
    ),
    "array in shared memory": (
        "template <class T> struct Shared { T masks[4]; };\n"
        + kernel(f"__shared__ Shared<unsigned> s; s.masks[threadIdx.x / 64] = {VOTE}; out[0] = __popc(s.masks[0]);"),
        ["__shared__ Shared<unsigned long long> s;", "__popcll(s.masks[0])"],
    ),
    "kernel's parameter": (
        HOLDER
        + f"__global__ void k(Holder<unsigned> *out, const int *in) {{ out[0].value = {VOTE}; }}\n"
        + "size_t size() { return 64 * sizeof(Holder<unsigned>); }",
        ["Holder<unsigned long long> *out", "sizeof(Holder<unsigned long long>)"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_type_that_is_written_for_masks_alone_is_widened(name: str) -> None:
    source, wanted = CASES[name]
    after = seen(source, NARROW)
    assert [text for text in wanted if text.encode() not in after.output] == []
    assert ids(after) == []
    assert after.evidence[-1] == "libclang"
    again = translate(after.output, options=AT_64)
    assert (again.output, ids(again)) == (after.output, [])


UNSEEN = frozenset({"dependent member", "alias template"})
"""What the source alone cannot tell the width of."""


@pytest.mark.parametrize("name", [name for name in CASES if name not in UNSEEN])
def test_it_is_reported_where_no_compiler_sees_it(name: str) -> None:
    source, wanted = CASES[name]
    plain = translate(source, options=AT_64)
    assert ids(plain)
    assert wanted[0].encode() not in plain.output


@pytest.mark.parametrize(
    ("templates", "body"),
    [
        (HOLDER, f"Holder<unsigned> h, n; h.value = {VOTE}; n.value = in[3] * 5;"),
        (VOTER, f"Holder<unsigned> h, n; h.set({VOTE}); n.set(in[3] * 5);"),
        (ARRAY, f"Array<unsigned, 2> a; a[0] = {VOTE}; a[1] = in[2] * 3;"),
        (ARRAY, f"Array<unsigned, 2> a; a[0] = {VOTE}; a[1]++;"),
        (
            "template <class T> struct H { T value; int bits() { return 8 * sizeof(T); } };\n",
            f"H<unsigned> h; h.value = {VOTE};",
        ),
        ("template <class T> struct H { T *slots; };\n", f"H<unsigned> h; h.slots = data; h.slots[0] = {VOTE};"),
        (
            HOLDER + "template <> struct Holder<unsigned> { unsigned value; int n; };\n",
            f"Holder<unsigned> h; h.value = {VOTE};",
        ),
        ("typedef unsigned word;\n" + HOLDER, f"Holder<word> h; h.value = {VOTE};"),
        (
            "#include <vector>\ntemplate <class T> struct H { T value; std::vector<T> all; };\n",
            f"H<unsigned> h; h.value = {VOTE};",
        ),
        (
            "template <class T> struct H { T value; __device__ void more() { value = value * 3; } };\n",
            f"H<unsigned> h; h.value = {VOTE};",
        ),
    ],
)
def test_what_may_be_no_mask_or_is_out_of_sight_stays_reported(templates: str, body: str) -> None:
    source = templates + kernel(body, ", unsigned *data")
    after = seen(source, NARROW)
    assert ids(after)
    assert b"<unsigned long long>" not in after.output


DEDUCED = (
    "template <class A, class B> struct Pair { A first; B second; };\n"
    "template <class A, class B> __device__ Pair<A, B> pair_of(A a, B b) { return {a, b}; }\n"
)


def test_a_type_that_is_deduced_from_masks_needs_no_compiler() -> None:
    after = translate(DEDUCED + kernel(f"auto p = pair_of({VOTE}, 1.0f); out[0] = __popc(p.first);"), options=AT_64)
    assert b"__popcll(p.first)" in after.output
    assert ids(after) == []


def test_a_deduced_type_that_is_written_down_once_stays_reported() -> None:
    body = f"auto p = pair_of({VOTE}, 1.0f); Pair<unsigned, float> q = p; out[0] = __popc(q.first);"
    assert ids(translate(DEDUCED + kernel(body), options=AT_64)) == ["HIP320"]
    assert (
        b"Pair<unsigned long long, float> q = p; out[0] = __popcll(q.first)"
        in seen(DEDUCED + kernel(body), NARROW).output
    )


def test_a_headers_template_may_be_instantiated_elsewhere() -> None:
    source = HOLDER + f"__device__ void f(const int *in) {{ Holder<unsigned> h; h.value = {VOTE}; }}\n"
    doubts = translate(source, path="votes.cuh", options=AT_64).doubts
    evidence = Evidence((), tuple((doubt, (NARROW,)) for doubt in doubts))
    after = translate(source, path="votes.cuh", project=ProjectContext(evidence=evidence), options=AT_64)
    assert ids(after) == ["HIP320"]
    assert b"Holder<unsigned> h;" in after.output


@pytest.mark.parametrize("type", ["unsigned long long", "uint64_t", "size_t"])
def test_a_template_of_wide_masks_is_right_as_it_stands(type: str) -> None:
    source = VOTER + kernel(f"Holder<{type}> h; h.set({VOTE}); out[0] = __popcll(h.get());")
    assert ids(translate(source, options=AT_64)) == []


def test_instances_that_a_compiler_sees_to_be_wide_are_not_reported() -> None:
    source = "#include <types.h>\n" + HOLDER + kernel(f"Holder<lanes_t> h; h.value = {VOTE};")
    assert ids(translate(source, options=AT_64)) == ["HIP320"]
    assert ids(seen(source, WIDE)) == []


def test_a_local_variable_is_widened_where_some_instance_has_32_bits() -> None:
    source = f"template <class P> __global__ void k(int *o, const int *in) {{ typename P::bits m = {VOTE}; }}"
    assert b"unsigned long long m = " in seen(source, NARROW, WIDE._replace(instance=2)).output
    after = seen(source, NARROW, Typed("Mask", "", 0, 0, 2))
    assert b"typename P::bits m = " in after.output
    assert ids(after) == ["HIP320"]


@pytest.mark.parametrize(
    "body",
    [
        "Holder<unsigned> *d; cudaMalloc(&d, 4 * 32);",
        "Holder<unsigned> *d; cudaMalloc((void **)&d, 32 * sizeof(unsigned));",
        "Holder<unsigned> h[32]; unsigned n[32]; cudaMemcpy(n, h, sizeof(h), cudaMemcpyDeviceToHost);",
        "Holder<unsigned> h; unsigned *n = reinterpret_cast<unsigned *>(&h); n[0] = 7;",
        "struct All { Holder<unsigned> first; }; All *d; cudaMalloc(&d, 4);",
    ],
)
def test_instances_whose_bytes_are_counted_by_hand_stay(body: str) -> None:
    source = HOLDER + kernel(f"h->value = {VOTE}; out[0] = __popc(h->value);", ", Holder<unsigned> *h")
    found = seen(source + f"void use() {{ {body} }}\n", NARROW)
    assert "Holder<unsigned> *h" in found.output.decode()
    assert "unsigned long long" not in found.output.decode()
    assert ids(found) == ["HIP320"]


def test_instances_whose_bytes_follow_their_type_are_widened() -> None:
    source = HOLDER + kernel(f"h->value = {VOTE}; out[0] = __popc(h->value);", ", Holder<unsigned> *h")
    found = seen(source + "void use() { Holder<unsigned> *d; cudaMalloc(&d, sizeof(Holder<unsigned>)); }\n", NARROW)
    assert "cudaMalloc" not in found.output.decode()
    assert found.output.decode().count("Holder<unsigned long long>") == 3
    assert ids(found) == []


@pytest.mark.parametrize(
    ("template", "call"),
    [
        (f"__device__ T any(T p) {{ T r = {VOTE_OF_P}; return r; }}", "if (any<unsigned>(in[0])) out[0] = 1;"),
        (f"__device__ int any(int p) {{ T r = {VOTE_OF_P}; return __popc(r); }}", "out[0] = any<unsigned>(in[0]);"),
        (f"__device__ int any(int p) {{ T r; r = {VOTE_OF_P}; return r == 0; }}", "out[0] = any<int>(in[0]);"),
        (f"__device__ int any(int p) {{ T r{{{VOTE_OF_P}}}; return r == 0; }}", "out[0] = any<uint32_t>(in[0]);"),
        (
            f"__device__ int any(int p) {{ const T r = {VOTE_OF_P}; return !r; }}",
            "out[0] = any<long long>(1) + any<int>(2);",
        ),
    ],
)
def test_a_variable_of_a_functions_template_that_cuts_a_mask_is_reported(template: str, call: str) -> None:
    source = "template <typename T> " + template + "\n" + kernel(call)
    found = [finding for finding in translate(source, options=AT_64).findings if finding.id == "HIP320"]
    assert [finding.name for finding in found] == ["r"]


@pytest.mark.parametrize(
    "call", ["out[0] = any<unsigned long long>(in[0]);", "out[0] = any<uint64_t>(in[0]) + any<unsigned long>(in[1]);"]
)
def test_one_that_takes_a_mask_whole_is_not(call: str) -> None:
    template = f"template <typename T> __device__ int any(int p) {{ T r = {VOTE_OF_P}; return r == 0; }}\n"
    assert ids(translate(template + kernel(call), options=AT_64)) == []


def test_nor_one_whose_type_is_widened_where_it_is_written() -> None:
    template = "template <typename T> __device__ T same(T p) { T r = p; return r; }\n"
    found = translate(template + kernel(f"unsigned m = same<unsigned>({VOTE}); out[0] = __popc(m);"), options=AT_64)
    assert "same<unsigned long long>(" in found.output.decode()
    assert ids(found) == []
