"""Parses pieces of a file that the whole file's tree holds as plain text, at their own offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.source import Source
from hipify_py.frontend.declarator_macros import blank_declarator_macros
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.parsing import parse

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree


_SMALL = 500
"""Bytes of a fragment that are parsed at any cost."""


class Fragments:
    """The trees of macro bodies, parsed on first use.

    The grammar keeps a `#define`'s body as one token (`preproc_arg`). Parsed by itself, as a sequence of
    statements with its backslash-newlines, it has calls and launches like other code.
    """

    __slots__ = ("_data", "_lexemes", "_parser", "_readable", "_source", "_trees")

    def __init__(self, source: Source, lexemes: Lexemes, data: bytes, parser: Parser) -> None:
        """`data` is the source as the grammar can parse it."""
        self._source = source
        self._lexemes = lexemes
        self._readable: bytes | None = None
        self._data = data
        self._parser = parser
        self._trees: dict[int, Tree | None] = {}

    @property
    def has_unparsed(self) -> bool:
        """Whether a requested one cannot be parsed."""
        return None in self._trees.values()

    def root(self, start: int, end: int) -> Node | None:
        """The root node of the fragment `[start, end)`; its offsets are the file's. None where it cannot be parsed."""
        if start not in self._trees:
            from tree_sitter import Point, Range

            (first, left), (last, right) = self._source.position(start), self._source.position(end)
            part = Range(Point(first - 1, left - 1), Point(last - 1, right - 1), start, end)
            self._parser.included_ranges = [part]
            try:
                self._trees[start] = self._parse(start, end)
            finally:
                self._parser.included_ranges = []
        tree = self._trees[start]
        return tree.root_node if tree is not None else None

    def _parse(self, start: int, end: int) -> Tree | None:
        """The tree of the parser's range; macros in declarators are blanked where it has errors."""
        tree = parse(self._parser, self._data, start, end, _SMALL)
        if tree is None or not tree.root_node.has_error:
            return tree
        if self._readable is None:
            self._readable = blank_declarator_macros(self._lexemes, self._data)
        return tree if self._readable is self._data else parse(self._parser, self._readable, start, end, _SMALL)
