"""HIP stays as it is, and so does what a translation has put out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.catalog import Targeting
from tests.corpus_translations import SOURCES, CorpusTranslations, translate_source

IDENTITY = Path(__file__).parent / "golden" / "identity"
WAVEFRONT = frozenset({"wavefront"})
CHOICES = {
    "annotate": Options(annotate=True),
    "wavefront": Options(fixes=WAVEFRONT),
    "no-support": Options(support=False),
    "annotate-wavefront": Options(annotate=True, fixes=WAVEFRONT),
    "all": Options(launch="chevron", annotate=True, fixes=WAVEFRONT, support=False),
}


@pytest.mark.parametrize("launch", ["ggl", "chevron"])
@pytest.mark.parametrize("source", SOURCES, ids=Path.as_posix)
def test_translating_twice_is_translating_once(source: Path, launch: str, corpus: CorpusTranslations) -> None:
    once = corpus.of(source, launch)
    check_unchanged(once, translate_source(source, launch, once.output))


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("source", SOURCES, ids=Path.as_posix)
def test_so_it_is_whatever_is_chosen(source: Path, choice: str) -> None:
    once = translate_source(source, options=CHOICES[choice])
    check_unchanged(once, translate_source(source, data=once.output, options=CHOICES[choice]))


def check_unchanged(once: Translation, twice: Translation) -> None:
    assert twice.output == once.output
    assert twice.edits == []
    assert twice.counts.converted == 0


@pytest.mark.parametrize("path", sorted(IDENTITY.iterdir()), ids=lambda path: path.name)
@pytest.mark.parametrize("launch", ["ggl", "chevron"])
def test_an_identity_file_stays_byte_for_byte(path: Path, launch: str) -> None:
    source = path.read_bytes()
    result = translate(source, path=path.name, options=Options(launch=launch))
    assert result.output == source
    assert not result.changed
    assert result.counts.converted == result.counts.unsupported == result.counts.unknown == 0
    assert [finding for finding in result.findings if finding.severity != "note"] == []


@pytest.mark.parametrize(
    "source",
    [
        "#include <stdint.h>\n#include <cuda.h>\n__device__ int f(int a, int b) { return __vadd2(a, b); }\n",
        "typedef int mine;\n#include <cuda_runtime.h>\n__device__ int f(int a, int b) { return __vadd2(a, b); }\n",
        "#ifdef A\n#include <cuda.h>\n#endif\n__device__ int f(int a, int b) { return __vadd2(a, b); }\n",
        '#include "own.h"\n__device__ int f(int a, int b) { return __vadd2(a, b); }\n',
        "#define cublasSetMathMode(h, m) CUBLAS_STATUS_SUCCESS\nvoid f() { cublasSetMathMode(0, 1); }\n",
        "#define cudaFree(p) cudaSuccess\nauto f() { return cudaFree(0); }\n",
        "#define cudaFree(p) hipFree(p)\nauto f() { return cudaFree(0); }\n",
    ],
)
@pytest.mark.parametrize("path", ["a.cu", "a.cuh", "a.h", "a.cpp"])
def test_sources_with_what_a_translation_adds_stay(source: str, path: str) -> None:
    once = translate(source, path=path)
    check_unchanged(once, translate(once.output, path=path))


@pytest.mark.parametrize("source", ["__nv_fp8_e4m3 x;\n", "__nv_cvt_fp8x2_to_halfraw2;\n"])
@pytest.mark.parametrize("rocm", ["6.2", "6.4", "7.1"])
def test_the_support_header_asks_for_no_macro_of_the_sync_built_ins(source: str, rocm: str) -> None:
    options = Options(implicit_runtime=False, targeting=Targeting(cuda="", rocm=rocm, target="hip", tables=()))
    once = translate(source, path="a.cuh", options=options)
    assert b"hipify_support.hpp" in once.output
    check_unchanged(once, translate(once.output, path="a.cuh", options=options))
