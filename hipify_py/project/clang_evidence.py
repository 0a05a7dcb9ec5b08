"""What libclang's view of a project says of its files, and who can be asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from hipify_py.core.clang_facts import NO_EVIDENCE, Evidence
from hipify_py.core.project_context import Question
from hipify_py.project.result import LeftOpen

_NOTHING: Mapping[Question, Any] = {}


class FileEvidence(NamedTuple):
    """What is said of one file.

    Attributes:
        evidence: the answers.
        dependencies: what the answers depend on besides the file's content, as questions with answers: how the file was
            parsed, the content of the project's files that were read, and the headers in the searched folders.
        problem: why there are no answers; empty where there are.
        seconds: the processor time that it took.
        is_left_out: whether the file was skipped because the run has reached its limit.
    """

    evidence: Evidence = NO_EVIDENCE
    dependencies: Mapping[Question, Any] = _NOTHING
    problem: str = ""
    seconds: float = 0.0
    is_left_out: bool = False


LEFT_OUT = FileEvidence(is_left_out=True)


class EvidenceSource(Protocol):
    """Can be asked about the doubts that sources leave."""

    def settle(self, left: Mapping[str, LeftOpen], jobs: int | None = None) -> Mapping[str, FileEvidence] | None:
        """What is said of files, by their paths; None where nobody can be asked. `jobs` processes may work on that."""

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds `project_context.SEEN`."""
