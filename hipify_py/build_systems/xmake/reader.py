"""Reads xmake.lua into the nodes of `expressions.py`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hipify_py.build_systems.expressions import (
    BLOCK,
    BROKEN,
    CALL,
    KEYWORD,
    LIST,
    NAME,
    OPERATION,
    OTHER,
    STATEMENT,
    STRING,
    Node,
    Read,
)
from hipify_py.build_systems.file import Range
from hipify_py.build_systems.parsing import parse

if TYPE_CHECKING:
    import tree_sitter

_KINDS = {
    "string": STRING,
    "function_call": CALL,
    "table_constructor": LIST,
    "field": KEYWORD,
    "identifier": NAME,
    "dot_index_expression": NAME,
    "method_index_expression": NAME,
    "binary_expression": OPERATION,
    "ERROR": BROKEN,
}
_LONGEST_NAME = 256
_DEEPEST = 100
"""Expressions within each other; what lies deeper is not looked at."""


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_lua
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_lua.language()))


def read(data: bytes) -> Read:
    """Read a file; calls that stand for themselves are statements."""
    root = Node(BLOCK, 0, len(data))
    tree = parse(_parser(), data)
    if tree is None:
        return Read(root, [], [], 0)
    comments: list[Range] = []
    statements: list[Range] = []
    broken = -1
    stack = [(child, root, 0) for child in reversed(tree.root_node.named_children)]
    while stack:
        given, parent, depth = stack.pop()
        if given.type == "comment":
            comments.append((given.start_byte, given.end_byte))
            continue
        if given.is_missing or given.type == "ERROR":
            broken = given.start_byte if broken < 0 else broken
        children = given.named_children
        if given.type == "arguments" or (given.type == "field" and given.child_by_field_name("name") is None):
            stack += [(child, parent, depth) for child in reversed(children)]
            continue
        if given.type == "function_call" and parent.kind in {BLOCK, OTHER}:
            statement = Node(STATEMENT, given.start_byte, given.end_byte, "", parent)
            parent.children.append(statement)
            statements.append((statement.start, statement.end))
            parent = statement
        node = Node(_KINDS.get(given.type, OTHER), given.start_byte, given.end_byte, "", parent)
        parent.children.append(node)
        if node.kind == STRING:
            content = given.child_by_field_name("content")
            node.inner = (content.start_byte, content.end_byte) if content is not None else (node.end, node.end)
            node.text = data[slice(*node.inner)].decode("utf-8", "surrogateescape")
            continue
        if node.kind == NAME:
            node.text = data[node.start : min(node.end, node.start + _LONGEST_NAME)].decode("utf-8", "replace")
            continue
        if node.kind == KEYWORD:
            name = given.child_by_field_name("name")
            if name is not None:
                node.text = data[name.start_byte : name.end_byte].decode("utf-8", "replace")
                children = [child for child in children if child != name]
        if depth < _DEEPEST:
            stack += [(child, node, depth + 1) for child in reversed(children)]
    return Read(root, sorted(comments), sorted(statements, key=lambda place: place[1]), broken)
