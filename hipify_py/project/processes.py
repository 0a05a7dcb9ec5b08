"""Executes the tasks of a run in worker processes of this machine, if that pays off."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from hipify_py.catalog import load_catalog
from hipify_py.project.executor import BATCH, SMALLEST_CHUNK, Job, Stream, discard_staged, do, killed
from hipify_py.project.process_utils import PARALLEL_BYTES, can_fork, leave_signals_to_parent
from hipify_py.project.result import FileResult
from hipify_py.project.temporary import clear
from hipify_py.project.work import Task

_CHUNKS_PER_JOB = 16
_LAST_CHUNKS = 4
"""Chunks of the remaining work that each worker should get at any time."""

_worker: Job | None = None
_staged_here: set[str] = set()
"""The temporary files that this worker has made or is about to make."""


class Processes:
    """Does small runs in this process, and others on all cores."""

    def __init__(self, jobs: int | None = None) -> None:
        """`jobs` is the number of worker processes; None uses all cores."""
        self._jobs = jobs or cores()

    def results(self, tasks: Sequence[Task], job: Job) -> Stream:
        """Do the tasks; an interrupt stops the workers."""
        if self._jobs == 1 or len(tasks) < 2 or sum(task.size for task in tasks) < PARALLEL_BYTES:
            for start in range(0, len(tasks), BATCH):
                batch = tasks[start : start + BATCH]
                yield from enumerate(do(batch, job), start)
        else:
            yield from _parallel(tasks, job, self._jobs)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parallel(tasks: Sequence[Task], job: Job, jobs: int) -> Stream:
    undone: list[int] = []
    chunks = chunks_of(tasks, jobs)
    with _Pool(min(jobs, len(chunks)), job) as pool:
        futures = {pool.submit([tasks[index] for index in chunk]): chunk for chunk in chunks}
        for future in as_completed(futures):
            chunk = futures[future]
            try:
                yield from zip(chunk, future.result(), strict=True)
            except BrokenProcessPool:
                undone += chunk
    yield from _one_by_one(tasks, sorted(undone), job)


def _one_by_one(tasks: Sequence[Task], undone: list[int], job: Job) -> Stream:
    """Redo the files in progress or waiting when a worker was killed, one per worker, which shows the one to blame."""
    while undone:
        with _Pool(1, job) as pool:
            while undone:
                index = undone.pop(0)
                discard_staged([tasks[index]])
                try:
                    yield index, pool.submit([tasks[index]]).result()[0]
                except BrokenProcessPool:
                    discard_staged([tasks[index]])
                    yield index, killed(tasks[index])
                    break


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


class _Pool:
    """Worker processes that end with the `with` block; immediately if an exception leaves the block."""

    def __init__(self, jobs: int, job: Job) -> None:
        import multiprocessing

        self._earlier = set(multiprocessing.active_children())
        context: Any = multiprocessing.get_context("fork" if can_fork() else None)
        self._executor: ProcessPoolExecutor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_start_worker, initargs=(job,)
        )

    def submit(self, tasks: list[Task]) -> Future[list[FileResult]]:
        return self._executor.submit(_work, tasks)

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if kind is not None:
            import multiprocessing

            for child in set(multiprocessing.active_children()) - self._earlier:
                child.terminate()
        self._executor.shutdown(wait=True, cancel_futures=True)


def _start_worker(job: Job) -> None:
    global _worker
    leave_signals_to_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load_catalog(job.options.targeting)
    gc.freeze()  # objects made by the parent are not scanned, and their pages stay shared
    _worker = job


def _end_with_parent() -> None:
    """Wait until the parent is gone: nobody would take the results or remove the staged files then."""
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        clear(_staged_here)
        os._exit(1)


def _work(tasks: list[Task]) -> list[FileResult]:
    assert _worker is not None
    _staged_here.update(task.staged for task in tasks if task.staged)
    return do(tasks, _worker)
