"""An account on standard output. Imports little: hooks wait for it."""

from __future__ import annotations

import os
import sys

from hipify_py.report.formats import Look, load
from hipify_py.report.run_report import CHECK, RunReport
from hipify_py.report.text import emit_bytes

TEXT, CONCISE = "text", "concise"
AUTO, ALWAYS, NEVER = "auto", "always", "never"


def show(report: RunReport, name: str | None = None, color: str = AUTO, editor: str = "") -> None:
    """Write an account to standard output in a format.

    Args:
        report: the account.
        name: the format; without one, findings are written for people on a terminal, and a line each elsewhere.
        color: one of `AUTO`, `ALWAYS`, `NEVER`.
        editor: the template of the links that open files; empty for no links.
    """
    chosen = name or (CONCISE if report.command == CHECK and not sys.stdout.isatty() else TEXT)
    look = Look(_is_colored(color), _width(), editor)
    for piece in load(chosen).render(report, look):
        emit_bytes(sys.stdout, piece.encode("utf-8", "surrogateescape"))


def _is_colored(color: str) -> bool:
    """The option decides, then the environment (`NO_COLOR`, `FORCE_COLOR`), then whether there is a terminal."""
    if color != AUTO:
        return color == ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _width() -> int:
    """The columns of the terminal, or a width that fits a log."""
    if not sys.stdout.isatty():
        return 120
    import shutil

    return shutil.get_terminal_size().columns
