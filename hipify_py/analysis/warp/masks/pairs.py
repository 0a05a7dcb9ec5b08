"""Masks that are one part of a `pair` or a `tuple`: the type's argument is widened, and what reads the part follows."""

from __future__ import annotations

from hipify_py.analysis.warp.masks.objects import bound_part, made_by, type_made
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import arguments_of, call_of, callee, entries_of, is_same, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.analysis.warp.masks.following import Following

MAKERS = frozenset({b"make_pair", b"make_tuple"})
"""The functions that make a pair or a tuple of the types of their arguments."""
_TYPES = frozenset({b"pair", b"tuple"})
_MEMBERS = (b"first", b"second")
_FARTHEST = 20
"""Variables that a pair is handed on through."""


def into_pair(flow: Following, entries: Node, position: int) -> bool:
    """A mask is the entry at a position of a list that a pair or tuple is made of; False for other lists."""
    arguments = _arguments(type_made(flow.names, entries))
    if position >= len(arguments):
        return False
    flow.widen_type(arguments[position])
    for holder in made_by(flow.names, entries):
        _read(flow, holder, position)
    return True


def into_made_pair(flow: Following, call: Node, position: int) -> None:
    """A mask is an argument of `make_pair` or `make_tuple`."""
    arguments = _arguments(type_made(flow.names, call))
    if position < len(arguments):
        flow.widen_type(arguments[position])
    for holder in made_by(flow.names, call):
        _read(flow, holder, position)


def _arguments(type: Node | None) -> list[Node]:
    """What a pair's or tuple's type is made of, as written."""
    while type is not None and type.type == "qualified_identifier":
        type = type.child_by_field_name("name")
    if type is None or type.type != "template_type" or text_of(type.child_by_field_name("name")) not in _TYPES:
        return []
    found = type.child_by_field_name("arguments")
    return entries_of(found) if found is not None else []


def _read(flow: Following, first: Declaration, position: int) -> None:
    """Follow a part of what a variable holds, or a function returns."""
    holders = [first]
    for holder in holders:  # grows while it is gone through
        for use in flow.names.uses(holder) if len(holders) < _FARTHEST else ():
            value = call_of(use) if holder.kind == "function" else use
            parent = value.parent if value is not None else None
            if value is None or parent is None:
                continue
            if parent.type == "field_expression" and is_same(parent.child_by_field_name("argument"), value):
                if text_of(parent.child_by_field_name("field")) in _MEMBERS[position : position + 1]:
                    flow.propagate_wide(parent)
            elif parent.type == "argument_list" and parent.parent is not None and _gets(parent.parent, position):
                flow.propagate_wide(parent.parent)
            elif parent.type == "init_declarator" and is_same(parent.child_by_field_name("value"), value):
                part = bound_part(value, position)
                found = flow.names.declaration_at(part) if part is not None else None
                if found is not None:
                    flow.widen(found)
                else:
                    holders += [found for found in made_by(flow.names, value) if found not in holders]


def _gets(call: Node, position: int) -> bool:
    """The call is `get<position>(…)`."""
    leaf = callee(call)
    template = leaf.parent if leaf is not None else None
    arguments = template.child_by_field_name("arguments") if template is not None else None
    index = [text_of(entry) for entry in entries_of(arguments)] if arguments is not None else []
    return text_of(leaf) == b"get" and len(arguments_of(call)) == 1 and index == [b"%d" % position]
