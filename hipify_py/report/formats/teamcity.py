"""Service messages of TeamCity: the findings as inspections, the coverage as a statistic of the build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from hipify_py.catalog import load_catalog
from hipify_py.catalog.register import family
from hipify_py.core.findings import Diagnostic, Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.report.figures import tenths
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import span_of, workspace_path
from hipify_py.report.run_report import RunReport

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}
_ESCAPES = {"|": "||", "'": "|'", "[": "|[", "]": "|]", "\n": "|n", "\r": "|r"}
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_ID, _LONGEST_NAME, _LONGEST_TEXT = 60, 255, 4000
"""Characters that TeamCity takes."""


def _render(report: RunReport, look: Look) -> Iterator[str]:
    catalog = load_catalog()
    for id in sorted({finding.id for finding in chain(report.findings, report.failures)}):
        yield _type(catalog.diagnostic(id))
    for finding in chain(report.findings, report.failures):
        yield _inspection(finding)
    for gate in report.gates:
        if not gate.passed:
            identity = _NO_WORD.sub("_", f"hipify_{gate.name}")[:_LONGEST_ID]
            yield _message("buildProblem", description=visible(gate.says), identity=identity)
    counts = report.coverage.total
    if counts.total:
        yield _message("buildStatisticValue", key="hipify-py coverage", value=f"{tenths(counts) / 10:.1f}")


def _type(entry: Diagnostic) -> str:
    name = f"{entry.id}: {entry.title}"[:_LONGEST_NAME]
    return _message("inspectionType", id=entry.id, name=name, description=entry.advice, category=family(entry.id))


def _inspection(finding: Finding) -> str:
    span = span_of(finding)
    line = {} if span is None else {"line": str(span.line)}
    return _message(
        "inspection",
        typeId=finding.id,
        message=visible(finding.message),
        file=workspace_path(finding.path),
        **line,
        SEVERITY=_SEVERITIES[finding.severity],
    )


def _message(message_name: str, /, **attributes: str) -> str:
    fields = " ".join(f"{key}='{_escaped(value[:_LONGEST_TEXT])}'" for key, value in attributes.items())
    return f"##teamcity[{message_name} {fields}]\n"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(c) or (c if " " <= c <= "~" else _units(c)) for c in text)


def _units(character: str) -> str:
    """What is not ASCII, by its UTF-16 code units."""
    data = character.encode("utf-16-be", "replace")
    return "".join(f"|0x{data[at]:02X}{data[at + 1]:02X}" for at in range(0, len(data), 2))


FORMAT = Format("inspections of a TeamCity build", _render)
