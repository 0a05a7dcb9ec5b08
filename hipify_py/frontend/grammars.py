"""tree-sitter's grammars, and what is created once for each: a parser per thread, queries, the numbers of kinds."""

from __future__ import annotations

from _thread import get_ident

from tree_sitter import Language, Parser, Query

from hipify_py.frontend.node_index import Grammar

CUDA, CPP = "cuda", "cpp"

_parsers: dict[tuple[int, str], Parser] = {}
_queries: dict[tuple[str, str], Query] = {}
_kinds: dict[str, Grammar] = {}


def parser_of(grammar: str) -> Parser:
    """The parser for a grammar, `CUDA` or `CPP`.

    Each thread has its own: a parser that calls back for its source lets other threads run, and two concurrent uses of
    it
    crash the process.
    """
    key = get_ident(), grammar
    parser = _parsers.get(key)
    if parser is None:
        if grammar == CUDA:
            from tree_sitter_cuda import language
        else:
            from tree_sitter_cpp import language
        parser = _parsers[key] = Parser(Language(language()))
    return parser


def query_of(grammar: str, text: str) -> Query:
    """A query in tree-sitter's language, compiled for a grammar."""
    query = _queries.get((grammar, text))
    if query is None:
        query = _queries[grammar, text] = Query(_language(grammar), text)
    return query


def kinds_of(grammar: str) -> Grammar:
    """A grammar's numbers for the kinds of nodes in an index."""
    cached = _kinds.get(grammar)
    if cached is None:
        cached = _kinds[grammar] = Grammar(_language(grammar))
    return cached


def _language(grammar: str) -> Language:
    language = parser_of(grammar).language
    assert language is not None, "every parser is made with a language"
    return language
