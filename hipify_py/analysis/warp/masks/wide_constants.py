"""Constants that have 64 bits as they stand, though no digits say so."""

from __future__ import annotations

from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import arguments_of, callee, cast_of, entries_of, parts_of, text_of
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import Names, names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_LIMITS = frozenset({b"UINT64_MAX", b"ULLONG_MAX", b"ULONG_MAX"})


def is_wide_constant(unit: Unit, node: Node) -> bool:
    """An expression is a library's constant of 64 bits, a cast to an alias of such a type, or an enumerator of one."""
    names = names_of(unit)
    if node.type == "identifier" and text_of(node) in _LIMITS:
        return not names.is_declared(text_of(node)) and not macros_of(unit).named(text_of(node))
    if node.type in ("identifier", "qualified_identifier"):
        return _is_wide_enumerator(names, node)
    if node.type == "compound_literal_expression":
        return _is_wide(type_of(names, node))
    if node.type == "cast_expression":
        return cast_of(node) is not None and _is_wide(type_of(names, node))
    if node.type != "call_expression":
        return False
    limited = _limited(node)
    if limited is not None:
        return _is_wide(limited)
    leaf = callee(node)
    return leaf is not None and not names.functions(text_of(leaf)) and _is_wide(type_of(names, node))


def _limited(call: Node) -> bytes | None:
    """The type of which a call is the largest value: `T` of `std::numeric_limits<T>::max()`."""
    function = call.child_by_field_name("function")
    if text_of(callee(call)) != b"max" or arguments_of(call) or function is None:
        return None
    limits = next((part for part in parts_of(function) if part.type == "template_type"), None)
    if limits is None or text_of(limits.child_by_field_name("name")) != b"numeric_limits":
        return None
    types = limits.child_by_field_name("arguments")
    return next(map(text_of, entries_of(types)), None) if types is not None else None


def _is_wide_enumerator(names: Names, node: Node) -> bool:
    """An enumerator of an enumeration that is declared with such a type."""
    leaf = node
    while leaf.type == "qualified_identifier":
        inner = leaf.child_by_field_name("name")
        if inner is None:
            return False
        leaf = inner
    found = [declared for declared in names.meant_by(leaf) if declared.kind == "enumerator"]
    lists = [declared.owner.parent for declared in found]
    owners = [listed.parent for listed in lists if listed is not None]
    return bool(owners) and all(
        owner is not None and owner.type == "enum_specifier" and _is_wide(text_of(owner.child_by_field_name("base")))
        for owner in owners
    )


def _is_wide(type: bytes) -> bool:
    return bool(type) and spelling(type).width is Width.WIDE
