"""The sources of the strings that functions get: through variables, arrays, and parameters of functions around.

Whatever cannot be followed is yielded itself, so that nobody takes the strings for complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hipify_py.core.unit import Unit
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    callee,
    cast_value,
    entries_of,
    is_same,
    name_in,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NULLS = frozenset({"null", "nullptr"})
_LISTS = frozenset({"initializer_list", "argument_list"})
_VIEWS = frozenset({b"c_str", b"data"})
"""The members of a string that return its text."""


def string_sources(unit: Unit, sinks: Mapping[bytes, int]) -> list[Node]:
    """The string literals that functions get, and the expressions for which the string is unknown.

    Null pointers are left out, and so are calls in the bodies of macros.

    Args:
        unit: the source.
        sinks: the functions, each with the position of the argument.
    """
    return list(_Search(unit, sinks))


class _Search:
    """Follows the arguments back to their sources, each variable and parameter once."""

    def __init__(self, unit: Unit, sinks: Mapping[bytes, int]) -> None:
        self._names = names_of(unit)
        self._calls: dict[bytes, list[Node]] = {}
        for call in unit.tree.nodes("call_expression"):
            self._calls.setdefault(text_of(callee(call)), []).append(call)
        self._pending = [node for name, position in sinks.items() for node in self._arguments(name, position)]
        self._visited: set[int] = set()

    def __iter__(self) -> Iterator[Node]:
        while self._pending:
            node = strip_parentheses(self._pending.pop())
            cast = cast_value(node)
            if _is_null(node):
                continue
            if cast is not None:
                self._pending.append(cast)
            elif node.type in _LISTS:
                self._pending += entries_of(node)
            elif node.type == "conditional_expression":
                branches = map(node.child_by_field_name, ("consequence", "alternative"))
                self._pending += [branch for branch in branches if branch is not None]
            elif (inner := _within(node)) is not None:
                self._pending.append(inner)
            elif node.type == "identifier" or node.type == "qualified_identifier":
                yield from self._named(node)
            else:
                yield node

    def _arguments(self, name: bytes, position: int) -> list[Node]:
        given = [arguments_of(call) for call in self._calls.get(name, ())]
        return [arguments[position] for arguments in given if position < len(arguments)]

    def _named(self, node: Node) -> Iterator[Node]:
        leaf = name_in(node)
        meant = self._names.resolve(leaf) if leaf is not None else ()
        if not meant:
            yield node
        for declaration in meant:
            if declaration.place in self._visited:
                continue
            self._visited.add(declaration.place)
            values = self._of_parameter(declaration) if declaration.kind == "parameter" else []
            values += self._values(declaration)
            if not any(value is not None and not _is_empty(value) for value in values):
                yield node  # it is filled in a way that is not followed
            for value in values:
                if value is None:
                    yield node
                else:
                    self._pending.append(value)

    def _of_parameter(self, declaration: Declaration) -> list[Node | None]:
        """The arguments of calls for a parameter."""
        entries = declaration.owner.parent
        function = entries.parent if entries is not None else None
        if entries is None or function is None or function.type != "function_declarator":
            return []
        position = next(at for at, entry in enumerate(entries_of(entries)) if is_same(entry, declaration.owner))
        name = name_in(function.child_by_field_name("declarator"))
        return [*self._arguments(text_of(name), position)] if name is not None else []

    def _values(self, declaration: Declaration) -> list[Node | None]:
        """The initializer of a declaration, and what is assigned to it; None for what changes the text."""
        values: list[Node | None] = [declaration.value] if declaration.value is not None else []
        if declaration.owner.type == "for_range_loop":
            values.append(declaration.owner.child_by_field_name("right"))
        for leaf in self._names.uses(declaration):
            assignment = leaf.parent
            if assignment is None or assignment.type != "assignment_expression":
                continue
            if is_same(assignment.child_by_field_name("left"), leaf):
                is_plain = operator_of(assignment) == "="
                values.append(assignment.child_by_field_name("right") if is_plain else None)
        return values


def _within(node: Node) -> Node | None:
    """The array of an element, and the string whose text is read."""
    if node.type == "subscript_expression":
        return node.child_by_field_name("argument")
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is not None and function.type == "field_expression" and text_of(callee(node)) in _VIEWS:
        return function.child_by_field_name("argument")
    return None


def _is_empty(value: Node) -> bool:
    """`{}`, `{0}`, a null pointer."""
    entries = entries_of(value) if value.type in _LISTS else [value]
    return all(map(_is_null, entries))


def _is_null(value: Node) -> bool:
    return value.type in _NULLS or text_of(value) in (b"0", b"NULL")
