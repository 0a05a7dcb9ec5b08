"""What the expressions of build languages have in common: calls, lists, strings and names with their places.

setup.py, Bazel and Meson use different languages. A reader for each makes these nodes, so that the rules
do not depend on the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.build_systems.file import Range

STRING, JOINED, LIST, TUPLE, MAPPING, PAIR = "string", "joined", "list", "tuple", "mapping", "pair"
CALL, KEYWORD, NAME, ATTRIBUTE, SUBSCRIPT = "call", "keyword", "name", "attribute", "subscript"
OPERATION, ASSIGNMENT, STATEMENT, BLOCK, FUNCTION = "operation", "assignment", "statement", "block", "function"
RETURN, SPLAT, IMPORT, BROKEN, OTHER = "return", "splat", "import", "broken", "other"
COMPREHENSION, LOOP, LAMBDA, CONDITIONAL = "comprehension", "loop", "lambda", "conditional"

_OPERATORS_OF_TEXTS = frozenset({"+", "%"})


class Node:
    """A piece of a build file.

    Attributes:
        kind: one of the constants of this module.
        start: where it begins, in bytes.
        end: just after its end.
        text: the value of a string, a name with its dots, an operator, the name of a keyword argument or a function;
            a string's is the text between its quotes, with escapes and references as they are written.
        children: for a call the function first, then its arguments; for a subscript the object, then the index; for an
            assignment the targets, then the value; for a keyword argument its value; for a pair the key and the value;
            for a loop or a clause of a comprehension the target, what it goes through, and what it does; for
            `a if b else c` these three.
        inner: where a string's text between the quotes begins and ends.
        references: the places in a string that are replaced by a value.
    """

    __slots__ = ("children", "end", "inner", "kind", "parent", "references", "start", "text")

    def __init__(self, kind: str, start: int, end: int, text: str = "", parent: Node | None = None) -> None:
        self.kind, self.start, self.end, self.text, self.parent = kind, start, end, text, parent
        self.children: list[Node] = []
        self.inner = (start, end)
        self.references: list[tuple[int, int]] = []

    @property
    def value(self) -> Node | None:
        """The value of an assignment, a keyword argument or a pair."""
        return self.children[-1] if self.children else None

    @property
    def function(self) -> str:
        """The name of the function that is called, with its dots; `.x` for a method of an expression's value."""
        return self.children[0].text if self.kind == CALL and self.children else ""

    @property
    def called(self) -> str:
        """The last part of the name of the function that is called."""
        return self.function.rpartition(".")[2]

    @property
    def arguments(self) -> list[Node]:
        """The arguments of a call."""
        return self.children[1:]

    def keyword(self, name: str) -> Node | None:
        """The value of a call's keyword argument."""
        for child in self.children:
            if child.kind == KEYWORD and child.text == name:
                return child.value
        return None

    def above(self) -> Iterator[Node]:
        """The nodes around it, from the inside."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


class Read(NamedTuple):
    """A file, read: its tree, its comments, its simple statements, and where it stops being readable (-1: nowhere)."""

    root: Node
    comments: list[Range]
    statements: list[Range]
    broken: int


def walk(root: Node) -> Iterator[Node]:
    """A node and all below it, in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def head(node: Node) -> Node | None:
    """The string at the start of a text such as `'a' + b`, `'a%s' % b` or `'a{}'.format(b)`; None for anything else."""
    while True:
        if node.kind == STRING:
            return node
        if node.kind == JOINED or (node.kind == OPERATION and node.text in _OPERATORS_OF_TEXTS):
            node = node.children[0]
        elif node.kind == CALL and node.called == "format" and node.children[0].children:
            node = node.children[0].children[0]
        else:
            return None
