"""Outcomes of sources that were computed elsewhere, such as on another machine."""

from __future__ import annotations

from typing import Any, NamedTuple

from hipify_py.core.project_context import Question
from hipify_py.project.outcome import Outcome
from hipify_py.project.result import LeftOpen
from hipify_py.project.results_cache.entries import unpacked


class Precomputed(NamedTuple):
    """The outcome of one source, without its target.

    Attributes:
        mark: distinguishes the file's content from later content (`file_stamp.file_stamp`).
        data: its content.
        asked: the questions asked about the project's files for it, with the answers.
        packed: the outcome as bytes (see `results_cache.entries`).
        error: the exception raised instead of an outcome.
    """

    mark: tuple[int, ...] | None
    data: bytes
    asked: tuple[tuple[Question, Any], ...] = ()
    packed: bytes = b""
    error: Exception | None = None

    @classmethod
    def of(cls, left: LeftOpen) -> Precomputed:
        """The stored outcome of a source that leaves doubts."""
        return cls(left.mark, left.data, left.asked, left.packed)

    def outcome(self, path: str, asked: dict[Question, Any]) -> Outcome:
        """The outcome for the file at `path`; the questions asked for it are added to `asked`.

        Raises:
            Exception: the one that was raised elsewhere.
        """
        if self.error is not None:
            raise self.error
        asked.update(self.asked)
        return unpacked(self.packed, path)
