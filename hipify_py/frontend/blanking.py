"""A copy of a source with blanks for what the grammar cannot parse, so that all offsets stay valid."""

from __future__ import annotations

import re
from collections.abc import Iterable

_OTHERS = re.compile(rb"(?!\\\r?\n)[^\r\n]")
"""Bytes that neither end a line nor join it to the next."""


def blank_ranges(data: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    """A copy with blanks in some ranges, the ends of lines kept; the source itself where there are none."""
    masked: bytearray | None = None
    for start, end in places:
        if masked is None:
            masked = bytearray(data)
        masked[start:end] = _OTHERS.sub(b" ", data[start:end])
    return data if masked is None else bytes(masked)
