"""Things that lie within each other in a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Generic, TypeVar

_Thing = TypeVar("_Thing")


class Nested(Generic[_Thing]):
    """Things with byte ranges that lie within each other, to be asked which of them are around a place."""

    __slots__ = ("_ends", "_outer", "_starts", "_things")

    def __init__(self, ranged: Iterable[tuple[int, int, _Thing]]) -> None:
        """`ranged` holds the start and end of each, and the thing itself."""
        found = sorted(ranged, key=lambda one: (one[0], -one[1]))
        self._things = [thing for _, _, thing in found]
        self._starts = [start for start, _, _ in found]
        self._ends = [end for _, end, _ in found]
        self._outer: list[int] = []
        """The number of the one next around each, which may end before it does; -1 for none."""
        open: list[int] = []
        for at, start in enumerate(self._starts):
            while open and self._ends[open[-1]] <= start:
                open.pop()
            self._outer.append(open[-1] if open else -1)
            open.append(at)

    def around(self, place: int) -> list[_Thing]:
        """Those whose ranges hold a place, outer ones first: from the last one that begins before it outwards."""
        found = []
        at = bisect_right(self._starts, place) - 1
        while at >= 0:
            if place < self._ends[at]:
                found.append(self._things[at])
            at = self._outer[at]
        found.reverse()
        return found
