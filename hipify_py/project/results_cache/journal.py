"""Records what a run finds out as it goes: after a run is stopped, even killed, the next one continues from there."""

from __future__ import annotations

import marshal
import time
from typing import Any

from hipify_py.project.result import Kept
from hipify_py.project.results_cache import files

PAUSE = 0.5
"""Seconds of work that may be lost. A shorter run writes nothing twice."""

_LARGEST = 64 << 20
"""Limit in bytes; what comes after is redone by the next run."""

_FORMAT = 1


class Journal:
    """The outcomes of one run over some given paths, until their shelf is written."""

    def __init__(self, name: str, place: str) -> None:
        """`name` is the journal's file name; `place` distinguishes paths whose names are the same."""
        self._name = name
        self._place = place
        self._waiting: list[Kept] = []
        self._written = 0
        self._last = time.monotonic()

    def left(self) -> list[Kept]:
        """The outcomes left by a run that did not finish."""
        found: list[Kept] = []
        for piece in files.pieces(self._name):
            image: Any = marshal.loads(piece)  # the user's own file, and undamaged  # nosec B302
            if image[:2] == (_FORMAT, self._place):
                found += image[2]
        return found

    def note(self, kept: Kept) -> None:
        """Record an outcome; it is on the disk within half a second of further outcomes."""
        self._waiting.append(kept)
        if time.monotonic() - self._last > PAUSE:
            self.flush()

    def flush(self) -> None:
        """Write the pending outcomes."""
        if self._waiting and self._written < _LARGEST:
            piece = marshal.dumps((_FORMAT, self._place, self._waiting), 4)
            self._written += len(piece)
            files.add(self._name, piece)
        self._waiting = []
        self._last = time.monotonic()

    def remove(self) -> None:
        """Remove the journal, as the shelf now has everything."""
        self._waiting = []
        files.remove(self._name)
