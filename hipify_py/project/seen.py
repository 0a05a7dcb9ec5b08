"""What libclang's view of a project says of one of its files, and who can be asked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hipify_py.evidence import NO_EVIDENCE, Doubt, Evidence
from hipify_py.project_context import Question
from hipify_py.records import NamedTuple

_NOTHING: Mapping[Question, Any] = {}


class Seen(NamedTuple):
    """What is said of one file.

    Attributes:
        evidence: the answers.
        hangs_on: what the answers hang on besides the file's content, as questions with answers: how it was parsed, and
            what the project's other files hold that were read.
        problem: why nothing is said; empty where something is.
        seconds: how long that took.
    """

    evidence: Evidence = NO_EVIDENCE
    hangs_on: Mapping[Question, Any] = _NOTHING
    problem: str = ""
    seconds: float = 0.0


class AnyView(Protocol):
    """Can be asked about doubts."""

    def prepare(self) -> None:
        """Do at once what all questions need, before workers are handed the view."""

    def ask(self, path: str, data: bytes, doubts: Sequence[Doubt]) -> Seen | None:
        """The answers to the doubts about a file with its content; None where nobody can be asked."""

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds `project_context.SEEN`."""
