"""For people at a terminal: the findings under their files; of `report`, tables."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hipify_py.core.findings import EFFORTS, Finding
from hipify_py.core.targeting import Targeting, versions_line
from hipify_py.core.terminal_escape import log_line, visible
from hipify_py.core.translation import Counts
from hipify_py.project.result import FAILED
from hipify_py.report.causes import Cause
from hipify_py.report.comparison import Change, Comparison
from hipify_py.report.coverage import Coverage, Symbol
from hipify_py.report.figures import CHANGE_HEADS, before_and_after, percent, points
from hipify_py.report.formats import Format, Look
from hipify_py.report.paint import Paint, painter
from hipify_py.report.run_report import REPORT, RunReport
from hipify_py.report.text import finding_line, plural, warps_line
from hipify_py.report.verdict import Verdict, verdict_of

# Porting coverage as tables for a terminal.

_TOP = 20


def coverage_tables(coverage: Coverage, targetings: Sequence[Targeting], look: Look) -> str:
    """The tables as text."""
    stream = io.StringIO()
    show_coverage(
        coverage, targetings, Console(file=stream, width=look.width, force_terminal=look.color, no_color=not look.color)
    )
    return stream.getvalue()


def show_coverage(coverage: Coverage, targetings: Sequence[Targeting], console: Console) -> None:
    """Print the tables, of files for these versions and targets; those with nothing in them are left out."""
    if not coverage.total.total:
        where = "outside of CUDA Fortran" if coverage.fortran.files else ""
        files = plural(sum(coverage.statuses.values()), "file")
        console.print(" ".join(filter(None, ("no CUDA references", where, f"in {files}"))))
        return
    console.print(_counted("By library", "library", coverage.libraries, coverage.total))
    console.print(_counted("By file", "file", coverage.files, coverage.total))
    if coverage.unsupported:
        console.print(_symbols("Without a HIP counterpart", coverage.unsupported))
    if coverage.unknown:
        console.print(_symbols("Not in any mapping table", coverage.unknown))
    if coverage.left:
        console.print(_left(coverage))
    if coverage.suppressed:
        console.print(f"{plural(coverage.suppressed, 'finding')} suppressed")
    if coverage.warps.total:
        console.print(warps_line(coverage.warps), highlight=False)
    total = coverage.total
    versions = "; ".join(dict.fromkeys(map(versions_line, targetings)))
    console.print(
        f"coverage: {percent(total)} of {plural(total.total, 'CUDA reference')} ({versions})",
        highlight=False,
    )


def _counted(title: str, what: str, rows: Sequence[tuple[str, Counts]], total: Counts) -> Table:
    more = len(rows) - _TOP
    caption = f"and {more} more" if more > 0 else None
    table = Table(title=title, title_justify="left", show_footer=len(rows) > 1, caption=caption)
    table.add_column(what, "total", overflow="fold")
    shown = rows if more <= 0 else sorted(rows, key=lambda row: -row[1].unsupported - row[1].unknown)[:_TOP]
    for index, outcome in enumerate(Counts._fields):
        table.add_column(outcome, str(total[index]), justify="right")
    table.add_column("coverage", percent(total), justify="right")
    for name, counts in shown:
        table.add_row(_cell(name), *(str(count) for count in counts), percent(counts))
    return table


def _symbols(title: str, symbols: Sequence[Symbol]) -> Table:
    more = len(symbols) - _TOP
    table = Table(title=title, title_justify="left", caption=f"and {more} more" if more > 0 else None)
    table.add_column("symbol", overflow="fold")
    table.add_column("library")
    table.add_column("references", justify="right")
    for symbol in symbols[:_TOP]:
        table.add_row(_cell(symbol.name), _cell(symbol.library), str(symbol.references))
    return table


def _left(coverage: Coverage) -> Table:
    """What is left to look at, the files with the hardest items first."""
    rows = sorted(coverage.left, key=lambda item: tuple(-count for count in reversed(item[1].values())))
    more = len(rows) - _TOP
    caption = f"and {more} more" if more > 0 else None
    table = Table(title="Findings by file and effort", title_justify="left", show_footer=len(rows) > 1, caption=caption)
    table.add_column("file", "total", overflow="fold")
    for effort in reversed(EFFORTS):
        table.add_column(effort, str(sum(efforts[effort] for _, efforts in rows)), justify="right")
    for path, efforts in rows[:_TOP]:
        table.add_row(_cell(path), *(str(count) for count in reversed(efforts.values())))
    return table


def _cell(text: str) -> str:
    return escape(log_line(text))


# A comparison as tables for a terminal.


def comparison_tables(comparison: Comparison, look: Look) -> str:
    """The tables as text."""
    stream = io.StringIO()
    console = Console(file=stream, width=look.width, force_terminal=look.color, no_color=not look.color)
    against = escape(visible(comparison.against))
    console.print(_table(f"By library, against {against}", "library", comparison.libraries, comparison.total))
    if comparison.files:
        console.print(_table(f"Files that differ from {against}", "file", comparison.files, comparison.total))
    efforts = ", ".join(
        f"{effort} {before} → {after}" for effort, (before, after) in reversed(comparison.effort.items())
    )
    console.print(
        f"since {against}: {points(*comparison.total)} points of coverage; {plural(comparison.new, 'new finding')},"
        f" {comparison.gone} gone; by effort: {efforts}",
        highlight=False,
    )
    return stream.getvalue()


def _table(title: str, what: str, rows: Sequence[tuple[str, Change]], total: Change) -> Table:
    table = Table(title=title, title_justify="left", show_footer=len(rows) > 1)
    table.add_column(what, "total", overflow="fold")
    for head, cell in zip(CHANGE_HEADS, before_and_after(*total), strict=True):
        table.add_column(head, cell, justify="right")
    for name, change in rows:
        table.add_row(escape(visible(name)), *before_and_after(*change))
    return table


def _render(report: RunReport, look: Look) -> Iterator[str]:
    if report.command == REPORT:
        yield from _verdict(verdict_of(report), painter(look.color))
        yield coverage_tables(report.coverage, [choice.targeting for choice in report.choices], look)
        if report.comparison is not None:
            yield comparison_tables(report.comparison, look)
        return
    paint, is_first = painter(look.color), True
    for result in report.results:
        if result.findings and result.status != FAILED:
            yield ("" if is_first else "\n") + paint(log_line(result.path), "path") + "\n"
            yield from _lines(result.findings, paint)
            is_first = False


def _verdict(verdict: Verdict, paint: Paint) -> Iterator[str]:
    """The verdict and its evidence, before the figures."""
    yield f"{log_line(verdict.subject)}\n{paint(log_line(verdict.sentence), 'path')}\n"
    yield from _causes("What blocks", verdict.blocking, paint)
    if verdict.unread:
        yield "\nNot read, although they name CUDA\n"
        yield from (f"  {log_line(finding_line(finding))}\n" for finding in verdict.unread[:_TOP])
        yield from _more(len(verdict.unread) - _TOP, "file")
    if verdict.fortran_line:
        yield f"\n{verdict.fortran_line}\n"
        yield from (f"  {log_line(finding_line(finding))}\n" for finding in verdict.fortran[:_TOP])
        yield from _more(len(verdict.fortran) - _TOP, "file")
    yield from _causes("What to review", [cause for cause in verdict.others if cause.severity == "warning"], paint)
    notes = sum(cause.severity == "note" for cause in verdict.others)
    if notes:
        yield f"\n{plural(notes, 'note')} on what changes; hipify-py check shows them\n"
    if verdict.untried:
        yield f"\n{log_line(verdict.untried)}\n"
    yield "\n"


def _causes(title: str, causes: Sequence[Cause], paint: Paint) -> Iterator[str]:
    if not causes:
        return
    yield f"\n{title}\n"
    for cause in causes[:_TOP]:
        yield f"  {cause.effort:6}  {paint(cause.id, 'id')}  {log_line(cause.title)}\n"
        yield f"                  {paint(log_line(f'{cause.extent}, first {cause.place}'), 'place')}\n"
    yield from _more(len(causes) - _TOP, "cause")


def _more(count: int, noun: str) -> Iterator[str]:
    if count > 0:
        yield f"  and {plural(count, f'more {noun}')}\n"


def _lines(findings: tuple[Finding, ...], paint: Paint) -> Iterator[str]:
    places = [f"{finding.line}:{finding.column}" if finding.offset >= 0 else "" for finding in findings]
    width = max(map(len, places))
    for place, finding in zip(places, findings, strict=True):
        severity = paint(f"{finding.severity:7}", finding.severity)
        message = log_line(finding.message)
        yield f"  {paint(place.rjust(width), 'place')}  {severity}  {paint(finding.id, 'id')}  {message}\n"


FORMAT = Format("for people: findings under their files, or tables of the coverage", _render)
