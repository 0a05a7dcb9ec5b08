"""Looking symbols up: rows, arities, families, names that look like CUDA's."""

from __future__ import annotations

import re

import pytest

from hipify_py.catalog import Catalog, Row, load_catalog
from hipify_py.core.targeting import NEWEST, for_call


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_a_name_of_no_table_has_no_row(catalog: Catalog) -> None:
    assert catalog.row(b"cudaFooBar") is None
    assert catalog.row(b"") is None
    assert catalog.member(b"cudaDeviceProp", b"noSuchField") is None


def test_every_row_is_found_by_its_name(catalog: Catalog) -> None:
    count = 0
    for row in catalog.rows():
        count += 1
        struct, dot, field = row.name.partition(".")
        if row.kind == "member" and dot:
            found = catalog.member(struct.encode(), field.encode())
        else:
            found = catalog.row(row.name.encode())
        assert found is not None
        assert (found.name, found.hip, found.kind) == (row.name, row.hip, row.kind)
    assert count == len(catalog)


def test_each_row_has_exactly_one_of_a_target_and_a_reason(catalog: Catalog) -> None:
    for row in catalog.rows():
        assert (row.hip is None) == bool(row.details.get("unsupported") or row.details.get("drop")), row.name


CHOICES = Row(
    "cudaX",
    "runtime",
    "function",
    "hipX",
    {
        "note": "of all",
        "by_arity": {
            "1": "hipOne",
            "2": {"hip": "hipTwo", "args": {"0": None}, "note": "of two"},
            "3": {"unsupported": True, "advice": "do without"},
            "4": {"insert": {"4": "0"}},
        },
    },
)


def test_a_call_takes_the_short_form() -> None:
    row = for_call(CHOICES, 1, {}, NEWEST)
    assert (row.hip, row.edits_arguments) == ("hipOne", False)


def test_a_call_takes_the_long_form() -> None:
    row = for_call(CHOICES, 2, {}, NEWEST)
    assert (row.hip, row.note, row.details["args"]) == ("hipTwo", "of two", {"0": None})


def test_a_call_can_have_no_counterpart() -> None:
    row = for_call(CHOICES, 3, {}, NEWEST)
    assert (row.hip, row.is_unsupported, row.advice) == (None, True, "do without")


def test_a_call_can_keep_the_target_and_edit_the_arguments() -> None:
    row = for_call(CHOICES, 4, {}, NEWEST)
    assert (row.hip, row.edits_arguments) == ("hipX", True)


def test_a_call_of_any_other_number_is_the_row_itself() -> None:
    assert for_call(CHOICES, 7, {}, NEWEST) is CHOICES


def test_rows_keep_their_name_whatever_the_arity() -> None:
    assert {for_call(CHOICES, count, {}, NEWEST).name for count in range(6)} == {"cudaX"}


def test_the_longest_family_wins(catalog: Catalog) -> None:
    found = catalog.family("cuda::std::array")
    assert found is not None
    assert found.prefix == "cuda::std::"
    assert catalog.family("std::array") is None


def test_families_of_headers_and_of_names_are_apart(catalog: Catalog) -> None:
    header = catalog.family("cutlass/gemm.h", header=True)
    assert header is not None
    assert header.is_header
    assert catalog.family("cutlass/gemm.h") is None


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("cudaFooBar", "runtime"),
        ("cublasFooBar", "cublas"),
        ("cublasLtFooBar", "cublaslt"),
        ("CUDNN_FOO", "cudnn"),
        ("CU_FOO", "driver"),
        ("cuFooBar", "driver"),
        ("cudafoo", None),
        ("cube", None),
        ("cuda", None),
        ("CUDAFoo", None),
        ("myCudaFoo", None),
        ("current", None),
    ],
)
def test_names_that_look_like_a_librarys(catalog: Catalog, name: str, library: str | None) -> None:
    assert catalog.candidate_library(name) == library
    assert (name.encode() in catalog.unmapped_candidates()) == (library is not None)


@pytest.mark.parametrize("name", ["cuptiGetVersion", "cupti", "CUPTI_CB_DOMAIN_X", "cudssFoo", "cudss", "NVPA_"])
def test_names_that_look_like_a_familys(catalog: Catalog, name: str) -> None:
    candidates = catalog.unmapped_candidates()
    assert name.encode() in candidates
    assert name[:2].encode() in candidates.initials
    assert b"my_" + name.encode() not in candidates


def test_every_finding_of_the_register_is_complete(catalog: Catalog) -> None:
    found = catalog.diagnostics()
    assert [entry.id for entry in found] == sorted(entry.id for entry in found)
    for entry in found:
        assert re.fullmatch(r"HIP\d{3}", entry.id)
        assert entry.severity in ("note", "warning", "error")
        assert entry.effort in ("low", "medium", "high")
        assert entry.title
        assert entry.message
        assert entry.advice


def test_an_id_that_the_register_does_not_have_raises(catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        catalog.diagnostic("HIP000")


def test_the_headers_of_a_library() -> None:
    catalog = load_catalog()
    headers = {row.name for row in catalog.rows() if row.kind == "header" and row.library == "nvml"}
    assert headers
    assert {row.name for row in catalog.headers_of("nvml")} == headers
    assert not [*catalog.headers_of("no library")]
