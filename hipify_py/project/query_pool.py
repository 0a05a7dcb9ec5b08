"""Answers questions about files in worker processes while a run is being planned.

Each file is read by one worker, which keeps it for the next question about the file.
"""

from __future__ import annotations

from collections.abc import Callable

from hipify_py.project.faults import Killed
from hipify_py.project.query import Answer, Query
from hipify_py.project.worker_pool import WorkerPool

Reader = Callable[[Query], Answer]
"""Answers a question about a file in this process."""


class QueryPool:
    """Workers that answer for this process, which does whatever they fail to do.

    What may have killed a worker is asked once more in another one: it must not kill this process.
    """

    def __init__(self, jobs: int, reader: Reader) -> None:
        """Start `jobs` workers."""
        self._reader = reader
        self._workers = WorkerPool[Query, Answer](jobs, reader)
        self._sizes = [0] * self._workers.size
        self._owners: dict[str, int] = {}
        self._numbers: dict[bytes, int] = {}
        """The numbers of the questions that are not answered yet, by key."""
        self._found: dict[int, Answer | None] = {}
        self._count = 0
        self._others: WorkerPool[Query, Answer] | None = None

    def prefetch(self, key: bytes, query: Query, size: int) -> None:
        """Have a question answered in advance; `size` is the file's, in bytes."""
        if key in self._numbers or not self._sizes:
            return
        owner = self._owners.get(query.path)
        if owner is None:
            owner = self._owners[query.path] = self._sizes.index(min(self._sizes))
            self._sizes[owner] += size
        self._count += 1
        self._numbers[key] = self._count
        self._workers.submit(self._count, query, owner)

    def get(self, key: bytes, query: Query, size: int) -> Answer:
        """The answer to a question; waits for it.

        Raises:
            Killed: if the question kills the process that answers it.
        """
        self.prefetch(key, query, size)
        if not self._sizes:
            return self._reader(query)
        number = self._numbers.pop(key)
        while number not in self._found:
            self._found.update(self._workers.replies())
        answer = self._found.pop(number)
        if answer is None and self._workers.was_killed(self._owners[query.path]):
            answer = self._ask_again(query)
        return self._reader(query) if answer is None else answer

    def _ask_again(self, query: Query) -> Answer | None:
        if self._others is None or not self._others.size or self._others.was_killed(0):
            self._close_others()
            self._others = WorkerPool(1, self._reader)
        if self._others.size:
            self._others.submit(0, query, 0)
            ((_, answer),) = self._others.replies()
            if answer is not None or not self._others.was_killed(0):
                return answer
        raise Killed("the process that examined it was killed")

    def close(self) -> None:
        """End the workers."""
        self._workers.close()
        self._close_others()

    def _close_others(self) -> None:
        if self._others is not None:
            self._others.close()
            self._others = None
