"""Porting coverage as tables for a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hipify_py.catalog.targeting import Targeting, versions_line
from hipify_py.core.terminal_escape import log_line
from hipify_py.core.translation import Counts
from hipify_py.report.figures import percent
from hipify_py.report.formats import Look
from hipify_py.report.model import Coverage, Symbol
from hipify_py.report.text import plural, warps_line

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
        console.print(f"no CUDA references in {plural(sum(coverage.statuses.values()), 'file')}")
        return
    console.print(_counted("By library", "library", coverage.libraries, coverage.total))
    console.print(_counted("By file", "file", coverage.files, coverage.total))
    if coverage.unsupported:
        console.print(_symbols("Without a HIP counterpart", coverage.unsupported))
    if coverage.unknown:
        console.print(_symbols("Not in any mapping table", coverage.unknown))
    if coverage.left:
        console.print(_left(coverage))
    efforts = ", ".join(f"{count} {effort}" for effort, count in coverage.effort.items())
    suppressed = f" ({coverage.suppressed} suppressed)" if coverage.suppressed else ""
    console.print(f"findings by effort: {efforts}{suppressed}")
    if coverage.warps.total:
        console.print(warps_line(coverage.warps), highlight=False)
    total = coverage.total
    versions = "; ".join(dict.fromkeys(map(versions_line, targetings)))
    console.print(
        f"coverage: {percent(total)} of {plural(total.total, 'CUDA reference')} ({versions})",
        highlight=False,
    )


def _counted(title: str, what: str, rows: Sequence[tuple[str, Counts]], total: Counts) -> Table:
    table = Table(title=title, title_justify="left", show_footer=len(rows) > 1)
    table.add_column(what, "total", overflow="fold")
    for index, outcome in enumerate(Counts._fields):
        table.add_column(outcome, str(total[index]), justify="right")
    table.add_column("coverage", percent(total), justify="right")
    for name, counts in rows:
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
    table = Table(title="Left to do, by effort", title_justify="left", show_footer=len(coverage.left) > 1)
    table.add_column("file", "total", overflow="fold")
    for effort, count in reversed(coverage.effort.items()):
        table.add_column(effort, str(count), justify="right")
    for path, efforts in sorted(coverage.left, key=lambda item: tuple(-count for count in reversed(item[1].values()))):
        table.add_row(_cell(path), *(str(count) for count in reversed(efforts.values())))
    return table


def _cell(text: str) -> str:
    return escape(log_line(text))
