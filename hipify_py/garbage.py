"""Fewer runs of Python's garbage collector while a source is translated.

A translation makes many small objects that live as long as its unit, and lets go of nearly all of them by itself.
The collector would look at all of them again and again, and at the tables, for a tenth of the time.
"""

from __future__ import annotations

import gc
from _thread import allocate_lock

_OBJECTS = 100_000
"""New objects after which the collector runs: what a source of some 100 kB makes."""

_lock = allocate_lock()
_running = 0
_before: tuple[int, int, int] = (0, 0, 0)


class fewer_collections:  # noqa: N801  # `contextlib` takes longer to import than a small source to translate
    """The collector runs less often as long as this lasts in some thread, and as before afterwards."""

    def __enter__(self) -> None:
        global _running, _before
        with _lock:
            if _running == 0:
                _before = gc.get_threshold()
                if 0 < _before[0] < _OBJECTS:  # 0: the program around this one has turned it off
                    gc.set_threshold(_OBJECTS, *_before[1:])
            _running += 1

    def __exit__(self, *_: object) -> None:
        global _running
        with _lock:
            _running -= 1
            if _running == 0:
                gc.set_threshold(*_before)
