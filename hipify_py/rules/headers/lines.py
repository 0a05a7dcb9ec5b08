"""Lines that are added to a source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipify_py.core.edits import Edit
from hipify_py.core.source import BOM
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import branches_at, covers


def added_lines(unit: Unit, place: int, *lines: bytes) -> Edit:
    """Add lines, given without their newlines, before a place: the start of a line, or the end of the source."""
    data, newline = unit.source.data, unit.source.newline
    begins_line = place == 0 or data[place - 1 : place] == b"\n" or data[:place] == BOM
    return Edit(place, place, b"".join((b"" if begins_line else newline, *(line + newline for line in lines))))


def line_after(unit: Unit, place: int) -> int:
    """The start of the first line after a directive: after its continued lines, and a comment that begins on it."""
    return min(unit.lexemes.logical_line_end(place) + 1, len(unit.source.data))


def added_includes(unit: Unit, place: int, *headers: str) -> Edit:
    """Include headers before a place; see `added_lines`."""
    return added_lines(unit, place, *(b"#include <" + header.encode() + b">" for header in headers))


def includes_after(unit: Unit, others: Sequence[Include], *headers: str) -> Iterator[Edit]:
    """Include headers after the first of some others, and after each that is compiled where no earlier one may be."""
    reached: list[tuple[int, ...]] = []
    for other, branch in zip(others, branches_at(unit, [other.start for other in others]), strict=True):
        if not any(covers(earlier, branch) for earlier in reached):
            reached.append(branch)
            yield added_includes(unit, line_after(unit, other.start), *headers)
