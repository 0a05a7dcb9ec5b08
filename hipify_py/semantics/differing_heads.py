"""Whether a source may declare a function with different attributes, decided without a tree: hardly any does.

Declarations of one function agree in everything before its name except for the attributes. So places of a name are
compared only where the same kind of token precedes them, and other signs of statements or declarations agree.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import itemgetter

from hipify_py.core.unit import Unit
from hipify_py.frontend.lexer import Lexemes
from hipify_py.semantics.function_heads import KERNEL, SIDES, SPECIFIERS, head_tokens, sides_by_word, sides_of

_OPERATOR = b"operator"
_BRACKET = re.compile(rb"[()<]")
_HEAD_END = re.compile(rb"[;{}]|(?<!:):(?!:)")
_BEFORE_EXPRESSIONS = frozenset(b"(,=.!?+-/%|^[<")
_BOUNDARIES = frozenset((b";", b"{", b"}", b":"))
_DECLARATORS = frozenset((b"*", b"&"))
_AMBIGUOUS = frozenset((b">", b"]"))
"""Tokens that end a type, or template parameters and attributes before a declaration."""
_STATEMENTS = frozenset(
    b"return if else while for do switch case goto throw new delete sizeof co_return co_yield co_await".split()
)
"""Words of a statement, one of which precedes many calls."""
_TYPE, _NOTHING = b"type", b""
"""Kinds of tokens before a function's name; others stand for themselves."""

_Name = tuple[bytes, bytes]
"""The name of a function, and what opens the list after it; operators are all one."""


def may_differ(unit: Unit) -> bool:
    """Whether two declarations of a function may differ in the side that they run on; False where none do."""
    heads = _AttributedHeads(unit)
    return any(_differs(unit, name, heads) for name in heads.declared())


class _AttributedHeads:
    """The heads of declarations that have attributes: from the first attribute to the end of the parameters."""

    def __init__(self, unit: Unit) -> None:
        self._lexemes = unit.lexemes
        sides = {word: frozenset((word,)) for word in unit.lexemes.words & SIDES}
        for define in unit.lexemes.defines:
            of_macro = sides_of(unit, define.text) & SIDES
            if of_macro:
                sides[define.text] = of_macro
        self._sides = sorted(
            (place, word_sides)
            for word, word_sides in sides.items()
            for place in unit.lexemes.places(word)
            if unit.lexemes.define_around(place) is None
        )
        self._ranges: list[tuple[int, int]] = []
        for place, _ in self._sides:
            if not self._ranges or place >= self._ranges[-1][1]:
                self._ranges.append((place, _head_end(unit.lexemes, place)))

    def declared(self) -> set[_Name]:
        """The possible names that are declared there."""
        return {name for start, end in self._ranges for name in _outside_brackets(self._lexemes, start, end)}

    def sides(self, place: int) -> frozenset[bytes]:
        """The sides that a head names up to a place; empty without a head there."""
        at = bisect_right(self._ranges, place, key=itemgetter(0)) - 1
        start, end = self._ranges[at] if at >= 0 else (place, place)
        if place >= end:
            return frozenset()
        first = bisect_left(self._sides, start, key=itemgetter(0))
        return frozenset().union(
            *(word_sides for _, word_sides in self._sides[first : bisect_left(self._sides, (place,), first)])
        )


def _head_end(lexemes: Lexemes, place: int) -> int:
    while (match := _HEAD_END.search(lexemes.data, place)) is not None:
        skip = lexemes.non_code_at(match.start())
        if skip is None:
            return match.start()
        place = skip[1]
    return len(lexemes.data)


def _outside_brackets(lexemes: Lexemes, start: int, end: int) -> Iterator[_Name]:
    """The possible function names in a range: names before brackets that are not in brackets themselves."""
    data, depth = lexemes.data, 0
    if data.find(_OPERATOR, start, end) >= 0:
        yield _OPERATOR, b""
    for match in _BRACKET.finditer(data, start, end):
        place, mark = match.start(), match[0]
        if lexemes.non_code_at(place) is not None:
            continue
        if mark != b")" and depth == 0 and (word := lexemes.word_before(place)):
            yield word, mark
        depth += (mark == b"(") - (mark == b")")


def _differs(unit: Unit, name: _Name, heads: _AttributedHeads) -> bool:
    """Whether two places of a name may declare the same function, with different sides."""
    places = list(_places(unit.lexemes, name))
    by_kind: dict[bytes, list[int]] = {}
    for place in places if len(places) > 1 else ():
        start = _name_start(unit.lexemes, place)
        if start is None:
            return True
        for kind in _kinds_before(unit, start):
            by_kind.setdefault(kind, []).append(start)
    return any(
        len(set(map(heads.sides, starts))) > 1 and _name_several_sides(unit, starts) for starts in by_kind.values()
    )


def _places(lexemes: Lexemes, name: _Name) -> Iterator[int]:
    """The places where a name may be declared, judged by the code next to it."""
    word, mark = name
    for place in lexemes.places(word):
        if lexemes.data[lexemes.before(place)] in _BEFORE_EXPRESSIONS or lexemes.define_around(place) is not None:
            continue
        if lexemes.data.startswith(mark, lexemes.after(place + len(word))):
            yield place


def _name_start(lexemes: Lexemes, place: int) -> int | None:
    """The start of the name at a place, with the scopes before it; None where one is not a plain word."""
    data, start = lexemes.data, place
    if data[lexemes.before(start)] == ord("~"):
        start = lexemes.before(start)
    while data[(colons := lexemes.before(start) - 1) : colons + 2] == b"::":
        if not (data[colons - 1 : colons].isalnum() or data[colons - 1] == ord("_")):
            return None
        start = colons - len(lexemes.word_before(colons))
    return start


def _kinds_before(unit: Unit, start: int) -> tuple[bytes, ...]:
    """The kinds of token before a name, without attributes; both where it may end a type or not."""
    lexemes = unit.lexemes
    while True:
        last = lexemes.before(start)
        mark = lexemes.data[last : last + 1]
        if last < 0 or mark in _BOUNDARIES or lexemes.in_directive(last):
            return (_NOTHING,)
        word = lexemes.word_before(start)
        if not word:
            break
        if word not in SPECIFIERS and not sides_of(unit, word):
            return (word if word in _STATEMENTS else _TYPE,)
        start = last + 1 - len(word)
    if mark in _AMBIGUOUS:
        return _TYPE, _NOTHING
    return (_TYPE if mark in _DECLARATORS else mark,)


def _name_several_sides(unit: Unit, starts: list[int]) -> bool:
    word_sides: dict[tuple[frozenset[bytes], int], frozenset[bytes]] = {}
    for start in starts:
        head = head_tokens(unit, start)
        if head is None:
            continue
        sides = frozenset().union(*(sides for _, sides in sides_by_word(unit, head)))
        tokens = [token for _, token in head]
        shape = _STATEMENTS.intersection(tokens), tokens.count(b"(") - tokens.count(b")")
        if KERNEL not in sides and word_sides.setdefault(shape, sides) != sides:
            return True
    return False
