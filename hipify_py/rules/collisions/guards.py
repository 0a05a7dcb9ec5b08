"""Wraps a definition in a condition that leaves it out where HIP compiles for AMD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit

GUARD = b"#ifndef __HIP__  // HIP has it"


def guarded(unit: Unit, ranges: Iterable[tuple[int, int]]) -> Iterator[Edit]:
    """Put each range of whole lines between `#ifndef __HIP__` and `#endif`; neighbours share one pair."""
    data, newline = unit.source.data, unit.source.newline
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and unit.lexemes.after(merged[-1][1]) >= start:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    for start, end in merged:
        line = data.rfind(b"\n", 0, start) + 1
        head = data[line:start].strip()
        yield Edit(start if head else line, start if head else line, (newline if head else b"") + GUARD + newline)
        stop = data.find(b"\n", end)
        stop = len(data) if stop < 0 else stop
        rest = unit.lexemes.after(end)
        if rest >= stop:  # only blanks and a comment that ends on this line
            stop -= data[stop - 1 : stop] == b"\r"
            skip = unit.lexemes.non_code_at(stop)
            if skip is None or skip[0] >= stop or data[skip[0] : skip[0] + 2] == b"//":
                yield Edit(stop, stop, newline + b"#endif")
                continue
        yield Edit(end, end, newline + b"#endif" + newline)
