"""Has files of a run read, and questions about them answered, in processes of their own while the run is laid out.

Each file is read by one process, which keeps what it has read for the next question about it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pickle import HIGHEST_PROTOCOL, Pickler, Unpickler  # nosec B403

from hipify_py.project.process_utils import leave_signals_to_parent
from hipify_py.project.query_cache import Answer, Query

Reader = Callable[[Query], Answer]
"""QueryCache a question about a file in this process."""

_AHEAD = 4096
"""Bytes of questions that wait in any pipe's buffer beside another one, so that who sends them does not wait."""


class QueryPool:
    """Processes that answer for this one. Whatever they fail to do is done here."""

    def __init__(self, jobs: int, reader: Reader) -> None:
        """Start `jobs` processes, which have all that this one has now."""
        self._reader = reader
        self._processes: list[_Process] = []
        for _ in range(jobs):
            self._processes.append(_Process(reader, [process.connection for process in self._processes]))
        self._owners: dict[str, _Process] = {}
        self._found: dict[bytes, Answer] = {}

    def prefetch(self, key: bytes, query: Query, size: int) -> None:
        """Have a question answered that is going to be asked; `size` is the file's, in bytes."""
        owner = self._owners.get(query.path)
        if owner is None:
            owner = self._owners[query.path] = min(self._processes, key=lambda process: process.size)
            owner.size += size
        if key not in self._found and key not in owner.keys:
            owner.waiting.append((key, query))
            owner.keys.add(key)
            self._go_on(owner)

    def get(self, key: bytes, query: Query, size: int) -> Answer:
        """The answer to a question, which waits until it is there."""
        self.prefetch(key, query, size)
        owner = self._owners[query.path]
        while key not in self._found and not owner.is_gone:
            self._receive()
        found = self._found.pop(key, None)
        return self._reader(query) if found is None else found

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.end()

    def _go_on(self, process: _Process) -> None:
        """Hand a process its next question, and small ones ahead, so that it does not wait for this one.

        A large question is sent to a process that has none: it reads then, so that neither waits for the other.
        """
        try:
            while process.waiting and not process.is_gone:
                if process.under_way and process.size_ahead() + process.size_of_next() > _AHEAD:
                    break
                process.send_next()
        except Exception:  # it has ended, or the question cannot be sent: what it has not answered is asked here
            process.is_gone = True

    def _receive(self) -> None:
        """Take up the answers that are ready; waits for one."""
        busy = {process.connection: process for process in self._processes if process.under_way and not process.is_gone}
        for connection in wait(list(busy)):
            process = busy[connection]  # type: ignore[index]
            try:
                answer: Answer | None = process.connection.recv()
            except (EOFError, OSError):
                process.is_gone = True
                continue
            key, _ = process.under_way.popleft()
            process.keys.discard(key)
            if answer is not None:
                self._found[key] = answer
            else:
                process.is_gone = True
            self._go_on(process)


class _Process:
    """A process, and what it has been asked."""

    def __init__(self, reader: Reader, others: list[Connection]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_serve, args=(reader, theirs, [*others, self.connection]), daemon=True
        )
        self._process.start()
        theirs.close()
        self.waiting: deque[tuple[bytes, Query]] = deque()
        self.keys: set[bytes] = set()
        """Of the questions that wait or are under way."""
        self.under_way: deque[tuple[bytes, int]] = deque()
        """The keys and sizes, in bytes, of the questions that were sent and are not answered yet."""
        self.size = 0
        self.is_gone = False
        self._buffer = BytesIO()
        self._pickler = Pickler(self._buffer, HIGHEST_PROTOCOL)
        self._is_packed = False

    def size_ahead(self) -> int:
        """The size of the questions that wait behind the one that is being answered, in bytes."""
        return sum(size for _, size in islice(self.under_way, 1, None))

    def size_of_next(self) -> int:
        """The size of the first waiting question as it is sent, in bytes.

        What it shares with earlier ones, such as the project's names, is not sent again: the two ends know each object
        that was sent. None of those that a question is made of may change.
        """
        if not self._is_packed:
            self._buffer.seek(0)
            self._buffer.truncate()
            self._pickler.dump(self.waiting[0][1])
            self._is_packed = True
        return self._buffer.tell()

    def send_next(self) -> None:
        """Send the first waiting question."""
        size = self.size_of_next()
        key, _ = self.waiting.popleft()
        self.under_way.append((key, size))
        self._is_packed = False
        self.connection.send_bytes(self._buffer.getbuffer())

    def end(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _serve(reader: Reader, connection: Connection, others: list[Connection]) -> None:
    """Answer until nobody asks any more; a question that fails is left to who asks it."""
    leave_signals_to_parent()
    for other in others:
        other.close()
    gc.freeze()  # what the parent made is not looked through, and its pages stay shared
    received = BytesIO()
    unpickler = Unpickler(received)  # of what the parent's pickler sends, and nobody else  # nosec B301
    try:
        while True:
            received.seek(0)
            received.truncate()
            received.write(connection.recv_bytes())
            received.seek(0)
            connection.send(_answer(reader, unpickler.load()))
    except (EOFError, OSError):
        os._exit(0)  # what waits in the parent's buffers is the parent's to write


def _answer(reader: Reader, query: Query) -> Answer | None:
    try:
        return reader(query)
    except Exception:  # the parent asks itself, and has the fault where it can be told
        return None
