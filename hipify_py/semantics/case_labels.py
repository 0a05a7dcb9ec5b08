"""`case` labels: those of a `switch`, those that a macro writes, and how one becomes a comment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.macros import Macro, macros_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CASE = b"case"


class Label(NamedTuple):
    """A label whose value is an enumerator: `[start, end)` with its colon, or the macro call that writes it.

    `switch` is the start of its `switch`; -1 where the tree does not hold that one whole.
    """

    start: int
    end: int
    switch: int


def label_at(unit: Unit, use: Use) -> Label | None:
    """The label that a use of an enumerator is; None where it is something else, or part of a value."""
    if unit.lexemes.define_around(use.start) is not None:
        return None
    data, lexemes = unit.source.data, unit.lexemes
    colon = lexemes.after(use.end)
    if (
        lexemes.word_before(use.start) == _CASE
        and data[colon : colon + 1] == b":"
        and data[colon + 1 : colon + 2] != b":"
    ):
        start = lexemes.before(use.start) + 1 - len(_CASE)
        return Label(start, colon + 1, _switch(unit, start))
    return _written_by_macro(unit, use)


def comment_out_label(label: Label) -> Iterator[Edit]:
    """The edits that make a label a comment.

    The code after the label stays, and is reached from the previous label as before, or not at all any more.
    """
    yield Edit(label.start, label.start, b"/* ")
    yield Edit(label.end, label.end, b" */")


def _written_by_macro(unit: Unit, use: Use) -> Label | None:
    """The label of `CASE(X)`, where the macro's body is `case x:` and more."""
    data, lexemes = unit.source.data, unit.lexemes
    opening, after = lexemes.before(use.start), lexemes.after(use.end)
    if data[opening : opening + 1] != b"(" or data[after : after + 1] not in (b")", b","):
        return None
    name = lexemes.word_before(opening)
    definitions = macros_of(unit).named(name)
    if not definitions or not all(_writes_label(unit, found) for found in definitions):
        return None
    closing = data.find(b")", after)
    return Label(lexemes.before(opening) + 1 - len(name), closing + 1, _switch(unit, use.start))


def _writes_label(unit: Unit, macro: Macro) -> bool:
    body = [token.text for token in tokens(unit.lexemes, macro.start, macro.end)]
    value = macro.parameters[0] if macro.parameters else None
    return any(written == (_CASE, value, b":") for written in zip(body, body[1:], body[2:], strict=False))


def _switch(unit: Unit, place: int) -> int:
    node: Node | None = ancestor(unit.tree.leaf(place, place + 1), "switch_statement")
    return -1 if node is None else node.start_byte
