"""Answers questions about files in worker processes while a run is being planned.

Each file is read by one worker, which keeps it for the next question about the file.
"""

from __future__ import annotations

from collections.abc import Callable

from hipify_py.project.query import Answer, Query
from hipify_py.project.worker_pool import WorkerPool

Reader = Callable[[Query], Answer]
"""Answers a question about a file in this process."""


class QueryPool:
    """Workers that answer for this process, which does whatever they fail to do."""

    def __init__(self, jobs: int, reader: Reader) -> None:
        """Start `jobs` workers."""
        self._reader = reader
        self._workers = WorkerPool[Query, Answer](jobs, reader)
        self._sizes = [0] * jobs
        self._owners: dict[str, int] = {}
        self._numbers: dict[bytes, int] = {}
        """The numbers of the questions that are not answered yet, by key."""
        self._found: dict[int, Answer | None] = {}
        self._count = 0

    def prefetch(self, key: bytes, query: Query, size: int) -> None:
        """Have a question answered in advance; `size` is the file's, in bytes."""
        if key in self._numbers:
            return
        owner = self._owners.get(query.path)
        if owner is None:
            owner = self._owners[query.path] = self._sizes.index(min(self._sizes))
            self._sizes[owner] += size
        self._count += 1
        self._numbers[key] = self._count
        self._workers.submit(self._count, query, owner)

    def get(self, key: bytes, query: Query, size: int) -> Answer:
        """The answer to a question; waits for it."""
        self.prefetch(key, query, size)
        number = self._numbers.pop(key)
        while number not in self._found:
            self._found.update(self._workers.replies())
        answer = self._found.pop(number)
        return self._reader(query) if answer is None else answer

    def close(self) -> None:
        """End the workers."""
        self._workers.close()
