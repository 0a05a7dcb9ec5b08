"""Porting coverage and its renderings."""

from __future__ import annotations

import io

from rich.console import Console

from hipify_py.catalog import NEWEST
from hipify_py.core.findings import Finding
from hipify_py.core.translation import Counts
from hipify_py.project.result import CHANGED, COPIED, FAILED, FileResult
from hipify_py.report.coverage import Symbol, coverage_of
from hipify_py.report.document import document_of
from hipify_py.report.formats.text import show_coverage
from hipify_py.report.run_report import REPORT, RunReport
from hipify_py.report.text import summary

FINDING = Finding("HIP101", "error", "medium", "no", "a.cu", 0, 1, 1, "cudaX", "runtime")
RESULTS = [
    FileResult(
        "a.cu",
        CHANGED,
        libraries={"runtime": Counts(5, 2, 1, 0), "cufft": Counts(1, 0, 0, 2)},
        findings=(FINDING,),
        left={("cudaX", "runtime", "unsupported"): 1, ("cufftY", "cufft", "unknown"): 2},
    ),
    FileResult(
        "[b].cu", CHANGED, libraries={"runtime": Counts(0, 0, 3, 0)}, left={("cudaX", "runtime", "unsupported"): 3}
    ),
    FileResult("t.txt", COPIED),
    FileResult("bad.cu", FAILED, findings=(FINDING._replace(id="HIP901", effort="low"),)),
]


def test_sums() -> None:
    coverage = coverage_of(RESULTS)
    assert coverage.total == Counts(6, 2, 4, 2)
    assert coverage.libraries == [("runtime", Counts(5, 2, 4, 0)), ("cufft", Counts(1, 0, 0, 2))]
    assert coverage.files == [("a.cu", Counts(6, 2, 1, 2)), ("[b].cu", Counts(0, 0, 3, 0))]
    assert coverage.unsupported == [Symbol("cudaX", "runtime", 4)]
    assert coverage.unknown == [Symbol("cufftY", "cufft", 2)]
    assert coverage.effort == {"low": 0, "medium": 1, "high": 0}
    assert coverage.statuses == {"converted": 2, "unchanged": 0, "copied": 1, "unread": 0, "failed": 1}


def test_console_shows_names_as_they_are() -> None:
    stream = io.StringIO()
    show_coverage(coverage_of(RESULTS), [NEWEST], Console(file=stream, width=100))
    text = stream.getvalue()
    assert "[b].cu" in text
    assert "coverage: 57.1 % of 14 CUDA references" in text


def test_coverage_is_rounded_down() -> None:
    stream = io.StringIO()
    nearly = [FileResult("a.cu", CHANGED, libraries={"runtime": Counts(99_999, 0, 1, 0)})]
    show_coverage(coverage_of(nearly), [NEWEST], Console(file=stream, width=100))
    assert "99.9 %" in stream.getvalue()
    assert "100.0 %" not in stream.getvalue()


def test_json_has_the_same_numbers() -> None:
    document = document_of(RunReport(REPORT, RESULTS))
    assert document["totals"]["references"] == {
        "converted": 6, "native": 2, "unsupported": 4, "unknown": 2, "inactive": 0, "total": 14, "coverage": 0.5714,
    }  # fmt: skip
    assert document["unsupported"] == [{"name": "cudaX", "library": "runtime", "references": 4}]


def test_summary_never_says_converted_when_nothing_was() -> None:
    assert summary([], written=True) == ["no source files found"]
    unchanged = [FileResult("a.cu", "unchanged")]
    assert summary(unchanged, written=True) == [
        "1 file: 0 converted, 1 unchanged",
        "nothing to convert: no CUDA found",
    ]
    native = [FileResult("a.cu", "unchanged", libraries={"device": Counts(0, 3, 0, 0)})]
    assert summary(native, written=False)[-1] == "nothing to convert: every CUDA name is already valid HIP"
