"""What libclang finds out about a project's files, and the interface of whatever answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from hipify_py.core.clang_facts import NO_EVIDENCE, Evidence
from hipify_py.core.project_context import Question
from hipify_py.project.result import LeftOpen

_NOTHING: Mapping[Question, Any] = {}


class FileEvidence(NamedTuple):
    """The answers about one file.

    Attributes:
        evidence: the answers.
        dependencies: what the answers depend on besides the file's content, as questions with answers: how the file was
            parsed, the content of the project files that were read, and the headers in the searched folders.
        problem: why there are no answers; empty if there are some.
        seconds: the processor time used.
        is_left_out: whether the file was skipped because the run has reached its limit.
    """

    evidence: Evidence = NO_EVIDENCE
    dependencies: Mapping[Question, Any] = _NOTHING
    problem: str = ""
    seconds: float = 0.0
    is_left_out: bool = False


LEFT_OUT = FileEvidence(is_left_out=True)


class EvidenceSource(Protocol):
    """Answers the questions that sources leave open."""

    def settle(self, left: Mapping[str, LeftOpen], jobs: int | None = None) -> Mapping[str, FileEvidence] | None:
        """The evidence on files, by path; None if nothing can answer. Up to `jobs` processes may work on it."""

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds in `project_context.SEEN`."""
