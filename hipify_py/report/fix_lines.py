"""A fix as a small diff, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipify_py.core.diff import common
from hipify_py.core.findings import EXACT, REVIEW, Fix
from hipify_py.core.terminal_escape import log_line, visible
from hipify_py.report.paint import Paint

REVIEWED = {EXACT: "", REVIEW: " (needs review)"}
"""The suffix of a fix's title, by applicability."""

_LONGEST = 160
_BEFORE = 60


def fix_lines(fix: Fix, paint: Paint) -> Iterator[str]:
    """The lines that a fix takes away and puts in, with their numbers."""
    for touched in fix.lines:
        same = common(touched.old, touched.new)
        tail = common(touched.old[same:][::-1], touched.new[same:][::-1])
        old, new = touched.old[same : len(touched.old) - tail], touched.new[same : len(touched.new) - tail]
        number = touched.line + same
        shift = max(_changed_at(old, new) - _BEFORE, 0) if old and new else 0
        for mark, what, lines in (("-", "removed", old), ("+", "added", new)):
            for index, line in enumerate(lines):
                yield f"{paint(str(number + index), 'place')} {paint(log_line(f'{mark} {_cut(line, shift)}'), what)}"


def _changed_at(old: Sequence[str], new: Sequence[str]) -> int:
    """Where two lines begin to differ, in columns."""
    return common(_shown(old[0]), _shown(new[0]))


def _cut(line: str, shift: int) -> str:
    shown = _shown(line)
    if len(shown) <= _LONGEST:
        return shown
    shown = f"…{shown[shift:]}" if shift else shown
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _shown(line: str) -> str:
    return visible(line.expandtabs(4))
