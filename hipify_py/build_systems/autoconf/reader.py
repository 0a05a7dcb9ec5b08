"""The macro calls and the words of Autoconf's input, with their bytes.

M4 quotes with brackets, and `dnl` and `#` begin its comments; the text between the macros is shell. Within brackets M4
also counts the brackets of a comment, so that a comment ends before a bracket that closes what was opened before it
(`[[#include <cuda.h>]]`). Words are separated as in both languages; the results of macros are not followed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(rb"\bdnl\b|(?:(?<=[\s\[])|^)#|\b[A-Z][A-Z0-9]*_\w+\(|[][(),]", re.MULTILINE)
_BRACKET = re.compile(rb"[][]")
_WORD = re.compile(rb"(?:\\+[\"']|[^\s\[\]()\"'`;|&<>])+")
"""A word; quotes that are escaped are for a later shell, and belong to it."""


class Call(NamedTuple):
    """A call of a macro: its name, and where its arguments are, without their brackets."""

    start: int
    end: int
    name: str
    arguments: tuple[tuple[int, int], ...]


class Word(NamedTuple):
    """A word outside of comments."""

    start: int
    end: int
    text: str


class Input(NamedTuple):
    """What a file contains: the calls of macros in the order of their ends, the words, and the comments."""

    calls: list[Call]
    words: list[Word]
    comments: list[tuple[int, int]]


class _Open:
    __slots__ = ("commas", "is_call", "name", "start")

    def __init__(self, name: str, start: int, first: int) -> None:
        self.name, self.start, self.is_call = name, start, bool(name)
        self.commas = [first]


def read(data: bytes) -> Input:
    """Read a file in one pass; brackets that are never closed make no call."""
    calls: list[Call] = []
    comments: list[tuple[int, int]] = []
    opened: list[_Open] = []
    depths = [0]
    """How many square brackets are open in each of the open round ones."""
    square = 0
    place = 0
    while (match := _MARK.search(data, place)) is not None:
        mark, place = match[0], match.end()
        if mark[:1] == b"#" or mark[:3] == b"dnl":
            place = _comment_end(data, match.start(), within_brackets=square > 0)
            comments.append((match.start(), place))
        elif mark == b"[":
            depths[-1] += 1
            square += 1
        elif mark == b"]":
            while square and not depths[-1]:  # a round bracket that is text closes nowhere
                opened.pop()
                depths.pop()
            if depths[-1]:
                square -= 1
                depths[-1] -= 1
        elif mark == b",":
            if opened and not depths[-1]:
                opened[-1].commas.append(match.end())
        elif mark == b")":
            if opened and not depths[-1]:
                _close(data, opened.pop(), match.start(), calls)
                depths.pop()
        else:
            opened.append(_Open(mark[:-1].decode(), match.start(), match.end()))
            depths.append(0)
    return Input(calls, _words(data, comments), comments)


def _comment_end(data: bytes, start: int, *, within_brackets: bool) -> int:
    """Where a comment ends: with its line, or within brackets before a bracket that it has not opened."""
    end, depth = data.find(b"\n", start), 0
    end = len(data) if end < 0 else end
    for match in _BRACKET.finditer(data, start, end) if within_brackets else ():
        depth += 1 if match[0] == b"[" else -1
        if depth < 0:
            return match.start()
    return end


def _close(data: bytes, opened: _Open, end: int, calls: list[Call]) -> None:
    if opened.is_call:
        ends = [*(comma - 1 for comma in opened.commas[1:]), end]
        arguments = tuple(_inner(data, *found) for found in zip(opened.commas, ends, strict=True))
        calls.append(Call(opened.start, end + 1, opened.name, arguments))


def _inner(data: bytes, start: int, end: int) -> tuple[int, int]:
    """An argument without blanks and brackets around it."""
    while start < end and data[start : start + 1] in b" \t\r\n[":
        start += 1
    while end > start and data[end - 1 : end] in b" \t\r\n]":
        end -= 1
    return start, end


def _words(data: bytes, comments: list[tuple[int, int]]) -> list[Word]:
    found: list[Word] = []
    starts = [0, *(end for _, end in comments)]
    ends = [*(start for start, _ in comments), len(data)]
    for start, end in zip(starts, ends, strict=True):
        found += [
            Word(match.start(), match.end(), match[0].decode("utf-8", "surrogateescape"))
            for match in _WORD.finditer(data, start, end)
        ]
    return found
