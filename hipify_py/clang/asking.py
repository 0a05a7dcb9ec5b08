"""Starts child processes, a file each and within limits: what libclang fails on costs that file alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import IO

from hipify_py.clang.job import (
    CRASHED,
    LIMITS,
    OUT_OF_TIME,
    Answer,
    Job,
    Limits,
    packed_job,
    read_answer,
)
from hipify_py.clang.parts import bindings_folder
from hipify_py.clang.serving import CAN_SERVE, MANY, Server, last_words, with_last_words

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")

_NOBODY = Answer(CRASHED, detail="nobody asks any more")


class Asker:
    """Asks child processes, which end with it.

    Args:
        jobs: children at a time; None takes all cores.
    """

    def __init__(self, jobs: int | None = None, limits: Limits = LIMITS) -> None:
        self._jobs = jobs or os.cpu_count() or 1
        self._limits = limits
        self._running: set[subprocess.Popen[bytes]] = set()
        self._at_rest: list[Server] = []
        self._is_serving = False
        self._starting = Lock()
        self._has_ended = False
        self._modules = _modules()

    def _serve(self, job: Job) -> Answer:
        """The answer to one of many jobs, by a child that takes one after the other."""
        with self._starting:
            at_rest = [server for server in self._at_rest if server.library == job.library]
            if at_rest:
                self._at_rest.remove(at_rest[0])
        server = at_rest[0] if at_rest else self._start_server(job.library)
        if server is None:
            return _NOBODY
        answer = server.answer(packed_job(job, self._limits, self._modules), self._limits.seconds)
        with self._starting:
            if answer is not None and not self._has_ended:
                self._at_rest.append(server)
                return answer
        words = self._dismiss(server)
        if answer is not None:
            return answer
        if server.is_late:
            return Answer(OUT_OF_TIME, detail=f"after {self._limits.seconds:g} s")
        return _without_answer(words or f"exit status {server.process.returncode}")

    def _start_server(self, library: str) -> Server | None:
        said = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the child
        process = self._start(said, MANY)
        if process is None:
            said.close()
            return None
        return Server(process, said, library)

    def _dismiss(self, server: Server) -> str:
        """End a child; returns its last words."""
        words = server.end()
        with self._starting:
            self._running.discard(server.process)
        return words

    def ask(self, job: Job) -> Answer:
        """The answer to one job; it never raises for a job, and never waits longer than the limit."""
        return self._serve(job) if self._is_serving else self._ask_alone(job)

    def _ask_alone(self, job: Job) -> Answer:
        """The answer to one job, by a child of its own."""
        started = self._start(subprocess.PIPE)
        if started is None:
            return _NOBODY
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
        words = last_words(said)
        if answer is None:
            return _without_answer(words or f"exit status {process.returncode}")
        return with_last_words(answer, words)

    def ask_all(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """The answers, in the order of the jobs, several children at a time."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._jobs) as pool:
            self._is_serving = CAN_SERVE
            try:
                yield from pool.map(self.ask, jobs)
            except BaseException:
                self.end()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            finally:
                self._is_serving = False
                while self._at_rest:
                    self._dismiss(self._at_rest.pop())

    def end(self) -> None:
        """End the children that are at work; from now on none is started, and questions get no answer."""
        with self._starting:
            self._has_ended = True
            for process in self._running:
                process.kill()

    def _start(self, said: int | IO[bytes], *options: str) -> subprocess.Popen[bytes] | None:
        pipe = subprocess.PIPE
        with self._starting:  # so that no child starts behind the back of `end`
            if self._has_ended:
                return None
            process = subprocess.Popen(  # Python itself, with a program of our own  # nosec B603
                [sys.executable, "-I", "-S", "-B", _CHILD, *options], stdin=pipe, stdout=pipe, stderr=said
            )
            self._running.add(process)
            return process


def _without_answer(words: str) -> Answer:
    return with_last_words(Answer(CRASHED, detail=words), words)


def _modules() -> list[str]:
    """The folders that a child finds libclang's Python package and this one in."""
    bindings = bindings_folder()
    return [
        os.path.dirname(os.path.dirname(os.path.dirname(_CHILD))),
        *([os.path.dirname(bindings)] if bindings else []),
    ]
