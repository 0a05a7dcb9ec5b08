"""Starts child processes, a file each and within limits: what libclang fails on costs that file alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from threading import Lock

from hipify_py.clang.job import (
    CRASHED,
    LIMITS,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    Answer,
    Job,
    Limits,
    packed_job,
    read_answer,
)
from hipify_py.clang.parts import bindings_folder

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")
_LAST_WORDS = 400
"""Characters of what a child said before it died that are kept."""

_NO_ROOM = ("out of memory", "bad_alloc", "MemoryError", "bad alloc")


class Asker:
    """Asks child processes, which end with it.

    Args:
        jobs: children at a time; None takes all cores.
    """

    def __init__(self, jobs: int | None = None, limits: Limits = LIMITS) -> None:
        self._jobs = jobs or os.cpu_count() or 1
        self._limits = limits
        self._running: set[subprocess.Popen[bytes]] = set()
        self._starting = Lock()
        self._has_ended = False
        self._modules = _modules()

    def ask(self, job: Job) -> Answer:
        """The answer to one job; it never raises for a job, and never waits longer than the limit."""
        started = self._start()
        if started is None:
            return Answer(CRASHED, detail="nobody asks any more")
        with started as process:
            try:
                output, said = process.communicate(
                    packed_job(job, self._limits, self._modules), timeout=self._limits.seconds
                )
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return Answer(OUT_OF_TIME, detail=f"after {self._limits.seconds:g} s")
            finally:
                process.kill()
                with self._starting:
                    self._running.discard(process)
        answer = read_answer(output)
        words = said.decode("utf-8", "replace").strip()[-_LAST_WORDS:]
        if answer is None:
            status = OUT_OF_MEMORY if any(sign in words for sign in _NO_ROOM) else CRASHED
            return Answer(status, detail=words or f"exit status {process.returncode}")
        if answer.status == CRASHED and any(sign in words for sign in _NO_ROOM):
            return answer._replace(status=OUT_OF_MEMORY, detail=words)
        return answer

    def ask_all(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """The answers, in the order of the jobs, several children at a time."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                yield from pool.map(self.ask, jobs)
            except BaseException:
                self.end()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def end(self) -> None:
        """End the children that are at work; from now on none is started, and whoever asks gets no answer."""
        with self._starting:
            self._has_ended = True
            for process in self._running:
                process.kill()

    def _start(self) -> subprocess.Popen[bytes] | None:
        pipe = subprocess.PIPE
        with self._starting:  # so that no child starts behind the back of `end`
            if self._has_ended:
                return None
            process = subprocess.Popen(  # Python itself, with a program of our own  # nosec B603
                [sys.executable, "-I", "-S", "-B", _CHILD], stdin=pipe, stdout=pipe, stderr=pipe
            )
            self._running.add(process)
            return process


def _modules() -> list[str]:
    """The folders that a child finds libclang's Python package and this one in."""
    bindings = bindings_folder()
    return [
        os.path.dirname(os.path.dirname(os.path.dirname(_CHILD))),
        *([os.path.dirname(bindings)] if bindings else []),
    ]
