"""Shuffles whose source lane a program is given: by the host, or from memory."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.lanes import lanes_of
from hipify_py.analysis.warp.warp_calls import WarpCall
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import arguments_of, bare, callee, cast_of, name_in, operator_of, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_LOADS = re.compile(rb"__ld(?:g|cg|cs|ca|lu|cv)")
_CHOOSES = frozenset({b"min", b"max"})
_DEEPEST = 8
"""Variables and parameters that are set from each other."""


class ShuffleSources:
    """The lanes that one unit's shuffles read from, as far as they are not worked out from the wavefront itself."""

    def __init__(self, unit: Unit) -> None:
        self._names = names_of(unit)
        self._functions = functions_of(unit)
        self._definitions = definitions_of(unit)
        self._constants = constants_of(unit)
        self._lanes = lanes_of(unit)

    def are_given(self, call: WarpCall) -> bool:
        """A shuffle reads the lane of a number that a kernel is called with, or finds in memory.

        CUDA has lanes from 0 to 31, so that the number is one of those, whatever the wavefront.
        """
        return call.is_indexed and call.distance is not None and self._is_given(call.distance, 0)

    def _is_given(self, node: Node, depth: int) -> bool:
        node = bare(node)
        cast = cast_of(node)
        if depth > _DEEPEST or self._constants.value(node) is not None:
            return False
        if cast is not None:
            return self._is_given(cast.value, depth + 1)
        if node.type in ("subscript_expression", "pointer_expression"):
            return self._is_memory(node)
        if node.type == "binary_expression":
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            if self._lanes.has_lane(node) or operator_of(node) in ("&&", "||"):
                return False
            return any(side is not None and self._is_given(side, depth + 1) for side in sides)
        if node.type == "conditional_expression":
            sides = (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
            return any(side is not None and self._is_given(side, depth + 1) for side in sides)
        if node.type == "call_expression":
            name = text_of(callee(node))
            if name in _CHOOSES:
                return any(self._is_given(argument, depth + 1) for argument in arguments_of(node))
            return _LOADS.fullmatch(name) is not None
        return self._is_given_name(node, depth)

    def _is_given_name(self, node: Node, depth: int) -> bool:
        """A kernel's parameter, a member of one, or a variable that is set from what is given."""
        leaf = name_in(node)
        if node.type == "field_expression":
            leaf = name_in(node.child_by_field_name("argument"))
        if leaf is None:
            return False
        for declared in self._names.meant_by(leaf):
            if declared.kind == "parameter" and self._is_given_parameter(declared, depth):
                return True
            if declared.kind == "variable" and node.type != "field_expression":
                values = [found.value for found in self._definitions.of(declared) if found.operator == "="]
                if any(value is not None and self._is_given(value, depth + 1) for value in values):
                    return True
        return False

    def _is_given_parameter(self, parameter: Declaration, depth: int) -> bool:
        function = self._functions.at(parameter.place)
        if function is not None and function.is_kernel:
            return True
        arguments = self._definitions.arguments(parameter)
        return any(self._is_given(argument, depth + 1) for argument in arguments)

    def _is_memory(self, node: Node) -> bool:
        """An element of what a pointer points to: of no array that the threads of a block have for themselves."""
        while node.type in ("subscript_expression", "pointer_expression", "binary_expression"):
            inner = node.child_by_field_name("left" if node.type == "binary_expression" else "argument")
            if inner is None:
                return False
            node = bare(inner)
        leaf = name_in(node)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        return any(found.kind == "parameter" and found.shape == "pointer" for found in declared)


def shuffle_sources(unit: Unit) -> ShuffleSources:
    """Where the lanes come from that a unit's shuffles read."""
    return unit.analysis(ShuffleSources)
