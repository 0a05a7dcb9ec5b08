"""Has the workers of a cluster translate the sources of a run.

Everything else happens here: planning, the results cache, and writing. A worker returns the outcome of a source in the
form in which the results cache stores it, so the results equal those of a run without a cluster.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.core.project_context import Question
from hipify_py.core.source import UnreadableSource
from hipify_py.findings.suppression import ignored_in
from hipify_py.project.cluster.examining import Answer, Briefing, NotThere, Refused, Sent, content_digest, examine, same
from hipify_py.project.cluster.installation import installation
from hipify_py.project.cluster.window import Killed, Window
from hipify_py.project.errors import PlanError
from hipify_py.project.executor import BATCH, SMALLEST_CHUNK, Job, Stream, discard_staged, do, killed, on_disk
from hipify_py.project.precomputed import Precomputed
from hipify_py.project.result import FileResult
from hipify_py.project.work import TRANSLATE, Task, has_no_cuda, process, read

if TYPE_CHECKING:
    from distributed import Client, Future

_CHUNKS = 200
"""The minimum number of chunks, if there are enough sources: the last chunks should end at the same time."""

_LARGEST_CHUNK = 1_000_000
"""Bytes of sources in a chunk, unless one source is larger: some seconds of work, which a killed worker loses."""

_MOST_FILES = 200


class _Source(NamedTuple):
    """A source in progress, as it was read; `number` is the index of its task."""

    number: int
    mark: tuple[int, ...]
    data: bytes


_Chunk = list[_Source]


class Cluster:
    """An executor that uses the workers of a cluster."""

    def __init__(self, client: Client, *, shared: bool = False) -> None:
        """With `shared`, workers read sources under the same paths as this machine, if they find them there."""
        self._client = client
        self._shared = shared

    def results(self, tasks: Sequence[Task], job: Job) -> Stream:
        """Do the tasks; on an interrupt, those in progress are abandoned."""
        run = _Run(self._client, self._shared, tasks, job)
        try:
            yield from run.results()
        finally:
            run.window.cancel()


class _Run:
    def __init__(self, client: Client, shared: bool, tasks: Sequence[Task], job: Job) -> None:
        self.window: Window[_Chunk] = Window(client, examine)
        self._client = client
        self._shared = shared
        self._tasks = tasks
        self._job = job
        self._briefing: tuple[bytes, Future] | None = None
        self._undone: _Chunk = []
        self._chunk: _Chunk = []
        total = sum(task.size for task in tasks if task.kind == TRANSLATE)
        self._largest = min(max(total // _CHUNKS, SMALLEST_CHUNK), _LARGEST_CHUNK)

    def results(self) -> Stream:
        others: list[int] = []
        for index in sorted(range(len(self._tasks)), key=lambda each: -self._tasks[each].size):
            task = self._tasks[index]
            if task.kind != TRANSLATE or task.unsaved is not None:
                others.append(index)
                continue
            result = self._result_at_once(index)
            if result is not None:
                yield from zip([index], on_disk([task], [result]), strict=True)
            elif sum(len(source.data) for source in self._chunk) >= self._largest or len(self._chunk) >= _MOST_FILES:
                yield from self._hand_out()
            for chunk, answers in self.window.finished():
                yield from self._taken(chunk, answers)
        if self._chunk:
            yield from self._hand_out()
        for start in range(0, len(others), BATCH):
            batch = others[start : start + BATCH]
            yield from zip(batch, do([self._tasks[index] for index in batch], self._job), strict=True)
            for chunk, answers in self.window.finished():
                yield from self._taken(chunk, answers)
        for chunk, answers in self.window.rest():
            yield from self._taken(chunk, answers)
        yield from self._one_by_one()

    def _result_at_once(self, index: int) -> FileResult | None:
        """The result of a source that no worker needs to process; None if it was added to the chunk."""
        task = self._tasks[index]
        asked: dict[Question, Any] = {}
        try:
            mark, data = read(task.path)
            if not task.is_build_file:
                context = self._job.project.of(task.path)._replace(asked=asked)
                if has_no_cuda(data, task.path, self._job.options, context):
                    return self._process(task, Precomputed(mark, data, tuple(asked.items())))
        except (OSError, MemoryError, UnreadableSource):
            return self._process(task, None)
        self._chunk.append(_Source(index, mark, data))
        return None

    def _process(self, task: Task, found: Precomputed | None) -> FileResult:
        job = self._job
        return process(task, job.options, job.project, job.wanted, job.keys, found, job.settled)

    def _hand_out(self) -> Stream:
        """Send the chunk to the workers once there is room for it."""
        while self.window.is_full:
            yield from self._taken(*self.window.take())
        self._submit(self._chunk, by_place=self._shared)
        self._chunk = []

    def _submit(self, chunk: _Chunk, *, by_place: bool) -> None:
        key, image = self._brief()
        sources = [self._sent(source, by_place=by_place) for source in chunk]
        self.window.submit(chunk, key, image, sources, size=sum(len(source.data) for source in chunk))

    def _sent(self, source: _Source, *, by_place: bool) -> Sent:
        task = self._tasks[source.number]
        ignored = ignored_in(self._job.options.file_ignores, task.path)
        sent = Sent(task.path, task.support_header, task.is_build_file, ignored, source.data)
        if not by_place:
            return sent
        return sent._replace(data=None, place=os.path.abspath(task.path), digest=content_digest(source.data))

    def _brief(self) -> tuple[bytes, Future]:
        """The data shared by all sources, sent once."""
        if self._briefing is None:
            options = self._job.options
            tables = []
            for path in options.targeting.tables:
                with open(path, "rb") as file:
                    tables.append((os.path.basename(path), file.read()))
            sent = options._replace(file_ignores=type(options.file_ignores)())
            image = pickle.dumps(Briefing(installation(), sent, tuple(tables), self._job.project))
            self._briefing = content_digest(image), self._client.submit(same, image, pure=False)
        return self._briefing

    def _taken(self, chunk: _Chunk, answers: Any) -> Stream:
        """The results of a chunk, put in place."""
        if isinstance(answers, Refused):
            raise PlanError(f"a worker of the cluster cannot take part: {answers.reason}")
        if isinstance(answers, Killed):
            self._undone += chunk
            return
        elsewhere = [at for at, answer in enumerate(answers) if isinstance(answer[-1], NotThere)]
        if elsewhere:
            self._submit([chunk[at] for at in elsewhere], by_place=False)
        here = [at for at in range(len(chunk)) if at not in elsewhere]
        done = [self._result(chunk[at], answers[at]) for at in here]
        tasks = [self._tasks[chunk[at].number] for at in here]
        yield from zip([chunk[at].number for at in here], on_disk(tasks, done), strict=True)

    def _result(self, source: _Source, answer: Answer) -> FileResult:
        return self._process(self._tasks[source.number], Precomputed(source.mark, source.data, *answer))

    def _one_by_one(self) -> Iterator[tuple[int, FileResult]]:
        """The results of chunks that killed workers, source by source, which shows which source is to blame."""
        for source in self._undone:
            self._submit([source], by_place=False)
            _, answers = self.window.take()
            if isinstance(answers, Killed):
                task = self._tasks[source.number]
                discard_staged([task])
                yield source.number, killed(task)
            else:
                yield from self._taken([source], answers)
