"""Parses a source as the compiler would read it: what the grammars do not know is made readable first."""

from __future__ import annotations

from tree_sitter import Parser, Tree

from hipify_py.core.source import Source
from hipify_py.frontend.attributes import without_attributes
from hipify_py.frontend.chevrons import with_joined_chevrons
from hipify_py.frontend.class_macros import without_class_macros
from hipify_py.frontend.declarator_macros import without_declarator_macros
from hipify_py.frontend.fragments import Fragments
from hipify_py.frontend.function_macros import without_function_macros
from hipify_py.frontend.grammars import CPP, CUDA, parser_of
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.parsing import parse, without_open_comment
from hipify_py.frontend.specifier_macros import without_specifier_macros
from hipify_py.frontend.statement_macros import without_statement_macros
from hipify_py.frontend.template_types import with_template_types


def parsed(source: Source, lexemes: Lexemes) -> tuple[str, Tree | None, Fragments]:
    """The grammar of a source, its tree and those of its macros' bodies; no tree where none can be had."""
    grammar = CUDA if _has_cuda_syntax(source) else CPP
    parser = parser_of(grammar)
    data = without_specifier_macros(lexemes, with_joined_chevrons(lexemes))
    data = without_attributes(lexemes, without_class_macros(lexemes, without_function_macros(lexemes, data)))
    return grammar, _tree(parser, lexemes, data), Fragments(source, lexemes, data, parser)


def _has_cuda_syntax(source: Source) -> bool:
    """Headers of any name may hold kernels, so the text decides where the suffix does not."""
    return source.is_cuda or b"<<<" in source.data or b"__global__" in source.data or b"__device__" in source.data


def _tree(parser: Parser, lexemes: Lexemes, data: bytes) -> Tree | None:
    """The tree of a source, in which macros that are statements do not read as types; None where it cannot be had."""
    data = without_open_comment(lexemes, data)
    tree = parse(parser, data, 0, len(data))
    if tree is None:
        return None
    node_at = tree.root_node.descendant_for_byte_range
    readable = with_template_types(without_statement_macros(lexemes, data, node_at), node_at)
    if tree.root_node.has_error:
        readable = without_declarator_macros(lexemes, readable)
    return tree if readable is data else parse(parser, readable, 0, len(readable))
