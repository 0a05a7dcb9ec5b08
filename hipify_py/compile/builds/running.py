"""Runs a build's commands line by line; whatever they have started ends with us, however we end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_GRACE = 3.0
"""Seconds that programs have to end in when they are asked to."""

_WATCH = "import os, signal, sys\nif not sys.stdin.buffer.read(1):\n    os.killpg(int(sys.argv[1]), signal.SIGKILL)\n"
"""Waits for a byte, or for the end of whoever could write it; then a group of processes ends, too."""


class Step(NamedTuple):
    """A command of a build.

    Attributes:
        does: what it does, for people: `configuring`, `building`.
        command: the program and its arguments.
        folder: where it is run.
    """

    does: str
    command: Sequence[str]
    folder: str


class StepTimeout(Exception):
    """A command has not ended within its time limit."""


def run_step(
    step: Step, environment: Mapping[str, str], hear: Callable[[str], object], seconds: float | None = None
) -> int:
    """Run a command, pass each line of its output to `hear`, and return its exit status.

    Args:
        seconds: the time limit; None for no limit.

    Raises:
        OSError: when the program cannot be started.
        StepTimeout: when it takes longer; it has been ended, with all that it has started.
    """
    is_late = threading.Event()
    with subprocess.Popen(  # what the tree's build files say: that is what was asked for (SECURITY.md)  # nosec B603
        step.command,
        cwd=step.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        watch = _watched(process)

        def stop() -> None:
            is_late.set()
            _end(process)

        timer = threading.Timer(seconds, stop) if seconds is not None else None
        try:
            if timer is not None:
                timer.start()
            assert process.stdout is not None
            for line in process.stdout:
                hear(line.decode("utf-8", "replace").rstrip("\r\n"))
            status = process.wait()
        except BaseException:
            _end(process)
            raise
        finally:
            if timer is not None:
                timer.cancel()
            _let_go(watch)
    if is_late.is_set():
        raise StepTimeout
    return status


def _watched(process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes] | None:
    """A process that ends the other's group when we are killed; None where there are no groups."""
    if not hasattr(os, "killpg"):
        return None
    command = [sys.executable, "-I", "-S", "-c", _WATCH, str(process.pid)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # our own  # nosec B603


def _let_go(watch: subprocess.Popen[bytes] | None) -> None:
    if watch is None:
        return
    try:
        watch.communicate(b".")
    except BaseException:
        watch.kill()
        raise


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the process and all that it has started to end, and see to it."""
    if not hasattr(os, "killpg"):
        process.kill()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            continue
