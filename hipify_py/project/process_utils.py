"""Common parts of all processes that a run starts."""

from __future__ import annotations

import signal
import sys

PARALLEL_BYTES = 150_000
"""Fewer bytes than this are read and processed before processes for them would have started."""


def can_fork() -> bool:
    """Whether processes can be started as copies of this one; macOS can fork, but its libraries do not support it."""
    import multiprocessing

    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def leave_signals_to_parent() -> None:
    """Ctrl-C and hang-up reach the whole process group; leave it to the parent to react."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
