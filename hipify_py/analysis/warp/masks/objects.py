"""Objects that are made of masks: constructors' arguments, members' initialisers, aggregates."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import RECORDS, Declaration, name_of_record, record_name, type_name
from hipify_py.semantics.expressions import (
    call_of,
    element_of,
    ends_with,
    entries_of,
    is_same,
    name_in,
    text_of,
    whole_name,
)
from hipify_py.semantics.symbols import Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_PARTS_OF_A_TYPE = frozenset({"template_type", "qualified_identifier"})
_NAMED_OBJECTS = frozenset({"compound_literal_expression", "new_expression"})
_TYPE_PARAMETERS = frozenset({"type_parameter_declaration", "optional_type_parameter_declaration"})
_LISTS = frozenset({"argument_list", "initializer_list"})
_SUBSCRIPT = b"operator[]"


def type_parameter_named(node: Node, name: bytes) -> Node | None:
    """The parameter of a template around a place that a type's name is."""
    at: Node | None = node
    while at is not None:
        parameters = at.child_by_field_name("parameters") if at.type == "template_declaration" else None
        for parameter in entries_of(parameters) if parameters is not None else ():
            own = next(iter(parameter.named_children), None)
            if parameter.type in _TYPE_PARAMETERS and text_of(own) == name:
                return parameter
        at = at.parent
    return None


def constructions(names: Names, type: bytes) -> Iterator[list[Node]]:
    """What each object of a type is made of where the source makes one by name."""
    for parent in typed_with(names, type):
        if parent.type == "declaration":
            for declarator in parent.children_by_field_name("declarator"):
                value = declarator.child_by_field_name("value")
                if value is not None and value.type in _LISTS:
                    yield entries_of(value)
                elif declarator.type == "function_declarator":
                    yield from _named_in(names, declarator)
        elif parent.type in ("compound_literal_expression", "new_expression"):
            value = parent.child_by_field_name("value") or parent.child_by_field_name("arguments")
            if value is not None:
                yield entries_of(value)


def _named_in(names: Names, declarator: Node) -> Iterator[list[Node]]:
    """The variables in `Votes v(yes, no);`, which has the form of a function's declaration."""
    parameters = declarator.child_by_field_name("parameters")
    types = [entry.child_by_field_name("type") for entry in entries_of(parameters)] if parameters is not None else []
    found = [type for type in types if type is not None and type.type == "type_identifier" and names.meant_by(type)]
    if found and len(found) == len(types):
        yield found


def typed_with(names: Names, type: bytes) -> Iterator[Node]:
    """What is declared or made with a type, with or without template arguments."""
    for leaf in names.mentions(type):
        node = ends_with(leaf, _PARTS_OF_A_TYPE)
        if node.parent is not None and is_same(node.parent.child_by_field_name("type"), node):
            yield node.parent


def parts_for(names: Names, node: Node) -> list[Declaration]:
    """What an entry of an argument or initialiser list initialises: parameters of constructors, or a member."""
    entries = node.parent
    if entries is None or entries.type not in _LISTS:
        return []
    type = type_made(names, entries)
    position = next((at for at, entry in enumerate(entries_of(entries)) if is_same(entry, node)), None)
    if type is None or position is None:
        return []
    return _parts_at(names, type, position, is_list=entries.type == "initializer_list")


def parts_called(names: Names, leaf: Node) -> list[Declaration]:
    """The parameters of constructors for a name in `Votes v(yes, no);`, in the form of a function's declaration."""
    parameter = leaf.parent
    listed = parameter.parent if parameter is not None and parameter.type == "parameter_declaration" else None
    function = listed.parent if listed is not None and listed.type == "parameter_list" else None
    owner = function.parent if function is not None else None
    type = owner.child_by_field_name("type") if owner is not None and owner.type == "declaration" else None
    if parameter is None or listed is None or type is None or not is_same(parameter.child_by_field_name("type"), leaf):
        return []
    position = next((at for at, entry in enumerate(entries_of(listed)) if is_same(entry, parameter)), 0)
    return _parts_at(names, type, position, is_list=False)


def _parts_at(names: Names, type: Node, position: int, *, is_list: bool) -> list[Declaration]:
    """The parameters of a type's constructors at a position; where there are none, the member that a list gives."""
    name = type_name(type) or b""
    constructors = names.functions(name)
    lists = [names.parameters(found.function) for found in constructors if found.function is not None]
    if not lists and is_list:
        lists = [names.members(name)]
    return [found for parts in lists if position < len(parts) if (found := parts[position]) is not None]


def field_position(names: Names, field: Declaration) -> tuple[bytes, int] | None:
    """A member's type and its place among the members; None for a type with constructors."""
    type = record_name(field)
    if type is None or names.functions(type):
        return None
    fields = names.members(type)
    return (type, fields.index(field)) if field in fields else None


def operator_around(node: Node) -> Node | None:
    """The definition of `operator[]` that a place is in."""
    function = ancestor(node, "function_definition", "lambda_expression")
    declarator = function.child_by_field_name("declarator") if function is not None else None
    while declarator is not None and declarator.type != "function_declarator":
        declarator = next(iter(declarator.named_children), None)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    return function if text_of(name).replace(b" ", b"") == _SUBSCRIPT else None


def elements_of(names: Names, operator: Node) -> Iterator[Node]:
    """The expressions `object[…]` that call an operator, by the types that objects are declared with."""
    record = ancestor(operator, *RECORDS)
    for typed in typed_with(names, name_of_record(record) or b"") if record is not None else ():
        for declarator in typed.children_by_field_name("declarator"):
            found = names.declared_in(declarator)
            for use in names.uses(found) if found is not None else ():
                element = _subscripted(use, found) if found is not None else None
                if element is not None:
                    yield element


def _subscripted(use: Node, object: Declaration) -> Node | None:
    """The element `object[…]` that a use of an object, of a pointer to one or of an array of them is of."""
    node: Node | None = whole_name(use)
    if object.shape in ("pointer", "array"):
        node = element_of(whole_name(use), object.dimensions)
    while node is not None and node.parent is not None and node.parent.type == "parenthesized_expression":
        node = node.parent
    owner = node.parent if node is not None else None
    is_subscript = owner is not None and owner.type == "subscript_expression"
    if owner is None or not is_subscript or not is_same(owner.child_by_field_name("argument"), node):
        return None
    while owner.parent is not None and owner.parent.type == "parenthesized_expression":
        owner = owner.parent
    return owner


def elements_returned(names: Names, element: Node) -> Iterator[Node]:
    """The expressions `object[…]` that are an element of a member where `operator[]` returns that."""
    at = element.parent
    operator = operator_around(at) if at is not None and at.type == "return_statement" else None
    if operator is not None:
        yield from elements_of(names, operator)


def members_returned(names: Names, type: bytes) -> Iterator[Declaration]:
    """The members of which `operator[]` of a type returns elements."""
    for member in names.members(type):
        for use in names.uses(member) if member is not None else ():
            element = element_of(whole_name(use), member.dimensions) if member is not None else None
            at = element.parent if element is not None else None
            if (
                member is not None
                and at is not None
                and at.type == "return_statement"
                and operator_around(at) is not None
            ):
                yield member


def parts_taken(names: Names, type: bytes, position: int) -> Iterator[Declaration]:
    """What `auto [a, b] = object;` calls the member at a position of a type's objects."""
    for owner in typed_with(names, type):
        for declarator in owner.children_by_field_name("declarator"):
            holder = names.declared_in(declarator)
            for use in names.uses(holder) if holder is not None else ():
                value = call_of(use) or use
                part = bound_part(value, position)
                found = names.declaration_at(part) if part is not None else None
                if found is not None:
                    yield found


def bound_part(value: Node, position: int) -> Node | None:
    """The name that a structured binding to a value gives the part at a position."""
    binding = value.parent.child_by_field_name("declarator") if value.parent is not None else None
    if binding is not None and binding.type == "reference_declarator":
        binding = next(iter(binding.named_children), None)
    if binding is None or binding.type != "structured_binding_declarator":
        return None
    parts = entries_of(binding)
    return parts[position] if position < len(parts) else None


def type_made(names: Names, value: Node) -> Node | None:
    """The type that a list, or a value, makes an object of."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        return owner.child_by_field_name("type")
    return next((found.type for found in made_by(names, value)), None)


def made_by(names: Names, value: Node) -> list[Declaration]:
    """What a value initialises, is assigned to, or is returned by."""
    owner = value.parent
    if owner is not None and owner.type in _NAMED_OBJECTS:
        value, owner = owner, owner.parent
    if owner is None:
        return []
    if owner.type == "assignment_expression" and is_same(owner.child_by_field_name("right"), value):
        leaf = name_in(owner.child_by_field_name("left"))
        return list(names.meant_by(leaf)) if leaf is not None else []
    node: Node | None = owner
    if owner.type == "return_statement":
        node = ancestor(owner, "function_definition", "lambda_expression")
        node = node if node is not None and node.type == "function_definition" else None
    elif owner.type != "init_declarator" or not is_same(owner.child_by_field_name("value"), value):
        return []
    found = names.declared_in(node) if node is not None else None
    return [] if found is None else [found]
