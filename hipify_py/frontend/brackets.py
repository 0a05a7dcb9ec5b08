"""Matches brackets and splits arguments in the bytes themselves, where there is no tree."""

from __future__ import annotations

from bisect import bisect_left
from heapq import merge
from itertools import pairwise

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

_MARKS = lazy_pattern(rb"""[()\[\]{},;<>"'/]|->""")
_OPEN = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}
_CLOSE = frozenset(_OPEN.values())
_TEMPLATE_ARGUMENTS = lazy_pattern(rb"<(?:[\w\s:*&,.]|\(\s*[\w\s+*/-]*\)|\[\]|(?:sizeof|decltype)\([^()]*\))*(?=[<>])")

_NESTING = lazy_pattern(rb"[()\[\]{};]")
_BODY = -1  # the beginning or end of a macro's body
_TEMPLATE_REST = lazy_pattern(rb"[\w\s:*&,.]*")


def match_forward(lexemes: Lexemes, opening: int, limit: int) -> tuple[int, list[int]] | None:
    """The bracket that closes the one at `opening`, and the commas directly between them.

    Commas inside inner brackets and inside apparent template arguments (`f<a, b>(x)`) do not count.
    None when nothing closes it before `limit`.
    """
    data = lexemes.data
    if opening in lexemes.unclosed:
        return None
    stack = [opening]
    commas: list[int] = []
    at = opening + 1
    while (mark := _MARKS.search(data, at, limit)) is not None:
        at = mark.end()
        byte = data[mark.start()]
        if byte in _OPEN:
            closing = lexemes.pairs.get(mark.start(), limit)
            if closing < limit:
                at = closing + 1  # found before, on the way to a bracket around it
            else:
                stack.append(mark.start())
        elif byte in _CLOSE:
            last = stack.pop()
            if _OPEN[data[last]] != byte:
                lexemes.unclosed.update((last, *stack))
                return None
            lexemes.pairs[last] = mark.start()
            if not stack:
                return mark.start(), commas
        elif byte == 0x2C:
            if len(stack) == 1:
                commas.append(mark.start())
        elif byte == 0x3C and len(stack) == 1:
            at = template_end(lexemes, mark.start(), limit) or at
        elif byte in b"\"'/":
            skip = lexemes.non_code_at(mark.start())
            at = skip[1] if skip else at
    lexemes.unclosed.update(stack)  # the next query for them needs no search
    return None


def has_directives(lexemes: Lexemes, opening: int, closing: int) -> bool:
    """Whether directives are between two brackets that match, outside of any inner ones."""
    for found in (lexemes.directives, lexemes.includes, lexemes.defines):
        for index in range(bisect_left(found, (opening,)), len(found)):
            place = found[index][0]
            if place >= closing:
                break
            if _innermost(lexemes, place) in (opening, -1):
                return True
    return False


def template_end(lexemes: Lexemes, opening: int, limit: int) -> int | None:
    """The end of the template argument list that begins at `<`; None when it does not parse as one.

    The safe reading of `a < b, c > d` in an argument list is two arguments, so what follows the closing
    bracket must be something that can follow a template name.
    """
    if (opening, limit) in lexemes.comparisons:
        return None
    data = lexemes.data
    stack: list[int] = []
    at = opening
    while True:
        part = _TEMPLATE_ARGUMENTS.match(data, at, limit)
        if part is not None:
            stack.append(at)
            at = part.end()
        elif data[at : at + 1] == b">" and stack:
            stack.pop()
            at += 1
            if not stack:
                break
            rest = _TEMPLATE_REST.match(data, at, limit)
            at = rest.end() if rest else at
        else:
            lexemes.comparisons.update((start, limit) for start in stack)  # all of them would end here
            return None
    following = data[at : at + 8].lstrip()[:2]
    named = data[opening - 1 : opening].isalnum() or data[opening - 1 : opening] == b"_"
    return at if named and (following[:1] in (b"(", b"{", b")", b",", b">") or following == b"::") else None


def match_backward(lexemes: Lexemes, closing: int) -> int | None:
    """The bracket that opens the one at `closing`, looking back over comments and literals."""
    data = lexemes.data
    pairs = {close: open for open, close in _OPEN.items()}
    pairs[0x3E] = 0x3C
    stack: list[int] = []
    at = closing
    while at >= 0:
        skip = lexemes.non_code_at(at)
        if skip is not None:
            at = skip[0] - 1
            continue
        byte = data[at]
        if byte == 0x3E and (at and data[at - 1] == 0x2D):
            at -= 2
            continue
        if byte in pairs and (byte != 0x3E or not stack or stack[-1] == 0x3C):
            stack.append(pairs[byte])
        elif byte in b"([{<" and stack:
            if byte == 0x3C and stack[-1] != 0x3C:
                at -= 1
                continue
            while stack[-1] == 0x3C and byte != 0x3C:
                stack.pop()  # `a > b` inside parentheses was not a template after all
                if not stack:
                    return None
            if stack.pop() != byte:
                return None
            if not stack:
                return at
        elif byte in b";":
            return None
        at -= 1
    return None


def enclosing_arguments(lexemes: Lexemes, place: int) -> int | None:
    """The bracket that opens the argument list directly around a place; None where it is in none.

    The brackets of a source are indexed once.
    """
    opening = _innermost(lexemes, place)
    return opening if opening >= 0 and lexemes.data[opening] == 0x28 else None


def _innermost(lexemes: Lexemes, place: int) -> int:
    """The bracket that is open at a place; -1 for none, and for those of `for (a; b; c)`."""
    if lexemes.nesting is None:
        lexemes.nesting = _nesting(lexemes)
    places, around = lexemes.nesting
    at = bisect_left(places, place) - 1
    return around[at] if at >= 0 else -1


def _nesting(lexemes: Lexemes) -> tuple[list[int], list[int]]:
    """The offsets of brackets and semicolons, and for each the bracket that is open after it; -1 for none."""
    places: list[int] = []
    around: list[int] = []
    stack: list[int] = []
    outside: list[int] = []
    marks = ((mark.start(), lexemes.data[mark.start()]) for mark in _NESTING.finditer(lexemes.data))
    bodies = ((place, _BODY) for define in lexemes.defines for place in (define.end, lexemes.body_end(define)))
    is_body = False
    for place, byte in merge(bodies, marks):
        if byte == _BODY:
            is_body = not is_body
            stack, outside = ([], stack) if is_body else (outside, [])
        elif lexemes.non_code_at(place) is not None:
            continue
        elif byte in _OPEN:
            stack.append(place)
        elif byte in _CLOSE and stack:
            stack.pop()
        elif byte == 0x3B and stack and stack[-1] >= 0 and lexemes.data[stack[-1]] == 0x28:
            stack[-1] = -1  # `for (a; b; c)` is not a list of arguments
        places.append(place)
        around.append(stack[-1] if stack else -1)
    return places, around


def pieces(opening: int, closing: int, commas: list[int]) -> list[tuple[int, int]]:
    """The ranges between an opening bracket, its commas and its closing bracket; none for empty brackets."""
    bounds = [opening, *commas, closing]
    return [(start + 1, end) for start, end in pairwise(bounds)]


def trim(lexemes: Lexemes, start: int, end: int) -> tuple[int, int]:
    """The range without the blanks and comments at its ends; empty where there is no code in it."""
    first = lexemes.after(start)
    if first >= end:
        return end, end
    return first, lexemes.before(end) + 1
