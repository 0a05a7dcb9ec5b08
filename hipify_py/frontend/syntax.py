"""The syntax tree: tree-sitter's CUDA grammar for CUDA sources, its C++ grammar for plain C and C++."""

from __future__ import annotations

from itertools import chain

from hipify_py.frontend.chevrons import with_joined_chevrons
from hipify_py.frontend.fragments import Fragments
from hipify_py.frontend.function_macros import without_function_macros
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.node_index import Grammar, NodeIndex, place_of
from hipify_py.frontend.parsing import parse, without_open_comment
from hipify_py.frontend.specifier_macros import without_specifier_macros
from hipify_py.frontend.statement_macros import without_statement_macros
from hipify_py.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query, Tree

LARGEST = 4 << 20
"""Sources above this size (bytes) are translated token by token: a tree takes some 40 times the source's memory."""

_parsers: dict[str, Parser] = {}
_queries: dict[tuple[str, str], Query] = {}
_grammars: dict[str, Grammar] = {}


class SyntaxTree:
    """One face over both grammars. Parses on first use: many a file needs no structure."""

    __slots__ = ("_fragments", "_grammar", "_index", "_indices", "_is_beyond", "_lexemes", "_source", "_tree")

    def __init__(self, source: Source, lexemes: Lexemes) -> None:
        self._source = source
        self._lexemes = lexemes
        self._tree: Tree | None = None
        self._fragments: Fragments | None = None
        self._index: NodeIndex | None = None
        self._indices: dict[int, NodeIndex] = {}
        self._is_beyond = False
        self._grammar = ""

    @property
    def is_available(self) -> bool:
        """False for a source that is too large to parse, nested too deeply or too broken; parses when asked first."""
        if len(self._source.data) > LARGEST:
            return False
        if self._tree is None:
            self._parse()
        return not self._is_beyond

    @property
    def missing(self) -> str:
        """Why a source, or the body of a macro, could not be read from its tree, as far as anybody asked for it."""
        if len(self._source.data) > LARGEST:
            return "the file is too large to parse; it was converted token by token"
        if self._is_beyond:
            return "the code is nested too deeply, or too broken, to parse; it was converted token by token"
        if self._fragments is not None and self._fragments.are_missing:
            return "a macro's body is nested too deeply, or too broken, to parse; it was converted token by token"
        return ""

    @property
    def is_parsed(self) -> bool:
        """True once some rule has asked for structure."""
        return self._tree is not None and not self._is_beyond

    @property
    def root(self) -> Node:
        """The root node; parses when asked first."""
        return (self._tree or self._parse()).root_node

    def _parse(self) -> Tree:
        self._grammar = "cuda" if _has_cuda_syntax(self._source) else "cpp"
        parser = _parser(self._grammar)
        data = without_specifier_macros(self._lexemes, with_joined_chevrons(self._lexemes))
        data = without_function_macros(self._lexemes, data)
        self._fragments = Fragments(self._source, data, parser)
        tree = _parsed(parser, self._lexemes, data)
        self._is_beyond = tree is None
        self._tree = tree if tree is not None else parser.parse(b"")
        return self._tree

    @property
    def index(self) -> NodeIndex:
        """The nodes of the kinds that many look for, macro bodies left out; none where no tree is available."""
        if self._index is None:
            self._index = NodeIndex()
            if self.is_available:
                self._index.read(self.root, _grammar(self._grammar))
        return self._index

    def nodes(self, *kinds: str, within: Node | None = None) -> list[Node]:
        """The nodes of some kinds that the index has, in the order of their places, outer ones first.

        Args:
            kinds: the kinds.
            within: the node that is searched, itself included; the whole tree, macro bodies left out, without it.
        """
        index = self.index if within is None else self._index_around(within)
        if len(kinds) == 1:
            return index.of(kinds[0]) if within is None else index.within(kinds[0], within)
        found = [index.of(kind) if within is None else index.within(kind, within) for kind in kinds]
        return sorted(chain.from_iterable(found), key=place_of)

    def _index_around(self, node: Node) -> NodeIndex:
        """The index of the tree that a node stands in: of the file's, or of a macro body's."""
        body = self.index.around("preproc_arg", node.start_byte)
        if body is None or self._fragments is None:
            return self.index
        place = body.start_byte
        if place not in self._indices:
            index = self._indices[place] = NodeIndex()
            root = self._fragments.root(place, body.end_byte)
            if root is not None:
                index.read(root, _grammar(self._grammar))
        return self._indices[place]

    def captures(self, query: str, within: Node | None = None) -> dict[str, list[Node]]:
        """What a tree-sitter query finds, by the names of its captures, in the order of the places.

        Args:
            query: its text, which both grammars understand; compiled once a process.
            within: the node that is searched; the whole tree, macro bodies left out, without it.
        """
        from tree_sitter import QueryCursor

        if not self.is_available:
            return {}
        root = self.root
        return QueryCursor(_query(self._grammar, query)).captures(root if within is None else within)

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


def _parsed(parser: Parser, lexemes: Lexemes, data: bytes) -> Tree | None:
    """The tree of a source, in which macros that are statements do not read as types; None where it cannot be had."""
    data = without_open_comment(lexemes, data)
    tree = parse(parser, data, 0, len(data))
    if tree is None:
        return None
    readable = without_statement_macros(lexemes, data, tree.root_node.descendant_for_byte_range)
    return tree if readable is data else parse(parser, readable, 0, len(readable))


def _has_cuda_syntax(source: Source) -> bool:
    """Headers of any name may hold kernels, so the text decides where the suffix does not."""
    return source.is_cuda or b"<<<" in source.data or b"__global__" in source.data or b"__device__" in source.data


def _query(grammar: str, text: str) -> Query:
    query = _queries.get((grammar, text))
    if query is None:
        from tree_sitter import Query

        query = _queries[grammar, text] = Query(_language(grammar), text)
    return query


def _grammar(name: str) -> Grammar:
    known = _grammars.get(name)
    if known is None:
        known = _grammars[name] = Grammar(_language(name))
    return known


def _language(grammar: str) -> Language:
    language = _parser(grammar).language
    assert language is not None, "every parser is made with a language"
    return language


def _parser(grammar: str) -> Parser:
    parser = _parsers.get(grammar)
    if parser is None:
        from tree_sitter import Language, Parser

        if grammar == "cuda":
            from tree_sitter_cuda import language
        else:
            from tree_sitter_cpp import language
        parser = _parsers[grammar] = Parser(Language(language()))
    return parser
