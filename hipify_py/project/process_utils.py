"""What the processes that a run starts have in common, whatever they do."""

from __future__ import annotations

import signal
import sys

PARALLEL_BYTES = 150_000
"""Less than this is read and done before processes for it would have started."""


def can_fork() -> bool:
    """Processes can be started that have all that this one has; macOS can fork, but its libraries do not bear it."""
    import multiprocessing

    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def leave_signals_to_parent() -> None:
    """Ctrl-C and hanging up reach the whole group of processes; the parent decides what comes of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
