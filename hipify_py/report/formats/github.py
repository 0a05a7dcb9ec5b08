"""Workflow commands of GitHub Actions: each finding becomes an annotation of its line.

GitHub shows ten errors and ten warnings per step; the log has them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import visible
from hipify_py.report.figures import badge_text, counted
from hipify_py.report.formats import Format, Look
from hipify_py.report.places import span_of, workspace_path
from hipify_py.report.run_report import RunReport
from hipify_py.report.text import finding_line

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_DATA = str.maketrans(_DATA)
_IN_PROPERTY = str.maketrans({**_DATA, ":": "%3A", ",": "%2C"})


def _render(report: RunReport, look: Look) -> Iterator[str]:
    catalog = load_catalog()
    for finding in chain(report.findings, report.failures):
        entry = catalog.diagnostic(finding.id)
        text = "\n".join(part for part in (visible(finding_line(finding)), entry.advice) if part)
        title = f"{finding.id}: {entry.title}"
        yield _command(_COMMANDS[finding.severity], {**_place(finding), "title": title}, text)
    for gate in report.gates:
        if not gate.passed:
            yield _command("error", {"title": "hipify-py"}, visible(gate.says))
    total = report.coverage.total
    if total.total:
        text = f"HIP takes {badge_text(total)} of {counted(total.total, 'CUDA reference')}"
        yield _command("notice", {"title": "hipify-py"}, text)


def _place(finding: Finding) -> dict[str, str]:
    """GitHub takes columns only of places within one line."""
    place, span = {"file": visible(workspace_path(finding.path))}, span_of(finding)
    if span is not None:
        place.update(line=str(span.line), endLine=str(span.end_line))
        if span.column:
            place.update(col=str(span.column), endColumn=str(span.end_column))
    return place


def _command(name: str, properties: dict[str, str], text: str) -> str:
    fields = ",".join(f"{key}={value.translate(_IN_PROPERTY)}" for key, value in properties.items())
    return f"::{name} {fields}::{text.translate(_IN_DATA)}\n"


FORMAT = Format("annotations of a GitHub Actions workflow", _render)
