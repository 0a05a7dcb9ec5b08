"""What a run tells of how far it is."""

from __future__ import annotations

from collections.abc import Callable

SCANNING, PLANNING, DOING = "scanning", "planning", "doing"
"""The phases of a run: it finds the files, works out what they say of each other, and does them."""


class Progress:
    """Told by a run how far it is. This one keeps nothing of it."""

    def enter(self, phase: str, files: int = 0, size: int = 0) -> None:
        """A phase begins: one that does so many files, of so many bytes together, where that is known."""

    def done(self, size: int, *, anew: bool) -> None:
        """A file of so many bytes is done, `anew` unless an earlier run has kept what becomes of it."""


UNTOLD = Progress()


class Counted(Progress):
    """Calls a function with the number of files just done."""

    def __init__(self, count: Callable[[int], object]) -> None:
        self._count = count

    def done(self, size: int, *, anew: bool) -> None:
        self._count(1)
