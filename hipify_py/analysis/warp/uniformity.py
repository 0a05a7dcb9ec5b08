"""Uniformity and divergence: which values differ between the lanes of a wavefront, and which places some lanes miss."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.thread_indices import COUNT, LANE, SIZE, THREAD, WARP, thread_indices
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.ranges import Ranges
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.control_flow import ControlFlow, Exit, control_flow_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    bare,
    callee,
    is_same,
    name_in,
    operator_of,
    sole_entry,
    text_of,
    values_returned,
)
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_ASSIGNMENTS = ("init_declarator", "assignment_expression", "update_expression", "for_range_loop")
_OF_EACH_LANE = re.compile(
    rb"__(?:shfl|ballot|any|all|match|activemask|lane_id|reduce)\w*|atomic[A-Z]\w*|clock(?:64)?|__clock\w*|LaneId|__nanosleep"
)
"""Functions whose results lanes of one wavefront may have otherwise, whatever they are given."""
_UNEVALUATED = frozenset({"sizeof_expression", "alignof_expression", "decltype", "lambda_expression"})
_MOST_PASSES = 4
"""Times that a function's assignments are gone through: values go around in its loops."""
_DEEPEST = 400
_WAVEFRONT = 64


class _Assignment(NamedTuple):
    """Variables that are set at a place: `value` is None where it is their own old one."""

    targets: tuple[Declaration, ...]
    value: Node | None
    place: int


class Uniformity:
    """What the lanes of a wavefront have in common, by function; worked out when first asked for.

    The index of a thread differs, and so does what is computed or loaded with it, or set where only some lanes get. A
    block's index, a kernel's arguments and the index of a whole wavefront are the same for all its lanes.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._indices = thread_indices(unit)
        self._constants = constants_of(unit)
        self._functions = functions_of(unit)
        self._varying: dict[int, set[Declaration]] = {}
        self._divergent: dict[int, Ranges] = {}
        self._parameters: dict[Declaration, bool] = {}
        self._results: dict[bytes, bool] = {}

    def parts(self, place: int, function: Function) -> bool:
        """Some lanes of a wavefront may get to a place without the others."""
        return place in self._divergent_ranges(function)

    def varies(self, node: Node | None, function: Function) -> bool:
        """An expression may differ between the lanes of a wavefront."""
        return self._differs(node, self._varying_in(function))

    # ------------------------------------------------------------------ places

    def _divergent_ranges(self, function: Function) -> Ranges:
        known = self._divergent.get(function.start)
        if known is None:
            known = self._divergent[function.start] = self._divergence(function, self._varying_in(function))
        return known

    def _divergence(self, function: Function, varying: set[Declaration]) -> Ranges:
        flow = control_flow_of(self._unit, function)
        found = [(guard.start, guard.end) for guard in flow.guards if self._differs(guard.condition, varying)]
        apart = Ranges(found)
        for left in flow.exits:
            if left.place in apart:
                found += _left_behind(left, flow)
        return Ranges(found)

    # ------------------------------------------------------------------ values

    def _varying_in(self, function: Function) -> set[Declaration]:
        """The variables of a function that one lane may have otherwise than another of its wavefront."""
        known = self._varying.get(function.start)
        if known is not None:
            return known
        found = self._varying[function.start] = set()
        found.update(declared for declared in self._parameters_of(function) if self._parameter_differs(declared))
        assignments = self._assignments(function)
        for _ in range(_MOST_PASSES):
            before = len(found)
            apart = self._divergence(function, found)
            for assignment in assignments:
                if assignment.place in apart or self._differs(assignment.value, found):
                    found.update(assignment.targets)
            if len(found) == before:
                break
        return found

    def _parameters_of(self, function: Function) -> list[Declaration]:
        node = function.node
        while node is not None and node.type not in ("function_declarator", "lambda_declarator"):
            node = node.child_by_field_name("declarator")
        return [found for found in self._names.parameters(node) if found is not None] if node is not None else []

    def _parameter_differs(self, parameter: Declaration) -> bool:
        """A parameter of device code that a caller in this unit gives a differing value, or that is named so."""
        known = self._parameters.get(parameter)
        if known is None:
            self._parameters[parameter] = False  # while it is worked out: a function that calls itself
            function = self._functions.at(parameter.place)
            known = function is not None and not function.is_kernel and self._is_given_differing(parameter)
            self._parameters[parameter] = known
        return known

    def _is_given_differing(self, parameter: Declaration) -> bool:
        index = self._indices.of(parameter.leaf)
        if index is not None:
            return index.kind in (THREAD, LANE) or (index.kind == WARP and index.counted_in != FOLLOWS)
        for argument in definitions_of(self._unit).arguments(parameter):
            caller = self._functions.at(argument.start_byte)
            if caller is not None and self.varies(argument, caller):
                return True
        return False

    def _assignments(self, function: Function) -> list[_Assignment]:
        if function.body is None:
            return []
        found = []
        for node in self._unit.tree.nodes(*_ASSIGNMENTS, within=function.body):
            target = node.child_by_field_name(
                {"assignment_expression": "left", "update_expression": "argument"}.get(node.type, "declarator")
            )
            targets = self._targets(target)
            if targets:
                field = "value" if node.type == "init_declarator" else "right"
                found.append(_Assignment(targets, node.child_by_field_name(field), node.start_byte))
        return found

    def _targets(self, target: Node | None) -> tuple[Declaration, ...]:
        """The variables that an assignment changes: an element of memory that lanes share is none of a lane's own."""
        while target is not None:
            target = bare(target)
            if target.type == "subscript_expression" or (
                target.type == "pointer_expression" and operator_of(target) == "*"
            ):
                target = target.child_by_field_name("argument")
                leaf = name_in(target) if target is not None else None
                if leaf is not None and not self._is_own_array(leaf):
                    return ()
            elif target.type.endswith("_declarator"):
                inner = target.child_by_field_name("declarator")
                target = inner if inner is not None else next(iter(target.named_children), None)
            else:
                break
        leaf = name_in(target)
        if leaf is None:
            return ()
        declared = self._names.declaration_at(leaf)
        return (declared,) if declared is not None else self._names.meant_by(leaf)

    def _is_own_array(self, leaf: Node) -> bool:
        """An array of each thread's own: declared in a function, and not `__shared__`."""
        return any(
            found.shape == "array" and found.kind == "variable" and found.start and not _is_shared(found)
            for found in self._names.meant_by(leaf)
        )

    def _differs(self, root: Node | None, varying: set[Declaration]) -> bool:
        pending = [root] if root is not None else []
        for _ in range(_DEEPEST):
            if not pending:
                return False
            node = sole_entry(bare(pending.pop()))
            if node.type in _UNEVALUATED or self._is_by_wavefronts(node):
                continue
            if node.type in ("identifier", "qualified_identifier", "field_expression"):
                if self._name_differs(node, varying):
                    return True
                if node.type != "field_expression":
                    continue
            elif node.type == "call_expression":
                if self._call_differs(node):
                    return True
            elif node.type in ("binary_expression", "assignment_expression"):
                index = self._indices.of(node)
                if index is not None and index.kind in (WARP, COUNT, SIZE):
                    if index.kind == WARP and index.counted_in != FOLLOWS:
                        return True
                    continue
            elif node.type == "subscript_expression":
                base = node.child_by_field_name("argument")
                leaf = name_in(base)
                if leaf is not None and not self._is_own_array(leaf) and not self._is_varying(leaf, varying):
                    pending += [child for child in node.named_children if not is_same(child, base)]
                    continue
            pending += node.named_children
        return bool(pending)

    def _name_differs(self, node: Node, varying: set[Declaration]) -> bool:
        leaf = name_in(node)
        if leaf is not None and self._is_varying(leaf, varying):
            return True
        index = self._indices.of(node)
        if index is None:
            return False
        return index.kind in (THREAD, LANE) or (index.kind == WARP and index.counted_in != FOLLOWS)

    def _is_varying(self, leaf: Node, varying: set[Declaration]) -> bool:
        return any(found in varying for found in self._names.meant_by(leaf))

    def _call_differs(self, call: Node) -> bool:
        name = text_of(callee(call))
        if _OF_EACH_LANE.fullmatch(name):
            return True
        index = self._indices.of(call)
        if index is not None:
            return index.kind in (THREAD, LANE)
        return self._result_differs(name)

    def _result_differs(self, name: bytes) -> bool:
        """A function of this unit may return different values to the lanes of a wavefront, whatever it is given."""
        known = self._results.get(name)
        if known is None:
            self._results[name] = False  # while it is worked out: one that calls itself
            known = any(self._returns_differing(function) for function in self._functions.named(name))
            self._results[name] = known
        return known

    def _returns_differing(self, function: Function) -> bool:
        if function.body is None or not function.is_device:
            return False
        own = self._varying_in(function) - set(self._parameters_of(function))
        return any(self._differs(value, own) for value in values_returned(self._unit.tree, function.body))

    def _is_by_wavefronts(self, node: Node) -> bool:
        """`threadIdx.x < 128`: whole wavefronts do the same, if blocks are rows."""
        if node.type != "binary_expression" or operator_of(node) not in ("<", ">="):
            return False
        left, value = node.child_by_field_name("left"), self._constants.value(node.child_by_field_name("right"))
        if left is None or value is None or value % _WAVEFRONT:
            return False
        return self._indices.is_thread_x(left)


def _is_shared(declared: Declaration) -> bool:
    return any(text_of(child) == b"__shared__" for child in declared.owner.children)


def _left_behind(left: Exit, flow: ControlFlow) -> list[tuple[int, int]]:
    """Where those are alone who did not leave: behind the exit, and in the next rounds of a loop that it ends."""
    if left.kind == "break" and left.is_of_loop:
        return [(left.start, left.end)]
    found = [(left.place, left.end)]
    if left.kind in ("return", "goto"):
        found += [(loop.start, loop.end) for loop in flow.loops_around(left.place) if loop.start >= left.start]
    return found


def uniformity_of(unit: Unit) -> Uniformity:
    """What the lanes of a unit's wavefronts have in common."""
    return unit.analysis(Uniformity)
