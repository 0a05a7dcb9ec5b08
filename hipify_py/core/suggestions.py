"""What a mistyped word may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question, to be added to a message, with the known words that a word resembles; empty if there are none."""
    import difflib  # few runs need it

    by_lower = {one.lower(): one for one in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=3, cutoff=0.6)
    return f" (did you mean {', '.join(by_lower[one] for one in close)}?)" if close else ""
