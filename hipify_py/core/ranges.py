"""Byte ranges that can be tested for membership."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple


class Range(NamedTuple):
    """A range of bytes."""

    start: int
    end: int


class Ranges:
    """Half-open byte ranges, in any order and possibly nested; `offset in ranges` takes a bisection."""

    __slots__ = ("_reach", "_starts")

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(ranges)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def __contains__(self, offset: int) -> bool:
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._reach[at]
