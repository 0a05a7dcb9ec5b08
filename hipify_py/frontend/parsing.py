"""Parses within bounds: the parser mends broken code in a time that grows with the square of its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hipify_py.frontend.lexer import Lexemes

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, Tree

SMALL = 4096
"""Bytes that are parsed whatever it takes."""
DEEPEST = 500
"""Sources whose trees are deeper are translated token by token: what walks up from each node would take the square
of the time. hipcc refuses 256 brackets within each other; the deepest of 6,000 real files has 180 nodes."""
WIDEST = 10_000
"""Nodes that an error of the parser holds side by side; with more of them, to look for one takes too long."""
_FEWEST, _PER_BYTE = 500, 0.12
"""Steps (a hundred of the parser's own) that a source is worth; of 2,700 real files none takes 0.03 a byte."""
CHUNK = 1 << 16
"""Bytes that the parser is given at a time."""
_RUN = 300
"""Attributes in a row, and template arguments within each other, with which steps get longer rather than more."""
_LONG_RUN = re.compile(rb"(?:\[\[[^\[\]]*\]\]\s*){%d}|(?:(?<!<)<(?!<)[^<>;{}()]*){%d}" % (_RUN, _RUN))
_RUNS = tuple(
    (bytes(set(range(256)).difference(marks)), piece * _RUN) for marks, piece in ((b"[]", b"[[]]"), (b"<>;{}()", b"<"))
)
"""All bytes but some marks, and what is left of such a run without them."""
_NO_LINE_END = re.compile(rb"[^\n]")


def parse(parser: Parser, data: bytes, start: int, end: int, small: int = SMALL) -> Tree | None:
    """The tree of a source; None where nothing can be looked up in it within a reasonable time.

    So it is where the parser takes many times the steps that code of that size needs, and where the tree is too deep,
    or one of its errors too wide.

    Args:
        parser: the parser, with the range set that it is to read.
        data: the source.
        start: where that range begins.
        end: where it ends.
        small: below how many bytes the steps do not matter.
    """
    if end - start < small:
        tree: Tree | None = parser.parse(data)
    else:
        tree = None if _has_long_run(data) else parse_in_steps(parser, data, start, end)
    return tree if tree is not None and _is_bounded(tree.root_node) else None


def parse_in_steps(parser: Parser, data: bytes, start: int, end: int, most_reads: float = float("inf")) -> Tree | None:
    """The tree of a source in any language; None where the parser takes too many steps.

    A tree of a source that is read by a callback has no texts in its nodes. So the parser is stopped behind the last
    piece of code, and goes on from there with the source itself: what is left to do is to put the tree in order.

    Args:
        parser: the parser, with the range set that it is to read.
        data: the source.
        start: where that range begins.
        end: where it ends.
        most_reads: how often the parser may ask for `CHUNK` bytes. The scanners of some grammars look from each token
            to the end of the source, all within one step, and what is behind the token has to be read again.
    """
    left = _FEWEST + (end - start) * _PER_BYTE
    reads = 0
    last = len(data[start:end].rstrip()) + start

    # The parser's binding (0.26) never gives back what a callback returns. A released view holds no source in memory.
    views: list[memoryview] = []

    def read(offset: int, _: Point) -> Any:
        nonlocal reads
        reads += 1
        views.append(memoryview(data)[offset : offset + CHUNK])
        return views[-1]

    def stops(offset: int, _: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0 or reads > most_reads or offset >= last

    try:
        tree = parser.parse(read, progress_callback=stops)
    except ValueError:
        if left >= 0 and reads <= most_reads:
            return parser.parse(data)  # goes on
        parser.reset()
        return None
    finally:
        for view in views:
            view.release()
    return parser.parse(data, tree)  # done before it was asked: this takes the tree over


def _is_bounded(root: Node) -> bool:
    """A tree is not too deep, and no error in it too wide; parts with few nodes are not looked at."""
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        if depth > DEEPEST or (node.is_error and node.child_count > WIDEST):
            return False
        pending += [(child, depth + 1) for child in node.children if depth + child.descendant_count > DEEPEST]
    return True


def _has_long_run(data: bytes) -> bool:
    """A run that the parser takes too long for; the slow expression is asked where the marks alone look like one."""
    return (
        any(data.count(mark) >= _RUN for mark in (b"[[", b"<"))
        and any(run in data.translate(None, others) for others, run in _RUNS)
        and _LONG_RUN.search(data) is not None
    )


def without_open_comment(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source without the comment that is never closed, in which the parser looks for one everywhere."""
    if not lexemes.comments_and_literals:
        return data
    start, end = lexemes.comments_and_literals[-1]
    if end < len(data) or not data.startswith(b"/*", start) or data.endswith(b"*/", start + 2):
        return data
    return data[:start] + _NO_LINE_END.sub(b" ", data[start:])
