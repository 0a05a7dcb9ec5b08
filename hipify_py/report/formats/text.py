"""For people at a terminal: the findings under their files; of `report`, tables."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import log_line
from hipify_py.project.result import FAILED
from hipify_py.report.formats import Format, Look
from hipify_py.report.paint import Paint, painter
from hipify_py.report.run_report import REPORT, RunReport


def _render(report: RunReport, look: Look) -> Iterator[str]:
    if report.command == REPORT:
        from hipify_py.report.console import coverage_tables

        yield coverage_tables(report.coverage, [choice.targeting for choice in report.choices], look)
        if report.comparison is not None:
            from hipify_py.report.comparison_table import comparison_tables

            yield comparison_tables(report.comparison, look)
        return
    paint, is_first = painter(look.color), True
    for result in report.results:
        if result.findings and result.status != FAILED:
            yield ("" if is_first else "\n") + paint(log_line(result.path), "path") + "\n"
            yield from _lines(result.findings, paint)
            is_first = False


def _lines(findings: tuple[Finding, ...], paint: Paint) -> Iterator[str]:
    places = [f"{finding.line}:{finding.column}" if finding.offset >= 0 else "" for finding in findings]
    width = max(map(len, places))
    for place, finding in zip(places, findings, strict=True):
        severity = paint(f"{finding.severity:7}", finding.severity)
        message = log_line(finding.message)
        yield f"  {paint(place.rjust(width), 'place')}  {severity}  {paint(finding.id, 'id')}  {message}\n"


FORMAT = Format("for people: findings under their files, or tables of the coverage", _render)
