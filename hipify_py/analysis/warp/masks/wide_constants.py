"""Constants that have 64 bits as they stand, though no digits say so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import callee, cast_of, text_of
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import Names, names_of
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_LIMITS = frozenset({b"UINT64_MAX", b"ULLONG_MAX", b"ULONG_MAX"})
_LIMIT = re.compile(rb"(?:::\s*)?(?:cuda\s*::\s*)?std\s*::\s*numeric_limits\s*<(.+)>\s*::\s*max\s*\(\s*\)", re.DOTALL)


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
    limit = _LIMIT.fullmatch(text_of(node))
    if limit is not None:
        return _is_wide(limit[1].strip())
    leaf = callee(node)
    return leaf is not None and not names.functions(text_of(leaf)) and _is_wide(type_of(names, node))


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
