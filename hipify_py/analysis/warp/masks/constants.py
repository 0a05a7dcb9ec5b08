"""Constants that name all lanes here and a number of 32 bits there: `0xffffffff` as a sentinel."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.masks.kinds import Kind
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    argument_position,
    bare,
    callee,
    cast_of,
    is_same,
    name_in,
    operator_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.analysis.warp.masks.following import Following

_CALLED_MASK = re.compile(rb"mask|lanes|warp", re.IGNORECASE)
_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">="})
_COMPUTES = frozenset({"+", "-", "*", "/", "%"})
_PASSED_THROUGH = frozenset({"parenthesized_expression", "cast_expression", "conditional_expression"})
_BITS = frozenset({"&", "|", "^", "<<", ">>"})
_FARTHEST = 20


def is_used_as_data(flow: Following, leaf: Node) -> bool:
    """Some use of a constant's name needs the number of 32 bits that it is in CUDA."""
    name = text_of(leaf)
    declared = flow.names.meant_by(leaf)
    uses = [use for found in declared for use in flow.names.uses(found)] if declared else flow.names.mentions(name)
    is_called_mask = _CALLED_MASK.search(name) is not None
    return any(_is_data(flow, whole_name(use), is_called_mask) for use in uses)


def _is_data(flow: Following, node: Node, is_called_mask: bool) -> bool:
    is_shifted = False
    for _ in range(_FARTHEST):
        parent = node.parent
        if parent is None:
            return False
        operator = operator_of(parent)
        if parent.type == "binary_expression" and operator not in _BITS:
            left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
            other = right if is_same(left, node) else left
            if other is None or operator not in _COMPARES | _COMPUTES:
                return False
            kind = flow.kinds.of(other)
            if kind & Kind.MASK or bare(other).type == "number_literal":
                return False
            return bool(kind & Kind.DATA) or not is_called_mask
        if parent.type == "binary_expression":
            is_shifted |= operator == ">>"
            left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
            other = right if is_same(left, node) else left
            if other is not None and operator in ("&", "|", "^") and flow.kinds.of(other) & Kind.MASK:
                return False
        elif parent.type == "call_expression" or parent.type == "argument_list":
            found = argument_position(node)
            if found is None or cast_of(found[0]) is None:
                return found is not None and _is_data_parameter(flow, *found, is_shifted and not is_called_mask)
            parent = found[0]
        elif parent.type not in _PASSED_THROUGH and not (parent.type == "unary_expression" and operator == "~"):
            return _is_data_target(flow, parent, node, is_shifted and not is_called_mask)
        node = parent
    return False


def _is_data_parameter(flow: Following, call: Node, position: int, is_cut: bool) -> bool:
    """The constant is passed for a parameter of this source that needs its 32 bits."""
    leaf = callee(call)
    lists = flow.names.called(leaf) if leaf is not None else []
    parameters = [parameters[position] for parameters in lists if position < len(parameters)]
    return any(found is not None and _needs_32(flow, found, is_cut) for found in parameters)


def _is_data_target(flow: Following, parent: Node, node: Node, is_cut: bool) -> bool:
    """What is initialised with the constant, or set to it, needs its 32 bits."""
    if parent.type == "init_declarator" and is_same(parent.child_by_field_name("value"), node):
        declarator = parent.child_by_field_name("declarator")
        found = flow.names.declared_in(declarator) if declarator is not None else None
        declared: tuple[Declaration, ...] = () if found is None else (found,)
    elif parent.type == "assignment_expression" and is_same(parent.child_by_field_name("right"), node):
        leaf = name_in(parent.child_by_field_name("left"))
        declared = flow.names.meant_by(leaf) if leaf is not None else ()
    else:
        return False
    return any(_needs_32(flow, found, is_cut) for found in declared)


def _needs_32(flow: Following, target: Declaration, is_cut: bool) -> bool:
    """The target holds no mask, and does not cut the number off at 32 bits by itself; where some of its bits are gone
    already (`is_cut`), that is too late."""
    kind, width = flow.kinds.of_declaration(target), target.spelling.width
    if kind & Kind.MASK:
        return False
    if width is Width.NARROW:
        return is_cut
    return width is Width.WIDE or bool(kind & Kind.DATA)
