"""The definitions of a unit's variables: the places where they get values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    call_of,
    callee,
    entries_of,
    is_same,
    name_in,
    operator_of,
    sole_entry,
    text_of,
    whole_name,
)
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node


class Definition(NamedTuple):
    """A place where a variable gets a value.

    Attributes:
        place: its offset.
        value: the value's node; None where it is not written (`x++`, an output of `asm`, a caller's argument).
        operator: `=`; `+=` and the like where the old value enters; `++` and `--`; `&` where a call gets the
            address, `call` for the argument of a call to the function whose parameter it is.
    """

    place: int
    value: Node | None
    operator: str


class Definitions:
    """The definitions of a unit's variables, each found on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._cache: dict[Declaration, list[Definition]] = {}
        self._positions: dict[int, dict[int, int]] = {}

    def lookup(self, declaration: Declaration) -> list[Definition]:
        """The definitions of a variable, parameter or member in source order.

        Those of a parameter are its default and what is assigned to it; `arguments` returns what callers pass.
        """
        cached = self._cache.get(declaration)
        if cached is None:
            self._cache[declaration] = []  # meanwhile, for recursive functions
            cached = self._cache[declaration] = sorted(self._find(declaration), key=lambda found: found.place)
        return cached

    def _find(self, declaration: Declaration) -> list[Definition]:
        found = []
        if declaration.value is not None:
            found.append(Definition(declaration.place, sole_entry(declaration.value), "="))
        for leaf in self._names.uses(declaration):
            node = _element(whole_name(leaf))
            parent = node.parent
            if parent is None:
                continue
            if parent.type == "assignment_expression" and is_same(parent.child_by_field_name("left"), node):
                found.append(
                    Definition(leaf.start_byte, parent.child_by_field_name("right"), operator_of(parent) or "=")
                )
            elif parent.type == "update_expression":
                found.append(Definition(leaf.start_byte, None, operator_of(parent)))
            elif parent.type == "field_initializer":
                values = entries_of(parent)[1:]
                found.append(Definition(leaf.start_byte, sole_entry(values[0]) if values else None, "="))
            elif parent.type == "pointer_expression" and operator_of(parent) == "&":
                found += self._through(parent, leaf)
            elif parent.type == "argument_list":
                found += self._through(node, leaf)
        return found

    def _through(self, argument: Node, leaf: Node) -> list[Definition]:
        """The values that a function of this unit assigns to an argument passed by address or reference."""
        entries = argument.parent
        call = entries.parent if entries is not None else None
        name = callee(call) if call is not None and call.type == "call_expression" else None
        if call is None or name is None:
            return []
        position = self._positions_in(call).get(argument.id)
        by_address = argument.type == "pointer_expression"
        found = []
        for parameters in self._names.callee_parameters(name):
            parameter = parameters[position] if position is not None and position < len(parameters) else None
            if parameter is None or parameter.shape != ("pointer" if by_address else "reference"):
                continue
            inner = [define for define in self.lookup(parameter) if define.operator != "call"]
            found += [Definition(leaf.start_byte, define.value, define.operator) for define in inner]
        if not found and by_address:
            found.append(Definition(leaf.start_byte, None, "&"))
        return found

    def _positions_in(self, call: Node) -> dict[int, int]:
        """The positions of a call's arguments by their ids: computed once, not for each argument."""
        cached = self._positions.get(call.id)
        if cached is None:
            cached = self._positions[call.id] = {entry.id: at for at, entry in enumerate(arguments_of(call))}
        return cached

    def arguments(self, parameter: Declaration) -> list[Node]:
        """The arguments of calls in this unit for a parameter of a function, lambda or macro-free template."""
        function = _function_of(parameter)
        if function is None:
            return []
        found = []
        for declared in self._names.functions(function):
            if declared.function is None:
                continue
            position = next(
                (at for at, other in enumerate(self._names.parameters(declared.function)) if other is parameter), None
            )
            if position is None:
                continue
            for leaf in self._names.mentions(function):
                call = call_of(leaf)
                arguments = arguments_of(call) if call is not None else []
                if position < len(arguments):
                    found.append(arguments[position])
        return found


def _element(node: Node) -> Node:
    """What is assigned where a name is: `*p` and `a[i]` for `p` and `a`."""
    for _ in range(8):
        parent = node.parent
        if parent is None:
            break
        is_element = parent.type == "subscript_expression" and is_same(parent.child_by_field_name("argument"), node)
        is_pointee = parent.type == "pointer_expression" and operator_of(parent) == "*"
        if not is_element and not is_pointee and parent.type != "parenthesized_expression":
            break
        node = parent
    return node


def _function_of(parameter: Declaration) -> bytes | None:
    """The name of the function that has a parameter."""
    node = parameter.owner.parent
    while node is not None and node.type != "function_declarator":
        if node.type in ("template_parameter_list", "lambda_declarator"):
            return None
        node = node.parent
    leaf = name_in(node.child_by_field_name("declarator")) if node is not None else None
    return text_of(leaf) if leaf is not None else None


def definitions_of(unit: Unit) -> Definitions:
    """The definitions of a unit's variables."""
    return unit.analysis(Definitions)
