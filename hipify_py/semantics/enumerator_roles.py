"""What an enumerator's value decides where its name is used: an entry of a container, a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.syntax import ancestor
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    cast_value,
    is_same,
    name_in,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.symbols import Names

if TYPE_CHECKING:
    from tree_sitter import Node

ENTRY, ELEMENT, ASSIGNED, COMPARED = "entry", "element", "assigned", "compared"
_INSERTIONS = frozenset({b"insert", b"emplace", b"try_emplace", b"insert_or_assign"})
_ADDITIONS = frozenset({b"insert", b"emplace"})
_STATEMENTS = frozenset(
    {
        "if_statement",
        "while_statement",
        "conditional_expression",
        "return_statement",
        "expression_statement",
        "declaration",
    }
)


class Role(NamedTuple):
    """What the value decides; two enumerators with equal roles are distinguished there.

    Attributes:
        kind: `ENTRY` of a table with keys, `ELEMENT` of a set, `ASSIGNED` for what is put into a table by its key,
            `COMPARED`.
        subject: the offset of the list or declaration that it is an entry of, or compared with.
        node: for a comparison, the comparison.
        declared: for a comparison, the declaration of what is compared.
    """

    kind: str
    subject: int
    node: Node
    declared: Declaration | None = None


def role_of(names: Names, leaf: Node) -> Role | None:
    """The role of an enumerator whose name is a leaf; None where nothing depends on its value alone."""
    node = _whole(leaf)
    parent = node.parent
    if parent is None:
        return None
    if parent.type == "binary_expression" and operator_of(parent) in ("==", "!="):
        other = parent.child_by_field_name("right" if is_same(parent.child_by_field_name("left"), node) else "left")
        subject = _subject(names, other)
        return None if subject is None else Role(COMPARED, subject.place, parent, subject)
    if parent.type == "subscript_argument_list" and parent.parent is not None:
        return _subscript(names, parent.parent)
    if parent.type == "argument_list" and parent.parent is not None and parent.parent.type == "call_expression":
        return _argument(names, parent.parent, node)
    if parent.type == "initializer_list":
        return _listed(names, parent, node)
    return None


def is_decided_before(first: Node, second: Node) -> bool:
    """Whether the second comparison of a value is reached only where the first one did not hold, or beside it.

    That is so in a chain of `else if` or `?:`, and in statements of one block that follow each other.
    """
    one, other = ancestor(first, *_STATEMENTS), ancestor(second, *_STATEMENTS)
    if one is None or other is None:
        return False
    if is_same(one, other):
        return not _agree(first, second)
    node: Node | None = other
    while node is not None and not is_same(node, one):
        if is_same(node.parent, one.parent) and node.parent is not None and node.parent.type == "compound_statement":
            return True
        parent = node.parent
        if parent is not None and is_same(parent, one):
            return _is_alternative(one, node)
        node = parent
    return False


def _is_alternative(condition: Node, part: Node) -> bool:
    """Whether a part of an `if` or of `?:` is reached where its condition does not hold."""
    return any(is_same(found, part) for found in condition.children_by_field_name("alternative"))


def _agree(first: Node, second: Node) -> bool:
    """Whether comparisons of one condition are redundant once their values are equal: `a == X || a == Y`."""
    joined = first.parent
    while joined is not None and not (joined.start_byte <= second.start_byte and second.end_byte <= joined.end_byte):
        joined = joined.parent
    wanted = {"==": ("||", "or"), "!=": ("&&", "and")}
    operator = operator_of(first)
    return joined is not None and operator == operator_of(second) and operator_of(joined) in wanted.get(operator, ())


def _whole(leaf: Node) -> Node:
    """The expression that is the enumerator's value, with scopes, brackets and casts around the name."""
    node = leaf
    while node.parent is not None:
        around = node.parent.parent if node.parent.type == "argument_list" else node.parent
        if around is None or not (_is_bracket(around) or is_same(cast_value(around), node)):
            break
        node = around
    return node


def _is_bracket(node: Node) -> bool:
    """Whether a node is a scope, brackets or a plus sign around a name."""
    if node.type == "unary_expression":
        return operator_of(node) == "+"
    return node.type in ("qualified_identifier", "parenthesized_expression")


def _subject(names: Names, node: Node | None) -> Declaration | None:
    """The declaration of the variable or member that an expression is."""
    value = None if node is None else strip_parentheses(node)
    inner = None if value is None else cast_value(value)
    leaf = name_in(value if inner is None else strip_parentheses(inner))
    declared = names.resolve(leaf) if leaf is not None else ()
    return declared[0] if declared else None


def _subscript(names: Names, subscript: Node) -> Role | None:
    assignment, subject = subscript.parent, _subject(names, subscript.child_by_field_name("argument"))
    if assignment is None or assignment.type != "assignment_expression" or subject is None:
        return None
    if not is_same(assignment.child_by_field_name("left"), subscript) or operator_of(assignment) != "=":
        return None
    return Role(ASSIGNED, subject.place, assignment)


def _argument(names: Names, call: Node, node: Node) -> Role | None:
    """The role in the first argument of `m.emplace(...)`, of `make_pair(...)` or of a macro in a list."""
    arguments, name = arguments_of(call), callee(call)
    if not arguments or not is_same(arguments[0], node) or name is None:
        return None
    function = call.child_by_field_name("function")
    if function is not None and function.type == "field_expression":
        subject = _subject(names, function.child_by_field_name("argument"))
        if subject is None or text_of(name) not in _INSERTIONS:
            return None
        if len(arguments) == 1:
            return Role(ELEMENT, subject.place, call) if text_of(name) in _ADDITIONS else None
        return Role(ASSIGNED, subject.place, call)
    list = call.parent
    return Role(ENTRY, list.start_byte, call) if list is not None and list.type == "initializer_list" else None


def _listed(names: Names, list: Node, node: Node) -> Role | None:
    """The role in an entry `{X, …}` of a list of such, or as `X` itself in the list of a set."""
    outer = list.parent
    first = next(iter(list.named_children), None)
    if outer is None:
        return None
    if outer.type == "initializer_list" and is_same(first, node):
        return Role(ENTRY, outer.start_byte, list)
    if outer.type == "argument_list" and outer.parent is not None and is_same(first, node):
        return _inserted(names, outer.parent, list)
    declaration = ancestor(outer, "declaration", "field_declaration")
    type = declaration.child_by_field_name("type") if declaration is not None else None
    return Role(ELEMENT, list.start_byte, list) if b"set" in text_of(_template_name(type)) else None


def _inserted(names: Names, call: Node, list: Node) -> Role | None:
    """`m.insert({X, …})`"""
    function, name = call.child_by_field_name("function"), callee(call)
    if function is None or function.type != "field_expression" or text_of(name) not in _INSERTIONS:
        return None
    subject = _subject(names, function.child_by_field_name("argument"))
    return None if subject is None else Role(ASSIGNED, subject.place, list)


def _template_name(type: Node | None) -> Node | None:
    while type is not None and type.type == "qualified_identifier":
        type = type.child_by_field_name("name")
    return type.child_by_field_name("name") if type is not None and type.type == "template_type" else None


def may_change_between(names: Names, role: Role, start: int, end: int) -> bool:
    """Whether what a comparison is of may get another value between two places."""
    for leaf in names.uses(role.declared) if role.declared is not None else ():
        parent = leaf.parent
        if start < leaf.start_byte < end and parent is not None:
            is_left = parent.type == "assignment_expression" and is_same(parent.child_by_field_name("left"), leaf)
            if is_left or parent.type == "update_expression" or operator_of(parent) == "&":
                return True
    return False
