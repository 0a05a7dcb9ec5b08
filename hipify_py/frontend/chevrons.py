"""The chevrons of kernel launches. nvcc also accepts blanks before their last bracket: `k << <1, 2>> >(a)`."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.brackets import template_end
from hipify_py.frontend.lexer import Lexemes

_OPENING = lazy_pattern(rb"<<[ \t]*<")
_CLOSING = lazy_pattern(rb">>[ \t]*>(?!>)")
# Two of them: the engine finds what begins with one text in a fraction of the time that one of two texts takes.
_SPACED = (lazy_pattern(rb"<<[ \t]+<"), lazy_pattern(rb">>[ \t]+>"))
_MARK = lazy_pattern(rb"""[()\[\]{},;"'/]|>+|<""")


class Closing(NamedTuple):
    """The end of a launch's configuration: `[start, end)` are the closing chevrons.

    `commas` are those between the chevrons that are in no inner brackets.
    """

    start: int
    end: int
    commas: list[int]


def opening_end(data: bytes, opening: int) -> int:
    """The end of the chevrons that open at a place."""
    match = _OPENING.match(data, opening)
    assert match is not None, "the lexical pass has found them"
    return match.end()


def find_closing(lexemes: Lexemes, opening: int, limit: int) -> Closing | str:
    """The chevrons that close those at `opening`, before `limit`; or the reason why there are none."""
    data = lexemes.data
    depth = 0
    commas: list[int] = []
    at = opening_end(data, opening)
    while (mark := _MARK.search(data, at, limit)) is not None:
        start, at = mark.span()
        byte = data[start]
        if byte in b"([{":
            depth += 1
        elif byte in b")]}":
            depth -= 1
            if depth < 0:
                break
        elif byte in b"\"'/":
            skip = lexemes.non_code_at(start)
            at = skip[1] if skip else at
        elif byte == 0x2C and depth == 0:
            commas.append(start)
        elif byte == 0x3C and _OPENING.match(data, start) is not None:
            break  # the next launch begins before this one has ended
        elif byte == 0x3C and depth == 0:
            at = template_end(lexemes, start, limit) or at
            if data[at - 1 : at + 2] == b">>>":
                at -= 1  # the template's own closing bracket is glued to the launch's
        elif byte == 0x3B and depth == 0:
            break
        elif byte == 0x3E and depth == 0 and at - start >= 2:
            closing = _CLOSING.match(data, max(start, at - 3), limit)
            if closing is None:
                continue
            following = lexemes.after(closing.end())
            if following < limit and data[following] == 0x28:
                return Closing(*closing.span(), commas)
            return "no argument list follows it"
    return "it has no closing >>>"


def join_chevrons(lexemes: Lexemes) -> bytes:
    """The source as the grammar can parse it: blanks within chevrons are moved after them, so offsets stay valid."""
    data = lexemes.data
    if not lexemes.launches or all(pattern.search(data) is None for pattern in _SPACED):
        return data
    joined = bytearray(data)
    for opening in lexemes.launches:
        end = opening_end(data, opening)
        joined[opening:end] = b"<<<".ljust(end - opening)
        closing = find_closing(lexemes, opening, lexemes.code_end(opening))
        if isinstance(closing, Closing):
            joined[closing.start : closing.end] = b">>>".ljust(closing.end - closing.start)
    return bytes(joined)
