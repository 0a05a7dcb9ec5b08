"""A progress line on standard error, shown only on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from hipify_py.project.progress import DOING, UNTOLD, Progress

_PAUSE = 0.1
"""Seconds between two drawings."""

_PATIENCE = 1.0
"""Seconds of work after which the line shows the time left."""

_FILE = 2_000
"""What a file costs besides its bytes, in bytes."""

_BAR = 20
_CLEAR = "\r\x1b[K"


@contextmanager
def progress_bar(what: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Yields the callback for the progress of a run; the line disappears at the end.

    It is drawn from those calls only. A thread that redraws it would have to live through the forking of the worker
    processes.
    """
    stream = sys.__stderr__  # what is written to `sys.stderr` may be kept and repeated by the next run
    if quiet or stream is None or not is_watched(stream):
        yield UNTOLD
        return
    line = ProgressLine(what, stream)
    try:
        yield line
    finally:
        line.clear()


def is_watched(stream: TextIO) -> bool:
    """Somebody sees lines of it being drawn again; build servers have terminals too, and keep all that was drawn."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


class ProgressLine(Progress):
    """`checking ━━━━━━━━━━━━──────── 3,120 of 5,012 files, 812 files/s, 2 s left`."""

    def __init__(self, what: str, stream: TextIO) -> None:
        self._what = what
        self._stream = stream
        self._is_drawn = False
        self._drawn = 0.0
        self._phase = ""
        self._begun = 0.0
        self._files = self._work = 0
        self._files_done = self._work_done = self._work_anew = 0

    def enter(self, phase: str, files: int = 0, size: int = 0) -> None:
        self._phase = self._what if phase == DOING else phase
        self._begun = time.monotonic()
        self._files, self._work = files, size + files * _FILE
        self._files_done = self._work_done = self._work_anew = 0
        self._draw(self._begun)

    def done(self, size: int, *, anew: bool) -> None:
        self._files_done += 1
        self._work_done += size + _FILE
        if anew:
            self._work_anew += size + _FILE
        now = time.monotonic()
        if now - self._drawn > _PAUSE:
            self._draw(now)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._is_drawn = False

    def text(self, now: float) -> str:
        """The text of the line."""
        if not self._files:
            return self._phase
        filled = min(_BAR * self._work_done // self._work, _BAR)
        parts = [f"{self._files_done:,} of {self._files:,} files"]
        passed = now - self._begun
        if passed > _PATIENCE:
            parts.append(f"{self._files_done / passed:,.0f} files/s")
            left = self._seconds_left(passed)
            parts += [f"{_time(left)} left"] if left is not None else []
        return f"{self._phase} {'━' * filled}{'─' * (_BAR - filled)} {', '.join(parts)}"

    def _seconds_left(self, passed: float) -> float | None:
        """Estimated from new work only: results kept from an earlier run arrive immediately."""
        if not self._work_anew:
            return None
        return (self._work - self._work_done) * passed / self._work_anew

    def _draw(self, now: float) -> None:
        self._drawn = now
        text = self.text(now)[: _width(self._stream) - 1]
        if "utf" not in (self._stream.encoding or "").lower():
            text = text.replace("━", "#").replace("─", ".")
        self._stream.write(f"{_CLEAR}{text}")
        self._stream.flush()
        self._is_drawn = True


def _time(seconds: float) -> str:
    """A duration for people: `8 s`, `2 min 5 s`, `1 h 12 min`."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _width(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
