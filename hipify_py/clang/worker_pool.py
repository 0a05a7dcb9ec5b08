"""Starts child processes, one per file and within limits: a failure of libclang affects only that file."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import IO

from hipify_py.clang.protocol import (
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
from hipify_py.clang.toolchain import bindings_folder

# A child process that runs one job after another: libclang is loaded once, and each job has its own fork.

MANY = "--many"
"""The argument that makes the child's program (`child.MANY`) read many jobs."""

CAN_SERVE = sys.platform.startswith("linux")
"""Elsewhere, forking a process that has loaded libraries is unsafe or impossible."""

_TO_END = 5.0
"""Seconds within which an idle process has to end."""

_LAST_WORDS = 400
"""Characters kept of the end of a dead child's error output."""

_NO_ROOM = ("out of memory", "bad_alloc", "MemoryError", "bad alloc")


class Server:
    """A child process for many jobs.

    Args:
        process: the child, with pipes to it and from it.
        said: the file for its error output.
        library: the libclang that it has loaded.

    Attributes:
        is_late: whether it exceeded the time limit for its last job.
    """

    def __init__(self, process: subprocess.Popen[bytes], stderr: IO[bytes], library: str) -> None:
        self.process = process
        self.library = library
        self.is_late = False
        self._stderr = stderr
        self._heard = 0
        self._is_at_rest = True

    def answer(self, job: bytes, seconds: float) -> Answer | None:
        """The answer to a packed job; None if the process or the time ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        until = time.monotonic() + seconds
        self._is_at_rest = False
        try:
            self.process.stdin.write(job + b"\n")
            self.process.stdin.flush()
        except OSError:
            return None
        answer = bytearray()
        poll = select.poll()
        poll.register(self.process.stdout, select.POLLIN | select.POLLHUP)
        while not answer.endswith(b"\n"):
            if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                self.is_late = True
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                return None
            answer += piece
        self._is_at_rest = True
        read = read_answer(bytes(answer))
        return None if read is None else with_last_words(read, self._words())

    def end(self) -> str:
        """End the process, at once if it has not answered; return its last words."""
        if self._is_at_rest and self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_TO_END)  # wait for its last fork, so that its time counts
        self.process.kill()
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # nobody reads this job's result
                self.process.stdin.close()
        with self.process:  # closes its pipes, and waits for it
            words = self._words()
        self._stderr.close()
        return words

    def _words(self) -> str:
        """The error output since the last call."""
        size = os.fstat(self._stderr.fileno()).st_size
        begin, self._heard = max(self._heard, size - 4 * _LAST_WORDS), size
        return last_words(os.pread(self._stderr.fileno(), size - begin, begin))


def last_words(stderr: bytes) -> str:
    """The end of a child's error output."""
    return stderr.decode("utf-8", "replace").strip()[-_LAST_WORDS:]


def with_last_words(answer: Answer, words: str) -> Answer:
    """An answer; if libclang crashed, with the reason from the last words."""
    if answer.status != CRASHED or not words:
        return answer
    return answer._replace(status=OUT_OF_MEMORY if any(sign in words for sign in _NO_ROOM) else CRASHED, detail=words)


_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")

_NOBODY = Answer(CRASHED, detail="nobody asks any more")


class Asker:
    """Sends jobs to child processes, which end with it.

    Args:
        jobs: children at a time; None uses all cores.
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
        """The answer to one of many jobs, from a child that runs one after another."""
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
        stderr = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the child runs
        process = self._start(stderr, MANY)
        if process is None:
            stderr.close()
            return None
        return Server(process, stderr, library)

    def _dismiss(self, server: Server) -> str:
        """End a child; return its last words."""
        words = server.end()
        with self._starting:
            self._running.discard(server.process)
        return words

    def ask(self, job: Job) -> Answer:
        """The answer to one job; never raises for a job, and never waits longer than the limit."""
        return self._serve(job) if self._is_serving else self._ask_alone(job)

    def _ask_alone(self, job: Job) -> Answer:
        """The answer to one job, from a separate child."""
        started = self._start(subprocess.PIPE)
        if started is None:
            return _NOBODY
        with started as process:
            try:
                output, stderr = process.communicate(
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
        words = last_words(stderr)
        if answer is None:
            return _without_answer(words or f"exit status {process.returncode}")
        return with_last_words(answer, words)

    def ask_all(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """The answers, in job order, from several children at a time."""
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
        """End the working children; from now on none is started, and questions get no answer."""
        with self._starting:
            self._has_ended = True
            for process in self._running:
                process.kill()

    def _start(self, stderr: int | IO[bytes], *options: str) -> subprocess.Popen[bytes] | None:
        pipe = subprocess.PIPE
        with self._starting:  # so that no child starts while `end` runs
            if self._has_ended:
                return None
            process = subprocess.Popen(  # Python itself, with our own program  # nosec B603
                [sys.executable, "-I", "-S", "-B", _CHILD, *options], stdin=pipe, stdout=pipe, stderr=stderr
            )
            self._running.add(process)
            return process


def _without_answer(words: str) -> Answer:
    return with_last_words(Answer(CRASHED, detail=words), words)


def _modules() -> list[str]:
    """The folders in which a child finds libclang's Python package and this one."""
    bindings = bindings_folder()
    return [
        os.path.dirname(os.path.dirname(os.path.dirname(_CHILD))),
        *([os.path.dirname(bindings)] if bindings else []),
    ]
