"""What is stored in a declaration: every value that it is given in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.masks.built_ins import TAKES_MASK
from hipify_py.analysis.warp.masks.layout import Layout, calls_of, functions_of
from hipify_py.analysis.warp.masks.objects import constructions, elements_returned, field_position
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.frontend.syntax import ancestor
from hipify_py.records import NamedTuple
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    argument_position,
    arguments_of,
    callee,
    element_of,
    entries_of,
    is_same,
    operator_of,
    text_of,
    whole_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_ATOMIC = re.compile(rb"atomic([A-Z]\w*?)(?:_block|_system)?")
_KEEPS_BITS = frozenset({b"Or", b"And", b"Xor", b"Exch", b"CAS", b"Max", b"Min"})
_SETS_MASK = re.compile(rb"lanemask_|activemask|ballot|match\.(?:any|all)")


class Store(NamedTuple):
    """A value that is stored: an expression, combined with what was there where there is an operator; what another
    declaration holds; or, without either, what is known by its name in `Kind`."""

    value: Node | None = None
    operator: str = ""
    target: Node | None = None
    copied: Declaration | None = None
    kind: str = "UNSEEN"


def stores_of(names: PartedNames, layout: Layout, declaration: Declaration) -> Iterator[Store]:
    """All that is stored in a declaration; of a function or a lambda, what it returns."""
    value = declaration.value
    if declaration.kind == "function":
        yield from _results(names, declaration)
        return
    if value is not None and value.type == "lambda_expression":
        yield from (Store(found) for found in returned_by(value))
        return
    if value is not None and declaration.shape in ("value", "array"):
        yield from (Store(entry) for entry in _entries(value))
    if declaration.owner.type == "for_range_loop":
        right = declaration.owner.child_by_field_name("right")
        yield Store(right) if right is not None else Store()
    for leaf in names.uses(declaration):
        yield from _by_use(declaration, leaf)
        yield from _by_operator(names, declaration, leaf)
    for bound in layout.bindings(declaration) if declaration.shape != "value" else ():
        if bound is not None:
            yield Store(copied=bound)
        elif declaration.shape != "reference":
            yield Store(kind="DATA")
    if declaration.kind == "parameter" and names.is_first_part(declaration):
        yield from _arguments(names, declaration)
    elif declaration.kind == "field":
        yield from _members(names, declaration)


def returned_by(function: Node) -> list[Node]:
    """What a function or a lambda returns."""
    body = function.child_by_field_name("body")
    nodes, found = [body] if body is not None else [], []
    while nodes:
        node = nodes.pop()
        if node.type == "return_statement":
            found += [child for child in node.named_children if child.type != "comment"][:1]
        elif node.type != "lambda_expression":
            nodes += node.named_children
    return found


def _results(names: PartedNames, function: Declaration) -> Iterator[Store]:
    bodies = [found.owner for found in names.functions(function.name) if found is function or _is_prototype(function)]
    values = [value for body in bodies for value in returned_by(body)]
    yield from (Store(value) for value in values)
    if not values:
        yield Store()


def _is_prototype(function: Declaration) -> bool:
    return function.owner.child_by_field_name("body") is None


def _entries(value: Node) -> Iterator[Node]:
    nodes = [value]
    while nodes:
        node = nodes.pop()
        if node.type in ("initializer_list", "argument_list"):
            nodes += entries_of(node)
        else:
            yield node


def _by_use(declaration: Declaration, leaf: Node) -> Iterator[Store]:
    """What one use of a name stores in it."""
    node = whole_name(leaf)
    if declaration.shape in ("pointer", "array"):
        element = element_of(node, declaration.dimensions)
        if element is None:
            yield from _by_atomic(node, node)
            return
        node = element
    parent = node.parent
    if parent is None:
        return
    if parent.type == "assignment_expression" and is_same(parent.child_by_field_name("left"), node):
        value = parent.child_by_field_name("right")
        if value is not None:
            yield Store(value, operator_of(parent)[:-1], node)
    elif parent.type == "update_expression":
        yield Store(kind="DATA")
    elif parent.type == "pointer_expression" and operator_of(parent) == "&":
        yield from _by_atomic(parent, node)
    elif parent.type == "gnu_asm_output_operand":
        statement = ancestor(parent, "gnu_asm_expression")
        yield Store(kind="MASK" if _SETS_MASK.search(text_of(statement)) else "UNSEEN")
    elif parent.type == "field_initializer":
        yield from (Store(entry) for value in parent.named_children[1:] for entry in entries_of(value))
    elif parent.type == "argument_list" and _is_taken(node):
        yield Store(kind="MASK")


def _by_operator(names: PartedNames, declaration: Declaration, leaf: Node) -> Iterator[Store]:
    """What is stored in elements of a member by the `operator[]` that returns them."""
    element = element_of(whole_name(leaf), declaration.dimensions) if declaration.kind == "field" else None
    for target in elements_returned(names, element) if element is not None else ():
        owner = target.parent
        if owner is not None and owner.type == "update_expression":
            yield Store(kind="DATA")
        elif owner is not None and owner.type == "pointer_expression" and operator_of(owner) == "&":
            yield from _by_atomic(owner, target)
        elif owner is not None and is_same(owner.child_by_field_name("left"), target):
            value = owner.child_by_field_name("right")
            if value is not None and owner.type == "assignment_expression":
                yield Store(value, operator_of(owner)[:-1], target)


def _is_taken(node: Node) -> bool:
    """A built-in is given the value as its mask."""
    found = argument_position(node)
    return found is not None and found[1] == 0 and TAKES_MASK.fullmatch(text_of(callee(found[0]))) is not None


def _by_atomic(address: Node, target: Node) -> Iterator[Store]:
    """What an atomic operation on an address stores there."""
    while address.parent is not None and operator_of(address.parent) in ("+", "-"):
        address = address.parent
    found = argument_position(address)
    atomic = _ATOMIC.fullmatch(text_of(callee(found[0]))) if found is not None else None
    if found is None or atomic is None or found[1] != 0:
        return
    if atomic[1] not in _KEEPS_BITS:
        yield Store(kind="DATA")
        return
    operator = "&" if atomic[1] == b"And" else ""
    for value in arguments_of(found[0])[1:]:
        yield Store(value, operator, target)


def _arguments(names: PartedNames, parameter: Declaration) -> Iterator[Store]:
    """What calls and instantiations in this source pass for a parameter."""
    owner = parameter.owner.parent
    if owner is not None and owner.type == "template_parameter_list":
        yield from (Store(argument) for argument in names.template_arguments(parameter.owner))
        return
    if parameter.shape not in ("value", "reference"):
        return  # bound to what is passed
    for position, arguments in calls_of(names, functions_of(names, parameter)):
        if position < len(arguments):
            yield Store(arguments[position])


def _members(names: PartedNames, field: Declaration) -> Iterator[Store]:
    """What objects that are lists of values give a member."""
    found = field_position(names, field)
    for entries in constructions(names, found[0]) if found is not None else ():
        if found is not None and found[1] < len(entries):
            yield Store(entries[found[1]])
