"""What has been found out of a source elsewhere, such as by another machine."""

from __future__ import annotations

from typing import Any, NamedTuple

from hipify_py.core.project_context import Question
from hipify_py.project.outcome import Outcome
from hipify_py.project.result import LeftOpen
from hipify_py.project.results_cache.entries import unpacked


class Precomputed(NamedTuple):
    """The outcome of one source, without where it goes.

    Attributes:
        mark: what tells the file's content from what it may be later (`marks.file_stamp`).
        data: its content.
        asked: the questions about the project's files that were asked for it, with the answers.
        packed: the outcome as bytes (see `results_cache.entries`).
        error: what was raised in place of an outcome.
    """

    mark: tuple[int, ...] | None
    data: bytes
    asked: tuple[tuple[Question, Any], ...] = ()
    packed: bytes = b""
    error: Exception | None = None

    @classmethod
    def of(cls, left: LeftOpen) -> Precomputed:
        """What was found out of a source that leaves doubts."""
        return cls(left.mark, left.data, left.asked, left.packed)

    def outcome(self, path: str, asked: dict[Question, Any]) -> Outcome:
        """The outcome for the file at `path`; what was asked for it is added to `asked`.

        Raises:
            Exception: what was raised elsewhere.
        """
        if self.error is not None:
            raise self.error
        asked.update(self.asked)
        return unpacked(self.packed, path)
