"""Signals that end a run: it stops as for Ctrl-C, with its workers ended and its temporary files removed."""

from __future__ import annotations

import signal
from types import FrameType


class Ended(BaseException):
    """A signal has asked the run to end; `status` is the exit status for that."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def heed_signals() -> None:
    """Let SIGTERM and SIGHUP raise `Ended`, unless they are ignored, as under nohup."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # while it clears up
    raise Ended(number)
