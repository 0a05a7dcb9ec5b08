"""The sentence that a report opens with."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from hipify_py.core.findings import Finding
from hipify_py.core.targeting import Targeting
from hipify_py.core.translation import Counts
from hipify_py.project.result import CHANGED, UNCHANGED, UNREAD, FileResult, failure
from hipify_py.report.document import document_of, report_of
from hipify_py.report.history import origin_of
from hipify_py.report.model import Choice, Origin, Verified
from hipify_py.report.run_report import REPORT, RunReport
from hipify_py.report.verdict import verdict_of

CUDA = FileResult("src/a.cu", CHANGED, libraries={"runtime": Counts(converted=3)})
PLAIN = FileResult("src/b.cpp", UNCHANGED)
BLOCKED = CUDA._replace(findings=(Finding("HIP101", "error", "medium", "m", "src/a.cu", 0, 7, 1, "x", "y"),))
UNSEEN = FileResult(
    "src/c.go", UNREAD, findings=(Finding("HIP911", "warning", "medium", "m", "src/c.go", 0, 1, 1, "x", ""),)
)
CHOICES = [Choice("", ("src",), Targeting(rocm="6.4"))]
PARSED = Verified("libclang 18", "parsed", 4, 0)


def sentence(*results: FileResult, verified: Verified | None = None) -> str:
    return verdict_of(RunReport(REPORT, results, CHOICES, verified=verified)).sentence


def test_nothing_is_promised_that_no_compiler_has_tried() -> None:
    assert sentence(CUDA) == "Nothing that hipify-py knows blocks the port, and no compiler has tried the translation."
    assert sentence(CUDA, verified=PARSED) == "Nothing blocks the port: 4 sources parsed without errors."


def test_what_blocks_is_counted_by_causes() -> None:
    assert sentence(BLOCKED, verified=PARSED) == "1 cause blocks the port (effort: 1 medium)."


def test_files_that_were_not_read_are_named() -> None:
    assert sentence(PLAIN, UNSEEN) == (
        "The files that were read contain no CUDA, and 1 file that names CUDA was not read."
    )
    verdict = verdict_of(RunReport(REPORT, [CUDA, UNSEEN], CHOICES))
    assert [finding.path for finding in verdict.unread] == ["src/c.go"]
    assert not any(cause.id == "HIP911" for cause in verdict.others)


def test_what_is_no_cuda_needs_no_trial() -> None:
    job = FileResult("ci.yml", CHANGED)
    assert sentence(job) == "There is no CUDA to port."


def test_without_cuda_and_with_files_that_failed() -> None:
    assert sentence(PLAIN) == "There is no CUDA to port."
    assert sentence(PLAIN, failure("src/d.cu", "HIP901", "no")) == (
        "There is no CUDA to port, and 1 file could not be processed."
    )


def test_headers_that_the_trial_lacked_limit_what_it_shows() -> None:
    lacking = PARSED._replace(missing=tuple(f"lib{n}/x.h" for n in range(7)))
    report = RunReport(REPORT, [CUDA], CHOICES, verified=lacking)
    verdict = verdict_of(report)
    assert "7 headers for the trial were missing" in verdict.sentence
    assert verdict.untried.endswith("lib0/x.h, lib1/x.h, lib2/x.h, lib3/x.h, lib4/x.h and 2 more")


def test_the_way_to_a_trial_is_a_command() -> None:
    assert verdict_of(RunReport(REPORT, [CUDA], CHOICES)).untried.endswith(": hipify-py report --verify src")
    assert verdict_of(RunReport(REPORT, [PLAIN], CHOICES)).untried == ""


def test_the_subject_is_the_project_its_commit_the_day_and_the_rocm() -> None:
    origin = Origin("solver", "0123456789abcdef", "2026-01-31")
    report = RunReport(REPORT, [CUDA], CHOICES, origin=origin)
    assert verdict_of(report).subject == "solver, commit 0123456789ab, 2026-01-31, ROCm 6.4"
    assert verdict_of(RunReport(REPORT, [CUDA], CHOICES)).subject == "ROCm 6.4"


def test_the_date_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    assert origin_of([str(tmp_path)]) == Origin(tmp_path.name, "", "2026-01-01")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert origin_of([str(tmp_path)], datetime(2026, 3, 4, tzinfo=timezone.utc)).date == "2026-03-04"


def test_a_document_keeps_it() -> None:
    lacking = PARSED._replace(missing=("mpi.h",))
    report = RunReport(REPORT, [BLOCKED, UNSEEN], CHOICES, origin=Origin("s", "", "2026-01-31"), verified=lacking)
    document = document_of(report)
    assert document["verdict"] == verdict_of(report).sentence
    assert document["causes"][0]["first"] == {"path": "src/a.cu", "line": 7, "column": 1}
    again = report_of(document)
    assert (again.origin, again.verified, verdict_of(again).sentence) == (report.origin, lacking, document["verdict"])


def test_kernels_in_python_are_not_said_to_be_tried() -> None:
    kernels = FileResult("k.py", CHANGED, libraries={"device": Counts(converted=2)})
    tried = verdict_of(RunReport(REPORT, [kernels], CHOICES, verified=PARSED._replace(sources=0)))
    assert tried.sentence == (
        "Nothing that hipify-py knows blocks the port, and no compiler has tried the kernels in Python."
    )
    assert tried.untried.startswith("Kernels in Python are not tried")
    both = verdict_of(RunReport(REPORT, [CUDA, kernels], CHOICES, verified=PARSED)).sentence
    assert both.startswith("Nothing blocks the port: 4 sources parsed without errors, and no compiler has tried")


def test_a_program_that_only_depends_on_cuda_is_not_said_to_have_none() -> None:
    finding = Finding("HIP241", "warning", "high", "pycuda: m", "a.py", 0, 1, 1, "pycuda", "python")
    assert sentence(FileResult("a.py", UNCHANGED, findings=(finding,))) == (
        "No name of CUDA was found, and 1 cause to review."
    )
