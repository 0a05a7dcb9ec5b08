"""For people who fix the code: each finding with its line of code, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.terminal_escape import log_line, visible
from hipify_py.report.fix_lines import REVIEWED, fix_lines
from hipify_py.report.formats import Format, Look
from hipify_py.report.paint import Paint, painter
from hipify_py.report.places import line_parts
from hipify_py.report.run_report import RunReport

_LONGEST = 160
"""Columns of code that are shown; of a longer line the part around the place."""
_BEFORE = 60


def _render(report: RunReport, look: Look) -> Iterator[str]:
    paint, catalog = painter(look.color), load_catalog()
    for finding in report.findings:
        yield from _block(finding, catalog.diagnostic(finding.id).advice, paint, look.width)


def _block(finding: Finding, advice: str, paint: Paint, width: int) -> Iterator[str]:
    head = f"{paint(finding.severity, finding.severity)} {paint(finding.id, 'id')}: {log_line(finding.message)}"
    number = str(finding.line) if finding.source_line else ""
    gutter = " " * len(number)
    place = f":{finding.line}:{finding.column}" if finding.offset >= 0 else ""
    yield f"{head}\n{gutter}{paint('-->', 'place')} {log_line(finding.path)}{place}\n"
    if number:
        code, caret = _excerpt(finding)
        bar = paint("|", "place")
        yield f"{gutter} {bar}\n{paint(number, 'place')} {bar} {code}\n{gutter} {bar} {paint(caret, 'mark')}\n"
    if advice:
        first, *more = wrap(f"help: {' '.join(advice.split())}", max(width - len(gutter) - 3, 40))
        yield f"{gutter} = {first}\n" + "".join(f"{gutter}   {line}\n" for line in more)
    if finding.fix is not None:
        yield f"{gutter} = fix: {finding.fix.title}{REVIEWED[finding.fix.applicability]}\n"
        yield from (f"{line}\n" for line in fix_lines(finding.fix, paint))
    yield "\n"


def _excerpt(finding: Finding) -> tuple[str, str]:
    """The line of a finding as a terminal shows it, and the carets below what it is about."""
    parts = line_parts(finding) or (finding.source_line, "", "")
    before, about, behind = (visible(part.expandtabs(4)) for part in parts)
    if len(before) > _BEFORE * 2:
        before = "…" + before[-_BEFORE:].lstrip()
    code = before + about + behind
    shown = code if len(code) <= _LONGEST else code[: _LONGEST - 1] + "…"
    return log_line(shown), " " * len(before) + "^" * max(min(len(about), _LONGEST - len(before)), 1)


FORMAT = Format("for people: each finding with its line and what to do", _render)
