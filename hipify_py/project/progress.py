"""Reports the progress of a run."""

from __future__ import annotations

from collections.abc import Callable

SCANNING, PLANNING, DOING = "scanning", "planning", "doing"
"""The phases of a run: it finds the files, works out how they affect each other, and translates them."""


class Progress:
    """Receives the progress of a run. This class ignores it."""

    def enter(self, phase: str, files: int = 0, size: int = 0) -> None:
        """A phase begins; the number of files and their total bytes are given if known."""

    def done(self, size: int, *, anew: bool) -> None:
        """A file of so many bytes is done, `anew` unless its outcome comes from an earlier run."""


UNTOLD = Progress()


class Counted(Progress):
    """Calls a function with the number of files just done."""

    def __init__(self, count: Callable[[int], object]) -> None:
        self._count = count

    def done(self, size: int, *, anew: bool) -> None:
        self._count(1)
