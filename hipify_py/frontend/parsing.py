"""Parses within bounds: the parser mends broken code in a time that grows with the square of its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hipify_py.frontend.lexer import Lexemes

if TYPE_CHECKING:
    from tree_sitter import Parser, Point, Tree

SMALL = 4096
"""Bytes that are parsed whatever it takes."""
_FEWEST, _PER_BYTE = 500, 0.12
"""Steps (a hundred of the parser's own) that a source is worth; of 2,700 real files none takes 0.03 a byte."""
_CHUNK = 1 << 16
_RUN = 300
"""Attributes in a row, and template arguments within each other, with which steps get longer rather than more."""
_LONG_RUN = re.compile(rb"(?:\[\[[^\[\]]*\]\]\s*){%d}|(?:(?<!<)<(?!<)[^<>;{}()]*){%d}" % (_RUN, _RUN))
_NO_LINE_END = re.compile(rb"[^\n]")


def parse(parser: Parser, data: bytes, size: int, small: int = SMALL) -> Tree | None:
    """The tree of a source; None where the parser takes many times the steps that code of that size needs.

    Args:
        parser: the parser, with the ranges set that it is to read.
        data: the source.
        size: how many bytes of it are read.
        small: below how many bytes the steps do not matter.
    """
    if size < small:
        return parser.parse(data)
    if any(data.count(mark) >= _RUN for mark in (b"[[", b"<")) and _LONG_RUN.search(data) is not None:
        return None
    left = _FEWEST + size * _PER_BYTE

    # The parser's binding (0.26) never gives back what a callback returns. A released view holds no source in memory.
    views: list[memoryview] = []

    def read(offset: int, _: Point) -> Any:
        views.append(memoryview(data)[offset : offset + _CHUNK])
        return views[-1]

    def is_too_long(*_: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        tree = parser.parse(read, progress_callback=is_too_long)
    except ValueError:
        parser.reset()
        return None
    finally:
        for view in views:
            view.release()
    return parser.parse(data, tree)  # takes the tree over, and gives its nodes their texts


def without_open_comment(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source without the comment that is never closed, in which the parser looks for one everywhere."""
    if not lexemes.comments_and_literals:
        return data
    start, end = lexemes.comments_and_literals[-1]
    if end < len(data) or not data.startswith(b"/*", start) or data.endswith(b"*/", start + 2):
        return data
    return data[:start] + _NO_LINE_END.sub(b" ", data[start:])
