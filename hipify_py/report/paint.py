"""Colours for a terminal, or none."""

from __future__ import annotations

from collections.abc import Callable

Paint = Callable[[str, str], str]
"""Takes a text and its kind (one of `_CODES`), and returns it with colours."""

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "path": "1",
    "place": "2",
    "id": "1",
    "mark": "1;32",
    "removed": "31",
    "added": "32",
}


def painter(color: bool) -> Paint:
    """What paints texts, or leaves them as they are."""
    return _painted if color else _plain


def _painted(text: str, what: str) -> str:
    return f"\x1b[{_CODES[what]}m{text}\x1b[0m"


def _plain(text: str, what: str) -> str:
    return text
