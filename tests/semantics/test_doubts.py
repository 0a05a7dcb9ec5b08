"""What a compiler's view of a source may change, and what it may not."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.core.clang_facts import (
    CUDA,
    NAME,
    NO_EVIDENCE,
    OWN,
    PARAMETER,
    SYSTEM,
    TYPE,
    Evidence,
    Named,
    Typed,
    TypeQuery,
    evidence_in,
    plain,
)
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT, OwnName, ProjectContext
from hipify_py.core.translation import Translation

AT_64 = DEFAULT_OPTIONS._replace(fixes=frozenset())
"""Warps are not kept at 32 lanes, so that masks have 64."""


def doubts_in(
    source: str, project: ProjectContext = NO_PROJECT, options: Options = DEFAULT_OPTIONS
) -> list[tuple[str, str]]:
    """The kinds and texts of the doubts that a source leaves."""
    found = translate(source, project=project, options=options).doubts
    return [(doubt.kind, source[doubt.start : doubt.end]) for doubt in found]


def asked(
    source: str,
    answers: dict[str, Named | tuple[Typed, ...]],
    project: ProjectContext = NO_PROJECT,
    options: Options = DEFAULT_OPTIONS,
) -> Translation:
    """The translation of a source whose doubts are answered by their texts."""
    names, types = [], []
    for doubt in translate(source, project=project, options=options).doubts:
        answer = answers.get(source[doubt.start : doubt.end])
        if isinstance(answer, Named):
            names.append((doubt, answer))
        elif answer is not None:
            types.append((doubt, answer))
    assert names or types, "nothing was asked"
    evidence = Evidence(tuple(names), tuple(types))
    return translate(source, project=project._replace(evidence=evidence), options=options)


def ids(translation: Translation) -> list[str]:
    return [finding.id for finding in translation.findings]


OF_PROJECT = Named(OWN, "", "helpers.h")
OF_CUDA = Named(CUDA, "", "cuda_runtime_api.h")


# -- names that no table has


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("void f() { cudaFooBar(1); }", "cudaFooBar"),
        ("cudaBatchPlan *make(int n);", "cudaBatchPlan"),
        ("int n = CUDNN_TILE_COUNT(3);", "CUDNN_TILE_COUNT"),
        ("template <class T> struct S : cublasWrapped<T> {};", "cublasWrapped"),
        ("void f(void *p) { nvcompDecode(p); }", "nvcompDecode"),
        ("int f(int n) { switch (n) { case cudaModeFast: return 1; } return 0; }", "cudaModeFast"),
    ],
)
def test_a_name_that_the_project_declares_is_none_of_cudas(source: str, name: str) -> None:
    before = translate(source)
    assert (NAME, name) in doubts_in(source)
    assert {"HIP101", "HIP102"} & {*ids(before)}
    after = asked(source, {name: OF_PROJECT})
    assert not {"HIP101", "HIP102"} & {*ids(after)}
    assert after.references == []
    assert after.output == before.output
    assert after.evidence[-1] == "libclang"
    assert "libclang" not in before.evidence


@pytest.mark.parametrize("whose", [OF_CUDA, Named(SYSTEM, "", "vendor.h"), Named(OWN, "", "cuda_runtime_api.h")])
def test_a_name_of_cudas_or_of_the_system_stays_reported(whose: Named) -> None:
    source = "void f() { cudaFooBar(1); }"
    assert ids(asked(source, {"cudaFooBar": whose})) == ids(translate(source))


def test_a_name_that_is_resolved_in_one_place_stays_open_in_another() -> None:
    source = "void f() { cudaFooBar(1); }\nvoid g() { cudaFooBar(2); }"
    first = translate(source).doubts[0]
    after = translate(source, project=ProjectContext(evidence=Evidence(((first, OF_PROJECT),))))
    assert [finding.line for finding in after.findings if finding.id == "HIP102"] == [2]


def test_bodies_of_macros_are_not_asked_about() -> None:
    assert doubts_in("#define RUN(x) cudaFooBar(x)\nvoid f() { RUN(1); }") == []


# -- names of the tables that headers have as well

HEADERS = ProjectContext(own_names=frozenset({OwnName(b"app", b"cudaFree", False, True)}))


def test_a_name_of_the_tables_is_the_projects_where_it_is_declared_in_a_scope_of_it() -> None:
    source = '#include "app.h"\nusing namespace app;\nvoid f(Buffer b, void *p) { cudaFree(b); cudaFree(p); }'
    first, second = translate(source, project=HEADERS).doubts
    answers = Evidence(((first, Named(OWN, "app", "app.h")), (second, OF_CUDA)))
    after = translate(source, project=HEADERS._replace(evidence=answers))
    assert b"{ cudaFree(b); hipFree(p); }" in after.output
    assert [reference.name for reference in after.references] == ["cudaFree"]


def test_a_stub_at_file_level_is_translated_with_its_uses() -> None:
    source = '#include "app.h"\nvoid f(void *p) { cudaFree(p); }'
    after = asked(source, {"cudaFree": Named(OWN, "", "stubs.h")}, HEADERS)
    assert b"hipFree(p)" in after.output


def test_a_name_within_the_scope_of_its_own_is_cudas_where_it_refers_to_that() -> None:
    source = "namespace app { void f(void *p) { cudaFree(p); } }"
    assert translate(source, project=HEADERS).references == []
    after = asked(source, {"cudaFree": OF_CUDA}, HEADERS)
    assert b"hipFree(p)" in after.output


def test_only_what_headers_have_as_well_is_asked_about() -> None:
    assert doubts_in("void f(void *p) { cudaFree(p); cudaMalloc(&p, 1); }") == []
    assert doubts_in("void f(void *p) { cudaFree(p); cudaMalloc(&p, 1); }", HEADERS) == [(NAME, "cudaFree")]


def test_an_overload_of_the_sources_leaves_the_others_to_cuda() -> None:
    source = (
        "struct Pair { half a, b; };\n"
        "__device__ Pair atomicAdd(Pair *p, Pair v) { return v; }\n"
        "__global__ void k(half2 *x, Pair *y, half2 v, Pair w) { atomicAdd(x, v); atomicAdd(y, w); }"
    )
    assert [reference.name for reference in translate(source).references].count("atomicAdd") == 0
    own, other = sorted(doubt for doubt in translate(source).doubts if doubt.kind == NAME)
    answers = Evidence(((own, OF_CUDA), (other, Named(OWN, "", "input.cu"))))
    after = translate(source, project=ProjectContext(evidence=answers))
    assert [reference.offset for reference in after.references if reference.name == "atomicAdd"] == [own.start]


@pytest.mark.parametrize(
    "declaration",
    [
        "#if defined(USE_ROCM)\n#define __shfl_xor_sync(mask, v, lane) __shfl_xor(v, lane)\n#endif\n",
        "#define __shfl_xor_sync(mask, v, lane) __shfl_xor(v, lane)\n",
        "#if __CUDA_ARCH__ < 600\n__device__ int __shfl_xor_sync(unsigned m, int v, int lane) { return v; }\n#endif\n",
    ],
)
def test_what_differs_from_build_to_build_is_left_to_the_source(declaration: str) -> None:
    source = declaration + "__device__ int f(int v) { return __shfl_xor_sync(0xffffffff, v, 1); }"
    assert doubts_in(source) == []


def test_a_host_function_that_the_source_defines_stays_its_own() -> None:
    source = "cudaError_t cudaFree(void *p) { return cudaSuccess; }\nvoid f(void *p) { cudaFree(p); }"
    assert doubts_in(source) == []


def test_what_can_be_told_from_the_source_is_not_asked_about() -> None:
    assert doubts_in("void f(int *p) { ::cudaFree(p); }", HEADERS) == []
    nvcomp = "void f(void *p) { nvcompDecode(p); }"
    assert doubts_in(nvcomp) == [(NAME, "nvcompDecode")]
    assert doubts_in(f"#include <nvcomp/snappy.h>\n{nvcomp}") == []
    assert doubts_in(BOTH + "half f(float x) { return __float2half(x); }") == []


# -- members


@pytest.mark.parametrize(
    "access", ["props().sharedMemoryMode", "auto_of(x)->sharedMemoryMode", "list[i].at(0).sharedMemoryMode"]
)
def test_a_member_is_cudas_where_its_type_is(access: str) -> None:
    source = f"cudaFuncAttributes a;\nint f() {{ return {access}; }}"
    assert "HIP106" not in ids(translate(source))
    assert "HIP106" in ids(asked(source, {"sharedMemoryMode": Named(CUDA, "cudaFuncAttributes", "driver_types.h")}))
    assert "HIP106" not in ids(asked(source, {"sharedMemoryMode": Named(OWN, "Mine", "mine.h")}))


def test_a_member_called_like_a_groups_is_left_to_the_projects_type() -> None:
    source = (
        "#include <cooperative_groups.h>\n"
        "__device__ int f(const Pool &pool) { auto g = cooperative_groups::this_thread_block();\n"
        "  return pool.num_threads() + g.num_threads(); }"
    )
    assert b"pool.size()" in translate(source).output
    after = asked(source, {"num_threads": Named(OWN, "Pool", "pool.h")})
    assert b"pool.num_threads()" in after.output


# -- types

HALF, BF16, FLOAT = Typed("__half", "", 0, 0), Typed("__nv_bfloat16", "", 0, 0), Typed("float", "", 0, 0)
BOTH = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__nv_bfloat16 other; half one;\n"


@pytest.mark.parametrize(
    ("code", "value", "wanted"),
    [
        (
            "half f(In x) { return static_cast<half>(x.at(0)); }",
            "x.at(0)",
            b"static_cast<half>(static_cast<float>(x.at(0)))",
        ),
        ("half f(In x) { return (half)x.v; }", "x.v", b"(half)static_cast<float>(x.v)"),
        ("half f(In x) { auto v = load(x); return half(v); }", "v", b"half(static_cast<float>(v))"),
        ("void f(In x) { half h = x.v; }", "x.v", b"half h = static_cast<float>(x.v)"),
        ("half f(In x) { return load(x); }", "load(x)", b"return static_cast<float>(load(x))"),
        ("void f(In x) { one = x[0]; }", "x[0]", b"one = static_cast<float>(x[0])"),
    ],
)
def test_a_conversion_between_halves_is_seen_by_the_values_type(code: str, value: str, wanted: bytes) -> None:
    source = BOTH + code
    assert (TYPE, value) in doubts_in(source)
    assert wanted in asked(source, {value: (BF16,)}).output
    for same in (HALF, FLOAT):
        assert asked(source, {value: (same,)}).output == translate(source).output


def test_a_conversion_in_a_template_is_left_to_the_types_where_instances_differ() -> None:
    source = BOTH + "template <class V> __device__ half f(V x) { return static_cast<half>(x.v); }"
    after = asked(source, {"x.v": (BF16, HALF._replace(instance=1))})
    assert b"hipify::convert<half>(x.v)" in after.output
    assert after.support == {"convert"}
    after = asked(source, {"x.v": (BF16._replace(instance=1), BF16._replace(instance=2))})
    assert b"static_cast<half>(static_cast<float>(x.v))" in after.output


def test_a_casts_own_type_counts_by_instance() -> None:
    source = BOTH + "template <class T, class V> __device__ T f(V x) { return static_cast<T>(x.v); }"
    first, second = BF16._replace(instance=1), HALF._replace(instance=2)
    same = {"x.v": (first, second), "static_cast<T>(x.v)": (first, second)}
    assert asked(source, same).output == translate(source).output
    crossed = {"x.v": (first, second), "static_cast<T>(x.v)": (HALF._replace(instance=1), second)}
    assert b"hipify::convert<T>(x.v)" in asked(source, crossed).output


def test_an_argument_decides_on_the_form_where_all_instances_agree() -> None:
    source = (
        "#include <cuda_bf16.h>\n__nv_bfloat16 b;\ntemplate <class P> __device__ auto f(P p) { return __ldg(p.data); }"
    )
    pointer = Typed("__nv_bfloat16", "", 1, 0)
    assert b"(*p.data)" in asked(source, {"p.data": (pointer, pointer._replace(instance=1))}).output
    assert b"__ldg(p.data)" in asked(source, {"p.data": (pointer, Typed("float", "", 1, 0, 1))}).output


# -- masks

NARROW, WIDE = Typed("unsigned int", "", 0, 32), Typed("unsigned long", "", 0, 64)


# -- evidence itself


def test_evidence_comes_back_from_plain_data() -> None:
    evidence = Evidence(
        ((TypeQuery(3, 5, NAME), OF_CUDA),), ((TypeQuery(7, 9, PARAMETER, 1), (NARROW, WIDE._replace(instance=2))),)
    )
    assert evidence_in(plain(evidence)) == evidence
    assert hash(evidence) == hash(evidence_in(plain(evidence)))
    assert evidence
    assert not NO_EVIDENCE


def test_evidence_holds_where_fixes_move_the_source() -> None:
    source = "curandRngType_t kind = (curandRngType_t)100;\nvoid f() { cudaFooBar(1); }\n"
    options = DEFAULT_OPTIONS._replace(fixes=DEFAULT_OPTIONS.fixes | {"HIP114"})
    plainly = translate(source, options=options)
    (doubt,) = plainly.doubts
    after = translate(source, options=options, project=ProjectContext(evidence=Evidence(((doubt, OF_PROJECT),))))
    assert "HIP102" in ids(plainly)
    assert "HIP102" not in ids(after)


def test_kernels_in_strings_are_not_decided_by_what_stands_around_them() -> None:
    text = 'const char *s = R"(__global__ void k() { cudaFooBar(1); })";\nvoid f() { cudaFooBar(2); }'
    (doubt,) = translate(text).doubts
    assert text[doubt.start : doubt.end] == "cudaFooBar"
    after = translate(text, project=ProjectContext(evidence=Evidence(((doubt, OF_PROJECT),))))
    assert [finding.line for finding in after.findings if finding.id == "HIP102"] == [1]


@pytest.mark.parametrize(
    ("value", "is_left_open"),
    [
        ("s.part", True),
        ("(s.part)", True),
        ("load(s)", True),
        ("__builtin_nontemporal_load(s.place)", False),
        ("(0.0f)", False),
        ("((1))", False),
        ("__float2half(s.x)", False),
    ],
)
def test_what_can_be_no_16_bit_float_is_not_asked_about(value: str, is_left_open: bool) -> None:
    source = (
        '#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include "own.h"\n'
        "__nv_bfloat16 other;\n"
        f"template <class T> void f(Own s, half h) {{ T x = static_cast<T>({value}); }}\n"
    )
    assert any(kind == TYPE for kind, _ in doubts_in(source)) is is_left_open
