"""What a conversion changes in a file, for those who show it: bounded, however much that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.core.diff import Hunk, hunks
from hipify_py.core.edits import Edit

LARGEST = 200_000
"""Bytes of lines that are kept of one file, those around the changes included."""


class Changes(NamedTuple):
    """The changes in one file.

    Attributes:
        hunks: in the order of their lines; none where they are too large.
        size: the bytes of all their lines.
    """

    hunks: tuple[Hunk, ...]
    size: int


def changes_of(data: bytes, edits: Sequence[Edit]) -> Changes | None:
    """The changes that edits make; None where they make none."""
    found = tuple(hunks(data, edits))
    size = sum(_size(hunk) for hunk in found)
    return Changes(found if size <= LARGEST else (), size) if found else None


def _size(hunk: Hunk) -> int:
    lines = [*hunk.behind, *(line for part in hunk.parts for side in part for line in side)]
    return sum(map(len, lines))
