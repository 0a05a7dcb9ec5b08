"""Comparisons of CUDA's versions outside of conditions: in code, and in the bodies of macros."""

from __future__ import annotations

import re

from hipify_py.analysis.preprocessor.choice import choices
from hipify_py.analysis.preprocessor.macros import ANY_BUILD
from hipify_py.analysis.preprocessor.versions_tried import VERSIONS, plain
from hipify_py.frontend.conditions import Expression
from hipify_py.frontend.unit import Unit, Use

_PARAMETERS = re.compile(rb"\([^()]*\)")
_BLANKS = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*|\\\r?\n", re.DOTALL)
_GROWS = re.compile(rb"[*+]|<<")
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_OPERANDS = frozenset(("binary_expression", "parenthesized_expression", "unary_expression"))


def version_test(unit: Unit, use: Use) -> bool | None:
    """Whether HIP's macros decide the same in the comparison that a CUDA version is in.

    None where it is in no comparison, or in one with an unknown operand.
    """
    text = _comparison(unit, use)
    if text is None:
        return None
    expression = Expression(_BLANKS.sub(b" ", text))
    found = []
    for setting in plain(unit.options.targeting.cuda).with_stand_ins():
        macros = choices(unit).sections.macros.in_condition(setting, ANY_BUILD, is_device=True, is_beside_own=False)
        _, comparisons = expression.comparisons(*macros, VERSIONS)
        if expression.has_bare_name(VERSIONS) or not comparisons or None in comparisons:
            return None
        found.append(comparisons)
    is_plain = _GROWS.search(text) is None  # multiplied, HIP's number overflows an int
    return is_plain and found.count(found[0]) == len(found)


def _comparison(unit: Unit, use: Use) -> bytes | None:
    """The body of the macro around a version, or the nearest comparison in code."""
    data = unit.source.data
    define = unit.lexemes.define_around(use.start)
    if define is not None:
        parameters = _PARAMETERS.match(data, define.end)
        return data[parameters.end() if parameters else define.end : unit.lexemes.body_end(define)]
    node = unit.tree.leaf(use.start, use.end) if unit.tree.is_available else None
    node = node.parent if node is not None else None
    while node is not None and node.type in _OPERANDS:
        sign = node.child_by_field_name("operator")
        if node.type == "binary_expression" and sign is not None and sign.type in _COMPARISONS:
            return data[node.start_byte : node.end_byte]
        node = node.parent
    return None
