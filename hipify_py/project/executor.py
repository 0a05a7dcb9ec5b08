"""Executes the tasks of a run: worker processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hipify_py.core.options import Options
from hipify_py.project.contexts import ContextMap
from hipify_py.project.errors import reason
from hipify_py.project.faults import FAULT
from hipify_py.project.result import FileResult, failure
from hipify_py.project.work import Task, process
from hipify_py.project.write import discard, sync_files

if TYPE_CHECKING:
    from hipify_py.project.clang_evidence import FileEvidence
    from hipify_py.project.precomputed import Precomputed
    from hipify_py.project.results_cache.keys import Keys

BATCH = 16
"""Files whose results are delivered together when one process does them."""

SMALLEST_CHUNK = 50_000
"""Bytes; for less, handing out the work costs more than doing it."""


class Job(NamedTuple):
    """The data shared by all tasks of a run.

    Attributes:
        keys: set if results are to be kept for the next run.
        settled: if libclang is asked, its answers by path; other files that leave doubts are left open.
        found: outcomes of sources that are already known, by path.
    """

    options: Options
    project: ContextMap
    wanted: str
    keys: Keys | None = None
    settled: Mapping[str, FileEvidence] | None = None
    found: Mapping[str, Precomputed] = {}


Stream = Generator[tuple[int, FileResult], None, None]
"""Results with their tasks' indexes, as they become ready."""


class Executor(Protocol):
    """Does tasks."""

    def results(self, tasks: Sequence[Task], job: Job) -> Stream:
        """Do the tasks; a file that fails, or kills its process, becomes a failed result.

        Whatever will replace an original is on the disk by the time its result arrives.
        """


def killed(task: Task) -> FileResult:
    """The result of a file that killed the process that worked on it."""
    return failure(task.path, FAULT, "the process that converted it was killed")


def do(tasks: Sequence[Task], job: Job) -> list[FileResult]:
    """Process the tasks; whatever will replace an original is then on the disk."""
    results = [
        process(task, job.options, job.project, job.wanted, job.keys, job.found.get(task.path), job.settled)
        for task in tasks
    ]
    return on_disk(tasks, results)


def on_disk(tasks: Sequence[Task], results: list[FileResult]) -> list[FileResult]:
    """Flush whatever will replace an original to the disk."""
    waiting = [result.staged for task, result in zip(tasks, results, strict=True) if task.in_place and result.staged]
    if waiting:
        failed = sync_files(waiting)
        if failed:
            return [_unless_failed(result, failed) for result in results]
    return results


def _unless_failed(result: FileResult, failed: Mapping[str, OSError]) -> FileResult:
    error = failed.get(result.staged)
    if error is None:
        return result
    discard(result.staged)
    return failure(result.path, "HIP901", f"cannot write {result.target}: {reason(error)}")


def discard_staged(tasks: Iterable[Task]) -> None:
    """Remove what was staged for some tasks."""
    for task in tasks:
        if task.staged:
            discard(task.staged)
