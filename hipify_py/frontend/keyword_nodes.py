"""Nodes that contain a keyword, looked up where the lexical pass has the keyword.

For the few that most sources have (`using`, `struct`, `switch`) that is faster than an index of all nodes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.node_index import sort_key
from hipify_py.frontend.words import ASSEMBLY_KEYWORDS

if TYPE_CHECKING:
    from tree_sitter import Node

_KEYWORDS = {
    "alias_declaration": (b"using",),
    "break_statement": (b"break",),
    "class_specifier": (b"class",),
    "co_return_statement": (b"co_return",),
    "continue_statement": (b"continue",),
    "do_statement": (b"do",),
    "enum_specifier": (b"enum",),
    "for_range_loop": (b"for",),
    "for_statement": (b"for",),
    "gnu_asm_expression": tuple(sorted(ASSEMBLY_KEYWORDS)),
    "goto_statement": (b"goto",),
    "if_statement": (b"if",),
    "namespace_alias_definition": (b"namespace",),
    "namespace_definition": (b"namespace",),
    "return_statement": (b"return",),
    "struct_specifier": (b"struct",),
    "switch_statement": (b"switch",),
    "throw_statement": (b"throw",),
    "type_definition": (b"typedef",),
    "union_specifier": (b"union",),
    "using_declaration": (b"using",),
    "while_statement": (b"while",),
}
"""The kinds in an index of which every node has a keyword among its children: any of these."""
_BYTES = 200
"""Bytes of a source that justify one look-up: all of them take a fifth of the time of an index."""


class KeywordNodes:
    """The nodes of one tree, without macro bodies, that keywords are children of."""

    __slots__ = ("_budget", "_lexemes", "_root")

    def __init__(self, lexemes: Lexemes, root: Node) -> None:
        self._lexemes = lexemes
        self._root = root
        self._budget = len(lexemes.data) // _BYTES

    def find(self, kinds: Collection[str]) -> list[Node] | None:
        """The nodes of some kinds in source order; None where an index is faster."""
        words: set[bytes] = set()
        for kind in kinds:
            keywords = _KEYWORDS.get(kind)
            if keywords is None:
                return None
            words.update(keywords)
        places = [(place, word) for word in words for place in self._lexemes.places(word)]
        self._budget -= len(places)
        if self._budget < 0:
            return None
        found: list[Node] = []
        for place, word in places:
            node = self._node(place)
            if node is not None and node.type in kinds and word in _KEYWORDS[node.type]:  # once for `enum class`
                found.append(node)
        found.sort(key=sort_key)
        return found

    def _node(self, place: int) -> Node | None:
        """The node that a keyword at a place is a child of; for a macro's body, none of the file's tree."""
        leaf = self._root.descendant_for_byte_range(place, place + 1)
        return None if leaf is None or leaf.is_named else leaf.parent
