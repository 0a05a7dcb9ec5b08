"""What a mask is handed to: variables, members, parameters, what a function returns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify_py.analysis.warp.masks.built_ins import COUNTED_IN_LL
from hipify_py.analysis.warp.masks.callables import into_lambda_result
from hipify_py.analysis.warp.masks.following import Confidence, Following
from hipify_py.analysis.warp.masks.literals import WIDE
from hipify_py.analysis.warp.masks.objects import (
    elements_of,
    members_returned,
    operator_around,
    parts_called,
    parts_for,
    type_made,
    typed_with,
)
from hipify_py.analysis.warp.masks.pairs import into_pair
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.tokens import tokens
from hipify_py.semantics.declarations import Declaration, templated_names, type_name
from hipify_py.semantics.expressions import bare, cast_of, entries_of, is_same, name_in, text_of, whole_name
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.semantics.macros import Macro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(rb"[A-Za-z_]\w*")
_TEMPLATES = frozenset({"template_function", "template_method", "template_type"})
_VECTOR_TYPE = re.compile(rb"u?int[1234]")


def into_target(flow: Following, target: Node | None, value: Node) -> None:
    """A mask is put into a variable, an element or a member."""
    leaf = _target(target)
    if target is None or leaf is None:
        return
    declared = flow.names.meant_by(leaf)
    if _is_half_of(flow, declared, value):
        return
    element = bare(target)
    if element.type == "subscript_expression" and _into_element(flow, declared, target):
        return
    confidence = flow.widen_all(leaf)
    is_seen = confidence is not None and confidence is not Confidence.UNKNOWN
    if not is_seen and all(flow.may_be_narrow(found) for found in declared):
        flow.report("HIP320", target.start_byte, text_of(target))


def _into_element(flow: Following, objects: Sequence[Declaration], target: Node) -> bool:
    """A mask is put into what `operator[]` of an object's type returns; True where that is a member's element."""
    types = [found.type for found in objects if found.shape in ("value", "reference")]
    names = [type_name(type) for type in types if type is not None]
    members = [found for name in names if name is not None for found in members_returned(flow.names, name)]
    for member in members:
        _widen(flow, member, target)
    return bool(members)


def _from_operator(flow: Following, operator: Node) -> None:
    """`operator[]` returns a mask: what it returns is one, where it is called too."""
    flow.widen_type(operator.child_by_field_name("type"))
    for element in elements_of(flow.names, operator):
        flow.propagate_wide(element)


def into_object(flow: Following, entries: Node, node: Node) -> bool:
    """A mask initialises a member, or is a constructor's argument."""
    owner = entries.parent
    if owner is not None and owner.type == "field_initializer":
        into_target(flow, owner.named_children[0], node)
        return True
    position = next((at for at, entry in enumerate(entries_of(entries)) if is_same(entry, node)), 0)
    if into_pair(flow, entries, position):
        return True
    if _VECTOR_TYPE.fullmatch(text_of(type_made(flow.names, entries))):
        flow.report("HIP320", node.start_byte, text_of(node))
        return True
    parts = parts_for(flow.names, node)
    for part in parts:
        _widen(flow, part, node)
    return bool(parts)


def into_constructor(flow: Following, leaf: Node) -> None:
    """A mask is what a variable is made of in a declaration that has the form of a function's."""
    for part in parts_called(flow.names, leaf):
        _widen(flow, part, leaf)


def into_function(flow: Following, leaf: Node, position: int, node: Node) -> bool:
    """The parameters that this source's functions and macros of a name have there; True where a mask comes back."""
    comes_back = False
    lists = [parameters for parameters in flow.names.called(leaf) if position < len(parameters)]
    parameters = [found for parameters in lists if (found := parameters[position]) is not None]
    wide = [found for found in parameters if found.shape == "value" and found.spelling.width is Width.WIDE]
    if wide and len(wide) < len(parameters):
        _overloaded(flow, node, wide[0])
        return False
    for parameter in parameters:
        if parameter.shape in ("value", "reference"):
            _widen(flow, parameter, node)
            comes_back |= _is_generic(flow, leaf, parameter)
    for macro in flow.macros.named(text_of(leaf)):
        if macro.parameters is not None and position < len(macro.parameters):
            for inner in flow.names.mentions(macro.parameters[position]):
                if macro.start <= inner.start_byte < macro.end:
                    flow.propagate_wide(whole_name(inner))
            _pasted(flow, macro, macro.parameters[position])
    return comes_back


def _pasted(flow: Following, macro: Macro, parameter: bytes) -> None:
    """A macro that puts its argument into a variable whose name it pastes together: by its tokens, no tree has it."""
    body = list(tokens(flow.unit.lexemes, macro.start, macro.end))
    words = [token.text for token in body]
    for at in range(len(words) - 4):
        if words[at + 1] != b"##" or words[at + 3] != b"=":
            continue
        value = at + 4
        while words[value : value + 1] == [b"("]:
            value += 1
        first = at
        while first and _WORD.fullmatch(words[first - 1]):
            first -= 1
        type = flow.data[body[first].start : body[at - 1].end] if first < at else b""
        if words[value : value + 1] != [parameter] or spelling(type).width is not Width.NARROW:
            continue
        flow.put(body[first].start, body[at - 1].end, WIDE)
        for count in range(len(words) - 4):
            is_of_it = words[count + 1 : count + 5] == [b"(", *words[at : at + 3]]
            if words[count] in COUNTED_IN_LL and is_of_it:
                flow.put(body[count].start, body[count].end, COUNTED_IN_LL[words[count]])
        return


def _overloaded(flow: Following, node: Node, parameter: Declaration) -> None:
    """A function that takes 32 or 64 bits takes a mask's 64, under the name that it has for their type."""
    type = text_of(parameter.type)
    cast = cast_of(node)
    if type != WIDE and (cast is None or cast.width is not Width.WIDE):
        flow.put(node.start_byte, node.start_byte, b"static_cast<" + type + b">(")
        flow.put(node.end_byte, node.end_byte, b")")


def _is_generic(flow: Following, leaf: Node, parameter: Declaration) -> bool:
    """A parameter has a template's type, which the call may write down; True where it is what is returned, too."""
    type = flow.type_parameter(parameter)
    if type is None:
        return False
    flow.widen_type(_written_for(type, leaf))
    functions = flow.names.functions(text_of(leaf))
    return any(text_of(found.type) == text_of(parameter.type) for found in functions)


def _written_for(parameter: Node, leaf: Node) -> Node | None:
    """What a call of a template by its name writes in angle brackets for a parameter."""
    parameters, named = parameter.parent, leaf.parent
    template = parameters.parent if parameters is not None else None
    if parameters is None or template is None or text_of(leaf) not in templated_names(template):
        return None
    written = named.child_by_field_name("arguments") if named is not None and named.type in _TEMPLATES else None
    position = next((at for at, entry in enumerate(entries_of(parameters)) if is_same(entry, parameter)), 0)
    return next(iter(entries_of(written)[position:]), None) if written is not None else None


def into_variable(flow: Following, declarator: Node, value: Node) -> None:
    """A variable is initialised with a mask, or with a list of which one part is."""
    while declarator.type.endswith("_declarator") and declarator.named_children:
        inner = declarator.child_by_field_name("declarator")
        declarator = inner if inner is not None else declarator.named_children[-1]
    leaf = name_in(declarator)
    found = flow.names.declaration_at(leaf) if leaf is not None else None
    if found is not None:
        _widen(flow, found, value)


def into_result(flow: Following, statement: Node, value: Node) -> None:
    """A function or a lambda returns a mask."""
    node = ancestor(statement, "function_definition", "lambda_expression")
    if node is None:
        return
    if node.type == "lambda_expression":
        into_lambda_result(flow, node, value)
        return
    if operator_around(statement) is not None:
        _from_operator(flow, node)
        return
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.named_children[-1] if declarator.named_children else None
    leaf = name_in(declarator.child_by_field_name("declarator")) if declarator is not None else None
    found = flow.names.declaration_at(leaf) if leaf is not None else None
    if found is None:
        return
    if flow.names.type_parameter(found) is None or flow.is_instantiated_narrow(found):
        _widen(flow, found, value)
    if flow.names.type_parameter(found) is not None:
        flow.follow_calls(found)


def into_type(flow: Following, type: Node) -> None:
    """`decltype` of a mask: what has the type is wide, whatever it is set to."""
    owner = type.parent
    while owner is not None and owner.type in ("type_descriptor", "template_argument_list"):
        owner = owner.parent
    if owner is None:
        return
    if owner.type in ("alias_declaration", "type_definition"):
        field = "name" if owner.type == "alias_declaration" else "declarator"
        name = text_of(owner.child_by_field_name(field))
        declarators = [
            node for typed in typed_with(flow.names, name) for node in typed.children_by_field_name("declarator")
        ]
    else:
        declarators = owner.children_by_field_name("declarator")
    for declarator in declarators:
        found = flow.names.declared_in(declarator)
        if found is not None:
            flow.widen(found)


def _widen(flow: Following, declaration: Declaration, value: Node) -> None:
    """Widen what a mask goes into, or say that it stays narrow."""
    if _is_half_of(flow, (declaration,), value):
        return
    if flow.widen(declaration) is Confidence.UNKNOWN and flow.may_be_narrow(declaration):
        flow.report("HIP320", declaration.place, declaration.name)


def _is_half_of(flow: Following, targets: tuple[Declaration, ...], value: Node) -> bool:
    """A target of 32 bits is given one half of a number of 64: what it loses, the other half has."""
    is_narrow = bool(targets) and all(found.spelling.width is Width.NARROW for found in targets)
    return is_narrow and flow.kinds.is_half(value)


def _target(node: Node | None) -> Node | None:
    """The name of what is assigned to, elements and pointers looked through."""
    for _ in range(8):
        if node is None or node.type not in ("subscript_expression", "pointer_expression", "parenthesized_expression"):
            break
        inner = node.child_by_field_name("argument")
        node = inner if inner is not None else next(iter(node.named_children), None)
    if node is not None and node.type == "binary_expression":
        node = node.child_by_field_name("left")
    return name_in(node)
