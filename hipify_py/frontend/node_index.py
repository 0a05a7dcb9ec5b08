"""The nodes of one syntax tree by their kinds: one walk over the tree for all queries.

A tree-sitter query walks in C, but takes longer to compile than most files take to be walked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_KINDS = (
    "ERROR",
    "alias_declaration",
    "assignment_expression",
    "binary_expression",
    "break_statement",
    "call_expression",
    "cast_expression",
    "class_specifier",
    "co_return_statement",
    "compound_literal_expression",
    "compound_statement",
    "conditional_expression",
    "continue_statement",
    "declaration",
    "do_statement",
    "enum_specifier",
    "enumerator",
    "field_declaration",
    "field_initializer",
    "for_range_loop",
    "for_statement",
    "function_declarator",
    "function_definition",
    "gnu_asm_expression",
    "goto_statement",
    "if_statement",
    "init_declarator",
    "labeled_statement",
    "lambda_expression",
    "namespace_alias_definition",
    "namespace_definition",
    "number_literal",
    "optional_parameter_declaration",
    "optional_type_parameter_declaration",
    "parenthesized_declarator",
    "preproc_arg",
    "qualified_identifier",
    "reference_declarator",
    "return_statement",
    "struct_specifier",
    "structured_binding_declarator",
    "switch_statement",
    "template_function",
    "template_type",
    "throw_statement",
    "try_statement",
    "type_definition",
    "type_parameter_declaration",
    "unary_expression",
    "union_specifier",
    "update_expression",
    "using_declaration",
    "while_statement",
)
"""The kinds that analyses need in a whole source, or in each of its functions."""
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})
_KNOWN = frozenset(_KINDS)


class Grammar:
    """A grammar's numbers for the kinds of nodes in an index."""

    __slots__ = ("declarator", "kinds", "names")

    def __init__(self, language: Language) -> None:
        kinds = {number: language.node_kind_for_id(number) for number in range(language.node_kind_count)}
        self.kinds = {number: kind for number, kind in kinds.items() if kind in _KNOWN}
        error = language.id_for_node_kind("ERROR", True)
        if error is not None:
            self.kinds[error] = "ERROR"
        self.names = frozenset(number for number, kind in kinds.items() if kind in _NAMES)
        self.declarator = language.field_id_for_name("declarator")
        """The number of the field in which most declarations have their names."""


def outermost(root: Node, grammar: Grammar, kinds: Container[str], accepts: Callable[[Node], bool]) -> None:
    """Visit the nodes of some kinds below a node, in source order.

    Args:
        root: the node.
        grammar: the grammar of its tree.
        kinds: the kinds, which an index has.
        accepts: called with each; the descendants of a node for which it returns True are not visited.
    """
    wanted = frozenset(number for number, kind in grammar.kinds.items() if kind in kinds)
    cursor = root.walk()
    into, on, out = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node = cursor.node
        is_taken = node.kind_id in wanted and accepts(node)  # type: ignore[union-attr, arg-type]
        if not is_taken and into():
            continue
        while not on():
            if not out():
                return


class NodeIndex:
    """The nodes of a tree, without macro bodies."""

    __slots__ = ("_by_kind", "_declarators", "_declared", "_leaves", "_names", "_root", "_starts")

    def __init__(self) -> None:
        self._by_kind: dict[str, list[Node]] = {kind: [] for kind in _KINDS}
        self._root: Node | None = None
        self._leaves: list[Node] = []
        self._declarators: list[Node] = []
        """The names in fields for declarators."""
        self._starts: dict[str, list[int]] = {}
        self._names: dict[bytes, list[Node]] | None = None
        self._declared: dict[int, bytes] | None = None

    def read(self, root: Node, grammar: Grammar) -> None:
        """Add the nodes below a node of a tree."""
        self._root = root
        names, declarator, leaves, declarators = grammar.names, grammar.declarator, self._leaves, self._declarators
        lists = {number: self._by_kind[kind] for number, kind in grammar.kinds.items()}
        cursor = root.walk()
        into, on, out = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            number = node.kind_id  # type: ignore[union-attr]
            if number in names:  # names have no children
                leaves.append(node)  # type: ignore[arg-type]
                if cursor.field_id == declarator:
                    declarators.append(node)  # type: ignore[arg-type]
            else:
                if number in lists:
                    lists[number].append(node)  # type: ignore[arg-type]
                if into():
                    continue
            while not on():
                if not out():
                    return

    def of_kind(self, kind: str) -> list[Node]:
        """The nodes of a kind, in source order, outer ones first."""
        return self._by_kind[kind]

    @property
    def names(self) -> dict[bytes, list[Node]]:
        """The names by their texts."""
        if self._names is None:
            names = defaultdict[bytes, list["Node"]](list)
            text, place = (self._root.text or b"", self._root.start_byte) if self._root is not None else (b"", 0)
            for leaf in self._leaves:  # a node takes longer to return its text
                names[text[leaf.start_byte - place : leaf.end_byte - place]].append(leaf)
            self._names, self._leaves = dict(names), []
        return self._names

    @property
    def declared(self) -> dict[int, bytes]:
        """The names where a declaration may have its own, by offset: more than declarations have."""
        if self._declared is None:
            self._declared = {leaf.start_byte: leaf.text or b"" for leaf in self._where_declared()}
            self._declarators = []
        return self._declared

    def _where_declared(self) -> Iterator[Node]:
        yield from self._declarators
        for kind in ("reference_declarator", "parenthesized_declarator", "structured_binding_declarator"):
            for node in self.of_kind(kind):
                yield from (child for child in node.named_children if child.type in _NAMES)
        for kind in ("qualified_identifier", "enumerator"):
            for node in self.of_kind(kind):
                name = node.child_by_field_name("name")
                if name is not None and name.type in _NAMES:
                    yield name

    def within(self, kind: str, around: Node) -> list[Node]:
        """The nodes of a kind within another node, itself included, in source order."""
        starts, end = self._starts_of(kind), around.end_byte
        first = bisect_left(starts, around.start_byte)
        found = self.of_kind(kind)[first : bisect_left(starts, end, first)]
        return [node for node in found if node.end_byte <= end]

    def enclosing(self, kind: str, place: int) -> Node | None:
        """The node of a kind, whose nodes do not nest, that contains a place."""
        at = bisect_right(self._starts_of(kind), place) - 1
        node = self.of_kind(kind)[at] if at >= 0 else None
        return node if node is not None and place < node.end_byte else None

    def _starts_of(self, kind: str) -> list[int]:
        starts = self._starts.get(kind)
        if starts is None:
            starts = self._starts[kind] = [node.start_byte for node in self.of_kind(kind)]
        return starts


def sort_key(node: Node) -> tuple[int, int]:
    """The sort key of nodes: by offset, outer ones first."""
    return node.start_byte, -node.end_byte
