"""Tasks on a cluster, a bounded number at a time: only tasks in progress take memory, not pending ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hipify_py.project.errors import PlanError, RunLost

if TYPE_CHECKING:
    from distributed import Client, Future

Piece = TypeVar("Piece")

_AHEAD = 2
"""Tasks per worker thread: one in progress, and one waiting."""

_MOST_BYTES = 256 << 20
"""Bytes of sources in progress at a time; a larger task runs alone."""

_ASK_AGAIN = 5.0
"""Seconds until the cluster is asked for its size again, as it may grow and shrink."""

PATIENCE = 120.0
"""Seconds that a cluster may have no worker once it has had some: new ones may be starting."""

_NAPS = (0.001, 0.05)
"""Seconds between two checks for a result: the initial and the maximum value."""


class Killed(Exception):
    """A task killed its worker, and every worker that received it afterwards."""


class Window(Generic[Piece]):
    """The tasks in progress. If a task's worker is killed, another worker repeats the task."""

    def __init__(self, client: Client, function: Callable[..., Any]) -> None:
        """`function` does a task, given its arguments."""
        from distributed import as_completed

        self._client = client
        self._function = function
        self._done = as_completed(loop=client.loop)
        self._pieces: dict[Future, tuple[Piece, int]] = {}
        self._bytes = 0
        self._threads = 0
        self._asked = 0.0
        self._had_workers = False
        self._alone_since = 0.0

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def is_full(self) -> bool:
        """Whether no further task may be added."""
        return len(self) >= max(4, _AHEAD * self._size()) or self._bytes > _MOST_BYTES

    def submit(self, piece: Piece, *arguments: Any, size: int) -> None:
        """Add a task; `piece` comes back with its result."""
        future = self._client.submit(self._function, *arguments, pure=False)
        self._pieces[future] = piece, size
        self._bytes += size
        self._done.add(future)

    def take(self) -> tuple[Piece, Any]:
        """Wait for the next result; for a task that kills workers, the result is `Killed`.

        Raises:
            PlanError: if the cluster or all of its workers are gone, or the workers cannot do the tasks.
        """
        from distributed import CancelledError, KilledWorker

        self._wait()
        future = next(self._done)
        piece, size = self._pieces.pop(future)
        self._bytes -= size
        try:
            return piece, future.result()
        except KilledWorker:
            return piece, Killed()
        except CancelledError as error:
            raise RunLost("the connection to the cluster was lost; what was done is kept: run again") from error
        except ImportError as error:
            raise PlanError(f"the workers of the cluster lack something: {error}") from error

    def _wait(self) -> None:
        """Wait until a result is ready, as long as a worker can still deliver one."""
        nap, longest = _NAPS
        while not self._done.has_ready():
            time.sleep(nap)
            nap = min(2 * nap, longest)
            if self._size() or not self._had_workers:
                self._alone_since = 0.0
            elif not self._alone_since:
                self._alone_since = time.monotonic()
            elif time.monotonic() - self._alone_since > PATIENCE:
                left = "no worker of the cluster is left, and none has come for"
                raise RunLost(f"{left} {PATIENCE:.0f} seconds; what was done is kept: run again")

    def finished(self) -> Iterator[tuple[Piece, Any]]:
        """The results that are ready without waiting."""
        while self._pieces and self._done.has_ready():
            yield self.take()

    def rest(self) -> Iterator[tuple[Piece, Any]]:
        """All remaining results."""
        while self._pieces:
            yield self.take()

    def cancel(self) -> None:
        """Abandon the tasks in progress."""
        if self._pieces:
            self._client.cancel([*self._pieces])
            self._pieces.clear()

    def _size(self) -> int:
        """The threads of all workers."""
        now = time.monotonic()
        if now - self._asked > _ASK_AGAIN:
            self._threads = sum(self._client.nthreads().values())
            self._had_workers = self._had_workers or self._threads > 0
            self._asked = now
        return self._threads
