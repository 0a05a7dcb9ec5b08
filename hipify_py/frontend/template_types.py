"""Declarations whose type has a scope and a number: `cg::thread_block_tile<32> tile = f();`.

The grammar parses one that is not the first statement of its block as comparisons, `(cg::thread_block_tile < 32) >
(tile = f())`. So the parser gets a copy of the source with blanks in place of the scope, and all offsets stay valid:
without the scope the grammar recognizes the type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.blanking import blank_ranges

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPED = re.compile(
    rb"::[ \t]*(\w{1,200})(?:\s|/\*[^*]{0,200}\*/){0,20}<[^;{}<>]{0,200}(?:\b[0-9]|\btrue\b|\bfalse\b|\bsizeof\b|')"
)
"""The pattern of a candidate: a name with a scope before `<`, and a literal after it."""


def blank_template_scopes(data: bytes, node_at: Callable[[int, int], Node | None]) -> bytes:
    """A copy of the source without the scopes of such types, else itself.

    Args:
        data: the source as the grammar can parse it.
        node_at: looks up a byte range in its tree.
    """
    return blank_ranges(data, _scopes(data, node_at))


def _scopes(data: bytes, node_at: Callable[[int, int], Node | None]) -> Iterator[tuple[int, int]]:
    for match in _SCOPED.finditer(data):
        start, end = match.span(1)
        whole = node_at(start, end)
        while whole is not None and whole.parent is not None and whole.parent.type == "qualified_identifier":
            whole = whole.parent
        if whole is not None and whole.start_byte < start and _is_comparison_chain(whole):
            yield whole.start_byte, start


def _is_comparison_chain(name: Node) -> bool:
    """Whether a name begins a statement that compares it twice, and does not use the result."""
    first = name.parent
    second = first.parent if first is not None else None
    if first is None or second is None or first.start_byte != name.start_byte or second.start_byte != name.start_byte:
        return False
    if [_operator(first), _operator(second)] != ["<", ">"]:
        return False
    statement = second.parent
    while statement is not None and statement.type == "comma_expression":
        statement = statement.parent
    return statement is not None and statement.type == "expression_statement"


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return operator.type if operator is not None else ""
