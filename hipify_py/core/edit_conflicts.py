"""Settles edits that contradict each other: the statement that they stand in stays as it is, and is reported.

Rules yield edits that overlap where they read a broken source differently, or by a mistake of ours. Neither may cost
the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hipify_py.core.edits import CompositeEdit, Edit, OverlappingEdits, extent, ordered, resolve
from hipify_py.core.findings import Finding
from hipify_py.core.unit import Unit

_BOUND = re.compile(rb"[;{}]")
_MOST_STATEMENTS = 100
"""Statements that are left one by one; a source with more of them stays as it is as a whole."""


class LeftStatements:
    """The statements of a source that stay as they are, with a finding for each."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._ranges: list[tuple[int, int]] = []
        self.findings: list[Finding] = []

    def __contains__(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self._ranges)

    def leave(self, start: int, end: int, place: int) -> None:
        """Leave `[start, end)` as it is, for what `place` shows."""
        self._ranges.append((start, end))
        detail = "the whole file" if (start, end) == (0, len(self._unit.source.data)) else "the statement"
        self.findings.append(self._unit.finding("HIP909", place, detail=detail))


def settled(
    unit: Unit, edits: Sequence[Edit], composites: Sequence[CompositeEdit], first: OverlappingEdits
) -> tuple[list[Edit], LeftStatements]:
    """The edits without those of the statements in which some overlap, in order, and what is left for that.

    Args:
        unit: the source.
        edits: the plain edits, in any order.
        composites: those that are still to be resolved.
        first: what came of resolving them.
    """
    left, found = LeftStatements(unit), first
    for _ in range(_MOST_STATEMENTS):
        start, end = _statements(unit, found.start, found.end, [*edits, *composites])
        left.leave(start, end, found.start)
        edits = [edit for edit in edits if not _meets(edit, start, end)]
        composites = [edit for edit in composites if not _meets(edit, start, end)]
        try:
            return ordered(resolve(unit.source.data, list(edits), composites)), left
        except OverlappingEdits as error:
            found = error
    left.leave(0, len(unit.source.data), found.start)
    return [], left


def _statements(unit: Unit, start: int, end: int, edits: Iterable[Edit | CompositeEdit]) -> tuple[int, int]:
    """The statements around a range, and around all that is edited in them."""
    extents = sorted(map(extent, edits))
    while True:
        start, end = _bounds(unit, start, end)
        inside = [found for found in extents if found[0] < end and start < found[1]]
        first, last = min([start, *(one for one, _ in inside)]), max([end, *(one for _, one in inside)])
        if (first, last) == (start, end):
            return start, end
        start, end = first, last


def _bounds(unit: Unit, start: int, end: int) -> tuple[int, int]:
    """`[start, end)`, out to the `;`, `{` or `}` on both sides of it, or to the ends of the directive it stands in."""
    lexemes, data = unit.lexemes, unit.source.data
    define = lexemes.define_around(start)
    if define is not None:
        return data.rfind(b"\n", 0, define.start) + 1, max(end, lexemes.body_end(define))
    while start:
        place = max(data.rfind(byte, 0, start) for byte in (b";", b"{", b"}"))
        skip = lexemes.non_code_at(place) if place >= 0 else None
        if skip is None:
            start = place + 1
            break
        start = skip[0]
    for bound in _BOUND.finditer(data, end):
        if lexemes.non_code_at(bound.start()) is None:
            return start, bound.end()
    return start, len(data)


def _meets(edit: Edit | CompositeEdit, start: int, end: int) -> bool:
    """An edit lies in the range; an insertion at its ends does not."""
    first, last = extent(edit)
    return first < end and start < last if first < last else start < first < end
