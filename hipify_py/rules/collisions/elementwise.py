"""Distinguishes an element-wise operator, as HIP's are, from one with another meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit
from hipify_py.rules.collisions.functions import Function
from hipify_py.rules.collisions.types import base_type
from hipify_py.semantics.expressions import arguments_of, entries_of, operator_of, strip_parentheses, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SIZE = re.compile(r"([1-4])(?:_t)?$")
_ELEMENTS = (b"x", b"y", b"z", b"w")


def is_elementwise(unit: Unit, function: Function, symbol: bytes, plain: AbstractSet[tuple[bytes, str]]) -> bool:
    """Whether a body applies the operator to each pair of elements and does nothing else.

    Args:
        unit: the source.
        function: the operator's definition.
        symbol: the operator, `*` or `+=`.
        plain: the operators of the source, with their operands' type, that are known to be element-wise: then
            `a = a * b` does what the source's own `*` does.
    """
    if function.body is None:
        return False
    left, right = (parameter.name for parameter in function.parameters)
    body = _Body(function.body, symbol.removesuffix(b"="), left, right)
    type = base_type(unit, function.parameters[0].type.decode(errors="replace").removeprefix("const ").rstrip("&"))
    if body.is_whole:
        return body.operation in (b"+", b"-") or (body.operation, type) in plain
    size = _SIZE.search(type)
    return body.elements == list(_ELEMENTS[: int(size[1]) if size is not None else len(body.elements) or 1])


class _Body:
    """The statements of an operator, as far as they work on pairs of elements.

    Attributes:
        operation: the operator without `=`.
        elements: the elements of the result in the order in which they are computed; empty if anything else is done.
        is_whole: it does `a = a + b`, and returns `a` or nothing.
    """

    def __init__(self, body: Node, operation: bytes, left: bytes, right: bytes) -> None:
        self.operation = operation
        self._left, self._right = left, right
        self._result = left
        self._is_done = False
        steps = list(_steps(body))
        self.is_whole = bool(steps) and self._is_sum(steps[0]) and all(map(self._returns_left, steps[1:]))
        self.elements: list[bytes] = []
        for step in steps:
            found = None if self._is_done else self._elements_of(step)
            if found is None:
                self.elements = []
                return
            self.elements += found

    def _elements_of(self, step: Node) -> list[bytes] | None:
        """The elements that a statement computes; None for one that does anything else."""
        if step.type == "declaration":
            return self._declared_elements(step)
        if step.type == "return_statement":
            self._is_done = True
            value = next(iter(entries_of(step)), None)
            if value is None or text_of(value) == self._result:
                return []
            return self._all(value)
        element = self._assigned_element(step) if step.type == "assignment_expression" else None
        return None if element is None else [element]

    def _declared_elements(self, step: Node) -> list[bytes] | None:
        """The elements of the initializer of the variable that is returned."""
        declarator = step.child_by_field_name("declarator")
        if declarator is None or self._result != self._left:
            return None
        if declarator.type == "identifier":
            self._result = text_of(declarator)
            return []
        self._result = text_of(declarator.child_by_field_name("declarator"))
        value = declarator.child_by_field_name("value")
        return None if value is None else self._all(value)

    def _all(self, value: Node) -> list[bytes] | None:
        """The elements of `make_float2(…)`, `float2{…}` or `{…}`."""
        value = strip_parentheses(value)
        if value.type == "compound_literal_expression":
            value = value.child_by_field_name("value") or value
        entries = arguments_of(value) if value.type == "call_expression" else []
        if value.type in ("initializer_list", "argument_list"):
            entries = entries_of(value)
        found = [element for entry in entries if (element := self._combined_element(entry)) is not None]
        return found if found and len(found) == len(entries) else None

    def _assigned_element(self, step: Node) -> bytes | None:
        """The element that `a.x *= b.x`, `a.x = a.x * b.x` or `r.x = a.x * b.x` computes."""
        target, value = step.child_by_field_name("left"), step.child_by_field_name("right")
        if target is None or value is None:
            return None
        if operator_of(step) == "=":
            element = self._combined_element(value)
            return element if _element(target, self._result) == element else None
        if operator_of(step).encode() != self.operation + b"=":
            return None
        element = _element(target, self._left)
        return element if element == _element(strip_parentheses(value), self._right) else None

    def _combined_element(self, value: Node) -> bytes | None:
        """The element of both operands that a value combines with the operator."""
        value = strip_parentheses(value)
        if value.type != "binary_expression" or operator_of(value).encode() != self.operation:
            return None
        element = _element(value.child_by_field_name("left"), self._left)
        return element if element == _element(value.child_by_field_name("right"), self._right) else None

    def _is_sum(self, step: Node) -> bool:
        """Whether this is `a = a + b`."""
        value = step.child_by_field_name("right")
        if step.type != "assignment_expression" or operator_of(step) != "=" or value is None:
            return False
        value = strip_parentheses(value)
        return (
            value.type == "binary_expression"
            and operator_of(value).encode() == self.operation
            and text_of(step.child_by_field_name("left")) == self._left
            and text_of(value.child_by_field_name("left")) == self._left
            and text_of(value.child_by_field_name("right")) == self._right
        )

    def _returns_left(self, step: Node) -> bool:
        return step.type == "return_statement" and [text_of(value) for value in entries_of(step)] in ([], [self._left])


def _steps(body: Node) -> Iterator[Node]:
    """The statements of a body, and the operands of comma expressions."""
    for statement in entries_of(body):
        inner = entries_of(statement)
        if statement.type != "expression_statement" or len(inner) != 1:
            yield statement
            continue
        pending = [inner[0]]
        while pending:
            step = pending.pop()
            if step.type == "comma_expression":
                pending += reversed(entries_of(step))
            else:
                yield step


def _element(node: Node | None, name: bytes) -> bytes | None:
    """The element that `name.x` is; None for any other expression."""
    if node is None:
        return None
    node = strip_parentheses(node)
    if node.type != "field_expression" or operator_of(node) == "->":
        return None
    field = text_of(node.child_by_field_name("field"))
    is_element = field in _ELEMENTS and text_of(node.child_by_field_name("argument")) == name
    return field if is_element else None
