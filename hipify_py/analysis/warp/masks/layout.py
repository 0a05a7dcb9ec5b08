"""Decides which declarations can be widened: those whose layout nothing else relies on.

A plain variable converts by itself wherever its value goes. A pointer, a reference and an array must have the
type of what they are bound to, and so must a variable whose address is taken; those are widened together or
not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.masks.bytes_of_objects import is_seen_in_bytes
from hipify_py.analysis.warp.masks.objects import constructions, elements_returned, members_returned
from hipify_py.analysis.warp.masks.parts import PartedNames, takes
from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import Declaration, record_name, type_name
from hipify_py.semantics.expressions import (
    argument_position,
    call_of,
    callee,
    element_of,
    ends_with,
    entries_of,
    is_same,
    name_in,
    operator_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from tree_sitter import Node

_ARRAY_OF_ARGUMENTS = re.compile(rb"(?:cuda|cu|hip|hipModule)Launch(?:Cooperative)?Kernel(?:Ex\w*)?")
_TAKES_ANY_POINTER = re.compile(rb"atomic[A-Z]\w*|__ldg|__ld\w\w|__st\w\w|sizeof|decltype|swap")
_KEEPS_TO_ITSELF = frozenset(
    {"subscript_expression", "sizeof_expression", "binary_expression", "expression_statement", "condition_clause"}
)
_TAKES_MASK = re.compile(rb"\b(?:vote|shfl|match|redux|bar)\b")
_SETS_POINTER = frozenset({"init_declarator", "assignment_expression", "initializer_list"})
_STANDS_FOR_ITS_PART = frozenset({"parenthesized_expression", "conditional_expression", "comma_expression"})
_PARTS_OF_A_NAME = frozenset({"template_function", "qualified_identifier"})
_TAKES_POINTER = frozenset(
    {"return_statement", "template_argument_list", "type_descriptor", "field_initializer", "argument_list"}
)
_NEEDS_NO_TYPE = frozenset(
    {
        "expression_statement",
        "translation_unit",
        "using_declaration",
        "decltype",
        "sizeof_expression",
        "binary_expression",
    }
)
_RUNTIME = re.compile(rb"(?:cuda|cu|hip)[A-Z]\w*")
_ON_DEVICE = frozenset({b"__device__", b"__constant__", b"__managed__"})


class Layout:
    """Which declarations of a source may have another width."""

    def __init__(self, unit: Unit, names: PartedNames) -> None:
        self._names = names
        self._lists_arguments = any(map(_ARRAY_OF_ARGUMENTS.fullmatch, unit.lexemes.words))
        self._decided: dict[Declaration, bool] = {}
        self._in_bytes: dict[bytes, bool] = {}
        """Of types that have members of theirs looked at."""

    def may_widen(self, declaration: Declaration) -> bool:
        """All that must have the same type as a declaration is in this source, and may be widened with it."""
        if declaration not in self._decided:
            group, may = [declaration], True
            seen = {declaration}
            for member in group:  # grows while it is gone through
                may = may and self._stands_alone(member)
                for bound in self._bound_to(member) if may else ():
                    if bound is None or self._decided.get(bound) is False:
                        may = False
                    elif bound not in seen:
                        seen.add(bound)
                        group.append(bound)
            self._decided.update(dict.fromkeys(group, may))
        return self._decided[declaration]

    def bound_to(self, declaration: Declaration) -> Iterator[Declaration]:
        """What must be widened with a declaration that may be."""
        yield from (bound for bound in self._bound_to(declaration) if bound is not None)

    def is_in_counted_object(self, declaration: Declaration) -> bool:
        """A declaration is a member of objects whose bytes are counted, or seen, without their type."""
        record = record_name(declaration)
        if record is None:
            return False
        if record not in self._in_bytes:
            self._in_bytes[record] = is_seen_in_bytes(self._names, record)
        return self._in_bytes[record]

    def bindings(self, declaration: Declaration) -> Iterator[Declaration | None]:
        """What has to have the same width as a declaration, whether it may be widened or not; None for something out
        of sight."""
        return self._bound_to(declaration)

    def group(self, declaration: Declaration) -> list[Declaration]:
        """A declaration with all of this source that must have its type."""
        group = [declaration]
        seen = {declaration}
        for member in group:  # grows while it is gone through
            for bound in self._bound_to(member):
                if bound is not None and bound not in seen:
                    seen.add(bound)
                    group.append(bound)
        return group

    def _stands_alone(self, declaration: Declaration) -> bool:
        """Nothing outside the source sees the declaration's type."""
        owner = declaration.owner
        if declaration.shape == "other":
            return False
        if declaration.kind == "parameter":
            return self._parameter_stands_alone(declaration)
        if declaration.kind == "function":
            functions = self._names.functions(declaration.name)
            is_here = any(_has_body(found) for found in functions)
            is_plain = declaration.shape in ("value", "reference")
            return is_plain and is_here and not self._has_its_type_seen(declaration)
        if declaration.kind == "field":
            record = declaration.record
            bits = any(node.type == "bitfield_clause" for node in owner.named_children)
            is_seen = record is None or record.type == "union_specifier" or bits
            return not is_seen and not self.is_in_counted_object(declaration)
        words = _specifiers(owner)
        if b"extern" in words:
            return False
        return words.isdisjoint(_ON_DEVICE) or not any(_RUNTIME.fullmatch(name) for name in self._callees(declaration))

    def _parameter_stands_alone(self, declaration: Declaration) -> bool:
        parameters = declaration.owner.parent
        function = parameters.parent if parameters is not None else None
        while function is not None and function.type.endswith("_declarator"):
            function = function.parent
        words = _specifiers(function) if function is not None else frozenset[bytes]()
        functions = functions_of(self._names, declaration)
        is_elsewhere = functions and not any(_has_body(found) for found, _ in functions)
        if is_elsewhere or self._is_pointed_to(declaration):
            return False
        if b"__global__" not in words:
            return True
        is_found_by_name = ancestor(function, "linkage_specification") is not None
        return declaration.shape == "value" and not self._lists_arguments and not is_found_by_name

    def _is_pointed_to(self, parameter: Declaration) -> bool:
        """A pointer with a type of its own is set to the parameter's function."""
        functions = functions_of(self._names, parameter)
        return any(found.kind == "function" and self._has_its_type_seen(found) for found, _ in functions)

    def _has_its_type_seen(self, function: Declaration) -> bool:
        """Something whose type is written down, or out of sight, is set to a function: its type has to stay."""
        return any(self._sees_type(leaf) for leaf in self._names.mentions(function.name) if call_of(leaf) is None)

    def _sees_type(self, leaf: Node) -> bool:
        node = ends_with(whole_name(leaf), _PARTS_OF_A_NAME)
        while node.parent is not None and (
            node.parent.type == "parenthesized_expression" or operator_of(node.parent) == "&"
        ):
            node = node.parent
        owner = node.parent
        if (
            owner is None
            or owner.type in _NEEDS_NO_TYPE
            or (owner.type == "call_expression" and node.type == "template_function")
        ):
            return False
        if owner.type == "init_declarator" and owner.parent is not None:
            return spelling(text_of(owner.parent.child_by_field_name("type"))).width is not Width.DEDUCED
        if owner.type == "cast_expression":
            return b"void" not in text_of(owner.child_by_field_name("type"))
        found = argument_position(node)
        if found is None:
            return owner.type in _SETS_POINTER or owner.type in _TAKES_POINTER
        if _RUNTIME.fullmatch(text_of(callee(found[0]))):
            return False
        parameters = list(self._of_functions(*found))
        return not parameters or any(parameter is None or not self._is_generic(parameter) for parameter in parameters)

    def _is_generic(self, parameter: Declaration) -> bool:
        """The parameter has the type of what it is given."""
        return parameter.spelling.width is Width.DEDUCED or self._names.type_parameter(parameter) is not None

    def _callees(self, declaration: Declaration) -> Iterator[bytes]:
        for leaf in self._names.uses(declaration):
            node: Node | None = leaf
            for _ in range(8):
                if node is None or node.type == "call_expression":
                    break
                node = node.parent
            if node is not None and node.type == "call_expression":
                yield text_of(callee(node))

    def _bound_to(self, declaration: Declaration) -> Iterator[Declaration | None]:
        """What has to have the same width as a declaration; None for something out of sight."""
        if declaration.kind == "function":
            functions = self._names.functions(declaration.name)
            yield from (found for found in functions if found.spelling.width is Width.NARROW)
            return
        for leaf in self._names.uses(declaration):
            yield from self._bound_by(declaration, whole_name(leaf))
        if declaration.kind == "parameter" and self._names.is_first_part(declaration):
            yield from self._siblings(declaration)
            if declaration.shape in ("pointer", "array", "reference"):
                yield from self._passed_for(declaration)
        elif declaration.shape in ("pointer", "reference") and declaration.value is not None:
            yield from self._pointees(declaration.value)

    def _bound_by(self, declaration: Declaration, node: Node) -> Iterator[Declaration | None]:
        """What one use of a name binds to its type."""
        parent = node.parent
        if parent is None:
            return
        if parent.type == "gnu_asm_output_operand":
            return
        if parent.type == "gnu_asm_input_operand":
            statement = ancestor(parent, "gnu_asm_expression")
            if statement is not None and not _TAKES_MASK.search(text_of(statement)):
                yield None  # an instruction on 32 bits
            return
        if _is_address(parent):
            yield from self._address_goes(parent)
        elif declaration.shape in ("pointer", "array"):
            element = element_of(node, declaration.dimensions)
            value = parent.child_by_field_name("right") if operator_of(parent) == "=" else None
            if element is None and value is not None and is_same(parent.child_by_field_name("left"), node):
                yield from self._pointees(value)
            elif element is None:
                while node.parent is not None and node.parent.type == "subscript_expression":
                    node = node.parent  # a row
                yield from self._address_goes(node)
            elif _is_address(element.parent):
                yield from self._address_goes(element.parent)
            elif declaration.kind == "field":
                yield from self._returned(element)
        elif parent.type == "for_range_loop":
            yield None
        else:
            yield from self._referred(node)

    def _returned(self, element: Node) -> Iterator[Declaration | None]:
        """What an element of a member is bound to where `operator[]` returns it."""
        for target in elements_returned(self._names, element):
            node = target
            while node.parent is not None and node.parent.type in _STANDS_FOR_ITS_PART:
                node = node.parent
            is_chosen = not is_same(node, target)
            if _is_address(node.parent) and not is_chosen:
                yield from self._address_goes(node.parent)
            elif _is_seen_as_it_is(node) or (is_chosen and _is_changed(node)):
                yield None
            else:
                yield from self._referred(node)

    def _address_goes(self, node: Node) -> Iterator[Declaration | None]:
        """Where an address goes: into a pointer of this source, or out of sight."""
        parent = node.parent
        while parent is not None and (
            parent.type in ("parenthesized_expression", "update_expression")
            or (parent.type == "binary_expression" and operator_of(parent) in ("+", "-"))
        ):
            node, parent = parent, parent.parent
        if parent is None:
            yield None
        elif parent.type in _KEEPS_TO_ITSELF or operator_of(parent) in ("*", "!"):
            return
        elif parent.type in ("init_declarator", "assignment_expression"):
            side = "declarator" if parent.type == "init_declarator" else "left"
            yield from self._named_in(parent.child_by_field_name(side), node)
        else:
            yield from self._parameters_for(node)

    def _referred(self, node: Node) -> Iterator[Declaration | None]:
        """The references that a variable is bound to by being their value or argument."""
        parent = node.parent
        if parent is not None and parent.type == "init_declarator":
            target = parent.child_by_field_name("declarator")
            if target is not None and target.type == "reference_declarator":
                yield from self._named_in(target, node)
        elif parent is not None and parent.type == "argument_list":
            found = argument_position(node)
            for parameter in self._of_functions(*found) if found is not None else ():
                if parameter is not None and parameter.shape == "reference":
                    yield parameter

    def _named_in(self, node: Node | None, value: Node) -> Iterator[Declaration | None]:
        """The declarations of the name that a declarator or the left side of an assignment is about."""
        if node is None or node.id == value.id:
            return  # the name itself is declared or set here
        while node.type.endswith("_declarator") and node.named_children:
            node = node.named_children[-1]
        leaf = name_in(node)
        declared = self._names.declaration_at(leaf) if leaf is not None else None
        found = (declared,) if declared is not None else self._names.meant_by(leaf) if leaf is not None else ()
        yield from found or (None,)

    def _parameters_for(self, node: Node) -> Iterator[Declaration | None]:
        """The parameters that an address is passed for."""
        found = argument_position(node)
        if found is None:
            yield None
            return
        name = text_of(callee(found[0]))
        if _TAKES_ANY_POINTER.fullmatch(name):
            return
        parameters = list(self._of_functions(*found))
        yield from parameters or (None,)

    def _of_functions(self, call: Node, position: int) -> Iterator[Declaration | None]:
        """The parameters of this source's functions that an argument is passed for."""
        leaf = callee(call)
        for parameters in self._names.called(leaf) if leaf is not None else ():
            if position < len(parameters):
                yield parameters[position]

    def _siblings(self, declaration: Declaration) -> Iterator[Declaration | None]:
        """The same parameter of a function's other declarations."""
        for found, position in functions_of(self._names, declaration):
            parameters = self._names.parameters(found.function) if found.function is not None else []
            other = parameters[position] if position < len(parameters) else None
            if other is not None and other.spelling.width is Width.NARROW and other.shape == declaration.shape:
                yield other

    def _passed_for(self, declaration: Declaration) -> Iterator[Declaration | None]:
        """What calls pass for a pointer or a reference."""
        found = functions_of(self._names, declaration)
        calls = list(calls_of(self._names, found))
        if not calls:
            yield None
        for position, arguments in calls:
            if position < len(arguments):
                yield from self._pointees(arguments[position])

    def _pointees(self, value: Node) -> Iterator[Declaration | None]:
        """The variables that an address or a reference is of."""
        is_subscript = False
        for _ in range(8):
            is_subscript = is_subscript or value.type == "subscript_expression"
            if value.type == "parenthesized_expression" and value.named_children:
                value = value.named_children[0]
            elif value.type in ("pointer_expression", "subscript_expression"):
                inner = value.child_by_field_name("argument")
                value = inner if inner is not None else value
            elif value.type == "binary_expression" and operator_of(value) in ("+", "-"):
                inner = value.child_by_field_name("left")
                value = inner if inner is not None else value
        if text_of(value) in (b"nullptr", b"NULL", b"0"):
            return
        leaf = name_in(value)
        found = self._names.meant_by(leaf) if leaf is not None else ()
        yield from [member for each in found for member in self._elements(each, is_subscript)] or (None,)

    def _elements(self, declaration: Declaration, is_subscript: bool) -> list[Declaration]:
        """The members of which `object[…]` is an element; the declaration itself where it is no object with that."""
        type = type_name(declaration.type) if is_subscript and declaration.type is not None else None
        return (list(members_returned(self._names, type)) if type is not None else []) or [declaration]


def _is_seen_as_it_is(node: Node) -> bool:
    """The width of an element's memory is seen where it stands: by a cast, by assembly, or as a reference."""
    owner = node.parent
    if owner is None or owner.type in ("gnu_asm_output_operand", "gnu_asm_input_operand", "field_initializer"):
        return True
    if owner.type == "cast_expression":
        return b"&" in text_of(owner.child_by_field_name("type"))
    if owner.type == "argument_list" and owner.parent is not None:
        function = owner.parent.child_by_field_name("function")
        is_cast = function is not None and function.type == "template_function"
        return is_cast and b"&" in text_of(function)
    if owner.type != "return_statement":
        return False
    function = ancestor(owner, "function_definition", "lambda_expression")
    declarator = function.child_by_field_name("declarator") if function is not None else None
    if declarator is None or declarator.type == "reference_declarator":
        return declarator is not None
    return any(child.type == "trailing_return_type" and b"&" in text_of(child) for child in declarator.named_children)


def _is_changed(node: Node) -> bool:
    """An expression is set, or its address taken."""
    owner = node.parent
    if owner is None or owner.type == "update_expression" or _is_address(owner):
        return True
    return owner.type == "assignment_expression" and is_same(owner.child_by_field_name("left"), node)


def _has_body(function: Declaration) -> bool:
    """The function is defined there, or a lambda is; a prototype's definition may stand in another source."""
    return function.kind != "function" or function.owner.type == "function_definition"


def _specifiers(declaration: Node) -> frozenset[bytes]:
    """The words in front of what a declaration declares, macros among them."""
    words = set[bytes]()
    for child in declaration.children:
        if child.type.endswith("_declarator") or child.type == "compound_statement":
            break
        words.add(text_of(child))
    return frozenset(words)


def _is_address(node: Node | None) -> TypeGuard[Node]:
    """The node is `&` of something."""
    return node is not None and node.type == "pointer_expression" and operator_of(node) == "&"


def functions_of(names: PartedNames, parameter: Declaration) -> list[tuple[Declaration, int]]:
    """The functions (or the variable of a lambda) whose parameter a declaration is, with its position."""
    parameters = parameter.owner.parent
    if parameters is None:
        return []
    position = next((at for at, found in enumerate(entries_of(parameters)) if found.id == parameter.owner.id), 0)
    declarator = parameters.parent
    if declarator is not None and declarator.type == "lambda_declarator":
        return [(found, position) for found in _holding(names, declarator)]
    if declarator is None or declarator.type != "function_declarator":
        return []
    leaf = name_in(declarator.child_by_field_name("declarator"))
    overloads = names.overloads(text_of(leaf)) if leaf is not None else []
    own = {found.key for found in overloads if is_same(found.declaration.function, declarator)}
    return [(found.declaration, position) for found in overloads if found.key in own]


def _holding(names: PartedNames, declarator: Node) -> list[Declaration]:
    """The variable that a lambda is put into."""
    body = declarator.parent
    owner = body.parent if body is not None else None
    leaf = name_in(owner.child_by_field_name("declarator")) if owner is not None else None
    found = names.declaration_at(leaf) if leaf is not None else None
    return [] if found is None else [found]


def calls_of(names: PartedNames, functions: list[tuple[Declaration, int]]) -> Iterator[tuple[int, list[Node]]]:
    """The calls that may mean a function, with the position of a parameter and the arguments."""
    if not functions:
        return
    function, position = functions[0]
    own = {found for found, _ in functions}
    is_overloaded = len(names.overloads(function.name)) > len(own)
    for call in names.calls(function.name):
        may_mean = takes(function, len(call.arguments)) and (not call.meant or not own.isdisjoint(call.meant))
        if may_mean or not is_overloaded:
            yield position, call.arguments
    for arguments in constructions(names, function.name):
        if takes(function, len(arguments)):
            yield position, arguments
