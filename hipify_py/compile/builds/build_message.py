"""A message of a build: an error, a warning or a note, with everything known about its location."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

QUOTED = re.compile(r"[`'‘\"]([^`'’\"]+)['’\"]")
"""What a message puts in quotes."""


class BuildMessage(NamedTuple):
    """An error, a warning or a note.

    Attributes:
        severity: `error`, `warning` or `note`.
        text: what is wrong.
        path: the file, as the message names it; empty if it names none.
        line: 1 for the first; 0 where none is named.
        column: 1 for the first byte; 0 where none is named.
        others: further places, (path, line), the nearest first: the files that include or call the file.
        words: what to look for in build files, or in the source.
        symbol: the name that a linker misses, or has more than once.
        objects: the files that the linker names for it: objects, or sources by their base names.
        within: the function whose code names the symbol; empty if unknown.
        target: what was being made; empty if unknown.
        rule: the place of the rule that makes it, (path, line); empty where none is known.
        folder: where the command was run; empty if unknown.
    """

    severity: str
    text: str
    path: str = ""
    line: int = 0
    column: int = 0
    others: tuple[tuple[str, int], ...] = ()
    words: tuple[str, ...] = ()
    symbol: str = ""
    objects: tuple[str, ...] = ()
    within: str = ""
    target: str = ""
    rule: tuple[str, int] = ("", 0)
    folder: str = ""


def words_of(text: str) -> tuple[str, ...]:
    """What a message puts in quotes, and the options that it names."""
    named: Sequence[str] = [word.strip("'\",.;:") for word in text.split() if word.startswith("-") and len(word) > 2]
    return tuple(dict.fromkeys((*QUOTED.findall(text), *named)))
