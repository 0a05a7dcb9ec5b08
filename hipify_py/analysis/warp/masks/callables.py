"""Lambdas and functions that return masks and are handed on, until something calls them."""

from __future__ import annotations

from hipify_py.analysis.warp.masks.following import Following
from hipify_py.analysis.warp.masks.kinds import Kind
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    argument_position,
    call_of,
    callee,
    ends_with,
    is_same,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_PARTS_OF_A_NAME = frozenset({"template_function", "qualified_identifier"})
_HANDS_ON = frozenset({b"forward", b"move", b"ref", b"cref"})
_FARTHEST = 50
"""Parameters and variables that a function is handed on through."""


def into_lambda_result(flow: Following, function: Node, value: Node) -> None:
    """A lambda returns a mask: so does what calls it."""
    if flow.kinds.of(function) & Kind.DATA:
        flow.report("HIP320", value.start_byte, text_of(value))
        return
    declarator = function.child_by_field_name("declarator")
    for node in declarator.named_children if declarator is not None else ():
        if node.type == "trailing_return_type" and node.named_children:
            flow.widen_type(node.named_children[0])
    follow_callable(flow, function)


def follow_callable(flow: Following, first: Node) -> None:
    """Follow a function as a value: to its calls, through what holds it and what it is passed to."""
    nodes, held = [first], set[Declaration]()
    for node in nodes:  # grows while it is gone through
        if len(held) > _FARTHEST:
            break
        for found in _holders(flow, node):
            if found in held:
                continue
            held.add(found)
            if not _has_its_type(flow, found) or flow.kinds.of_declaration(found) & Kind.DATA:
                flow.report("HIP320", found.place, found.name)
                continue
            for leaf in flow.names.uses(found):
                call = call_of(leaf)
                if call is not None:
                    flow.propagate_wide(call)
                else:
                    nodes.append(leaf)
    for node in nodes:
        _call(flow, node)


def _holders(flow: Following, node: Node) -> list[Declaration]:
    """The variable or the parameters that a function is put into."""
    node = _whole(node)
    parent = node.parent
    if parent is not None and parent.type == "init_declarator" and is_same(parent.child_by_field_name("value"), node):
        declarator = parent.child_by_field_name("declarator")
        found = flow.names.declared_in(declarator) if declarator is not None else None
        return [] if found is None else [found]
    passed = argument_position(node)
    leaf = callee(passed[0]) if passed is not None else None
    if passed is None or leaf is None:
        return []
    lists = flow.names.called(leaf)
    if not lists and not flow.macros.named(text_of(leaf)):
        flow.report("HIP320", node.start_byte, text_of(node))
    position = passed[1]
    return [found for parameters in lists if position < len(parameters) if (found := parameters[position]) is not None]


def _has_its_type(flow: Following, holder: Declaration) -> bool:
    """The holder has the type of what it is given: `auto`, or a template's parameter."""
    return holder.spelling.width is Width.DEDUCED or flow.names.type_parameter(holder) is not None


def _call(flow: Following, node: Node) -> None:
    """A function that is called where it stands."""
    node = _whole(node)
    call = node.parent
    if call is not None and call.type == "call_expression" and is_same(call.child_by_field_name("function"), node):
        flow.propagate_wide(call)


def _whole(node: Node) -> Node:
    """The expression around a function that still is the function: `(f)`, `&f`, `std::forward<F>(f)`."""
    node = ends_with(whole_name(node), _PARTS_OF_A_NAME)
    for _ in range(_FARTHEST):
        parent, found = node.parent, argument_position(node)
        if parent is not None and parent.type in ("parenthesized_expression", "pointer_expression"):
            node = parent
        elif found is not None and text_of(callee(found[0])) in _HANDS_ON:
            node = found[0]
        else:
            break
    return node
