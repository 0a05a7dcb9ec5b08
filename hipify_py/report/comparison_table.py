"""A comparison as tables for a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hipify_py.report.comparison import Change, Comparison
from hipify_py.report.figures import percent
from hipify_py.report.formats import Look
from hipify_py.report.text import plural
from hipify_py.translation import Counts
from hipify_py.visible import visible


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
        f"against {against}: {_points(comparison.total)} points of coverage; {plural(comparison.new, 'new finding')},"
        f" {comparison.gone} gone; by effort: {efforts}",
        highlight=False,
    )
    return stream.getvalue()


def _table(title: str, what: str, rows: Sequence[tuple[str, Change]], total: Change) -> Table:
    table = Table(title=title, title_justify="left", show_footer=len(rows) > 1)
    table.add_column(what, "total", overflow="fold")
    for head, cell in zip(("left before", "left", "before", "after", "change"), _cells(total), strict=True):
        table.add_column(head, cell, justify="right")
    for name, change in rows:
        table.add_row(escape(visible(name)), *_cells(change))
    return table


def _cells(change: Change) -> tuple[str, str, str, str, str]:
    before, after = change
    return (_left(before), _left(after), _percent(before), _percent(after), _points(change))


def _left(counts: Counts) -> str:
    return str(counts.unsupported + counts.unknown) if counts.total else ""


def _percent(counts: Counts) -> str:
    return percent(counts) if counts.total else ""


def _points(change: Change) -> str:
    if not (change.before.total and change.after.total):
        return "new" if change.after.total else "gone" if change.before.total else ""
    return f"{change.points:+.1f}" if abs(change.points) >= 0.05 else "±0.0"
