"""Finds a call's arguments: from the tree where it is sound, else from the brackets."""

from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, template_end, trim
from hipify_py.frontend.syntax import ancestor
from hipify_py.unit import Unit


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
        opening = lexemes.after(template_end(lexemes, opening, len(data)) or opening)
    if data[opening : opening + 1] != b"(":
        return None
    found = match_forward(lexemes, opening, lexemes.code_end(opening))
    if found is None:
        return None
    closing, commas = found
    if b"<" in data[opening:closing]:
        commas = commas_of_tree(unit, "argument_list", opening, closing + 1) or commas
    ranges = [trim(lexemes, start, end) for start, end in pieces(opening, closing, commas)]
    if len(ranges) == 1 and ranges[0][0] >= ranges[0][1]:
        ranges = []
    return Call(opening, closing, ranges)


def stands_for_several(argument: bytes) -> bool:
    """An argument is a macro's variable arguments, or a template's pack: any number of them."""
    return argument == b"__VA_ARGS__" or argument.endswith(b"...")


def commas_of_tree(unit: Unit, kind: str, start: int, end: int) -> list[int] | None:
    """The commas directly below the node of a kind that spans `[start, end)`; None where the tree has no sound one."""
    node = ancestor(unit.tree.leaf(start, start + 1), kind)
    if node is None or node.start_byte != start or node.end_byte != end or node.has_error:
        return None
    return [child.start_byte for child in node.children if child.type == ","]
