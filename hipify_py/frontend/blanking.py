"""A copy of a source with blanks for what the grammar cannot read, so that every offset holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

_OTHERS = re.compile(rb"(?!\\\r?\n)[^\r\n]")
"""What neither ends a line nor joins it to the next."""


def blanked(data: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    """A copy with blanks in some ranges, the ends of lines kept; the source itself where there are none."""
    masked: bytearray | None = None
    for start, end in places:
        if masked is None:
            masked = bytearray(data)
        masked[start:end] = _OTHERS.sub(b" ", data[start:end])
    return data if masked is None else bytes(masked)
