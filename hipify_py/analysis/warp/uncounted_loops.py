"""Where loops stand that may wait: all but those that count, which is told from their text."""

from __future__ import annotations

from hipify_py.frontend.lexer import Lexemes
from hipify_py.patterns import lazy
from hipify_py.unit import Unit

_COUNTS = lazy(rb"for[\s\\]*\([^;{}]*;[^;{}]*;[^;{}()]*?(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=)")
_COMMENT = lazy(rb"/[/*]")


def uncounted_loops(unit: Unit) -> list[int]:
    """The places of `while` and `do`, and of `for` where nothing is counted up or down each time, in order."""
    return unit.analysis(_places)


def _places(unit: Unit) -> list[int]:
    lexemes = unit.lexemes
    found = [*lexemes.places(b"while"), *lexemes.places(b"do")]
    found += [place for place in lexemes.places(b"for") if not _counts(lexemes, place)]
    return sorted(found)


def _counts(lexemes: Lexemes, place: int) -> bool:
    head = _COUNTS.match(lexemes.data, place)
    return head is not None and _COMMENT.search(head[0]) is None
