"""Integer constant folding over a unit.

Macros, enumerators, constant variables and functions that return one (`constexpr int threads() { return 32; }`) are
looked through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    cast_of,
    name_in,
    operator_of,
    sole_entry,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = lazy_pattern(rb"-?(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)[uUlLzZ]*")
_LARGEST = 1 << 128
"""No type holds more; values that grow without end would take ever longer."""
_DEEPEST = 40
"""The depth of names that are defined by one another, and of nested operators; real code needs a handful."""


class Constants:
    """The integer constants of one unit, each computed on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._macros = macros_of(unit)
        self._cache: dict[bytes, int | None] = {}
        self._declaration_cache: dict[Declaration, int | None] = {}

    def value(self, node: Node | None, depth: int = 0) -> int | None:
        """The value of an expression; None where it is not a constant of this unit."""
        if node is None or depth > _DEEPEST:
            return None
        node = strip_parentheses(sole_entry(strip_parentheses(node)))
        if node.type == "number_literal":
            return number(text_of(node))
        if node.type == "true" or node.type == "false":
            return int(node.type == "true")
        if node.type == "unary_expression":
            inner = self.value(node.child_by_field_name("argument"), depth + 1)
            values = {} if inner is None else {"-": -inner, "+": inner, "~": ~inner, "!": int(not inner)}
            return values.get(operator_of(node))
        if node.type == "binary_expression":
            left = self.value(node.child_by_field_name("left"), depth + 1)
            right = self.value(node.child_by_field_name("right"), depth + 1) if left is not None else None
            whole = None if left is None or right is None else _fold(operator_of(node), left, right)
            return whole if whole is not None and -_LARGEST < whole < _LARGEST else None
        if node.type in ("cast_expression", "call_expression"):
            cast = cast_of(node)
            return self.value(cast.value, depth + 1) if cast is not None else self._call_value(node, depth)
        leaf = name_in(node)
        return None if leaf is None else self._name_value(leaf, depth)

    def named_value(self, name: bytes) -> int | None:
        """The value of a name in all of this unit; None where it is not a number, or varies."""
        if name not in self._cache:
            self._cache[name] = None  # meanwhile, for recursive definitions
            values = {self.macro(macro, 0) for macro in self._macros.named(name)}
            for found in self._names.declared(name):
                values.add(self.value(found.value, 1) if found.is_constant else None)
            self._cache[name] = values.pop() if len(values) == 1 else None
        return self._cache[name]

    def return_value(self, name: bytes, depth: int = 0) -> int | None:
        """The value that a function without parameters returns, `constexpr int threads() { return 32; }`;
        None where it is not a number, or its definitions differ.
        """
        functions = functions_of(self._unit).named(name) if depth <= _DEEPEST else []
        values = {self.value(_sole_result(function), depth + 1) for function in functions}
        return values.pop() if len(values) == 1 else None

    def _call_value(self, call: Node, depth: int) -> int | None:
        leaf = callee(call) if not arguments_of(call) else None
        return self.return_value(text_of(leaf), depth + 1) if leaf is not None else None

    def _name_value(self, leaf: Node, depth: int) -> int | None:
        name = text_of(leaf)
        declared = self._names.resolve(leaf)
        if not declared:
            return self.named_value(name)
        values = {self._declared_value(found, depth) for found in declared}
        return values.pop() if len(values) == 1 else None

    def _declared_value(self, declaration: Declaration, depth: int) -> int | None:
        if not declaration.is_constant:
            return None
        if declaration not in self._declaration_cache:
            self._declaration_cache[declaration] = None  # meanwhile, for recursive definitions
            self._declaration_cache[declaration] = self.value(declaration.value, depth + 1)
        return self._declaration_cache[declaration]

    def macro(self, macro: Macro, depth: int = 0) -> int | None:
        """The number that a macro without parameters expands to."""
        literal = number(self._unit.source.data[macro.start : macro.end])
        if literal is not None or macro.parameters is not None:
            return literal
        return self.value(self._macros.body(macro), depth + 1)


def _sole_result(function: Function) -> Node | None:
    """The returned expression of a function without parameters that does nothing else."""
    declarator = function.node.child_by_field_name("declarator") if function.node is not None else None
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if function.body is None or parameters is None or text_of(parameters).strip(b"( \t)") not in (b"", b"void"):
        return None
    statements = [node for node in function.body.named_children if node.type != "comment"]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next((node for node in statements[0].named_children if node.type != "comment"), None)


def number(text: bytes) -> int | None:
    """The value of an integer literal; None for any other text."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    digits = match[1].replace(b"'", b"")
    is_octal = len(digits) > 1 and digits.isdigit() and digits.startswith(b"0")
    try:
        value = int(digits, 8 if is_octal else 0)
    except ValueError:
        return None
    if value >= _LARGEST:
        return None
    return -value if text.startswith(b"-") else value


def _fold(operator: str, left: int, right: int) -> int | None:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return int(left / right) if right else None
        case "%":
            return left % right if right and left >= 0 else None
        case "<<" if 0 <= right < 64:
            return left << right
        case ">>" if 0 <= right < 64:
            return left >> right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
    return None


def constants_of(unit: Unit) -> Constants:
    """The integer constants of a unit."""
    return unit.analysis(Constants)
