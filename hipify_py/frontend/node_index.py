"""The nodes of one syntax tree by their kinds: one walk over the tree, in C, for all who look for some."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

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
    "conditional_expression",
    "continue_statement",
    "declaration",
    "do_statement",
    "enum_specifier",
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
    "preproc_arg",
    "return_statement",
    "struct_specifier",
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
"""The kinds that analyses look for in a whole source, or in each of its functions."""
_NAME = "[(identifier) (field_identifier) (type_identifier)]"
NAMES, DECLARED = "names", "declared"
"""The names; those of them that stand where a declaration may have its name, more places than have one."""

QUERY = f"""
{_NAME} @{NAMES}
(_ declarator: {_NAME} @{DECLARED})
(reference_declarator {_NAME} @{DECLARED})
(parenthesized_declarator {_NAME} @{DECLARED})
(structured_binding_declarator (identifier) @{DECLARED})
(qualified_identifier name: [(identifier) (type_identifier)] @{DECLARED})
(enumerator name: (identifier) @{DECLARED})
""" + "\n".join(f"({kind}) @{kind}" for kind in _KINDS)
"""What finds the nodes of an index: each under its kind's name, the names under two more."""

_KNOWN = frozenset(_KINDS)
_text = attrgetter("text")


class NodeIndex:
    """The nodes of a tree, macro bodies left out."""

    __slots__ = ("_declared", "_found", "_names", "_sorted", "_starts")

    def __init__(self, found: dict[str, list[Node]]) -> None:
        """`found` is what `QUERY` finds in the tree."""
        self._found = found
        self._sorted: dict[str, list[Node]] = {}
        self._starts: dict[str, list[int]] = {}
        self._names: dict[bytes, list[Node]] | None = None
        self._declared: dict[int, bytes] | None = None

    def of(self, kind: str) -> list[Node]:
        """The nodes of a kind, in the order of their places, outer ones first."""
        known = self._sorted.get(kind)
        if known is None:
            assert kind in _KNOWN, f"the index has no {kind}"
            known = self._sorted[kind] = sorted(self._found.pop(kind, ()), key=place_of)
        return known

    @property
    def names(self) -> dict[bytes, list[Node]]:
        """The names by their texts, those of each in no order."""
        if self._names is None:
            self._names = {}
            leaves = self._found.pop(NAMES, [])
            for text, leaf in zip(map(_text, leaves), leaves, strict=True):
                self._names.setdefault(text, []).append(leaf)
        return self._names

    @property
    def declared(self) -> dict[int, bytes]:
        """The names that stand where a declaration may have its own, by their places."""
        if self._declared is None:
            self._declared = {leaf.start_byte: leaf.text or b"" for leaf in self._found.pop(DECLARED, ())}
        return self._declared

    def within(self, kind: str, around: Node) -> list[Node]:
        """The nodes of a kind that lie in another node, itself included, in the order of their places."""
        starts, end = self._starts_of(kind), around.end_byte
        first = bisect_left(starts, around.start_byte)
        found = self.of(kind)[first : bisect_left(starts, end, first)]
        return [node for node in found if node.end_byte <= end]

    def around(self, kind: str, place: int) -> Node | None:
        """The node of a kind, of which none lies in another, that holds a place."""
        at = bisect_right(self._starts_of(kind), place) - 1
        node = self.of(kind)[at] if at >= 0 else None
        return node if node is not None and place < node.end_byte else None

    def _starts_of(self, kind: str) -> list[int]:
        starts = self._starts.get(kind)
        if starts is None:
            starts = self._starts[kind] = [node.start_byte for node in self.of(kind)]
        return starts


def place_of(node: Node) -> tuple[int, int]:
    """What nodes are sorted by: by their places, outer ones first."""
    return node.start_byte, -node.end_byte
