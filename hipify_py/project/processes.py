"""Executes the tasks of a run in worker processes of this machine, if that pays off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.project.executor import BATCH, SMALLEST_CHUNK, Job, Stream, discard_staged, do, killed
from hipify_py.project.result import FileResult
from hipify_py.project.temporary import clear
from hipify_py.project.work import Task

if TYPE_CHECKING:
    from hipify_py.project.worker_pool import WorkerPool

PARALLEL_BYTES = 150_000
"""Fewer bytes than this are translated before processes for them would have started."""

_CHUNKS_PER_JOB = 16
_LAST_CHUNKS = 4
"""Chunks of the remaining work that each worker should get at any time."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """Does small runs in this process, and others on all cores."""

    def __init__(self, jobs: int | None = None) -> None:
        """`jobs` is the number of worker processes; None uses all cores."""
        self._jobs = jobs or cores()

    def results(self, tasks: Sequence[Task], job: Job) -> Stream:
        """Do the tasks; an interrupt stops the workers."""
        if self._jobs == 1 or len(tasks) < 2 or sum(task.size for task in tasks) < PARALLEL_BYTES:
            yield from _alone(tasks, job)
        else:
            yield from _parallel(tasks, job, self._jobs)


def _alone(tasks: Sequence[Task], job: Job) -> Stream:
    for start in range(0, len(tasks), BATCH):
        batch = tasks[start : start + BATCH]
        yield from enumerate(do(batch, job), start)


class _TaskServer:
    """Does tasks in a worker."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._staged: set[str] = set()
        """The temporary files that this worker has made or is about to make."""

    def __call__(self, tasks: Sequence[Task]) -> list[FileResult] | Exception:
        """The results; an error that is no file's fault, such as a wrong table, is for the parent to raise."""
        self._staged.update(task.staged for task in tasks if task.staged)
        try:
            return do(tasks, self._job)
        except Exception as error:
            return error

    def abandon(self) -> None:
        """Remove the temporary files, which nobody is left to put in place."""
        clear(self._staged)


def _workers(jobs: int, job: Job) -> WorkerPool[Sequence[Task], list[FileResult] | Exception]:
    from hipify_py.project.worker_pool import WorkerPool  # with multiprocessing, which a run with nothing to do spares

    server = _TaskServer(job)
    return WorkerPool(jobs, server, server.abandon)


def _parallel(tasks: Sequence[Task], job: Job, jobs: int) -> Stream:
    undone: list[int] = []
    chunks = chunks_of(tasks, jobs)
    with _workers(min(jobs, len(chunks)), job) as workers:
        if not workers.size:
            yield from _alone(tasks, job)
            return
        for number, chunk in enumerate(chunks):
            workers.submit(number, [tasks[index] for index in chunk])
        for number, results in workers:
            if isinstance(results, Exception):
                raise results
            if results is None:
                undone += chunks[number]
            else:
                yield from zip(chunks[number], results, strict=True)
    yield from _one_by_one(tasks, sorted(undone), job)


def _one_by_one(tasks: Sequence[Task], undone: list[int], job: Job) -> Stream:
    """Redo the files in progress or waiting when a worker was killed, one per worker, which shows the one to blame."""
    while undone:
        with _workers(1, job) as workers:
            if not workers.size:
                yield from ((undone[index], result) for index, result in _alone([tasks[at] for at in undone], job))
                return
            while undone:
                index = undone.pop(0)
                discard_staged([tasks[index]])
                workers.submit(index, [tasks[index]])
                ((_, results),) = workers.replies()
                if isinstance(results, Exception):
                    raise results
                if results is None:
                    discard_staged([tasks[index]])
                    yield index, killed(tasks[index])
                    break
                yield index, results[0]


def chunks_of(tasks: Sequence[Task], jobs: int) -> list[list[int]]:
    """Indexes of the tasks: big files first and alone, small ones together.

    The last chunks get smaller and smaller, so that all workers end at about the same time.
    """
    left = sum(_weight(task) for task in tasks)
    largest = left // (jobs * _CHUNKS_PER_JOB)
    chunks: list[list[int]] = []
    room = 0
    for index in sorted(range(len(tasks)), key=lambda i: -tasks[i].size):
        weight = _weight(tasks[index])
        if room < weight or not chunks:
            chunks.append([])
            room = max(min(largest, left // (jobs * _LAST_CHUNKS)), SMALLEST_CHUNK)
        chunks[-1].append(index)
        room -= weight
        left -= weight
    return chunks


def _weight(task: Task) -> int:
    """The cost of a file, in bytes; even an empty one costs something."""
    return task.size + SMALLEST_CHUNK // 100
