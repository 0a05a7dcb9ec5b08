"""The limits of an answer: an agent pays for each character, and must know what it was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

MOST_PATHS = 100
"""Paths of one call."""

LONGEST_PATH = 4096
"""Characters of a path."""

MOST_NAMES = 50
"""Names of one query."""

LONGEST_NAME = 500
"""Characters of a name or a pattern."""

MOST_ITEMS = 200
"""Items of a page that a caller can ask for."""

USUAL_ITEMS = 50
"""Items of a page by default."""

MOST_CAUSES = 20
"""Causes that an answer about something else lists."""

MOST_TARGETS = 200
"""Written files that an answer lists."""

LONGEST_TEXT = 2_000
"""Characters of a text in an answer."""

LONGEST_DIFF = 60_000
"""Characters of a diff in an answer; the next page has the rest."""

LONGEST_RESOURCE = 60_000
"""Characters of a resource; the next page has the rest."""

LARGEST_FILE = 16 << 20
"""Bytes of a file that is given by itself."""

_MOST_NESTED = 40
"""Items of a list inside an item."""


class Page(NamedTuple):
    """A part of a list.

    Attributes:
        items: the part.
        left_out: how many items follow it.
        next_offset: where the next page begins; None if this is the last.
    """

    items: list[Any]
    left_out: int
    next_offset: int | None


def page_of(items: Sequence[Any], offset: int, limit: int) -> Page:
    """The part of a list from `offset` on, of at most `limit` items."""
    end = offset + limit
    left_out = max(len(items) - end, 0)
    return Page(list(items[offset:end]), left_out, end if left_out else None)


def shortened(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text, cut with the number of characters left out if it is too long."""
    more = len(text) - longest
    return text if more <= 0 else f"{text[:longest]} … ({more:,} more characters)"


def bounded(value: Any) -> Any:
    """JSON-compatible data with its texts shortened and its lists cut.

    A list that is cut ends in `{"left_out": N}`.
    """
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, dict):
        return {shortened(str(key), LONGEST_NAME): bounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        kept = [bounded(each) for each in value[:_MOST_NESTED]]
        return [*kept, {"left_out": len(value) - _MOST_NESTED}] if len(value) > _MOST_NESTED else kept
    return value
