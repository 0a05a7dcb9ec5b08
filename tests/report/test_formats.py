"""The formats of an account: each is what its readers expect, and all say the same."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from hipify_py.report.document import DocumentError, document_of, report_of
from hipify_py.report.formats import Look, load, names
from hipify_py.report.run_report import CHECK, CONVERT, REPORT, RunReport
from tests.report.reports import report_of_tree


def rendered(report: RunReport, name: str, look: Look | None = None) -> str:
    """An account in a format."""
    return "".join(load(name).render(report, look or Look()))


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunReport:
    monkeypatch.chdir(tmp_path)
    return report_of_tree(Path("src"))


@pytest.mark.parametrize("name", names())
def test_every_format_says_what_it_is_for(name: str) -> None:
    assert 10 < len(load(name).summary) < 100


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("command", [CHECK, REPORT, CONVERT])
def test_what_was_read_back_from_json_is_written_the_same(report: RunReport, name: str, command: str) -> None:
    """The document holds all that a format needs."""
    report.command = command
    document = json.loads(rendered(report, "json"))
    assert rendered(report_of(document), name) == rendered(report, name)


@pytest.mark.parametrize("name", names())
def test_an_empty_run_can_be_written(name: str) -> None:
    rendered(RunReport(CHECK, []), name)


@pytest.mark.parametrize("command", [CHECK, REPORT, CONVERT])
def test_the_document_is_what_its_schema_says(report: RunReport, command: str) -> None:
    report.command = command
    schema = json.loads(files("hipify_py.report").joinpath("report.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    document = json.loads(rendered(report, "json"))
    Draft202012Validator(schema).validate(document)
    assert {file["status"] for file in document["files"]} == {"converted", "unchanged", "failed"}


def test_the_document_is_written_as_json_writes_it(report: RunReport) -> None:
    for one in (report, RunReport(CHECK, [])):
        assert rendered(one, "json") == json.dumps(document_of(one), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", names())
def test_every_format_is_unicode_whatever_the_names_are(report: RunReport, name: str) -> None:
    assert any("\udce9" in result.path for result in report.results)
    rendered(report, name).encode("utf-8")


@pytest.mark.parametrize("document", [{}, {"format": 2}, {"format": 3}, {"format": 3, "configurations": 3}])
def test_what_is_no_account_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(DocumentError):
        report_of(document)


def test_lines_of_json_are_the_findings_of_the_document(report: RunReport) -> None:
    lines = [json.loads(line) for line in rendered(report, "jsonl").splitlines()]
    document = document_of(report)
    assert sorted(lines, key=str) == sorted((f for file in document["files"] for f in file["findings"]), key=str)


def test_the_table_is_read_back_and_holds_no_formula(report: RunReport) -> None:
    rows = list(csv.DictReader(io.StringIO(rendered(report, "csv"))))
    assert len(rows) == len(rendered(report, "jsonl").splitlines())
    assert {row["id"] for row in rows} >= {"HIP101", "HIP102"}
    assert not any(value.startswith(("=", "+", "-", "@")) for row in rows for value in row.values())


@pytest.mark.parametrize("name", ["text", "full", "concise"])
def test_no_name_forges_a_line_for_people(report: RunReport, name: str) -> None:
    text = rendered(report, name)
    assert "b\\n::error" in text
    assert not any(line.startswith("::error") for line in text.splitlines())


def test_findings_stand_under_their_files(report: RunReport) -> None:
    blocks = rendered(report, "text").split("\n\n")
    block = next(block for block in blocks if block.startswith("src/solver.cu\n"))
    _, second, third = block.splitlines()
    assert second.startswith("  5:5  error    HIP101  cudaGraphConditionalHandleCreate")
    assert third.startswith("  6:5  warning  HIP102  cudaFooBar")


def test_the_full_form_points_at_the_name_and_helps(report: RunReport) -> None:
    text = rendered(report, "full")
    assert '6 |     cudaFooBar(p);  // "quoted", <tagged> & more\n  |     ^^^^^^^^^^\n' in text
    assert text.count(" = help: ") == sum(1 for _ in report.findings)


def test_a_caret_stands_below_its_name_behind_tabs_and_wide_prefixes(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"void f() {\n\t\tint a = " + b"1 + " * 60 + b"cudaFooBar();\n}\n")
    from hipify_py.project.api import check

    text = rendered(RunReport(CHECK, check([tmp_path], jobs=1).results), "full")
    code, carets = (line.split("|", 1)[1] for line in text.splitlines()[3:5])
    start = carets.index("^")
    assert code[start : start + carets.count("^")] == "cudaFooBar"
    assert len(code) <= 162


def test_colours_change_nothing_else(report: RunReport) -> None:
    import re

    for name in ("text", "full"):
        colored = rendered(report, name, Look(color=True))
        assert "\x1b[1;31m" in colored
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == rendered(report, name)
