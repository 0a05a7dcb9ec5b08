"""Where device code writes memory of a name: by assignments, atomic operations, and the functions that it calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.semantics.expressions import arguments_of, callee, names_in, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_WRITES = re.compile(
    rb"atomic(?:Exch|Add|Or|Sub|CAS)\w*|store|exchange|fetch_add|__atomic_store_n|__hip_atomic_store|__stcg|__stwt"
)


class MemoryWrites:
    """The writes of one unit, by function and name."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._functions = functions_of(unit)

    def of(self, memory: bytes, function: Function) -> list[int]:
        """The places of a function that write memory of a name, in a function that it calls too."""
        found = []
        for node in self._candidates(function):
            target = _target(node)
            is_write = target is not None and memory in names_in(target)
            if is_write or (node.type == "call_expression" and self._is_written_through(node, memory)):
                found.append(node.start_byte)
        return found

    def _candidates(self, function: Function) -> list[Node]:
        if function.body is None:
            return []
        return self._unit.tree.nodes("assignment_expression", "call_expression", within=function.body)

    def _is_written_through(self, call: Node, memory: bytes) -> bool:
        """A function of this unit writes the memory that a call gives it."""
        leaf = callee(call)
        if leaf is None or not self._functions.named(text_of(leaf)) or memory not in names_in(call):
            return False
        lists = self._names.called(leaf)
        for position, argument in enumerate(arguments_of(call)):
            if memory not in names_in(argument):
                continue
            parameters = (parameters[position] for parameters in lists if position < len(parameters))
            for parameter in parameters:
                if parameter is None or parameter.shape not in ("pointer", "reference"):
                    continue
                function = self._functions.at(parameter.place)
                if function is not None and any(self._directly(parameter.name, function)):
                    return True
        return False

    def _directly(self, memory: bytes, function: Function) -> Iterator[bool]:
        for node in self._candidates(function):
            target = _target(node)
            yield target is not None and memory in names_in(target)


def _target(node: Node) -> Node | None:
    """What an assignment or an atomic operation writes; None for a call that writes nothing itself."""
    if node.type == "assignment_expression":
        return node.child_by_field_name("left")
    if not _WRITES.fullmatch(text_of(callee(node))) or _is_plain_read(node):
        return None
    owner = node.child_by_field_name("function")
    is_member = owner is not None and owner.type == "field_expression"
    return owner if is_member else next(iter(arguments_of(node)), None)


def _is_plain_read(call: Node) -> bool:
    """`atomicAdd(p, 0)` looks, and changes nothing."""
    arguments = arguments_of(call)
    return len(arguments) > 1 and all(text_of(argument) in (b"0", b"0u", b"0U") for argument in arguments[1:])


def memory_writes_of(unit: Unit) -> MemoryWrites:
    """The writes of a unit."""
    return unit.analysis(MemoryWrites)
