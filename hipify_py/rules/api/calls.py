"""Finds a call's arguments: from the tree where it is sound, else from the brackets."""

from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, template_end, trim
from hipify_py.frontend.syntax import ancestor
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


class Call(NamedTuple):
    """A call's brackets and the ranges of its arguments, blanks and comments around them left out."""

    opening: int
    closing: int
    arguments: list[tuple[int, int]]


def call_at(unit: Unit, name_end: int) -> Call | None:
    """The call whose function name ends at `name_end`; None where no argument list follows it."""
    lexemes, data = unit.lexemes, unit.source.data
    opening = lexemes.after(name_end)
    if data[opening : opening + 1] == b"<" and data[opening : opening + 2] != b"<<":
        opening = lexemes.after(template_end(data, opening, len(data)) or opening)
    if data[opening : opening + 1] != b"(":
        return None
    limit = _limit(unit, opening)
    found = match_forward(lexemes, opening, limit)
    if found is None:
        return None
    closing, commas = found
    if b"<" in data[opening:closing]:
        commas = _commas_of_tree(unit, opening, closing) or commas
    ranges = [trim(lexemes, start, end) for start, end in pieces(opening, closing, commas)]
    if len(ranges) == 1 and ranges[0][0] >= ranges[0][1]:
        ranges = []
    return Call(opening, closing, ranges)


def _limit(unit: Unit, offset: int) -> int:
    """Brackets opened in a macro's body close in it."""
    define = unit.lexemes.define_around(offset)
    return len(unit.source.data) if define is None else unit.lexemes.body_end(define)


def _commas_of_tree(unit: Unit, opening: int, closing: int) -> list[int] | None:
    leaf = unit.tree.leaf(opening, opening + 1)
    node = ancestor(leaf, "argument_list")
    if node is None or node.start_byte != opening or node.end_byte != closing + 1 or node.has_error:
        return None
    return separators(node)


def separators(node: "Node") -> list[int]:
    """The places of the commas directly below a node."""
    return [child.start_byte for child in node.children if child.type == ","]
