"""A comparison as tables for a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hipify_py.core.terminal_escape import visible
from hipify_py.report.comparison import Change, Comparison
from hipify_py.report.figures import CHANGE_HEADS, before_and_after, points
from hipify_py.report.formats import Look
from hipify_py.report.text import plural


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
