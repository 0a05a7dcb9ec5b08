"""Finds a call's arguments: from the tree where it is sound, else from the brackets."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.frontend.brackets import has_directives, match_forward, pieces, template_end, trim
from hipify_py.frontend.lexer import Name
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declared_names import KEYWORDS, may_declare


class Call(NamedTuple):
    """A call's brackets and the ranges of its arguments, without blanks and comments around them."""

    opening: int
    closing: int
    arguments: list[tuple[int, int]]


def call_at(unit: Unit, name_end: int) -> Call | None:
    """The call whose function name ends at `name_end`.

    None where no argument list follows it, and where directives are between its arguments: which arguments there are
    depends on the preprocessor, and no argument can be wrapped or moved together with a directive.
    """
    lexemes, data = unit.lexemes, unit.source.data
    found = _brackets(unit, name_end)
    if found is None or has_directives(lexemes, found[0], found[1]):
        return None
    opening, closing, commas = found
    if b"<" in data[opening:closing]:
        commas = commas_of_tree(unit, "argument_list", opening, closing + 1) or commas
    ranges = [trim(lexemes, start, end) for start, end in pieces(opening, closing, commas)]
    if len(ranges) == 1 and ranges[0][0] >= ranges[0][1]:
        ranges = []
    return Call(opening, closing, ranges)


def has_divided_arguments(unit: Unit, name_end: int) -> bool:
    """Whether an argument list follows the name that ends at `name_end`, with directives between its arguments."""
    found = _brackets(unit, name_end)
    return found is not None and has_directives(unit.lexemes, found[0], found[1])


def _brackets(unit: Unit, name_end: int) -> tuple[int, int, list[int]] | None:
    """The brackets of the argument list after a name, and the commas between its arguments."""
    lexemes, data = unit.lexemes, unit.source.data
    opening = lexemes.after(name_end)
    if data[opening : opening + 1] == b"<" and data[opening : opening + 2] != b"<<":
        opening = lexemes.after(template_end(lexemes, opening, len(data)) or opening)
    if data[opening : opening + 1] != b"(":
        return None
    found = match_forward(lexemes, opening, lexemes.code_end(opening))
    return None if found is None else (opening, *found)


def is_plain_call(unit: Unit, start: int, end: int, scopes: frozenset[bytes] = frozenset()) -> bool:
    """Whether a function is called there by its bare name, in the file's scope (`::f(x)`), or in one of some scopes.

    A member, a function of another scope, and a declaration do not count.
    """
    lexemes, data = unit.lexemes, unit.source.data
    after, before = lexemes.after(end), lexemes.before(start)
    if data[after : after + 1] != b"(" or data[before : before + 1] == b".":
        return False
    lead = data[max(before - 1, 0) : before + 1]
    if lead == b"->" or lexemes.word_before(start) == b"define":
        return False
    if lead == b"::":
        scope = lexemes.word_before(before - 1)
        if (scope and scope not in scopes | KEYWORDS) or data[lexemes.before(before - 1)] == 0x3E:
            return False
    name = Name(start, end, data[start:end])
    if not may_declare(lexemes, name):
        return True
    from hipify_py.semantics.scopes import declares_name

    return not declares_name(unit, name)


def is_member_call(unit: Unit, start: int, end: int) -> bool:
    """Whether a member is called there by its name: `t.any(p)`, `t->any(p)`, `t.template any<T>(p)`."""
    lexemes, data = unit.lexemes, unit.source.data
    after = lexemes.after(end)
    if data[after : after + 1] not in (b"(", b"<"):
        return False
    word = lexemes.word_before(start)
    before = lexemes.before(lexemes.before(start) + 1 - len(word) if word == b"template" else start)
    is_member = data[before : before + 1] == b"." or data[max(before - 1, 0) : before + 1] == b"->"
    return is_member and call_at(unit, end) is not None


def is_argument_pack(argument: bytes) -> bool:
    """Whether an argument is a macro's variable arguments, or a template's pack: any number of them."""
    return argument.lstrip(b"# \t") == b"__VA_ARGS__" or argument.endswith(b"...")


def commas_of_tree(unit: Unit, kind: str, start: int, end: int) -> list[int] | None:
    """The commas directly below the node of a kind that spans `[start, end)`; None where the tree has no sound one."""
    node = ancestor(unit.tree.leaf(start, start + 1), kind)
    if node is None or node.start_byte != start or node.end_byte != end or node.has_error:
        return None
    return [child.start_byte for child in node.children if child.type == ","]
