"""Casts of masks, to integers of 32 bits and to types that this source has names for."""

from __future__ import annotations

from hipify_py.analysis.warp.masks.following import Following
from hipify_py.analysis.warp.masks.kinds import Kind
from hipify_py.analysis.warp.masks.literals import WIDE
from hipify_py.analysis.warp.masks.objects import type_parameter_named
from hipify_py.semantics.expressions import arguments_of, callee, cast_of, is_same, text_of
from hipify_py.semantics.integer_types import Width, spelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


def is_cast_to_own_type(flow: Following, call: Node) -> bool:
    """`T(mask)`, where the source has the type."""
    leaf = callee(call)
    if leaf is None or len(arguments_of(call)) != 1 or leaf.type not in ("identifier", "type_identifier"):
        return False
    name = text_of(leaf)
    return flow.names.alias(name) is not None or type_parameter_named(call, name) is not None


def into_own_type(flow: Following, cast: Node) -> bool:
    """A mask is cast to an alias or a template's type; True where that is, or becomes, wide enough."""
    found = cast_of(cast)
    leaf = callee(cast) if found is None else None
    start, end = (found.start, found.end) if found is not None else (leaf.start_byte, leaf.end_byte) if leaf else (0, 0)
    name = flow.data[start:end]
    alias = flow.names.alias(name)
    if alias is not None:
        if alias.width is Width.NARROW and not flow.widen_alias(name):
            flow.put(start, end, WIDE if found is not None else b"static_cast<" + WIDE + b">")
        return alias.width in (Width.NARROW, Width.WIDE, Width.DEDUCED)
    parameter = type_parameter_named(cast, name)
    if parameter is None:
        return False
    arguments = list(flow.names.template_arguments(parameter))
    narrow = [argument for argument in arguments if spelling(text_of(argument)).width is Width.NARROW]
    if not arguments or (narrow and holds_data(flow, parameter)):
        flow.report("HIP320", cast.start_byte, text_of(cast))
        return False
    flow.widen_type_parameter(parameter)
    return True


def holds_data(flow: Following, parameter: Node) -> bool:
    """Something in the template has a parameter of it for its type, and is no mask."""
    for leaf in flow.names.mentions(text_of(next(iter(parameter.named_children), None))):
        owner = leaf.parent
        if owner is None or not is_same(type_parameter_named(leaf, text_of(leaf)), parameter):
            continue
        for declarator in owner.children_by_field_name("declarator"):
            found = flow.names.declared_in(declarator)
            if found is not None and flow.kinds.of_declaration(found) & Kind.DATA:
                return True
    return False
