"""Moves an include out of the braces of `extern "C"`."""

from __future__ import annotations

import re

from hipify_py.core.edits import Edit
from hipify_py.frontend.lexer import Include
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import branches_at

_EXTERN_C = re.compile(rb'[ \t]*extern\s+"C"\s*\{[ \t]*\r?\n')
_GUARD = re.compile(
    rb"[ \t]*#[ \t]*if(?:def[ \t]+__cplusplus|[ \t]+defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?)[ \t]*\r?\n"
)
_END = re.compile(rb"[ \t]*#[ \t]*endif\b[^\n]*\n")
_INCLUDED = re.compile(rb"[ \t]*#[ \t]*include[ \t]*<[^>\n]*>[ \t]*\r?\n")


def before_linkage(unit: Unit, include: Include, brace: int) -> list[Edit]:
    """The edits that put an include's line before the linkage specification around it, which begins with a brace.

    None where anything but comments and includes of system headers is between: what is defined there may be meant for
    the
    header. None also where a condition holds only the include.
    """
    data, (start, end) = unit.source.data, unit.source.line_bounds(include.start)
    line = data[start:end]
    if not line.endswith(b"\n") or b"/*" in line or line.rstrip().endswith(b"\\"):
        return []
    if unit.lexemes.logical_line_start(include.start) != start:
        return []
    opening = _opening(unit, brace)
    if opening is None:
        return []
    place, after = opening
    outside, inside = branches_at(unit, [place, include.start])
    if outside != inside or not _holds_includes_alone(unit, after, start):
        return []
    return [Edit(place, place, line), Edit(start, end, b"")]


def _opening(unit: Unit, brace: int) -> tuple[int, int] | None:
    """The start of a brace's linkage specification, with the condition around the brace, and the end of its line."""
    data = unit.source.data
    start = unit.source.line_bounds(data.rfind(b"extern", 0, brace))[0]
    found = _EXTERN_C.match(data, start)
    if found is None or not start < brace < found.end() or unit.lexemes.non_code_at(found.end() - 1) is not None:
        return None
    place, after = found.span()
    guard = unit.source.line_bounds(place - 1)[0] if place else 0
    end = _END.match(data, after)
    if end is not None and place and _GUARD.match(data, guard, place) is not None:
        return guard, end.end()
    return place, after


def _holds_includes_alone(unit: Unit, start: int, end: int) -> bool:
    """Whether there are only comments and includes of system headers between two places."""
    place = start
    while True:
        place = unit.lexemes.after(place)
        if place >= end:
            return True
        line = unit.source.line_bounds(place)[0]
        found = _INCLUDED.match(unit.source.data, line)
        if found is None:
            return False
        place = found.end()
