"""Executes the tasks of a plan, and puts the results in place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.options import Options
from hipify_py.project.contexts import NO_CONTEXTS, ContextMap
from hipify_py.project.errors import reason
from hipify_py.project.executor import BATCH, Executor, Job, Stream, on_disk
from hipify_py.project.file_stamp import is_as_read
from hipify_py.project.paths import is_within
from hipify_py.project.precomputed import Precomputed
from hipify_py.project.processes import Processes
from hipify_py.project.progress import UNTOLD, Progress
from hipify_py.project.result import FAILED, FileResult, LeftOpen, failure
from hipify_py.project.temporary import clear, sweep
from hipify_py.project.work import NO_OUTPUT, Task, recall
from hipify_py.project.write import commit, keep_backup, sync_folders

if TYPE_CHECKING:
    from hipify_py.project.clang_evidence import EvidenceSource
    from hipify_py.project.results_cache.cache import ResultsCache

Before = Callable[[Task, FileResult], None]
"""Called with a result before it is put in place."""


def run(
    tasks: Sequence[Task],
    options: Options,
    project: ContextMap = NO_CONTEXTS,
    *,
    wanted: str = NO_OUTPUT,
    jobs: int | None = None,
    backup: bool = False,
    progress: Progress = UNTOLD,
    first: Before = lambda task, result: None,
    cache: ResultsCache | None = None,
    executor: Executor | None = None,
    view: EvidenceSource | None = None,
) -> list[FileResult]:
    """Do all tasks; return their results in the same order, resolved across files (`resolve_cross_file`).

    A file that fails becomes a failed result; so does one that kills its worker process. On an interrupt, the run stops
    its workers, removes what they had staged, and lets the exception propagate.

    Args:
        jobs: worker processes; None uses all cores. Small runs use none.
        first: called with each result before it is put in place, to write what it depends on.
        cache: the outcomes of earlier runs, which are reused.
        executor: what does the tasks; by default, worker processes of this machine.
        view: libclang's view of the project, which settles the doubts that sources leave.
    """
    load_catalog(options.targeting)  # before forking, so that the workers share it
    executor = executor or Processes(jobs)
    results: list[FileResult | None] = [None] * len(tasks)
    recalled: set[int] = set()
    touched: set[str] = set()
    staged = [task.staged for task in tasks if task.staged]
    if staged:
        sweep(folder for task in tasks for folder in task.folders)
    try:
        job = Job(options, project, wanted, None if cache is None else cache.keys, None if view is None else {})
        with closing(_results(tasks, job, executor, cache, recalled, view, jobs)) as stream:
            for index, result in stream if view is None else _once_all_are_read(tasks, stream):
                if cache is not None and result.kept is not None:
                    cache.keep(result.kept)
                    result = result._replace(kept=None)
                first(tasks[index], result)
                results[index] = _commit(tasks[index], result, backup, touched)
                progress.done(tasks[index].size, anew=index not in recalled)
    finally:
        if staged:
            clear(staged)
    if touched:
        sync_folders(touched)
    return [result for result in results if result is not None]


def _once_all_are_read(tasks: Sequence[Task], stream: Stream) -> Iterator[tuple[int, FileResult]]:
    """The results; if files are replaced, only after all of them, as libclang reads the originals until then."""
    if not any(task.in_place for task in tasks):
        return stream
    return iter([*stream])


def _results(
    tasks: Sequence[Task],
    job: Job,
    executor: Executor,
    cache: ResultsCache | None,
    recalled: set[int],
    view: EvidenceSource | None,
    jobs: int | None,
) -> Stream:
    """All results: first those kept from earlier runs, also added to `recalled`, then those still to be computed."""
    left: Sequence[int] = range(len(tasks))
    if cache is not None and not cache.is_empty:
        undone: list[int] = []
        for start in range(0, len(tasks), BATCH):
            for index, result in _recalled(tasks, left[start : start + BATCH], job, cache, undone, view):
                recalled.add(index)
                yield index, result
        left = undone
    open: dict[int, LeftOpen] = {}
    with closing(executor.results([tasks[index] for index in left], job)) as stream:
        for index, result in stream:
            if result.left_open is None:
                yield left[index], result
            else:
                open[left[index]] = result.left_open
    if view is not None and open:
        yield from _settled(tasks, open, job, view, jobs)


def _settled(
    tasks: Sequence[Task], open: Mapping[int, LeftOpen], job: Job, view: EvidenceSource, jobs: int | None
) -> Stream:
    """The results of the tasks that were left open, with libclang's answers for all of them."""
    indexes = sorted(open)
    evidence = view.settle({tasks[index].path: open[index] for index in indexes}, jobs)
    found = {tasks[index].path: Precomputed.of(open[index]) for index in indexes}
    with closing(
        Processes(jobs).results([tasks[index] for index in indexes], job._replace(settled=evidence, found=found))
    ) as stream:
        yield from ((indexes[index], result) for index, result in stream)


def _recalled(
    tasks: Sequence[Task],
    batch: Sequence[int],
    job: Job,
    cache: ResultsCache,
    undone: list[int],
    view: EvidenceSource | None,
) -> Stream:
    """The results of a batch of tasks that earlier runs have kept; other tasks are added to `undone`."""
    found = {index: recall(tasks[index], job.project, job.wanted, cache, view) for index in batch}
    undone += [index for index, result in found.items() if result is None]
    known = {index: result for index, result in found.items() if result is not None}
    yield from zip(known, on_disk([tasks[index] for index in known], list(known.values())), strict=True)


def _commit(task: Task, result: FileResult, backup: bool, touched: set[str]) -> FileResult:
    """Rename what a worker staged over its target; a file renamed in place then loses its old name, and its folder
    with it, if nothing else is there.
    """
    if task.target is None or (result.status == FAILED and not result.staged):
        return result
    old = os.path.realpath(task.path) if task.in_place else None
    moves = old is not None and old != task.target
    if task.in_place and (result.staged or moves) and result.read_as and not is_as_read(task.path, result.read_as):
        return failure(task.path, "HIP901", "the file changed during the conversion and was not replaced; run again")
    try:
        if result.staged:
            commit(result.staged, task.target, backup_of=old if backup else None)
            if task.in_place:
                touched.add(os.path.dirname(task.target))
        elif moves and backup and old is not None:
            keep_backup(old)
        if moves and old is not None:
            os.unlink(old)
            _remove_empty(os.path.dirname(old), os.path.dirname(task.target))
    except OSError as error:
        return failure(task.path, "HIP901", f"cannot write {task.target}: {reason(error)}")
    return result._replace(staged="", target=task.target if result.staged or moves else None)


def _remove_empty(folder: str, other: str) -> None:
    """Remove a folder, and those above it, while they are empty and do not hold another one."""
    with suppress(OSError):  # it is not empty
        while not is_within(other, folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
