"""A progress bar on standard error, where somebody watches it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hipify_py.project.run import Progress


def _silent(count: int) -> None:
    pass


@contextmanager
def progress_bar(what: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Yields what a run calls with the number of files just done.

    The bar is drawn from that call only. A thread that redraws it would have to live through the forking
    of the worker processes.
    """
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _silent
        return
    import time

    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:.0f} files"), TimeElapsedColumn())
    drawn = 0.0
    with Bar(*columns, console=Console(file=sys.__stderr__), auto_refresh=False, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def advance(count: int) -> None:
            nonlocal drawn
            bar.advance(task, count)
            now = time.monotonic()
            if now - drawn > 0.1:
                drawn = now
                bar.refresh()

        yield advance
