"""A child process that runs one job after the other: libclang is loaded once, and each job has its own fork."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from typing import IO

from hipify_py.clang.job import CRASHED, OUT_OF_MEMORY, Answer, read_answer

MANY = "--many"
"""What tells the child's program (`child.MANY`) to take many jobs."""

CAN_SERVE = sys.platform.startswith("linux")
"""Elsewhere a process that has loaded libraries is not safe to fork, or cannot be."""

_TO_END = 5.0
"""Seconds within which an idle process has to end."""

_LAST_WORDS = 400
"""Characters of what a child said before it died that are kept."""

_NO_ROOM = ("out of memory", "bad_alloc", "MemoryError", "bad alloc")


class Server:
    """Such a process.

    Args:
        process: the child, with pipes to it and from it.
        said: the file that its errors go to.
        library: the libclang that it has loaded.

    Attributes:
        is_late: it exceeded the time limit for its last job.
    """

    def __init__(self, process: subprocess.Popen[bytes], said: IO[bytes], library: str) -> None:
        self.process = process
        self.library = library
        self.is_late = False
        self._said = said
        self._heard = 0
        self._is_at_rest = True

    def answer(self, job: bytes, seconds: float) -> Answer | None:
        """The answer to a packed job; None where the process ended, or time did."""
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
        """End the process, at once where it has not answered; returns its last words."""
        if self._is_at_rest and self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_TO_END)  # its last fork is waited for, and so its time counts
        self.process.kill()
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # a job whose result nobody reads
                self.process.stdin.close()
        with self.process:  # its pipes are closed, and it is waited for
            words = self._words()
        self._said.close()
        return words

    def _words(self) -> str:
        """What was said since this was last asked."""
        size = os.fstat(self._said.fileno()).st_size
        begin, self._heard = max(self._heard, size - 4 * _LAST_WORDS), size
        return last_words(os.pread(self._said.fileno(), size - begin, begin))


def last_words(said: bytes) -> str:
    """The end of what a child said."""
    return said.decode("utf-8", "replace").strip()[-_LAST_WORDS:]


def with_last_words(answer: Answer, words: str) -> Answer:
    """An answer; where libclang crashed, with the reason that its last words tell."""
    if answer.status != CRASHED or not words:
        return answer
    return answer._replace(status=OUT_OF_MEMORY if any(sign in words for sign in _NO_ROOM) else CRASHED, detail=words)
