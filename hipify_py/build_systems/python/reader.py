"""Reads Python's syntax, which setup.py and Bazel share, into the nodes of `expressions.py`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    BLOCK,
    BROKEN,
    CALL,
    COMPREHENSION,
    CONDITIONAL,
    FUNCTION,
    IMPORT,
    JOINED,
    KEYWORD,
    LAMBDA,
    LIST,
    LOOP,
    MAPPING,
    NAME,
    OPERATION,
    OTHER,
    PAIR,
    RETURN,
    SPLAT,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    TUPLE,
    Node,
    Read,
)
from hipify_py.build_systems.file import Range
from hipify_py.build_systems.parsing import parse

if TYPE_CHECKING:
    import tree_sitter

_KINDS = {
    "string": STRING,
    "concatenated_string": JOINED,
    "list": LIST,
    "set": LIST,
    "tuple": TUPLE,
    "dictionary": MAPPING,
    "pair": PAIR,
    "call": CALL,
    "keyword_argument": KEYWORD,
    "identifier": NAME,
    "attribute": ATTRIBUTE,
    "subscript": SUBSCRIPT,
    "binary_operator": OPERATION,
    "boolean_operator": OPERATION,
    "comparison_operator": OPERATION,
    "not_operator": OPERATION,
    "assignment": ASSIGNMENT,
    "augmented_assignment": ASSIGNMENT,
    "expression_statement": STATEMENT,
    "block": BLOCK,
    "function_definition": FUNCTION,
    "return_statement": RETURN,
    **dict.fromkeys(("list_comprehension", "generator_expression", "set_comprehension"), COMPREHENSION),
    "conditional_expression": CONDITIONAL,
    "for_statement": LOOP,
    "for_in_clause": LOOP,
    "lambda": LAMBDA,
    "list_splat": SPLAT,
    "import_statement": IMPORT,
    "import_from_statement": IMPORT,
    "ERROR": BROKEN,
}
_GONE_THROUGH = frozenset({"parenthesized_expression", "argument_list"})
"""Syntax nodes that are replaced by the nodes in them."""

_STATEMENTS = frozenset({STATEMENT, RETURN, IMPORT})
_LONGEST_NAME = 256
_DEEPEST = 100
"""How deep expressions may nest; deeper ones are not visited."""


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_python
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_python.language()))


def read(data: bytes) -> Read:
    """Read a file; what cannot be read is a `BROKEN` node."""
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
        kind = given.type
        if kind == "comment":
            comments.append((given.start_byte, given.end_byte))
            continue
        if given.is_missing or kind == "ERROR":
            broken = given.start_byte if broken < 0 else broken
        if kind in _GONE_THROUGH:
            stack += [(child, parent, depth) for child in reversed(given.named_children)]
            continue
        node = Node(_KINDS.get(kind, OTHER), given.start_byte, given.end_byte, "", parent)
        parent.children.append(node)
        if node.kind in _STATEMENTS:
            statements.append((node.start, node.end))
        if node.kind == STRING:
            children = _string(data, node, given)
        else:
            _name(data, node, given)
            children = given.named_children
        if node.kind in {KEYWORD, FUNCTION, ATTRIBUTE}:  # the name is the node's text
            name = given.child_by_field_name("attribute" if node.kind == ATTRIBUTE else "name")
            children = [child for child in children if child != name]
        if depth < _DEEPEST:
            stack += [(child, node, depth + 1) for child in reversed(children)]
    return Read(root, sorted(comments), sorted(statements, key=lambda place: place[1]), broken)


def _name(data: bytes, node: Node, given: tree_sitter.Node) -> None:
    if node.kind == NAME:
        node.text = _text_of(data, given)
    elif node.kind == ATTRIBUTE:
        node.text = _dotted(data, given)
    elif node.kind in {KEYWORD, FUNCTION}:
        name = given.child_by_field_name("name")
        node.text = _text_of(data, name) if name is not None else ""
    elif given.type == "print_statement":  # of Python 2
        node.text = "print"
    elif node.kind in {OPERATION, ASSIGNMENT}:
        node.text = " ".join(child.type for child in given.children if not child.is_named)


def _dotted(data: bytes, given: tree_sitter.Node) -> str:
    """An attribute with all names before it, if those are names alone; else the attribute after a dot."""
    text = data[given.start_byte : min(given.end_byte, given.start_byte + _LONGEST_NAME)]
    if all(part.isidentifier() for part in text.decode("utf-8", "replace").split(".")):
        return text.decode()
    name = given.child_by_field_name("attribute")
    return "." + (_text_of(data, name) if name is not None else "")


def _string(data: bytes, node: Node, given: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Fill in a string; returns what it refers to."""
    children = given.children
    start, end = node.start, node.end
    if children and children[0].type == "string_start":
        start = children[0].end_byte
    if len(children) > 1 and children[-1].type == "string_end":
        end = children[-1].start_byte
    node.inner = (start, max(start, end))
    node.text = data[start:end].decode("utf-8", "surrogateescape")
    inner = [child for child in children if child.type == "interpolation"]
    node.references = [(child.start_byte, child.end_byte) for child in inner]
    return inner


def _text_of(data: bytes, given: tree_sitter.Node) -> str:
    return data[given.start_byte : given.end_byte].decode("utf-8", "surrogateescape")
