"""Lookups in the mapping tables."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import Catalog, Row, load_catalog
from hipify_py.core.targeting import Targeting
from hipify_py.report.symbols import answer_document, answer_lines, look_up


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cudaMalloc", "cudaMalloc: converted -> hipMalloc"),
        ("cudaMemcpyToSymbol", "  argument 0: HIP_SYMBOL({})"),
        ("cublasZgemm", "  --target roc: rocblas_zgemm"),
        ("<cufft.h>", "cufft.h: converted -> hipfft/hipfft.h"),
        ("cudaGraphConditionalHandleCreate", "  CUDA versions: added in 12.3"),
        ("optixLaunch", "optixLaunch: unsupported"),
        ("cudaMaloc", "  did you mean: cudaMalloc"),
        ("zzz", "zzz: unknown"),
        ("__nv_fp8_e4m3", "__nv_fp8_e4m3: converted -> hipify::fp8_e4m3"),
        ("__nv_fp8_e4m3", "  support header: section fp8"),
        ("__dp2a_lo", "__dp2a_lo: converted -> hipify::dp2a_lo"),
        ("__stcs", "  argument 0 a number *: __builtin_nontemporal_store"),
        ("__ldcv", "  called with 1 arguments: hipify::load_uncached"),
        ("__ldca", "__ldca: converted -> (nothing)"),
        ("__reduce_add_sync", "__reduce_add_sync: native"),
    ],
)
def test_answers(catalog: Catalog, name: str, line: str) -> None:
    assert line in answer_lines(look_up(catalog, name))


def test_every_row_can_be_shown(catalog: Catalog) -> None:
    for row in catalog.rows():
        answer = look_up(catalog, row.name)
        assert answer.is_known, row.name
        assert answer_lines(answer)[0].startswith(f"{row.name}: ")
        assert answer_document(answer)["name"] == row.name


def test_documents(catalog: Catalog) -> None:
    document = answer_document(look_up(catalog, "cudaMalloc"))
    assert document == {
        "name": "cudaMalloc",
        "outcome": "converted",
        "library": "runtime",
        "kind": "function",
        "hip": "hipMalloc",
    }
    unknown = answer_document(look_up(catalog, "cudaMaloc"))
    assert unknown["outcome"] == "unknown"
    assert "cudaMalloc" in unknown["suggestions"]


def _source(row: Row) -> str:
    """A source that uses a symbol."""
    name = row.name
    if row.kind == "header":
        return f"#include <{name}>\n"
    uses = {"type": f"{name} *used;", "namespace": f"using namespace {name};"}
    return f"#include <cuda_runtime.h>\nvoid f() {{ {uses.get(row.kind, f'auto used = {name};')} }}\n"


@pytest.mark.parametrize("rocm", ["", "6.4"])
def test_an_answer_is_what_a_translation_writes(rocm: str) -> None:
    """Of all symbols that the support header has something to do with, and whose row depends on nothing else."""
    targeting = Targeting(rocm=rocm)
    catalog = load_catalog(targeting)
    rows = [
        row
        for row in catalog.rows()
        if ("support" in row.details or row.library == "fp8") and not row.has_forms and row.kind != "member"
        if "warp32" not in row.details  # what becomes of these depends on the source
    ]
    assert len(rows) > 100
    wrong = []
    for row in rows:
        answer = look_up(catalog, row.name)
        result = translate(_source(row), path="a.cu", options=Options(targeting=targeting))
        outcomes = {found.outcome for found in result.references if found.name == row.name}
        hip = answer_document(answer)["hip"]
        if answer_document(answer)["outcome"] not in outcomes or (hip and hip.encode() not in result.output):
            wrong.append((row.name, hip, result.output))
    assert wrong == []


def test_documents_tell_what_there_is_without_the_support_header(catalog: Catalog) -> None:
    document = answer_document(look_up(catalog, "__nv_fp8_e4m3"))
    assert document["hip"] == "hipify::fp8_e4m3"
    assert document["section"] == "fp8"
    assert document["without_support"]["hip"] == "__hip_fp8_e4m3"
    assert "without_support" not in answer_document(look_up(catalog, "__reduce_add_sync"))
