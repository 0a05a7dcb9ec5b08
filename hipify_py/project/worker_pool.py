"""Worker processes, which answer requests of this process: for planning a run and for translating its files.

A worker starts as a copy of this process where that is safe, and as a new interpreter elsewhere (Windows, macOS).
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from itertools import islice
from multiprocessing.connection import Connection, wait
from pickle import HIGHEST_PROTOCOL, Pickler, Unpickler, dumps  # nosec B403
from typing import Any, Generic, TypeVar

Request = TypeVar("Request")
Response = TypeVar("Response")

_AHEAD = 4096
"""Bytes of requests that fit into any pipe's buffer besides another one, so that the sender does not block."""


def can_fork() -> bool:
    """Whether processes can be started as copies of this one; macOS can fork, but its libraries do not support it."""
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


class WorkerPool(Generic[Request, Response]):
    """Workers that call one function with the requests that they receive.

    A worker that ends, or whose function raises an exception, leaves its requests unanswered. Whoever made them decides
    what happens to them. Where the limits of the machine or the user do not allow that many processes, pipes or files,
    there are none, so that this process has what it needs to do the work itself.
    """

    def __init__(
        self, jobs: int, server: Callable[[Request], Response], abandoned: Callable[[], None] | None = None
    ) -> None:
        """Start the workers.

        Args:
            jobs: the number of workers.
            server: answers a request with anything but None. Where processes cannot be copied, it must be possible to
                pickle it, as requests and responses in any case.
            abandoned: called in a worker when this process has ended, before the worker ends as well.
        """
        self._workers: list[_Worker] = []
        try:
            for _ in range(jobs):
                self._workers.append(_Worker(server, abandoned, [worker.connection for worker in self._workers]))
        except OSError:
            self.close()
            self._workers.clear()
        self._waiting: deque[tuple[int, Request]] = deque()
        self._unanswered: list[int] = []

    @property
    def size(self) -> int:
        """How many workers were started."""
        return len(self._workers)

    def __enter__(self) -> WorkerPool[Request, Response]:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, also while they work."""
        for worker in self._workers:
            worker.end()

    def submit(self, number: int, request: Request, worker: int | None = None) -> None:
        """Have a request answered, under a number of the caller's choice, by one of the workers or the next free one.

        A worker remembers the objects that it has received, such as a project's names: they are sent once, and must not
        change.
        """
        if worker is None:
            self._waiting.append((number, request))
            for each in self._workers:
                self._go_on(each)
            self._give_up_if_all_are_gone()
        elif self._workers[worker].is_gone:
            self._unanswered.append(number)
        else:
            self._workers[worker].waiting.append((number, request))
            self._go_on(self._workers[worker])

    def replies(self) -> list[tuple[int, Response | None]]:
        """Responses that are ready, by the requests' numbers; None for an unanswered request.

        Waits for at least one; empty if there is nothing to wait for.
        """
        busy = {worker.connection: worker for worker in self._workers if worker.under_way and not worker.is_gone}
        found: list[tuple[int, Response | None]] = []
        if not self._unanswered and busy:
            for connection in wait(list(busy)):
                worker = busy[connection]
                try:
                    response: Response | None = worker.connection.recv()
                except (EOFError, OSError) as error:
                    self._lose(worker, error)
                    continue
                number, _ = worker.under_way.popleft()
                found.append((number, response))
                self._go_on(worker)
            self._give_up_if_all_are_gone()
        found += [(number, None) for number in self._unanswered]
        self._unanswered = []
        return found

    def __iter__(self) -> Iterator[tuple[int, Response | None]]:
        """All responses, as they become ready."""
        while replies := self.replies():
            yield from replies

    def _go_on(self, worker: _Worker) -> None:
        """Send a worker its next request, and small ones in advance, so that it does not wait for this process.

        A large request is sent only to a worker without any: that worker is reading, so neither waits for the other.
        """
        try:
            while not worker.is_gone:
                if self._waiting and not worker.waiting and not worker.under_way:
                    worker.waiting.append(self._waiting.popleft())
                if not worker.waiting:
                    return
                if worker.under_way and worker.size_ahead() + worker.size_of_next() > _AHEAD:
                    return
                worker.send_next()
        except Exception as error:  # it has ended, or the request cannot be sent
            self._lose(worker, error)

    def was_killed(self, worker: int) -> bool:
        """Whether a worker has ended before its time: one of its requests may be to blame."""
        return self._workers[worker].was_killed

    def _lose(self, worker: _Worker, error: Exception) -> None:
        worker.is_gone = True
        worker.was_killed = isinstance(error, (EOFError, OSError))
        self._unanswered += [number for number, _ in (*worker.under_way, *worker.waiting)]
        worker.under_way.clear()
        worker.waiting.clear()

    def _give_up_if_all_are_gone(self) -> None:
        if self._waiting and all(worker.is_gone for worker in self._workers):
            self._unanswered += [number for number, _ in self._waiting]
            self._waiting.clear()


class _Worker:
    """A process, and the requests for it.

    Attributes:
        waiting: the numbers and requests that are still to be sent.
        under_way: the numbers and sizes, in bytes, of the requests that were sent and are not answered yet.
    """

    def __init__(
        self, server: Callable[[Any], Any], abandoned: Callable[[], None] | None, others: list[Connection]
    ) -> None:
        is_copy = can_fork()
        context: Any = multiprocessing.get_context("fork" if is_copy else "spawn")
        self.connection, theirs = context.Pipe()
        inherited = [*others, self.connection] if is_copy else []
        self._process = context.Process(target=_serve, args=(server, abandoned, theirs, inherited), daemon=True)
        try:
            self._process.start()
        except OSError:
            self.connection.close()
            raise
        finally:
            theirs.close()
        self.waiting: deque[tuple[int, Any]] = deque()
        self.under_way: deque[tuple[int, int]] = deque()
        self.is_gone = self.was_killed = False
        self._buffer = BytesIO()
        self._pickler = Pickler(self._buffer, HIGHEST_PROTOCOL)
        self._is_packed = False

    def size_ahead(self) -> int:
        """The size of the requests queued after the one that is being answered, in bytes."""
        return sum(size for _, size in islice(self.under_way, 1, None))

    def size_of_next(self) -> int:
        """The size of the first waiting request as it is sent, in bytes."""
        if not self._is_packed:
            self._buffer.seek(0)
            self._buffer.truncate()
            self._pickler.dump(self.waiting[0][1])
            self._is_packed = True
        return self._buffer.tell()

    def send_next(self) -> None:
        """Send the first waiting request."""
        size = self.size_of_next()
        number, _ = self.waiting.popleft()
        self.under_way.append((number, size))
        self._is_packed = False
        self.connection.send_bytes(self._buffer.getbuffer())

    def end(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _serve(
    server: Callable[[Any], Any],
    abandoned: Callable[[], None] | None,
    connection: Connection,
    inherited: list[Connection],
) -> None:
    """Answer requests until no more can come."""
    _leave_signals_to_parent()
    for other in inherited:
        other.close()
    with suppress(RuntimeError):  # no more threads are allowed; the worker still ends when its connection does
        threading.Thread(target=_end_with_parent, args=(abandoned,), daemon=True).start()
    gc.freeze()  # objects made by the parent are not scanned, and their pages stay shared
    received = BytesIO()
    unpickler = Unpickler(received)  # only reads what the parent's pickler sends  # nosec B301
    try:
        while True:
            received.seek(0)
            received.truncate()
            received.write(connection.recv_bytes())
            received.seek(0)
            connection.send_bytes(_response(server, unpickler.load()))
    except (EOFError, OSError):
        os._exit(0)  # the parent flushes its own buffers


def _response(server: Callable[[Any], Any], request: Any) -> bytes:
    try:
        return dumps(server(request), HIGHEST_PROTOCOL)
    except Exception:  # the parent does it itself, and gets the error where it can be reported
        return dumps(None)


def _end_with_parent(abandoned: Callable[[], None] | None) -> None:
    """Wait until the parent is gone: nobody would take the responses then."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        if abandoned is not None:
            abandoned()
        os._exit(1)


def _leave_signals_to_parent() -> None:
    """Ctrl-C and hang-up reach the whole process group; leave it to the parent to react."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
