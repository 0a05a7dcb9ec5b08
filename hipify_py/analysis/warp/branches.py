"""The branches and loops of a function: their conditions, and what stands under each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes
from hipify_py.semantics.functions import Function

IF, ELSE, FOR, WHILE, DO, SWITCH = b"if", b"else", b"for", b"while", b"do", b"switch"
LOOPS = frozenset({FOR, WHILE, DO})

_HEAD = re.compile(rb"\b(?:(if|for|while|switch)\s*(?:constexpr\s*)?\(|(do|else)\b)")
_LONGEST_CONDITION = 400
_DEEPEST = 20
"""Statements without braces that are followed into each other."""


class Branch(NamedTuple):
    """What stands at `[start, end)` is done where, or as long as, `condition` holds (written without blanks)."""

    keyword: bytes
    condition: bytes
    start: int
    end: int


def branches_of(lexemes: Lexemes, function: Function) -> list[Branch]:
    """The branches and loops of a function, in the order of their places."""
    return sorted(_branches(lexemes, function), key=lambda branch: (branch.start, -branch.end))


def _branches(lexemes: Lexemes, function: Function) -> Iterator[Branch]:
    data = lexemes.data
    last: dict[int, bytes] = {}  # where an `if` ends: its condition, which an `else` behind it turns round
    for match in _HEAD.finditer(data, function.start, function.end):
        if lexemes.non_code_at(match.start()) is not None:
            continue
        if match[1] is not None:
            head = _head(lexemes, match.end() - 1, function.end)
            if head is None:
                continue
            condition, start = head
            end = _statement_end(lexemes, start, function.end)
            if match[1] == IF:
                last[end] = condition
            yield Branch(match[1], condition, start, end)
        elif match[2] == ELSE:
            before = lexemes.before(match.start())
            condition = last.get(before, b"")
            end = _statement_end(lexemes, match.end(), function.end)
            if condition:
                last[end] = condition
                yield Branch(ELSE, condition, match.end(), end)
        else:
            end = _statement_end(lexemes, match.end(), function.end)
            behind = lexemes.after(end + 1)
            head = _head(lexemes, lexemes.after(behind + len(WHILE)), function.end)
            if head is not None and data.startswith(WHILE, behind):
                yield Branch(DO, head[0], match.end(), end)


def _head(lexemes: Lexemes, opening: int, limit: int) -> tuple[bytes, int] | None:
    """What stands in the brackets that open there, and the place behind them."""
    if lexemes.data[opening : opening + 1] != b"(":
        return None
    closed = match_forward(lexemes, opening, min(opening + 1 + _LONGEST_CONDITION, limit))
    if closed is None:
        return None
    return b"".join(lexemes.data[opening + 1 : closed[0]].split()), closed[0] + 1


def _statement_end(lexemes: Lexemes, place: int, limit: int) -> int:
    """The last byte of the statement that begins at a place: its closing brace or its semicolon."""
    data = lexemes.data
    for _ in range(_DEEPEST):
        first = lexemes.after(place)
        if data[first : first + 1] == b"{":
            closed = match_forward(lexemes, first, limit + 1)
            return limit if closed is None else closed[0]
        inner = _HEAD.match(data, first, limit)
        head = _head(lexemes, inner.end() - 1, limit) if inner is not None and inner[1] is not None else None
        if head is None:
            break
        place = head[1]
    end = data.find(b";", first, limit)
    return limit if end < 0 else end
