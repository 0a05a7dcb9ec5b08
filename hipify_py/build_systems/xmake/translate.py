"""Translate an xmake.lua into a `Translation`: libraries, folders and options; reports what has no counterpart."""

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
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.file import Range
from hipify_py.build_systems.option_lists import elements_of, literal, translate_options
from hipify_py.build_systems.parsing import parse
from hipify_py.build_systems.python.rules import places, renames
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

if TYPE_CHECKING:
    import tree_sitter


# Reads xmake.lua into the nodes of `expressions.py`.

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
"""How deep expressions may nest; deeper ones are not visited."""


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_lua
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_lua.language()))


def read(data: bytes) -> Read:
    """Read a file; calls that are not part of an expression are statements."""
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


LIBRARY = "xmake"


def _calls(file: Script) -> None:
    facts = table("xmake")
    for node in file.nodes:
        if node.kind != CALL:
            continue
        name = node.called.rpartition(":")[2]
        strings = [argument for argument in node.arguments if argument.kind == STRING]
        if name in facts["linking"]:
            for string in strings:
                if linked(file, *string.inner, string.text):
                    file.finding("HIP605", string.inner[0], string.text, "HIP needs no replacement")
        elif name == "add_files":
            for string in strings:
                if string.text.endswith((".cu", ".hip")) and len(strings) == len(node.arguments):
                    file.finding("HIP633", string.inner[0], string.text)
        elif name in facts["options"]:
            _options(file, node, strings)
        elif name in facts["architectures"]:
            file.converted(node.start, name, "function")
            file.finding("HIP602", node.start, name)
            statement = node.parent
            if statement is not None and statement.kind == STATEMENT:
                file.drop(statement.start, statement.end)
        elif name in facts["calls"]:
            for string in strings:
                if string.text == "cuda" or (name == "add_packages" and string.text.startswith("cuda")):
                    file.left("HIP601", string.inner[0], f'{name}("{string.text}")', "rule", facts["calls"][name])


def _options(file: Script, call: Node, strings: list[Node]) -> None:
    """Translate nvcc's options, as arguments of a call; a call that is left without any goes."""
    several: dict[int, list[str]] = {}
    elements = elements_of(strings)
    gone = translate_options(file, elements, for_cuda=True, write=several.__setitem__)
    for index, texts in several.items():
        string = strings[index]
        file.replace_whole(string.start, string.end, ", ".join(literal(file, string, text) for text in texts))
    if gone and len(gone) == len(call.arguments) and call.parent is not None and call.parent.kind == STATEMENT:
        file.drop(call.parent.start, call.parent.end)
        return
    for index in gone:
        file.replace_whole(strings[index].start, strings[index].end, '""')


_RULES: tuple[Rule, ...] = (_calls, places.apply, renames.apply)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate an xmake.lua."""
    return translated(Source(data, path), LIBRARY, read(data), choices, project, _RULES)
