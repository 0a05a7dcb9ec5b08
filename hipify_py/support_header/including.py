"""Where a source includes the support header."""

from __future__ import annotations

import re

from hipify_py.edits import Edit
from hipify_py.rules.headers.implicit import head_place, needs_runtime
from hipify_py.rules.headers.lines import added_lines
from hipify_py.semantics.headers import branches_at, header_row
from hipify_py.support_header import HEADER
from hipify_py.unit import Unit

_BLOCK = re.compile(rb"[{}]")


def included_as(unit: Unit) -> str | None:
    """The path by which the source already includes a support header; None where it includes none."""
    paths = (include.path for include in unit.lexemes.includes)
    return next((path for path in paths if path.rpartition("/")[2] == HEADER), None)


def include_edit(unit: Unit) -> Edit:
    """Adds the include behind the runtime's, or where the runtime's would stand.

    It goes in front of the project's own headers, whose macros it must not be read with.
    """
    place = _behind_runtime(unit)
    if place is None:
        place = head_place(unit)
    return added_lines(unit, place, b'#include "' + unit.options.support_header.encode() + b'"')


def _behind_runtime(unit: Unit) -> int | None:
    """The line behind the runtime's include, where that stands at the head of the file and stays there."""
    if needs_runtime(unit):
        return None
    head = head_place(unit)
    for include in unit.lexemes.includes:
        line, end = unit.source.line_bounds(include.start)
        if line < head:
            continue
        if line > head and not unit.source.data[head:line].isspace() and not _is_plain(unit, head, line):
            return None
        row = header_row(unit, include)
        if (row.hip if row is not None else include.path) in ("hip/hip_runtime.h", "hip/hip_runtime_api.h"):
            comment = unit.lexemes.non_code_at(end)
            return end if comment is None or comment[0] >= end else None
    return None


def _is_plain(unit: Unit, start: int, end: int) -> bool:
    """No block and no condition begins or ends between two places."""
    first, second = branches_at(unit, [start, end])
    return first == second and _BLOCK.search(unit.source.data, start, end) is None
