"""The heads of declarations: the tokens before a function's name, read from the source.

The tree does not contain the macros of a head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.macros import macros_of

SIDES = frozenset({b"__host__", b"__device__"})
KERNEL = b"__global__"
SPECIFIERS = frozenset(
    b"inline static extern explicit friend virtual constexpr __inline __inline__ __forceinline__ __noinline__".split()
)
_BOUNDARIES = frozenset(b";{}")
_COLON = ord(":")
_LONGEST_HEAD = 200
"""Tokens before a function's name; a head has a handful."""


def head_tokens(unit: Unit, place: int) -> list[tuple[int, bytes]] | None:
    """The tokens of a declaration before its declarator, with their offsets; None for one with an initializer.

    Template parameters are left out. A declaration without any token has an empty one where its declarator begins.

    Args:
        unit: the unit.
        place: the start of the declarator.
    """
    tokens: list[tuple[int, bytes]] = []
    start = place
    while len(tokens) < _LONGEST_HEAD:
        token = _token_before(unit, start)
        if token is None:
            break
        start = token[0]
        tokens.append(token)
    tokens.reverse()
    tokens = _without_brackets(tokens)
    if any(token == b"=" for _, token in tokens):
        return None
    return tokens or [(place, b"")]


def _token_before(unit: Unit, place: int) -> tuple[int, bytes] | None:
    """The token before a place; None where a declaration or a directive ends there."""
    lexemes, data = unit.lexemes, unit.source.data
    last = lexemes.before(place)
    if last < 0 or data[last] in _BOUNDARIES or (data[last] == _COLON and data[last - 1] != _COLON):
        return None
    if b"\n" in data[last:place] and lexemes.in_directive(last):  # else `place` would be in one itself
        return None
    token = lexemes.word_before(place)
    if token:
        return last + 1 - len(token), token
    if data[last] == _COLON:
        return last - 1, b"::"
    return last, data[last : last + 1]


def _without_brackets(tokens: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """A head after its template parameters and its attributes in double brackets."""
    while tokens and tokens[0][1] in (b"template", b"["):
        opening, closing = (b"<", b">") if tokens[0][1] == b"template" else (b"[", b"]")
        depths = accumulate((token == opening) - (token == closing) for _, token in tokens)
        closed = (at for at, depth in enumerate(depths) if depth == 0 and tokens[at][1] == closing)
        tokens = tokens[next(closed, len(tokens)) + 1 :]
    return tokens


def sides_by_word(unit: Unit, tokens: Iterable[tuple[int, bytes]]) -> Iterator[tuple[bytes, frozenset[bytes]]]:
    """The words of a head that name the sides on which the function runs, and the sides of each."""
    for _, token in tokens:
        sides = sides_of(unit, token)
        if sides:
            yield token, sides


def sides_of(unit: Unit, word: bytes, around: tuple[bytes, ...] = ()) -> frozenset[bytes]:
    """The sides that a word of a head names; for a macro, those that its definitions name, by way of others too."""
    if word in SIDES or word == KERNEL:
        return frozenset({word})
    own = macros_of(unit).named(word)
    if not own:
        return unit.project.attributes.get(word, frozenset())
    found: set[bytes] = set()
    for macro in own:
        if macro.parameters is not None or word in around:
            return frozenset()
        for inner in unit.lexemes.code(macro.start, macro.end).split():
            sides = sides_of(unit, inner, (*around, word)) if inner not in SPECIFIERS else frozenset()
            if inner not in SPECIFIERS and (not sides or KERNEL in sides):
                return frozenset()
            found |= sides
    return frozenset(found)
