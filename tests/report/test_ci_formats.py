"""What build servers read: each format read back by a real parser, or by the rules that its reader has."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped

from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.project.result import COPIED, UNCHANGED, FileResult
from hipify_py.report.gates import Gate
from hipify_py.report.run_report import CHECK, RunReport
from tests.report.reports import report_of_tree
from tests.report.test_formats import rendered

HOSTILE = st.lists(
    st.sampled_from([*"a%,:;=[]|'\"<>&#`{}\\/ \r\n\t\0\x1b\x85\u2028\u202eé😀\udce9", "##vso[", "]]>", "::", "%0A"]),
    max_size=20,
).map("".join)


class Command(NamedTuple):
    """A command that a build server found in a log."""

    name: str
    properties: dict[str, str]
    text: str


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunReport:
    monkeypatch.chdir(tmp_path)
    return report_of_tree(Path("src"))


def hostile_report(path: str, message: str, severity: str = "error", source_line: str = "x") -> RunReport:
    found = Finding("HIP101", severity, "high", message, path or "a", 0, 3, 1, "", "", 3, 2, "f", source_line)
    return RunReport(CHECK, [FileResult(path or "a", UNCHANGED, findings=(found,))])


def of_github(log: str) -> Iterator[Command]:
    """What a runner of GitHub Actions finds: a line that begins with `::`, properties to the next `::`."""
    for line in re.split(r"\r\n|\r|\n", log):
        match = re.fullmatch(r"::([\w-]+)(?: (.*?))?::(.*)", line.lstrip())
        if match is not None:
            properties = dict(part.split("=", 1) for part in (match[2] or "").split(","))
            decoded = {key: _decoded(value, "%3A", "%2C") for key, value in properties.items()}
            yield Command(match[1], decoded, _decoded(match[3]))


def of_azure(log: str) -> Iterator[Command]:
    """What an agent of Azure Pipelines finds: `##vso[` wherever in a line, properties to the next bracket."""
    for line in re.split(r"\r\n|\r|\n", log):
        match = re.search(r"##vso\[([\w.]+) ([^\]]*)\](.*)", line)
        if match is not None:
            properties = dict(part.split("=", 1) for part in match[2].split(";") if part)
            decoded = {key: _decoded(value, "%3B", "%5D", percent="%AZP25") for key, value in properties.items()}
            yield Command(match[1], decoded, _decoded(match[3], percent="%AZP25"))


def of_teamcity(log: str) -> Iterator[Command]:
    """What TeamCity finds: attributes in apostrophes, with `|` as the escape."""
    for line in re.split(r"\r\n|\r|\n", log):
        match = re.search(r"##teamcity\[(\w+)((?: \w+='(?:\|.|[^|'\[\]])*')*)\]", line)
        if match is not None:
            values = re.findall(r"(\w+)='((?:\|.|[^|'])*)'", match[2])
            yield Command(match[1], {key: _unescaped(value) for key, value in values}, "")


def _decoded(text: str, *more: str, percent: str = "%25") -> str:
    for code in ("%0D", "%0A", *more):
        text = text.replace(code, chr(int(code[1:], 16)))
    return text.replace(percent, "%")


def _unescaped(text: str) -> str:
    plain = {"n": "\n", "r": "\r"}
    units = re.sub(r"\|0x([0-9A-F]{4})", lambda match: chr(int(match[1], 16)), text)
    joined = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return re.sub(r"\|(.)", lambda match: plain.get(match[1], match[1]), joined)


Reader = Callable[[str], Iterator[Command]]


@pytest.mark.parametrize(
    ("name", "reader", "command"),
    [
        ("github", of_github, {"error", "warning", "notice"}),
        ("azure", of_azure, {"task.logissue"}),
        ("teamcity", of_teamcity, {"inspection", "inspectionType", "buildStatisticValue"}),
    ],
)
def test_a_log_holds_our_commands_only(report: RunReport, name: str, reader: Reader, command: set[str]) -> None:
    log = rendered(report, name)
    commands = list(reader(log))
    assert len(commands) == len(log.splitlines())
    assert {found.name for found in commands} <= command
    places = [found for found in commands if {"file", "sourcepath"} & found.properties.keys()]
    assert len(places) == sum(1 for _ in report.findings) + 1


def test_annotations_of_github(report: RunReport) -> None:
    found = next(command for command in of_github(rendered(report, "github")) if "cudaFooWide" in command.text)
    assert found.name == "warning"
    assert found.properties == {
        "file": "src/😀/שלום\\u202egpj\\x1b[31m.cu",
        "line": "1",
        "endLine": "1",
        "col": "26",
        "endColumn": "37",
        "title": "HIP102: CUDA-looking name that is not in the mapping tables",
    }
    assert found.text.splitlines()[1].startswith("If the name is CUDA's")
    *_, last = of_github(rendered(report, "github"))
    assert last == Command("notice", {"title": "hipify-py"}, "HIP takes 31.2% of 16 CUDA references")


def test_issues_of_azure(report: RunReport) -> None:
    found = [command for command in of_azure(rendered(report, "azure")) if "cudaFooQuote" in command.text]
    (issue,) = found
    assert issue.properties == {
        "type": "warning",
        "sourcepath": 'src/it\'s ]]> & "<b>";a,%25;##vso[task.complete].cu',
        "linenumber": "1",
        "columnnumber": "12",
        "code": "HIP102",
    }


def test_a_note_for_azure_is_a_line_without_commands() -> None:
    log = rendered(hostile_report("##vso[task.complete].cu", "a ##[error]x ##vso[y]", "note"), "azure")
    assert not list(of_azure(log))
    assert log == "#\\x23vso[task.complete].cu:3:1: note HIP101 a #\\x23[error]x #\\x23vso[y]\n"


@pytest.mark.parametrize("name", ["text", "concise", "full"])
@pytest.mark.parametrize(
    "command", ["##vso[task.x a=b;]y", "##teamcity[buildStop comment='x']", "::add-mask::x", "::error file=a::b"]
)
def test_what_is_for_people_holds_no_command(name: str, command: str) -> None:
    """A tree under test must not be able to talk to the server that tests it."""
    for report in (hostile_report(command, command), hostile_report("a", "m", source_line=f"f(); // {command}")):
        log = rendered(report, name)
        assert not [*of_azure(log), *of_teamcity(log), *of_github(log)]


def test_inspections_of_teamcity(report: RunReport) -> None:
    commands = list(of_teamcity(rendered(report, "teamcity")))
    types = [command.properties for command in commands if command.name == "inspectionType"]
    assert [entry["id"] for entry in types] == ["HIP101", "HIP102", "HIP902"]
    assert types[0]["category"] == "API"
    inspections = [command.properties for command in commands if command.name == "inspection"]
    assert {entry["typeId"] for entry in inspections} <= {entry["id"] for entry in types}
    assert [entry["file"] for entry in inspections] == [
        found.path.replace("\udce9", "\\xe9") for found in (*report.findings, *report.failures)
    ]
    (statistic,) = (command.properties for command in commands if command.name == "buildStatisticValue")
    assert statistic == {"key": "hipify-py coverage", "value": "31.2"}


@given(path=HOSTILE, message=HOSTILE)
@pytest.mark.parametrize(
    ("name", "reader", "shown"),
    [("github", of_github, True), ("azure", of_azure, True), ("teamcity", of_teamcity, False)],
)
def test_any_name_and_message_come_through(name: str, reader: Reader, shown: bool, path: str, message: str) -> None:
    log = rendered(hostile_report(f"a/{path}", message), name)
    commands = [command for command in reader(log) if command.properties.keys() & {"file", "sourcepath"}]
    (found,) = commands
    assert len(log.splitlines()) == len(list(reader(log)))
    texts = found.text, found.properties.get("message", "")
    assert any(visible(message) in text for text in texts)


def test_a_code_quality_report(report: RunReport) -> None:
    issues = json.loads(rendered(report, "gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == sum(1 for _ in report.findings) + 1
    for issue in issues:
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert isinstance(issue["location"]["lines"]["begin"], int)
        assert not issue["location"]["path"].startswith(("./", "/"))
        assert issue["description"]
        assert issue["check_name"].startswith("HIP")
    by_id = {issue["check_name"]: issue["severity"] for issue in issues}
    assert by_id == {"HIP101": "major", "HIP102": "minor", "HIP902": "critical"}


def test_equal_findings_in_two_files_and_twice_in_one_are_all_told() -> None:
    found = Finding("HIP101", "error", "high", "m", "a.cu", 0, 1, 1, "", "", fingerprint="same")
    other = found._replace(path="b.cu")
    report = RunReport(
        CHECK,
        [FileResult("a.cu", UNCHANGED, findings=(found, found)), FileResult("b.cu", UNCHANGED, findings=(other,))],
    )
    issues = json.loads(rendered(report, "gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == 3
    alone = RunReport(CHECK, [FileResult("b.cu", UNCHANGED, findings=(other._replace(line=9),))])
    assert json.loads(rendered(alone, "gitlab"))[0]["fingerprint"] == issues[2]["fingerprint"]


def test_a_build_server_reads_the_tests(report: RunReport) -> None:
    xml = JUnitXml.fromstring(rendered(report, "junit").encode())
    suites = {suite.name: suite for suite in xml}
    assert len(suites) == len(report.results)
    outcomes = [type(outcome) for suite in suites.values() for case in suite for outcome in case.result]
    assert outcomes.count(Failure) == sum(1 for _ in report.findings) == xml.failures
    assert outcomes.count(Skipped) == 1
    assert outcomes.count(Error) == xml.errors == 1
    (passed,) = suites["src/lib/util.cuh"]
    assert passed.is_passed
    names = [(case.classname, case.name) for suite in suites.values() for case in suite]
    assert len(set(names)) == len(names) == xml.tests
    for suite in suites.values():
        cases = list(suite)
        assert suite.tests == len(cases)
        assert suite.failures == sum(any(isinstance(one, Failure) for one in case.result) for case in cases)
    (failure,) = next(iter(suites["src/solver.cu"])).result
    assert failure.type == "HIP101"
    assert "cudaGraphConditionalHandleCreate(&handle, graph, 1, 0);" in failure.text


def test_notes_pass_and_copied_files_are_no_tests() -> None:
    note = hostile_report("a.cu", "only a note", "note").results[0]
    report = RunReport(CHECK, [note, FileResult("picture.png", COPIED)])
    (suite,) = JUnitXml.fromstring(rendered(report, "junit").encode())
    (case,) = suite
    assert case.is_passed
    assert "only a note" in case.system_out


@given(path=HOSTILE, message=HOSTILE)
def test_any_name_and_message_fit_into_xml(path: str, message: str) -> None:
    (suite,) = JUnitXml.fromstring(rendered(hostile_report(f"a/{path}", message), "junit").encode())
    (case,) = suite
    (failure,) = case.result
    assert failure.message == visible(message)


def test_gates_that_are_not_met_are_errors() -> None:
    gates = [
        Gate("coverage", 95, 90.5, False, "coverage is 90.5 %; at least 95 % is asked for"),
        Gate("findings of high effort", 3, 1, True, "1 finding of high effort; at most 3 are allowed"),
    ]
    report = RunReport(CHECK, [FileResult("a.cu", UNCHANGED)], gates=gates)
    assert list(of_github(rendered(report, "github"))) == [Command("error", {"title": "hipify-py"}, gates[0].says)]
    assert list(of_azure(rendered(report, "azure"))) == [Command("task.logissue", {"type": "error"}, gates[0].says)]
    problem = {"description": gates[0].says, "identity": "hipify_coverage"}
    assert list(of_teamcity(rendered(report, "teamcity"))) == [Command("buildProblem", problem, "")]
    _, suite = JUnitXml.fromstring(rendered(report, "junit").encode())
    missed, met = suite
    assert (suite.name, missed.name, met.name) == ("gates", "coverage", "findings of high effort")
    assert missed.result[0].message == gates[0].says
    assert met.is_passed


def test_what_a_baseline_knows_is_skipped() -> None:
    known = hostile_report("a.cu", "known").results[0].findings
    report = RunReport(CHECK, [FileResult("a.cu", UNCHANGED, known=known)], gone=[])
    (suite,) = JUnitXml.fromstring(rendered(report, "junit").encode())
    (case,) = suite
    assert case.is_skipped
    assert case.result[0].message == "in the baseline: known"
    assert json.loads(rendered(report, "gitlab")) == []
    assert rendered(report, "github") == ""
