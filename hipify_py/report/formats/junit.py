"""JUnit's XML, as most build servers read it: a suite for each file, a test for each finding.

Errors and warnings fail, notes pass with the finding as output; suppressed findings, and those that a baseline knows,
are skipped; a file without findings is one test that passes, and one that could not be done is in error. Gates are a
suite of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr  # nothing is parsed  # nosec B406

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.project.result import COPIED, FAILED, FileResult
from hipify_py.report.formats import Format, Look
from hipify_py.report.gates import Gate
from hipify_py.report.places import workspace_path
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import finding_line

_FAILURE, _ERROR, _SKIPPED, _OUTPUT = "failure", "error", "skipped", "system-out"
_LONGEST_NAME = 80


class _Test(NamedTuple):
    """A test, and its result."""

    name: str
    outcome: str = ""
    kind: str = ""
    message: str = ""
    text: str = ""


class _Suite(NamedTuple):
    name: str
    file: str
    tests: list[_Test]


def _render(report: RunReport, look: Look) -> Iterator[str]:
    counts = [_counts(suite.tests) for suite in _suites(report)]
    total = {key: sum(count[key] for count in counts) for key in ("tests", "failures", "errors")}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites{_attributes(name='hipify-py', **_strings(total))}>\n"
    for suite, count in zip(_suites(report), counts, strict=True):
        file = {"file": suite.file} if suite.file else {}
        yield f"<testsuite{_attributes(name=suite.name, **_strings(count), **file)}>\n"
        yield from (_case(suite.name, test) for test in suite.tests)
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _suites(report: RunReport) -> Iterator[_Suite]:
    for result in report.results:
        if result.status != COPIED:
            path = visible(workspace_path(result.path))
            yield _Suite(path, path, _tests(result))
    if report.gates:
        yield _Suite("gates", "", [_gate(gate) for gate in report.gates])


def _tests(result: FileResult) -> list[_Test]:
    tests = [_failed(result, finding) for finding in result.findings]
    tests += [_skipped("suppressed", finding) for finding in result.suppressed]
    tests += [_skipped("in the baseline", finding) for finding in result.known]
    return tests or [_Test("no findings")]


def _failed(result: FileResult, finding: Finding) -> _Test:
    advice = load_catalog().diagnostic(finding.id).advice
    parts = (visible(finding_line(finding)), visible(finding.source_line), advice)
    text = "\n".join(part for part in parts if part)
    if result.status != FAILED and finding.severity == "note":
        return _Test(_name(finding), _OUTPUT, text=text)
    outcome = _ERROR if result.status == FAILED else _FAILURE
    return _Test(_name(finding), outcome, finding.id, visible(finding.message), text)


def _skipped(why: str, finding: Finding) -> _Test:
    return _Test(_name(finding), _SKIPPED, message=f"{why}: {visible(finding.message)}")


def _gate(gate: Gate) -> _Test:
    wording = visible(gate.says)
    if gate.passed:
        return _Test(visible(gate.name), _OUTPUT, text=wording)
    return _Test(visible(gate.name), _FAILURE, "gate", wording)


def _name(finding: Finding) -> str:
    """A name that stays when lines move, so that a server recognises the test."""
    return visible(" ".join(part for part in (finding.id, finding.name[:_LONGEST_NAME], finding.fingerprint) if part))


def _counts(tests: list[_Test]) -> dict[str, int]:
    outcomes = [test.outcome for test in tests]
    return {
        "tests": len(tests),
        "failures": outcomes.count(_FAILURE),
        "errors": outcomes.count(_ERROR),
        "skipped": outcomes.count(_SKIPPED),
    }


def _case(suite: str, test: _Test) -> str:
    head = f"<testcase{_attributes(name=test.name, classname=suite)}"
    if not test.outcome:
        return f"{head}/>\n"
    wording = {} if test.outcome == _OUTPUT else {"message": test.message}
    if test.kind:
        wording["type"] = test.kind
    return f"{head}><{test.outcome}{_attributes(**wording)}>{escape(test.text)}</{test.outcome}></testcase>\n"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())


def _strings(counts: dict[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


FORMAT = Format("JUnit XML for build servers: a test for each finding", _render)
