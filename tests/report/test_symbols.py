"""Lookups in the mapping tables."""

from __future__ import annotations

import pytest

from hipify_py.catalog import Catalog, load_catalog
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
