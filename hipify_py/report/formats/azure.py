"""Logging commands of Azure Pipelines: errors and warnings become issues of the step, notes stay lines of the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import log_line, visible
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import span_of, workspace_path
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import finding_line

_DATA = {"%": "%AZP25", "\r": "%0D", "\n": "%0A"}
_IN_DATA = str.maketrans(_DATA)
_IN_PROPERTY = str.maketrans({**_DATA, ";": "%3B", "]": "%5D"})


def _render(report: RunReport, look: Look) -> Iterator[str]:
    for finding in chain(report.findings, report.failures):
        yield _note(finding) if finding.severity == "note" else _issue(finding)
    for gate in report.gates:
        if not gate.passed:
            yield f"##vso[task.logissue type=error;]{visible(gate.says).translate(_IN_DATA)}\n"


def _issue(finding: Finding) -> str:
    properties = {"type": finding.severity, "sourcepath": visible(workspace_path(finding.path))}
    span = span_of(finding)
    if span is not None:
        properties["linenumber"] = str(span.line)
        if span.column:
            properties["columnnumber"] = str(span.column)
    properties["code"] = finding.id
    fields = "".join(f"{key}={value.translate(_IN_PROPERTY)};" for key, value in properties.items())
    return f"##vso[task.logissue {fields}]{visible(finding.message).translate(_IN_DATA)}\n"


def _note(finding: Finding) -> str:
    """There are no issues of this severity."""
    return log_line(finding_line(finding)) + "\n"


FORMAT = Format("issues of an Azure Pipelines step", _render)
