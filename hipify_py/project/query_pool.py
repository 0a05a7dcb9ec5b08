"""Reads files of a run, and answers questions about them, in separate processes while the run is being planned.

Each file is read by one process, which keeps it for the next question about the file.
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
from hipify_py.project.query import Answer, Query

Reader = Callable[[Query], Answer]
"""Answers a question about a file in this process."""

_AHEAD = 4096
"""Bytes of questions that fit into any pipe's buffer besides another one, so that the sender does not block."""


class QueryPool:
    """Processes that answer for this one. This process does whatever they fail to do."""

    def __init__(self, jobs: int, reader: Reader) -> None:
        """Start `jobs` processes, which inherit the current state of this one."""
        self._reader = reader
        self._processes: list[_Process] = []
        for _ in range(jobs):
            self._processes.append(_Process(reader, [process.connection for process in self._processes]))
        self._owners: dict[str, _Process] = {}
        self._found: dict[bytes, Answer] = {}

    def prefetch(self, key: bytes, query: Query, size: int) -> None:
        """Have a question answered in advance; `size` is the file's, in bytes."""
        owner = self._owners.get(query.path)
        if owner is None:
            owner = self._owners[query.path] = min(self._processes, key=lambda process: process.size)
            owner.size += size
        if key not in self._found and key not in owner.keys:
            owner.waiting.append((key, query))
            owner.keys.add(key)
            self._go_on(owner)

    def get(self, key: bytes, query: Query, size: int) -> Answer:
        """The answer to a question; waits for it."""
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
        """Send a process its next question, and small ones in advance, so that it does not wait for this one.

        A large question is sent only to a process without any: that process is reading, so neither waits for the other.
        """
        try:
            while process.waiting and not process.is_gone:
                if process.under_way and process.size_ahead() + process.size_of_next() > _AHEAD:
                    break
                process.send_next()
        except Exception:  # it has ended, or the question cannot be sent: this process answers the rest
            process.is_gone = True

    def _receive(self) -> None:
        """Receive the answers that are ready; waits for at least one."""
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
    """A process, and the questions sent to it."""

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
        """The keys of the questions that are waiting or in progress."""
        self.under_way: deque[tuple[bytes, int]] = deque()
        """The keys and sizes, in bytes, of the questions that were sent and are not answered yet."""
        self.size = 0
        self.is_gone = False
        self._buffer = BytesIO()
        self._pickler = Pickler(self._buffer, HIGHEST_PROTOCOL)
        self._is_packed = False

    def size_ahead(self) -> int:
        """The size of the questions queued after the one that is being answered, in bytes."""
        return sum(size for _, size in islice(self.under_way, 1, None))

    def size_of_next(self) -> int:
        """The size of the first waiting question as it is sent, in bytes.

        Parts shared with earlier questions, such as the project's names, are not sent again: both ends remember each
        object that was sent. So the objects that make up a question must not change.
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
    """Answer until no more questions come; a question that fails is left to the process that asks."""
    leave_signals_to_parent()
    for other in others:
        other.close()
    gc.freeze()  # objects made by the parent are not scanned, and their pages stay shared
    received = BytesIO()
    unpickler = Unpickler(received)  # only reads what the parent's pickler sends  # nosec B301
    try:
        while True:
            received.seek(0)
            received.truncate()
            received.write(connection.recv_bytes())
            received.seek(0)
            connection.send(_answer(reader, unpickler.load()))
    except (EOFError, OSError):
        os._exit(0)  # the parent flushes its own buffers


def _answer(reader: Reader, query: Query) -> Answer | None:
    try:
        return reader(query)
    except Exception:  # the parent answers itself, and gets the error where it can be reported
        return None
