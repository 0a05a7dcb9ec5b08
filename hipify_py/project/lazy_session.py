"""libclang's view of files that are checked one by one; few of them leave doubts to ask about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hipify_py.core.options import ON, Options
from hipify_py.project.work import NO_OUTPUT, Task, process

if TYPE_CHECKING:
    from hipify_py.core.project_context import Question
    from hipify_py.project.clang_evidence import EvidenceSource, FileEvidence
    from hipify_py.project.clang_session import ClangSession
    from hipify_py.project.contexts import ContextMap
    from hipify_py.project.result import FileResult, LeftOpen
    from hipify_py.project.source_store import SourceStore


class LazySession:
    """libclang's view of files that are checked one by one; the search for libclang starts at the first doubt."""

    def __init__(self, paths: Sequence[str], options: Options, texts: SourceStore) -> None:
        """With `options.semantics` on, search for libclang and the headers at once.

        Raises:
            PlanError: if something is missing that the user requires.
        """
        self._paths = paths
        self._options = options
        self._texts = texts
        if options.semantics == ON:
            from hipify_py.project.clang_sessions import found_parts

            found_parts([options])

    @cached_property
    def _view(self) -> ClangSession | None:
        from hipify_py.project.clang_sessions import found_parts

        parts = found_parts([self._options])
        if parts is None:
            return None
        from hipify_py.project.clang_session import ClangSession

        return ClangSession(parts, self._paths, self._paths, self._texts)

    def settle(self, left: Mapping[str, LeftOpen], jobs: int | None = None) -> Mapping[str, FileEvidence] | None:
        """The answers to the doubts about files with their content, by path; None if nothing can answer."""
        return None if self._view is None else self._view.settle(left, jobs)

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds in `project_context.SEEN`."""
        return None if self._view is None else self._view.answer(question)


def process_alone(
    task: Task,
    options: Options,
    project: ContextMap,
    wanted: str = NO_OUTPUT,
    view: EvidenceSource | None = None,
) -> FileResult:
    """Do one task; a view is asked at once about the doubts that the source leaves."""
    result = process(task, options, project, wanted, settled=None if view is None else {})
    if view is None or result.left_open is None:
        return result
    from hipify_py.project.precomputed import Precomputed

    evidence = view.settle({task.path: result.left_open})
    return process(task, options, project, wanted, found=Precomputed.of(result.left_open), settled=evidence)
