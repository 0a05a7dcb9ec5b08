"""Reads pyproject.toml: its keys with the tables that they are in, and their values as nodes of `expressions.py`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.build_systems.expressions import LIST, MAPPING, OTHER, STRING, Node
from hipify_py.build_systems.file import Range
from hipify_py.build_systems.parsing import parse

if TYPE_CHECKING:
    import tree_sitter

_KINDS = {"string": STRING, "array": LIST, "inline_table": MAPPING}
_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})
_DEEPEST = 64
"""Arrays and tables within each other; what lies deeper is not looked at."""


class Entry(NamedTuple):
    """A key and its value.

    Attributes:
        path: the names of the tables around it, and its own name.
        key: where the last part of the key is.
        start: where the entry begins.
        end: behind it.
        value: what it holds; an inline table's entries are entries of their own.
    """

    path: tuple[str, ...]
    key: Range
    start: int
    end: int
    value: Node


class Document(NamedTuple):
    """A file, read: its entries, its comments, and where it is no TOML (-1: nowhere)."""

    entries: list[Entry]
    comments: list[Range]
    broken: int


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_toml.language()))


def read(data: bytes) -> Document:
    """Read a file."""
    tree = parse(_parser(), data)
    if tree is None:
        return Document([], [], 0)
    entries: list[Entry] = []
    comments: list[Range] = []
    broken = -1
    stack: list[tuple[tree_sitter.Node, tuple[str, ...], int]] = [(tree.root_node, (), 0)]
    while stack:
        given, path, depth = stack.pop()
        if given.type == "comment":
            comments.append((given.start_byte, given.end_byte))
            continue
        if given.is_missing or given.type == "ERROR":
            broken = given.start_byte if broken < 0 else broken
            continue
        children = given.named_children
        values = [child for child in children if child.type != "comment"]
        if given.type in {"table", "table_array_element"} and children:
            path = _key(data, children[0])[0]
        elif given.type == "pair" and len(values) > 1:
            names, key = _key(data, values[0])
            path = (*path, *names)
            value = _value(data, values[-1])
            entries.append(Entry(path, key, given.start_byte, value.end, value))
        if depth < _DEEPEST:
            stack += [(child, path, depth + 1) for child in reversed(children)]
    return Document(entries, sorted(comments), broken)


def _key(data: bytes, given: tree_sitter.Node) -> tuple[tuple[str, ...], Range]:
    """The parts of a key, and where the last one is."""
    parts: list[tree_sitter.Node] = []
    stack = [given]
    while stack:
        node = stack.pop()
        if node.type == "dotted_key":
            stack += reversed(node.named_children)
        elif node.type in _KEYS:
            parts.append(node)
    names = tuple(data[part.start_byte : part.end_byte].decode("utf-8", "replace").strip("\"'") for part in parts)
    last = parts[-1] if parts else given
    quote = last.type == "quoted_key"
    return names, (last.start_byte + quote, last.end_byte - quote)


def _value(data: bytes, given: tree_sitter.Node) -> Node:
    root = Node(_KINDS.get(given.type, OTHER), given.start_byte, given.end_byte)
    stack = [(given, root, 0)]
    while stack:
        at, node, depth = stack.pop()
        if node.kind == STRING:
            text = data[node.start : node.end]
            quotes = 3 if text[:3] in {b'"""', b"'''"} and len(text) >= 6 else 1
            node.inner = (node.start + quotes, max(node.end - quotes, node.start + quotes))
            node.text = data[slice(*node.inner)].decode("utf-8", "surrogateescape")
        elif node.kind == LIST and depth < _DEEPEST:
            for child in at.named_children:
                if child.type != "comment":
                    below = Node(_KINDS.get(child.type, OTHER), child.start_byte, child.end_byte, "", node)
                    node.children.append(below)
                    stack.append((child, below, depth + 1))
    return root
