"""Translate a pyproject.toml into a `Translation`: what it passes to CMake, what it links, and its requirements."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.build_systems.expressions import LIST, MAPPING, OTHER, STRING, Node
from hipify_py.build_systems.file import BuildFile, Range
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.option_lists import drop_elements
from hipify_py.build_systems.parsing import parse
from hipify_py.build_systems.python.rules.cmake_arguments import among, define
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.rules.packages import reported
from hipify_py.build_systems.python.rules.places import path as write_path
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

if TYPE_CHECKING:
    import tree_sitter


# Reads pyproject.toml: its keys with the tables that contain them, and their values as nodes of `expressions.py`.

_KINDS = {"string": STRING, "array": LIST, "inline_table": MAPPING}
_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})
_DEEPEST = 64
"""How deep arrays and tables may nest; deeper ones are not visited."""


class Entry(NamedTuple):
    """A key and its value.

    Attributes:
        path: the names of the tables around it, and its own name.
        key: where the last part of the key is.
        start: where the entry begins.
        end: just after its end.
        value: what it holds; an inline table's entries are separate entries.
    """

    path: tuple[str, ...]
    key: Range
    start: int
    end: int
    value: Node


class Document(NamedTuple):
    """A file, read: its entries, its comments, and where it stops being TOML (-1: nowhere)."""

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


LIBRARY = "python"
_ENVIRONMENT = "ROCM_PATH"
_CMAKES = frozenset({"CUDACXX", "CUDAHOSTCXX"})
"""Variables by which CMake finds CUDA's compiler; it finds HIP's by itself."""
_REQUIREMENTS = frozenset({"requires", "dependencies", "optional-dependencies", "dependency-groups", "requires-dist"})


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a pyproject.toml; its project does not matter to it."""
    document = read(data)
    statements = sorted(((entry.start, entry.end) for entry in document.entries), key=lambda place: place[1])
    file = BuildFile(Source(data, path), LIBRARY, options, document.comments, statements)
    if document.broken >= 0:
        file.finding("HIP605", document.broken, "syntax", "this cannot be read and stays as it is")
    for entry in document.entries:
        _entry(file, entry)
    return finished(file)


def _entry(file: BuildFile, entry: Entry) -> None:
    path, name, value = entry.path, entry.path[-1], entry.value
    if path[-3:-1] == ("cmake", "define"):
        if define(file, entry.key[0], name, value):
            _drop(file, entry)
    elif path[-2:] == ("cmake", "args") and value.kind == LIST:
        drop_elements(file, value, value.children, among(file, value.children))
    elif path[:2] == ("tool", "cibuildwheel"):
        if path[-2] == "environment" and name in _CMAKES:
            file.converted(entry.key[0], name, "environment")
            _drop(file, entry)
        elif path[-2] == "environment" and name in file.facts.environment:
            file.replace(*entry.key, _ENVIRONMENT)
            file.converted(entry.key[0], name, "environment")
        if value.kind == STRING:
            write_path(file, value)
    elif path[:3] == ("tool", "setuptools", "ext-modules"):
        _extension(file, entry)
    elif path[0] in {"build-system", "project", "dependency-groups"} and not _REQUIREMENTS.isdisjoint(path):
        for child in value.children:
            if child.kind == STRING:
                reported(file, child)


def _extension(file: BuildFile, entry: Entry) -> None:
    value = entry.value
    if entry.path[-1] == "libraries":
        gone = [
            index
            for index, child in enumerate(value.children)
            if child.kind == STRING and linked(file, *child.inner, child.text)
        ]
        drop_elements(file, value, value.children, gone)
    else:
        for child in value.children:
            if child.kind == STRING:
                write_path(file, child)


def _drop(file: BuildFile, entry: Entry) -> None:
    """Take an entry out: its line, or its part of an inline table."""
    data = file.source.data
    end = entry.end
    while data[end : end + 1] in {b" ", b"\t"}:
        end += 1
    if data[end : end + 1] == b",":
        end += 1
        while data[end : end + 1] in {b" ", b"\t"}:
            end += 1
        file.replace_whole(entry.start, end, "")
    elif data[end : end + 1] == b"}":
        start = data[: entry.start].rstrip()
        file.replace_whole(len(start) - start.endswith(b","), entry.end, "")
    else:
        file.drop(entry.start, entry.end)
