"""JUnit's XML, as most build servers read it: a suite for each file, a test for each finding.

Errors and warnings fail, notes pass with the finding as output, suppressed findings are skipped; a file without
findings is one test that passes, and one that could not be done is in error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from hipify_py.catalog import load_catalog
from hipify_py.findings import Finding
from hipify_py.project.result import COPIED, FAILED, FileResult
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import workspace_path
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import finding_line
from hipify_py.visible import visible

_FAILURE, _ERROR, _SKIPPED, _OUTPUT = "failure", "error", "skipped", "system-out"
_LONGEST_NAME = 80


class _Test(NamedTuple):
    name: str
    outcome: str = ""
    finding: Finding | None = None


def _render(report: RunReport, look: Look) -> Iterator[str]:
    results = [result for result in report.results if result.status != COPIED]
    counts = [_counts(_tests(result)) for result in results]
    total = {key: sum(count[key] for count in counts) for key in ("tests", "failures", "errors")}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites{_attributes(name='hipify-py', **_strings(total))}>\n"
    for result, count in zip(results, counts, strict=True):
        path = visible(workspace_path(result.path))
        yield f"<testsuite{_attributes(name=path, **_strings(count), file=path)}>\n"
        yield from (_case(path, test) for test in _tests(result))
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _tests(result: FileResult) -> list[_Test]:
    tests = [_Test(_name(finding), _outcome(result, finding), finding) for finding in result.findings]
    tests += [_Test(_name(finding), _SKIPPED, finding) for finding in result.suppressed]
    return tests or [_Test("no findings")]


def _outcome(result: FileResult, finding: Finding) -> str:
    if result.status == FAILED:
        return _ERROR
    return _OUTPUT if finding.severity == "note" else _FAILURE


def _name(finding: Finding) -> str:
    """A name that stays when lines move, so that a server knows the test again."""
    return visible(" ".join(part for part in (finding.id, finding.name[:_LONGEST_NAME], finding.fingerprint) if part))


def _counts(tests: list[_Test]) -> dict[str, int]:
    outcomes = [test.outcome for test in tests]
    return {
        "tests": len(tests),
        "failures": outcomes.count(_FAILURE),
        "errors": outcomes.count(_ERROR),
        "skipped": outcomes.count(_SKIPPED),
    }


def _case(path: str, test: _Test) -> str:
    head = f"<testcase{_attributes(name=test.name, classname=path)}"
    if test.finding is None:
        return f"{head}/>\n"
    return f"{head}>{_said(test.outcome, test.finding)}</testcase>\n"


def _said(outcome: str, finding: Finding) -> str:
    code = visible(finding.source_line)
    advice = load_catalog().diagnostic(finding.id).advice
    text = escape("\n".join(part for part in (visible(finding_line(finding)), code, advice) if part))
    if outcome == _OUTPUT:
        return f"<{outcome}>{text}</{outcome}>"
    if outcome == _SKIPPED:
        return f"<{outcome}{_attributes(message=f'suppressed: {visible(finding.message)}')}/>"
    return f"<{outcome}{_attributes(message=visible(finding.message), type=finding.id)}>{text}</{outcome}>"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())


def _strings(counts: dict[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


FORMAT = Format("JUnit XML for build servers: a test for each finding", _render)
