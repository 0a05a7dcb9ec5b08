"""The syntax tree: tree-sitter's CUDA grammar for CUDA sources, its C++ grammar for plain C and C++."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain
from typing import TYPE_CHECKING

from hipify_py.core.source import Source
from hipify_py.frontend.lexer import Lexemes

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from hipify_py.frontend.fragments import Fragments
    from hipify_py.frontend.keyword_nodes import KeywordNodes
    from hipify_py.frontend.node_index import NodeIndex

LARGEST = 4 << 20
"""Sources above this size (bytes) are translated token by token: a tree takes some 40 times the source's memory."""


class SyntaxTree:
    """One interface over both grammars. Parses on first use: many files need no structure."""

    __slots__ = (
        "_fragments",
        "_grammar",
        "_index",
        "_indices",
        "_is_beyond",
        "_keyword_nodes",
        "_lexemes",
        "_source",
        "_tree",
    )

    def __init__(self, source: Source, lexemes: Lexemes) -> None:
        self._source = source
        self._lexemes = lexemes
        self._tree: Tree | None = None
        self._fragments: Fragments | None = None
        self._index: NodeIndex | None = None
        self._keyword_nodes: KeywordNodes | None = None
        self._indices: dict[int, NodeIndex] = {}
        self._is_beyond = False
        self._grammar = ""

    @property
    def is_available(self) -> bool:
        """False for a source that is too large to parse, nested too deeply or too broken; parses on first use."""
        if len(self._source.data) > LARGEST:
            return False
        if self._tree is None:
            self._parse()
        return not self._is_beyond

    @property
    def missing(self) -> str:
        """Why a source, or the body of a macro, could not be parsed, as far as anybody has asked for it."""
        if len(self._source.data) > LARGEST:
            return "the file is too large to parse; it was converted token by token"
        if self._is_beyond:
            return "the code is nested too deeply, or too broken, to parse; it was converted token by token"
        if self._fragments is not None and self._fragments.has_unparsed:
            return "a macro's body is nested too deeply, or too broken, to parse; it was converted token by token"
        return ""

    @property
    def is_parsed(self) -> bool:
        """Whether some rule has needed structure."""
        return self._tree is not None and not self._is_beyond

    @property
    def root(self) -> Node:
        """The root node; parses on first use."""
        return (self._tree or self._parse()).root_node

    def _parse(self) -> Tree:
        from hipify_py.frontend.grammars import parser_of
        from hipify_py.frontend.parsed_source import parse_source

        self._grammar, tree, self._fragments = parse_source(self._source, self._lexemes)
        self._is_beyond = tree is None
        self._tree = tree if tree is not None else parser_of(self._grammar).parse(b"")
        return self._tree

    @property
    def index(self) -> NodeIndex:
        """The nodes of the common kinds, without macro bodies; empty where no tree is available."""
        if self._index is None:
            from hipify_py.frontend.grammars import kinds_of
            from hipify_py.frontend.node_index import NodeIndex

            self._index = NodeIndex()
            if self.is_available:
                self._index.read(self.root, kinds_of(self._grammar))
        return self._index

    def nodes(self, *kinds: str, within: Node | None = None) -> list[Node]:
        """The nodes of some kinds that the index has, in source order, outer ones first.

        Args:
            kinds: the kinds.
            within: the node that is searched, itself included; by default the whole tree, without macro bodies.
        """
        if within is None and self._index is None and (looked_up := self._by_keywords(kinds)) is not None:
            return looked_up
        index = self.index if within is None else self._index_around(within)
        if len(kinds) == 1:
            return index.of_kind(kinds[0]) if within is None else index.within(kinds[0], within)
        from hipify_py.frontend.node_index import sort_key

        found = [index.of_kind(kind) if within is None else index.within(kind, within) for kind in kinds]
        return sorted(chain.from_iterable(found), key=sort_key)

    def outermost(self, kinds: Collection[str], accepts: Callable[[Node], bool]) -> None:
        """Visit the nodes of some kinds that the index has, without macro bodies, in source order.

        Args:
            kinds: the kinds.
            accepts: called with each; the descendants of a node for which it returns True are not visited.
        """
        if self._index is None:
            if self.is_available:
                from hipify_py.frontend.grammars import kinds_of
                from hipify_py.frontend.node_index import outermost

                outermost(self.root, kinds_of(self._grammar), kinds, accepts)
            return
        end = -1
        for node in self.nodes(*kinds):
            if node.start_byte >= end and accepts(node):
                end = node.end_byte

    def _by_keywords(self, kinds: Collection[str]) -> list[Node] | None:
        """The nodes of some kinds by their keywords; None where they have none, or an index is faster."""
        if not self.is_available:
            return []
        if self._keyword_nodes is None:
            from hipify_py.frontend.keyword_nodes import KeywordNodes

            self._keyword_nodes = KeywordNodes(self._lexemes, self.root)
        return self._keyword_nodes.find(kinds)

    def _index_around(self, node: Node) -> NodeIndex:
        """The index of a node's tree: of the file's, or of a macro body's."""
        body = self.index.enclosing("preproc_arg", node.start_byte)
        if body is None or self._fragments is None:
            return self.index
        place = body.start_byte
        if place not in self._indices:
            from hipify_py.frontend.grammars import kinds_of
            from hipify_py.frontend.node_index import NodeIndex

            index = self._indices[place] = NodeIndex()
            root = self._fragments.root(place, body.end_byte)
            if root is not None:
                index.read(root, kinds_of(self._grammar))
        return self._indices[place]

    def captures(self, query: str, within: Node | None = None) -> dict[str, list[Node]]:
        """The matches of a tree-sitter query, by the names of its captures, in source order.

        Args:
            query: its text, which both grammars accept; compiled once per process.
            within: the node that is searched; by default the whole tree, without macro bodies.
        """
        if not self.is_available:
            return {}
        from tree_sitter import QueryCursor

        from hipify_py.frontend.grammars import query_of

        root = self.root
        return QueryCursor(query_of(self._grammar, query)).captures(root if within is None else within)

    def part(self, start: int, end: int) -> Node | None:
        """The root of a part of the source that is parsed separately, at its own offsets; None without a tree.

        For code that the whole tree has lost: what is broken elsewhere does not affect it.
        """
        if not self.is_available or self._fragments is None:
            return None
        return self._fragments.root(start, end)

    def leaf(self, start: int, end: int) -> Node | None:
        """The smallest node that covers a byte range, in a macro's body its fragment's; None without a tree."""
        if not self.is_available:
            return None
        node = self.root.descendant_for_byte_range(start, end)
        if node is not None and node.type == "preproc_arg" and self._fragments is not None:
            root = self._fragments.root(node.start_byte, node.end_byte)
            return root.descendant_for_byte_range(start, end) if root is not None else None
        return node


def ancestor(node: Node | None, *types: str) -> Node | None:
    """The nearest node of one of the types, `node` itself included."""
    while node is not None and node.type not in types:
        node = node.parent
    return node
