"""Statements and declarations that continue at a place, by brackets: a small file need not be parsed for it.

This does not parse C++, but is a bound: where nothing continues by the brackets, a tree finds nothing either.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

# Parentheses or brackets without anything of this kind in them, or anything that hides some, are one mark.
_MARKS = lazy_pattern(rb"""[()\[\]{};](?:(?<=\()[^()\[\]{};"'/\#]*\)|(?<=\[)[^()\[\]{};"'/\#]*\])?""")
_PARTNERS = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}
_BRACE, _CLOSING_BRACE, _SEMICOLON = 0x7B, 0x7D, 0x3B
_LINE, _WORD, _IF, _ELSE, _ENDIF = -1, -2, -3, -4, -5
_BRANCHES = {b"if": _IF, b"ifdef": _IF, b"ifndef": _IF, b"elif": _ELSE, b"else": _ELSE, b"endif": _ENDIF}
LARGEST = 1 << 16
"""Bytes of a source that is read so: larger ones are parsed for other reasons."""
_DEEPEST = 100
"""Nesting of brackets; deeper code is left to the parser, which reports what is too deep for it."""

End = Callable[[Lexemes, int, int], bool]
"""Whether a statement ends with a brace (the offsets of the opening and of the closing one) or a semicolon (twice its
offset).
"""


class OpenStatements:
    """Where statements or declarations continue that contain one of some words.

    Words within the braces of a statement do not count for it, unless the statement continues after the braces.
    """

    __slots__ = ("_changes", "_lexemes", "_places")

    def __init__(self, lexemes: Lexemes, places: Iterable[int], ends: End) -> None:
        """`places` are those of the words, in code; `ends` returns whether a statement ends."""
        self._lexemes = lexemes
        self._places = sorted(places)
        self._changes = _changes(lexemes, self._places, ends) if len(lexemes.data) <= LARGEST else None
        """Offsets, alternately of where one begins to continue and of where none does; None if unknown."""

    def may_contain(self, place: int) -> bool:
        """Whether one of them continues at a place or begins before it in the same macro, or it is unknown."""
        if self._changes is None:
            return True
        define = self._lexemes.define_around(place)
        if define is not None:
            end = self._lexemes.body_end(define)
            if bisect_left(self._places, define.start) < bisect_left(self._places, end):
                return True
            place = define.start
        return bisect_right(self._changes, place) % 2 == 1


class _Frame:
    """The code between two brackets, or outside of all."""

    __slots__ = ("has_word", "is_level", "is_open", "opening", "start")

    def __init__(self, opening: int, *, is_level: bool) -> None:
        self.opening = opening
        self.is_level = is_level
        """Whether statements are here: between braces, or outside of all brackets."""
        self.start = opening
        """The start of the statement that continues here: after the end of the last one."""
        self.is_open = False
        """Whether the statement that continues here has a word."""
        self.has_word = False
        """Whether some statement here has had one."""

    def end(self, place: int) -> None:
        """End the statement there."""
        self.start = place
        self.is_open = False


class _Branches:
    """The branches of an `#if`: a statement that continues before it, or at the end of one, may continue after it."""

    __slots__ = ("_at_ends", "_before", "depth")

    def __init__(self, stack: list[_Frame]) -> None:
        self.depth = len(stack)
        self._before = [frame.is_open for frame in stack]
        self._at_ends = [*self._before]

    def end_one(self, stack: list[_Frame]) -> bool:
        """Begin the next branch like the first; False where not as many brackets are open."""
        if len(stack) != self.depth:
            return False
        self._at_ends = [frame.is_open or was for frame, was in zip(stack, self._at_ends, strict=True)]
        _set(stack, self._before)
        return True

    def end_all(self, stack: list[_Frame]) -> bool:
        """Continue after the last branch; False where not as many brackets are open."""
        if not self.end_one(stack):
            return False
        _set(stack, self._at_ends)
        return True


def _set(stack: list[_Frame], are_open: list[bool]) -> None:
    for frame, is_open in zip(stack, are_open, strict=True):
        frame.is_open = is_open


def _changes(lexemes: Lexemes, places: Iterable[int], ends: End) -> list[int] | None:
    data = lexemes.data
    stack = [_Frame(-1, is_level=True)]
    branches: list[_Branches] = []
    is_open = False
    behind_line = -1
    """The end of the last `#include` or `#define`, which is not part of the statement after it."""
    changes: list[int] = []
    for place, kind in _events(lexemes, places):
        if kind == _LINE:
            behind_line = place
            continue
        if kind == _SEMICOLON:
            frame = stack[-1]
            if not frame.is_level:
                continue
            if not frame.is_open:
                frame.start = place
                continue
            if not ends(lexemes, place, place):
                continue
            frame.end(place)
        elif kind in _PARTNERS:
            if len(stack) == _DEEPEST:
                return None
            stack.append(_Frame(place, is_level=kind == _BRACE))
            continue
        elif kind > 0:
            inner = stack.pop()
            if not stack or _PARTNERS[data[inner.opening]] != kind or (branches and len(stack) < branches[-1].depth):
                return None
            if kind == _CLOSING_BRACE:
                _end_block(lexemes, inner, place, stack, ends)
            elif not inner.is_open:
                continue
        elif kind == _WORD:
            _record_word(stack)
        elif not _handle_directive(kind, stack, branches):
            return None
        if is_open or kind <= _WORD:
            first = next((frame for frame in stack if frame.is_open), None)
            if is_open is (first is None):
                is_open = not is_open
                changes.append(place if first is None else max(first.start, behind_line, changes[-1] if changes else 0))
    return changes if len(stack) == 1 and not branches else None


def _end_block(lexemes: Lexemes, inner: _Frame, place: int, stack: list[_Frame], ends: End) -> None:
    """Continue after a closing brace, in the statement that it is part of or in the next one."""
    around = stack[-1]
    if around.is_level and (not (around.is_open or inner.has_word) or ends(lexemes, inner.opening, place)):
        around.end(place)
        around.has_word |= inner.has_word
    elif inner.has_word:
        _record_word(stack)


def _handle_directive(kind: int, stack: list[_Frame], branches: list[_Branches]) -> bool:
    """Handle a directive; False where its branches do not begin and end with as many brackets open."""
    if kind == _IF:
        branches.append(_Branches(stack))
        return True
    if not branches:
        return False
    return branches[-1].end_one(stack) if kind == _ELSE else branches.pop().end_all(stack)


def _events(lexemes: Lexemes, places: Iterable[int]) -> list[tuple[int, int]]:
    """The brackets and semicolons (by their bytes), the words, and the directives, in order.

    The bodies of macros are left out, and so are comments and literals.
    """
    if lexemes.marks is None:
        lexemes.marks = _marks(lexemes)
    words = ((place, _WORD) for place in places if lexemes.define_around(place) is None)
    return sorted((*lexemes.marks, *words))


def _marks(lexemes: Lexemes) -> list[tuple[int, int]]:
    """All but the words; they are the same for all words."""
    data, marks = lexemes.data, list[tuple[int, int]]()
    lines = [(define.start, lexemes.body_end(define)) for define in lexemes.defines]
    at = 0
    for start, end in sorted((*lexemes.comments_and_literals, *lines, (len(data), len(data)))):
        if at < start:
            spans = [mark.span() for mark in _MARKS.finditer(data, at, start)]
            marks += [(place, data[place]) for place, stop in spans if stop - place == 1]
        at = max(at, end)
    marks += [(end, _LINE) for _, end in lines]
    marks += [(include.end, _LINE) for include in lexemes.includes]
    marks += [(place, _BRANCHES[word]) for place, word in lexemes.directives if word in _BRANCHES]
    return marks


def _record_word(stack: list[_Frame]) -> None:
    """Record a word: in the statements up to the nearest brace."""
    for frame in reversed(stack):
        frame.is_open = True
        if frame.is_level:
            frame.has_word = True
            return
