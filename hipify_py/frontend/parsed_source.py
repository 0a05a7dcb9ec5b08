"""Parses a source as the compiler would: what the grammars cannot parse is rewritten first."""

from __future__ import annotations

from tree_sitter import Parser, Tree

from hipify_py.core.source import Source
from hipify_py.frontend.attributes import blank_attributes
from hipify_py.frontend.chevrons import join_chevrons
from hipify_py.frontend.class_macros import blank_class_macros
from hipify_py.frontend.declarator_macros import blank_declarator_macros
from hipify_py.frontend.fragments import Fragments
from hipify_py.frontend.function_macros import blank_function_macros
from hipify_py.frontend.grammars import CPP, CUDA, parser_of
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.parsing import cut_open_comment, parse
from hipify_py.frontend.specifier_macros import replace_specifier_macros
from hipify_py.frontend.statement_macros import replace_statement_macros
from hipify_py.frontend.template_types import blank_template_scopes


def parse_source(source: Source, lexemes: Lexemes) -> tuple[str, Tree | None, Fragments]:
    """The grammar of a source, its tree and those of its macros' bodies; None as the tree where it cannot be parsed."""
    grammar = CUDA if _has_cuda_syntax(source) else CPP
    parser = parser_of(grammar)
    data = replace_specifier_macros(lexemes, join_chevrons(lexemes))
    data = blank_attributes(lexemes, blank_class_macros(lexemes, blank_function_macros(lexemes, data)))
    return grammar, _tree(parser, lexemes, data), Fragments(source, lexemes, data, parser)


def _has_cuda_syntax(source: Source) -> bool:
    """Whether the text has kernels: headers of any name may, so the text decides where the suffix does not."""
    return source.is_cuda or b"<<<" in source.data or b"__global__" in source.data or b"__device__" in source.data


def _tree(parser: Parser, lexemes: Lexemes, data: bytes) -> Tree | None:
    """The tree of a source, in which statement macros do not parse as types; None where it cannot be parsed."""
    data = cut_open_comment(lexemes, data)
    tree = parse(parser, data, 0, len(data))
    if tree is None:
        return None
    node_at = tree.root_node.descendant_for_byte_range
    readable = blank_template_scopes(replace_statement_macros(lexemes, data, node_at), node_at)
    if tree.root_node.has_error:
        readable = blank_declarator_macros(lexemes, readable)
    return tree if readable is data else parse(parser, readable, 0, len(readable))
