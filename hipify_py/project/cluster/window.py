"""Tasks on a cluster, a bounded number of them at a time: what is under way takes memory, not what is to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hipify_py.project.plan import PlanError, RunLost

if TYPE_CHECKING:
    from distributed import Client, Future

Piece = TypeVar("Piece")

_AHEAD = 2
"""Tasks for each thread of the workers: one that it does, and one that waits for it."""

_MOST_BYTES = 256 << 20
"""Bytes of sources that are under way at a time; a task that is larger goes alone."""

_ASK_AGAIN = 5.0
"""Seconds after which the cluster is asked for its size again; it may grow and shrink."""

PATIENCE = 120.0
"""Seconds that a cluster may be without any worker, once it has had some: new ones may be on their way."""

_NAPS = (0.001, 0.05)
"""Seconds between two looks for a result, the first time and at most."""


class Killed(Exception):
    """A task killed the worker that did it, and each one that was given it after that."""


class Window(Generic[Piece]):
    """The tasks that are under way. A task whose worker is killed is done again by another one."""

    def __init__(self, client: Client, function: Callable[..., Any]) -> None:
        """`function` does a task, by its arguments."""
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
        """No further task is to be added."""
        return len(self) >= max(4, _AHEAD * self._size()) or self._bytes > _MOST_BYTES

    def submit(self, piece: Piece, *arguments: Any, size: int) -> None:
        """Add a task; `piece` comes back with its result."""
        future = self._client.submit(self._function, *arguments, pure=False)
        self._pieces[future] = piece, size
        self._bytes += size
        self._done.add(future)

    def take(self) -> tuple[Piece, Any]:
        """Wait for the next result; `Killed` in place of one for a task that kills workers.

        Raises:
            PlanError: when the cluster or all of its workers are gone, or those cannot do the tasks.
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
        """Wait until a result is there, as long as somebody can bring one."""
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
        """The results that are there without waiting."""
        while self._pieces and self._done.has_ready():
            yield self.take()

    def rest(self) -> Iterator[tuple[Piece, Any]]:
        """All results that are left."""
        while self._pieces:
            yield self.take()

    def cancel(self) -> None:
        """Give up what is under way."""
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
