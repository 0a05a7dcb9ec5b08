"""Parses within bounds: the parser's recovery from broken code takes time quadratic in its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, Tree

SMALL = 4096
"""Bytes that are parsed at any cost."""
DEEPEST = 500
"""Sources whose trees are deeper are translated token by token: walking up from each node would take quadratic
time. hipcc rejects 256 nested brackets; the deepest of 6,000 real files has 180 nodes.
"""
WIDEST = 10_000
"""Nodes side by side in an error of the parser; with more of them, searching for one takes too long."""
_FEWEST, _PER_BYTE = 500, 0.12
"""Steps (a hundred of the parser's own) that a source may take; of 2,700 real files none takes 0.03 a byte."""
CHUNK = 1 << 16
"""Bytes that the parser gets at a time."""
_RUN = 300
"""Attributes in a row, and nested template arguments, with which steps get longer rather than more."""
_LONG_RUN = lazy_pattern(rb"(?:\[\[[^\[\]]*\]\]\s*){%d}|(?:(?<!<)<(?!<)[^<>;{}()]*){%d}" % (_RUN, _RUN))
_RUNS = tuple(
    (bytes(set(range(256)).difference(marks)), piece * _RUN) for marks, piece in ((b"[]", b"[[]]"), (b"<>;{}()", b"<"))
)
"""All bytes but some marks, and what is left of such a run without them."""
_NO_LINE_END = lazy_pattern(rb"[^\n]")


def parse(
    parser: Parser, data: bytes, start: int, end: int, small: int = SMALL, old: Tree | None = None
) -> Tree | None:
    """The tree of a source; None where nothing can be looked up in it within a reasonable time.

    That is so where the parser takes many times the steps that code of that size needs, and where the tree is too deep,
    or one of its errors too wide.

    Args:
        parser: the parser, with its range set.
        data: the source.
        start: the start of that range.
        end: its end.
        small: the number of bytes below which the steps do not matter.
        old: an earlier tree, edited to the source; what has not changed since is not parsed again.
    """
    if end - start < small:
        tree: Tree | None = parser.parse(data, **_earlier(old))
    else:
        tree = None if _has_long_run(data) else parse_in_steps(parser, data, start, end, old=old)
    return tree if tree is not None and _is_bounded(tree.root_node) else None


def parse_again(parser: Parser, tree: Tree, before: bytes, data: bytes) -> Tree | None:
    """The tree of a source after a change in some of its lines, as `parse` makes it.

    Args:
        parser: the parser.
        tree: the tree from before the change, which cannot be used afterwards.
        before: the source of that tree.
        data: the source, whose lines are as long as they were before.
    """
    start = 0
    for row, (line, changed) in enumerate(zip(before.split(b"\n"), data.split(b"\n"), strict=True)):
        end = start + len(line)
        if line != changed:
            tree.edit(start, end, end, (row, 0), (row, len(line)), (row, len(line)))
        start = end + 1
    return parse(parser, data, 0, len(data), old=tree)


def _earlier(tree: Tree | None) -> dict[str, Any]:
    """The argument for an earlier tree; the parser takes no None."""
    return {} if tree is None else {"old_tree": tree}


def parse_in_steps(
    parser: Parser, data: bytes, start: int, end: int, most_reads: float = float("inf"), old: Tree | None = None
) -> Tree | None:
    """The tree of a source in any language; None where the parser takes too many steps.

    A tree of a source that is read by a callback has no texts in its nodes. So the parser is stopped after the last
    piece of code, and continues from there with the source itself: only balancing the tree is left to do.

    Args:
        parser: the parser, with its range set.
        data: the source.
        start: the start of that range.
        end: its end.
        most_reads: how often the parser may request `CHUNK` bytes. The scanners of some grammars look from each token
            to the end of the source, all within one step, and what follows the token has to be read again.
        old: an earlier tree, edited to the source.
    """
    left = _FEWEST + (end - start) * _PER_BYTE
    reads = 0
    last = len(data[start:end].rstrip()) + start

    # The parser's binding (0.26) never releases what a callback returns. A released view holds no source in memory.
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
        tree = parser.parse(read, **_earlier(old), progress_callback=stops)
    except ValueError:
        if left >= 0 and reads <= most_reads:
            return parser.parse(data)  # continues
        parser.reset()
        return None
    finally:
        for view in views:
            view.release()
    return parser.parse(data, tree)  # done before the stop: this takes the tree over


def _is_bounded(root: Node) -> bool:
    """Whether a tree is not too deep, and no error in it too wide; parts with few nodes are not visited."""
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        if depth > DEEPEST or (node.is_error and node.child_count > WIDEST):
            return False
        pending += [(child, depth + 1) for child in node.children if depth + child.descendant_count > DEEPEST]
    return True


def _has_long_run(data: bytes) -> bool:
    """Whether there is a run that the parser takes too long for; the slow pattern runs only where the marks match."""
    return (
        any(data.count(mark) >= _RUN for mark in (b"[[", b"<"))
        and any(run in data.translate(None, others) for others, run in _RUNS)
        and _LONG_RUN.search(data) is not None
    )


def cut_open_comment(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source without the unclosed comment, in which the parser would search for one everywhere."""
    if not lexemes.comments_and_literals:
        return data
    start, end = lexemes.comments_and_literals[-1]
    if end < len(data) or not data.startswith(b"/*", start) or data.endswith(b"*/", start + 2):
        return data
    return data[:start] + _NO_LINE_END.sub(b" ", data[start:])
