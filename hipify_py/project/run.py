"""Runs the tasks of a plan, on all cores where that pays, and puts the results in place."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from hipify_py import witness
from hipify_py.options import Options
from hipify_py.project.contexts import NO_CONTEXTS, ProjectContexts
from hipify_py.project.marks import is_as_read
from hipify_py.project.progress import UNTOLD, Progress
from hipify_py.project.result import FAILED, FileResult, failure, reason
from hipify_py.project.work import NO_OUTPUT, TRANSLATE, Task, process, recall
from hipify_py.records import NamedTuple

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from hipify_py.project.results_cache.cache import ResultsCache
    from hipify_py.project.results_cache.keys import Keys

PARALLEL_BYTES = 150_000
"""Less than this is done before worker processes would have started."""

_CHUNKS_PER_JOB = 16
_BATCH = 16  # files whose results come together when there is only this process
_SMALLEST_CHUNK = 50_000  # bytes; below, handing out the work costs more than doing it


class Job(NamedTuple):
    """What holds for all tasks of a run; `keys` are there when results are to be kept for the next one."""

    options: Options
    project: ProjectContexts
    wanted: str
    keys: Keys | None = None


Stream = Generator[tuple[int, FileResult], None, None]
"""Results with their tasks' indexes, as they become ready."""

Before = Callable[[Task, FileResult], None]
"""Told of a result before it is put in place."""

_worker: Job | None = None
_staged_here: set[str] = set()
"""The temporary files that this worker has made, or is going to."""


def run(
    tasks: Sequence[Task],
    options: Options,
    project: ProjectContexts = NO_CONTEXTS,
    *,
    wanted: str = NO_OUTPUT,
    jobs: int | None = None,
    backup: bool = False,
    progress: Progress = UNTOLD,
    first: Before = lambda task, result: None,
    cache: ResultsCache | None = None,
) -> list[FileResult]:
    """Do all tasks, and return their results in the same order, each as its file has it (`resolve_cross_file`).

    A file that fails becomes a failed result; so does one that kills its worker process. Interrupted, the
    run stops its workers, removes what they had staged, and lets the exception go on.

    Args:
        jobs: worker processes; None takes all cores. Small runs use none.
        first: called with each result before it is put in place, to write what it leans on.
        cache: what earlier runs have found out, which is not done again.
    """
    from hipify_py.catalog import load_catalog

    load_catalog(options.targeting)  # before forking, so that the workers share it
    jobs = jobs or _cores()
    results: list[FileResult | None] = [None] * len(tasks)
    recalled: set[int] = set()
    touched: set[str] = set()
    staged = [task.staged for task in tasks if task.staged]
    if staged:
        from hipify_py.project.temporary import sweep

        sweep(folder for task in tasks for folder in task.folders)
    try:
        job = Job(options, project, wanted, None if cache is None else cache.keys)
        with closing(_results(tasks, job, jobs, cache, recalled)) as stream:
            for index, result in stream:
                if cache is not None and result.kept is not None:
                    cache.shelf.keep(result.path, result.kept)
                    result = result._replace(kept=None)
                if result.support_header:  # whether it was there entered (see `lost_support`)
                    witness.exists(os.path.join(os.path.dirname(result.path), result.support_header))
                first(tasks[index], result)
                results[index] = _commit(tasks[index], result, backup, touched)
                progress.done(tasks[index].size, anew=index not in recalled)
    finally:
        if staged:
            from hipify_py.project.temporary import clear

            clear(staged)
    if touched:
        from hipify_py.project.write import sync_folders

        sync_folders(touched)
    return [result for result in results if result is not None]


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _results(tasks: Sequence[Task], job: Job, jobs: int, cache: ResultsCache | None, recalled: set[int]) -> Stream:
    """All results: at once what earlier runs have kept, which `recalled` gets too, then what has to be done."""
    left: Sequence[int] = range(len(tasks))
    if cache is not None and not cache.shelf.is_empty:
        undone: list[int] = []
        for start in range(0, len(tasks), _BATCH):
            for index, result in _recalled(tasks, left[start : start + _BATCH], job, cache, undone):
                recalled.add(index)
                yield index, result
        left = undone
    yield from ((left[index], result) for index, result in _done([tasks[index] for index in left], job, jobs))


def _recalled(tasks: Sequence[Task], batch: Sequence[int], job: Job, cache: ResultsCache, undone: list[int]) -> Stream:
    """What earlier runs have kept of a batch of tasks; the others are added to `undone`."""
    found = {index: recall(tasks[index], job.project, job.wanted, cache.keys, cache.shelf) for index in batch}
    undone += [index for index, result in found.items() if result is None]
    known = {index: result for index, result in found.items() if result is not None}
    yield from zip(known, _on_disk([tasks[index] for index in known], list(known.values())), strict=True)


def _done(tasks: Sequence[Task], job: Job, jobs: int) -> Stream:
    if jobs == 1 or len(tasks) < 2 or sum(task.size for task in tasks) < PARALLEL_BYTES:
        for start in range(0, len(tasks), _BATCH):
            batch = tasks[start : start + _BATCH]
            yield from enumerate(_do(batch, job), start)
    else:
        yield from _parallel(tasks, job, jobs)


def _parallel(tasks: Sequence[Task], job: Job, jobs: int) -> Stream:
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    undone: list[int] = []
    chunks = _chunks(tasks, jobs)
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
    """The files that were under way or waiting when a worker was killed; a worker of its own tells whose fault."""
    from concurrent.futures.process import BrokenProcessPool

    while undone:
        with _Pool(1, job) as pool:
            while undone:
                index = undone.pop(0)
                _discard_staged([tasks[index]])
                try:
                    yield index, pool.submit([tasks[index]]).result()[0]
                except BrokenProcessPool:
                    _discard_staged([tasks[index]])
                    yield index, failure(tasks[index].path, "HIP905", "the process that worked on it was killed")
                    break


def _chunks(tasks: Sequence[Task], jobs: int) -> list[list[int]]:
    """Indexes of the tasks: the big files first and alone, the small ones together."""
    total = sum(task.size for task in tasks)
    limit = max(total // (jobs * _CHUNKS_PER_JOB), _SMALLEST_CHUNK)
    chunks: list[list[int]] = []
    room = 0
    for index in sorted(range(len(tasks)), key=lambda i: -tasks[i].size):
        if room < tasks[index].size or not chunks:
            chunks.append([])
            room = limit
        chunks[-1].append(index)
        room -= tasks[index].size + _SMALLEST_CHUNK // 100  # even an empty file costs something
    return chunks


class _Pool:
    """Worker processes that end with the `with` block; at once, when that is left by an exception."""

    def __init__(self, jobs: int, job: Job) -> None:
        import multiprocessing
        import sys
        from concurrent.futures import ProcessPoolExecutor

        self._earlier = set(multiprocessing.active_children())
        forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
        context: Any = multiprocessing.get_context("fork" if forks else None)
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
    import gc
    import signal
    import threading

    from hipify_py.catalog import load_catalog

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C and hanging up reach the whole group; the parent decides
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load_catalog(job.options.targeting)
    gc.freeze()  # what the parent made is not looked through, and its pages stay shared
    _worker = job


def _end_with_parent() -> None:
    """Wait until the parent is gone; nobody would take the results then, nor remove what is staged."""
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        from hipify_py.project.temporary import clear

        clear(_staged_here)
        os._exit(1)


def _work(tasks: list[Task]) -> list[FileResult]:
    assert _worker is not None
    _staged_here.update(task.staged for task in tasks if task.staged)
    return _do(tasks, _worker)


def _do(tasks: Sequence[Task], job: Job) -> list[FileResult]:
    """Process the tasks; what is going to replace an original is on the disk then."""
    return _on_disk(tasks, [process(task, job.options, job.project, job.wanted, job.keys) for task in tasks])


def _on_disk(tasks: Sequence[Task], results: list[FileResult]) -> list[FileResult]:
    """Bring to the disk what is going to replace an original."""
    waiting = [result.staged for task, result in zip(tasks, results, strict=True) if task.in_place and result.staged]
    if waiting:
        from hipify_py.project.write import sync_files

        failed = sync_files(waiting)
        if failed:
            return [_unless_failed(result, failed) for result in results]
    return results


def _unless_failed(result: FileResult, failed: Mapping[str, OSError]) -> FileResult:
    error = failed.get(result.staged)
    if error is None:
        return result
    from hipify_py.project.write import discard

    discard(result.staged)
    return failure(result.path, "HIP901", f"cannot write {result.target}: {reason(error)}")


def _commit(task: Task, result: FileResult, backup: bool, touched: set[str]) -> FileResult:
    """Rename what a worker staged over its target; a file renamed in place loses its old name then."""
    if task.target is None or (result.status == FAILED and not result.staged):
        return result
    from hipify_py.project.write import commit, keep_backup

    old = os.path.realpath(task.path) if task.kind == TRANSLATE and task.in_place else None
    moves = old is not None and old != task.target
    if task.in_place and (result.staged or moves) and result.read_as and not is_as_read(task.path, result.read_as):
        return failure(task.path, "HIP901", "it was changed while it was converted, and stays as it is now; run again")
    try:
        if result.staged:
            commit(result.staged, task.target, backup_of=old if backup else None)
            if task.in_place:
                touched.add(os.path.dirname(task.target))
        elif moves and backup and old is not None:
            keep_backup(old)
        if moves and old is not None:
            os.unlink(old)
    except OSError as error:
        return failure(task.path, "HIP901", f"cannot write {task.target}: {reason(error)}")
    return result._replace(staged="", target=task.target if result.staged or moves else None)


def _discard_staged(tasks: Iterable[Task]) -> None:
    from hipify_py.project.write import discard

    for task in tasks:
        if task.staged:
            discard(task.staged)
