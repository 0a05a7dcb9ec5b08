"""What a run finds out, as it comes: of a run that is stopped, even killed, the next one goes on from there."""

from __future__ import annotations

import marshal
import time
from typing import Any

from hipify_py.project.result import Kept
from hipify_py.project.results_cache import files

PAUSE = 0.5
"""Seconds of work that may be lost. A run that ends before has nothing written twice."""

_LARGEST = 64 << 20
"""Bytes; what comes after so many is done again."""

_FORMAT = 1


class Journal:
    """The outcomes of one run over some given paths, until the shelf of those is written."""

    def __init__(self, name: str, place: str) -> None:
        """`name` is that of its file; `place` tells apart those whose names are the same."""
        self._name = name
        self._place = place
        self._waiting: list[Kept] = []
        self._written = 0
        self._last = time.monotonic()

    def left(self) -> list[Kept]:
        """The outcomes that a run which did not come to its end has left."""
        found: list[Kept] = []
        for piece in files.pieces(self._name):
            image: Any = marshal.loads(piece)  # the user's own, and whole  # nosec B302
            if image[:2] == (_FORMAT, self._place):
                found += image[2]
        return found

    def note(self, kept: Kept) -> None:
        """Take up an outcome; it is on the disk within half a second of further ones."""
        self._waiting.append(kept)
        if time.monotonic() - self._last > PAUSE:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        if self._waiting and self._written < _LARGEST:
            piece = marshal.dumps((_FORMAT, self._place, self._waiting), 4)
            self._written += len(piece)
            files.add(self._name, piece)
        self._waiting = []
        self._last = time.monotonic()

    def remove(self) -> None:
        """The shelf has it all."""
        self._waiting = []
        files.remove(self._name)
