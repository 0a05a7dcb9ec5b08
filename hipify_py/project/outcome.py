"""What a translation made of one file's content, wherever the result goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.core.clang_facts import TypeQuery
from hipify_py.core.edits import Edit, apply
from hipify_py.project.result import FileResult


class Outcome(NamedTuple):
    """The report on a file, without its target, and the edits that lead to its HIP source.

    `doubts` are the questions that its content leaves open.
    """

    result: FileResult
    edits: Sequence[Edit] = ()
    doubts: Sequence[TypeQuery] = ()

    def output(self, data: bytes) -> bytes:
        """The HIP source of the content that was translated."""
        return apply(data, self.edits) if self.edits else data
