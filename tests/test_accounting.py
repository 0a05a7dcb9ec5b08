"""Every CUDA symbol met is accounted for, once, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py import Counts, Options, Translation, translate
from hipify_py.core.source import Source
from hipify_py.core.translation import OUTCOMES, Reference
from tests.corpus_translations import CORPUS, SOURCES, CorpusTranslations

CHANGED = [
    "void a() { cudaFree(p); }",
    "void b() { k<<<1, 2>>>(x); }",
    "#include <cufft.h>",
    "void c() { cudaMemcpyToSymbol(t, h, 4); cudaMallocHost(&p, n); }",
    "#define FREE(p) cudaFree(p)",
    "using namespace cub;",
    "void d() { cudaEventCreate(&e, 1); cuMemcpy(a, b, n); }",
    'auto s = R"(__global__ void e(cudaTextureObject_t t);)";',
]
UNCHANGED = [
    "__global__ void k(int *p) { p[threadIdx.x] = atomicAdd(p, 1); }",
    "dim3 g(1, 2);",
    "namespace cg = cooperative_groups;",
    "void f() { cudaFooBar(); }",
    "void g() { cudaGraphConditionalHandleCreate(a, b, 0, 0); }",
    "#include <cutlass/gemm.h>",
    "// cudaFree(p); k<<<1, 2>>>(x);",
    'auto h = "cudaFree";',
    "void i(P &p) { p.cudaMalloc(1); my::cudaFree(q); }",
    "__device__ int w = __shfl_sync(0xffffffffffffffffull, v, 0);",
    "#if 0\n#endif",
    "int main() { return 0; }",
    "__global__ void r(int n) { if (n) r<<<1, 1>>>(n - 1); }",
]


def check(source: bytes, result: Translation) -> None:
    """The laws of the account."""
    counts, places = result.counts, Source(source)
    assert counts.total == len(result.references)
    assert counts == Counts(*(sum(r.outcome == outcome for r in result.references) for outcome in OUTCOMES))
    assert all(0 <= reference.offset < len(source) for reference in result.references)
    assert len({(reference.offset, reference.name) for reference in result.references}) == len(result.references)
    told = {(finding.line, finding.column) for finding in result.findings}
    for reference in result.references:
        if reference.outcome in ("unsupported", "unknown"):
            assert places.position(reference.offset) in told, reference
    for finding in result.findings:
        if finding.offset >= 0:
            assert (finding.line, finding.column) == places.position(finding.offset)
    if counts.converted:
        assert result.changed
    if not result.changed:
        assert counts.converted == 0
        assert result.output == source


@pytest.mark.parametrize("source", SOURCES, ids=Path.as_posix)
@pytest.mark.parametrize("launch", ["ggl", "chevron"])
def test_a_corpus_source_is_accounted_for(source: Path, launch: str, corpus: CorpusTranslations) -> None:
    check((CORPUS / source).read_bytes(), corpus.of(source, launch))


@given(st.lists(st.sampled_from(CHANGED + UNCHANGED), max_size=8).map("\n".join), st.sampled_from(["ggl", "chevron"]))
def test_any_mixture_is_accounted_for(source: str, launch: str) -> None:
    check(source.encode(), translate(source, options=Options(launch=launch, implicit_runtime=False)))


@given(st.lists(st.sampled_from(UNCHANGED), max_size=8).map("\n".join))
def test_nothing_changed_is_nothing_converted(source: str) -> None:
    result = translate(source, options=Options(implicit_runtime=False, fixes=frozenset()))
    assert result.output == source.encode()
    assert not result.changed
    assert result.counts.converted == 0


@pytest.mark.parametrize("snippet", CHANGED)
def test_what_changes_counts_as_converted(snippet: str) -> None:
    result = translate(snippet, options=Options(implicit_runtime=False))
    assert result.changed
    assert result.counts.converted > 0


@pytest.mark.parametrize(
    "source",
    [
        "#if !defined(__CUDACC__) && !defined(__HIPCC__)\nint a;\n#endif\n",
        "#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n",
        "#if defined __HIP_PLATFORM_AMD__ || defined __CUDACC__ || MINE\nint a;\n#endif\n",
        "#ifdef __CUDACC__\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n",
        "#ifdef __CUDA_ARCH__\nint a;\n#elif defined(__HIP_DEVICE_COMPILE__)\nint b;\n#else\nint c;\n#endif\n",
        "#define ON_GPU (defined(__CUDACC__) || defined(__HIPCC__))\n",
        "#if defined(__NVCC__) && defined(__HIPCC__)\n#error one of them\n#endif\n",
        "#if !defined(__CUDACC__) && defined(__HIP_PLATFORM_AMD__)\nint a;\n#endif\n",
    ],
)
def test_a_condition_that_asks_for_hip_as_well_is_native(source: str) -> None:
    result = translate(source, options=Options(implicit_runtime=False))
    assert (result.counts.converted, result.counts.native) == (0, 1)
    assert not result.changed
    both = translate(source + "int f() { return cudaGetLastError(); }\n")
    assert both.counts.converted == 1
    again = translate(both.output)
    assert (again.changed, again.counts.converted) == (False, 0)


def test_a_kept_launch_is_native_and_not_converted() -> None:
    assert translate(
        "void f() { k<<<1, 2>>>(x); }", path="a.h", options=Options(launch="chevron", implicit_runtime=False)
    ).counts == (
        0,
        1,
        0,
        0,
        0,
    )


def test_each_place_is_counted_once() -> None:
    result = translate(
        "void f() { cudaFree(p); cudaFree(q); cudaMemcpyToSymbol(a, b, 4); }", options=Options(implicit_runtime=False)
    )
    assert [(reference.name, reference.offset) for reference in result.references] == [
        ("cudaFree", 11),
        ("cudaFree", 24),
        ("cudaMemcpyToSymbol", 37),
    ]


def test_findings_are_in_the_order_of_their_places() -> None:
    result = translate('void f() { cudaFooBar(); cutlass::X x; cudaFooBaz(); asm("bar.sync 1;"); }')
    assert [finding.offset for finding in result.findings] == sorted(finding.offset for finding in result.findings)
    assert len(result.findings) == 4


def test_columns_count_bytes_and_lines_count_crlf_once() -> None:
    (found,) = translate("// é\r\n/* é */ void f() { cudaFooBar(); }".encode()).findings
    assert (found.line, found.column) == (2, 21)


def test_findings_carry_the_path() -> None:
    (found,) = translate("int x = cudaFooBar;", path="src/a.cu").findings
    assert found.path == "src/a.cu"


def test_counts_add_up() -> None:
    counts = Counts(4, 3, 2, 1)
    assert (counts.total, counts.coverage) == (10, 0.7)
    assert counts.plus(Counts(1, 1, 1, 1)) == Counts(5, 4, 3, 2)
    assert counts.plus(Counts(0, 0, 0, 0, 10)) == Counts(4, 3, 2, 1, 10)
    assert Counts(4, 3, 2, 1, 10).coverage == 0.85
    assert Counts().coverage == 1.0
    assert Counts.of([Reference(0, "a", "b", "c", outcome) for outcome in ("native", "converted", "native")]) == (
        1,
        2,
        0,
        0,
        0,
    )
