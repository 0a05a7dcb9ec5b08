"""What a conversion changes in a file, for display; bounded, however large the changes are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.core.diff import Hunk, hunks
from hipify_py.core.edits import Edit

LARGEST = 200_000
"""Limit, in bytes, on the lines kept for one file, context lines included."""


class Changes(NamedTuple):
    """The changes in one file.

    Attributes:
        hunks: in line order; empty if they are too large.
        size: the size of all their lines, in bytes.
    """

    hunks: tuple[Hunk, ...]
    size: int


def changes_of(data: bytes, edits: Sequence[Edit]) -> Changes | None:
    """The changes that edits make; None if they change nothing."""
    found = tuple(hunks(data, edits))
    size = sum(_size(hunk) for hunk in found)
    return Changes(found if size <= LARGEST else (), size) if found else None


def _size(hunk: Hunk) -> int:
    lines = [*hunk.behind, *(line for part in hunk.parts for side in part for line in side)]
    return sum(map(len, lines))
