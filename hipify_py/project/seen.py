"""What libclang's view of a project says of its files, and who can be asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from hipify_py.core.evidence import NO_EVIDENCE, Evidence
from hipify_py.core.project_context import Question
from hipify_py.project.result import LeftOpen

_NOTHING: Mapping[Question, Any] = {}


class Seen(NamedTuple):
    """What is said of one file.

    Attributes:
        evidence: the answers.
        hangs_on: what the answers depend on besides the file's content, as questions with answers: how it was parsed,
            what the project's other files hold that were read, and the headers in the folders that were searched.
        problem: why nothing is said; empty where something is.
        seconds: the processor time that it took.
        is_left_out: the file was not asked about, for the run has asked about as much as it may.
    """

    evidence: Evidence = NO_EVIDENCE
    hangs_on: Mapping[Question, Any] = _NOTHING
    problem: str = ""
    seconds: float = 0.0
    is_left_out: bool = False


LEFT_OUT = Seen(is_left_out=True)


class EvidenceProvider(Protocol):
    """Can be asked about the doubts that sources leave."""

    def settle(self, left: Mapping[str, LeftOpen], jobs: int | None = None) -> Mapping[str, Seen] | None:
        """What is said of files, by their paths; None where nobody can be asked. `jobs` processes may work on that."""

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds `project_context.SEEN`."""
