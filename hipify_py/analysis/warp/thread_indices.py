"""What the integers of device code say of the thread that computes them: its index, its lane, its warp.

Worked out from the expression itself, through variables, members, parameters, functions and macros of the unit.
"""

from __future__ import annotations

import re

from hipify_py.analysis.warp.warp_constants import FOLLOWS, THIRTY_TWO, warp_constants
from hipify_py.project_context import LANE_OF, WARP_OF
from hipify_py.records import NamedTuple
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import (
    arguments_of,
    bare,
    callee,
    cast_of,
    name_in,
    operator_of,
    sole_entry,
    text_of,
    values_returned,
)
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

THREAD, LANE, WARP, SIZE, COUNT = "thread", "lane", "warp", "size", "count"
"""The kinds of values: a thread's index, its lane, its warp's index, a number of threads, a number of warps."""

THREAD_NAME = re.compile(
    rb"(?:\w*_)?(?:tid|tx|lane)(?:_\w*)?|\w*[tT]hread_?(?:[iI]dx?|[iI]ndex|[rR]ank)\w*|\w*[lL]ane_?[iI]d"
)
"""Names that stand for a thread's index where nothing in the unit says what they are: parameters, above all."""
_SIZE_NAME = re.compile(rb"(?:block_?(?:size|dim)|n?_?threads|num_?threads|block_?threads)\w*", re.IGNORECASE)
_THREAD_CALL = re.compile(rb"thread_(?:rank|index)")
_PASSED_ON = re.compile(rb"(?:std::)?(?:min|max|__u?min|__u?max|abs)|__builtin_assume|__shfl\w*")
_DEEPEST = 30
"""Names, calls and operators within each other; real code has five or six."""
_ASSIGNED = {"&=": "&", "%=": "%", ">>=": ">>", "/=": "/"}

Arguments = dict[bytes, "Node"]
"""What a macro's parameters stand for, by their names."""


class Index(NamedTuple):
    """What a value says: its kind, and for lanes, warps and their number what a warp has: 32 lanes, `warpSize`, …."""

    kind: str
    counted_in: str = ""


_THREAD, _SIZE = Index(THREAD), Index(SIZE)
_ORDER = (LANE, WARP, THREAD, COUNT, SIZE)
"""Which of a variable's definitions says most."""


class ThreadIndices:
    """The thread indices, lanes and warps of one unit; each expression is worked out when asked for."""

    def __init__(self, unit: Unit) -> None:
        self._names = names_of(unit)
        self._unit = unit
        self._macros = macros_of(unit)
        self._definitions = definitions_of(unit)
        self._constants = constants_of(unit)
        self._warp_constants = warp_constants(unit)
        self._declared: dict[Declaration, Index | None] = {}
        self._returned: dict[bytes, Index | None] = {}
        self._threads_x: dict[tuple[Declaration, ...], bool] = {}

    def of(self, node: Node | None, arguments: Arguments | None = None, depth: int = 0) -> Index | None:
        """What an expression says of the thread; None where it says nothing.

        Args:
            node: the expression.
            arguments: in a macro's body, what its parameters stand for.
            depth: how many names and operators lead to it.
        """
        if node is None or depth > _DEEPEST:
            return None
        node = bare(node)
        match node.type:
            case "identifier" | "qualified_identifier" | "field_expression":
                return self._named(node, arguments, depth)
            case "binary_expression":
                return self._binary(node, arguments, depth)
            case "assignment_expression":
                return self._assigned(node, arguments, depth)
            case "cast_expression" | "call_expression":
                return self._call(node, arguments, depth)
            case "conditional_expression":
                parts = (node.child_by_field_name(field) for field in ("consequence", "alternative"))
                return _join([self.of(part, arguments, depth + 1) for part in parts])
            case "initializer_list":
                inner = sole_entry(node)
                return self.of(inner, arguments, depth + 1) if inner is not node else None
            case "comma_expression":
                return self.of(node.child_by_field_name("right"), arguments, depth + 1)
        return None

    def made_by(self, node: Node) -> Index | None:
        """The lane, warp or number of warps that an operator itself makes of a thread's index or a block's size."""
        if node.type == "binary_expression":
            return self._divided(node, operator_of(node), None, 0)
        if node.type == "assignment_expression" and operator_of(node) in _ASSIGNED:
            return self._divided(node, _ASSIGNED[operator_of(node)], None, 0)
        return None

    def counted_in(self, divisor: Node, arguments: Arguments | None = None) -> str | None:
        """What a divisor counts lanes in: 32, `warpSize`, a constant of another file; None for any other number."""
        divisor = self._resolved(bare(divisor), arguments)
        if self._constants.value(divisor) == 32:
            name = name_in(divisor)
            return self._warp_constants.counted_in(text_of(name)) if name is not None else THIRTY_TWO
        leaf = callee(divisor) if divisor.type == "call_expression" and cast_of(divisor) is None else name_in(divisor)
        cast = cast_of(divisor)
        if cast is not None:
            return self.counted_in(cast.value, arguments)
        if leaf is None:
            return None
        known = self._warp_constants.counted_in(text_of(leaf))
        if known is not None or divisor.type == "call_expression":
            return known
        definitions = [self._definitions.of(declared) for declared in self._names.meant_by(leaf)]
        if sum(map(len, definitions)) != 1:
            return None
        value = next(found.value for of_one in definitions for found in of_one)
        cast = cast_of(bare(value)) if value is not None else None
        leaf = name_in(cast.value if cast is not None else value)
        return self._warp_constants.counted_in(text_of(leaf)) if leaf is not None else None

    def is_thread_x(self, node: Node) -> bool:
        """An expression is `threadIdx.x`, or a variable that is that and nothing else."""
        node = bare(node)
        if text_of(node) == b"threadIdx.x":
            return True
        leaf = name_in(node) if node.type == "identifier" else None
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        if declared not in self._threads_x:
            values = [definition.value for found in declared for definition in self._definitions.of(found)]
            self._threads_x[declared] = bool(values) and all(
                value is not None and text_of(bare(value)) == b"threadIdx.x" for value in values
            )
        return self._threads_x[declared]

    def divided_by(self, operator: str, right: Node) -> str | None:
        """What an operator with this right side counts lanes or warps in; None where it makes none."""
        return self._divisor(operator, right, None)

    def is_divisor(self, operator: str, right: Node) -> bool:
        """An operator with this right side brings a value down to a lane, or makes a warp's index of it."""
        return self.divided_by(operator, right) is not None

    def returned_by(self, function: bytes) -> Index | None:
        """What the functions of a name return."""
        if function not in self._returned:
            self._returned[function] = None  # while it is worked out: one that calls itself
            found: list[Index | None] = []
            for body in functions_of(self._unit).named(function):
                found += [self.of(value, None, 1) for value in self._values_returned(body)]
            self._returned[function] = _join(found)
        return self._returned[function]

    # ------------------------------------------------------------------ parts of expressions

    def _resolved(self, node: Node, arguments: Arguments | None) -> Node:
        """The argument that a macro's parameter stands for; any other node itself."""
        if arguments and node.type == "identifier":
            return bare(arguments.get(text_of(node), node))
        return node

    def _named(self, node: Node, arguments: Arguments | None, depth: int) -> Index | None:
        if node.type == "field_expression":
            owner = node.child_by_field_name("argument")
            if owner is not None and owner.type == "identifier":
                if owner.text == b"threadIdx":
                    return _THREAD
                if owner.text == b"blockDim":
                    return _SIZE
            if owner is not None and owner.type == "call_expression" and _is_thread_call(owner):
                return _THREAD
        resolved = self._resolved(node, arguments)
        if resolved is not node:
            return self.of(resolved, None, depth + 1)
        leaf = name_in(node)
        if leaf is None:
            return None
        declared = self._names.meant_by(leaf)
        if declared:
            return _join([self._declaration(found, depth) for found in declared])
        name = text_of(leaf)
        macros = [macro for macro in self._macros.named(name) if macro.parameters is None]
        if macros:
            return _join([self.of(self._macros.body(macro), None, depth + 1) for macro in macros])
        return self._of_header(name) or _by_name(name)

    def _of_header(self, name: bytes) -> Index | None:
        """The lane, warp or number of warps that a header's function, macro or constant is, by `warpSize`."""
        kind = self._unit.project.wavefront_names.get(name)
        return Index(kind, FOLLOWS) if kind in (LANE, WARP, COUNT) else None

    def _of_header_by(self, name: bytes, given: list[Node], arguments: Arguments | None, depth: int) -> Index | None:
        """What a header's function or macro makes of its arguments by `warpSize`."""
        kind = self._unit.project.wavefront_names.get(name)
        if kind not in (LANE_OF, WARP_OF):
            return self._of_header(name)
        kinds = {index.kind for index in (self.of(one, arguments, depth + 1) for one in given) if index is not None}
        if kind == LANE_OF:
            return Index(LANE, FOLLOWS) if kinds & {THREAD, LANE} else None
        return Index(WARP, FOLLOWS) if THREAD in kinds else Index(COUNT, FOLLOWS) if SIZE in kinds else None

    def _declaration(self, declared: Declaration, depth: int) -> Index | None:
        if declared in self._declared:
            return self._declared[declared]
        name = declared.name
        self._declared[declared] = _by_name(name) if declared.kind == "parameter" else None
        found: list[Index | None] = []
        for definition in self._definitions.of(declared):
            if definition.operator in _ASSIGNED and definition.value is not None:
                parent = definition.value.parent
                self._declared[declared] = _join(found)
                found.append(self.made_by(parent) if parent is not None else None)
            elif definition.operator in ("=", "+=", "-=", "*="):
                found.append(self.of(definition.value, None, depth + 1))
        if declared.kind == "parameter":
            found += [self.of(argument, None, depth + 1) for argument in self._definitions.arguments(declared)]
        result = _join(found)
        named = _by_name(name) if result is None else None
        if named is not None and (named.kind == SIZE or declared.kind == "parameter" or not found):
            result = named  # a number of threads may be written down, a thread's index is computed
        self._declared[declared] = result
        return result

    def _binary(self, node: Node, arguments: Arguments | None, depth: int) -> Index | None:
        operator = operator_of(node)
        made = self._divided(node, operator, arguments, depth)
        if made is not None:
            return made
        if operator not in ("+", "-", "*", "/", "%", ">>", "<<", "&"):
            return None
        left = self.of(node.child_by_field_name("left"), arguments, depth + 1)
        right = self.of(node.child_by_field_name("right"), arguments, depth + 1)
        kinds = {found.kind for found in (left, right) if found is not None}
        if kinds & {THREAD, LANE, WARP}:
            return _THREAD
        return _SIZE if SIZE in kinds and operator in ("*", "+", "-") else None

    def _divided(self, node: Node, operator: str, arguments: Arguments | None, depth: int) -> Index | None:
        """A remainder by a warp's size, or a quotient: of a thread's index, or of a number of threads."""
        if operator not in ("&", "%", ">>", "/"):
            return None
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return None
        counted = self._divisor(operator, right, arguments)
        if counted is None and operator == "&":
            counted, left = self._divisor(operator, left, arguments), right
        if counted is None:
            return None
        of = self.of(left, arguments, depth + 1)
        if of is None or of.kind == COUNT:
            return None
        if operator in ("&", "%"):
            return Index(LANE, counted) if of.kind in (THREAD, LANE) else None
        return Index(COUNT if of.kind == SIZE else WARP, counted) if of.kind in (THREAD, SIZE) else None

    def _divisor(self, operator: str, right: Node, arguments: Arguments | None) -> str | None:
        right = self._resolved(bare(right), arguments)
        if operator in ("%", "/"):
            return self.counted_in(right, arguments)
        if operator == "&" and right.type == "binary_expression" and operator_of(right) == "-":
            less, one = right.child_by_field_name("left"), right.child_by_field_name("right")
            if less is not None and self._constants.value(one) == 1:
                return self.counted_in(less, arguments)
        if self._constants.value(right) == (31 if operator == "&" else 5):
            return THIRTY_TWO
        return None

    def _assigned(self, node: Node, arguments: Arguments | None, depth: int) -> Index | None:
        if operator_of(node) in _ASSIGNED:
            return self.made_by(node)
        return self.of(node.child_by_field_name("right"), arguments, depth + 1)

    def _call(self, node: Node, arguments: Arguments | None, depth: int) -> Index | None:
        cast = cast_of(node)
        if cast is not None:
            return self.of(cast.value, arguments, depth + 1)
        if node.type == "cast_expression":
            return self.of(node.child_by_field_name("value"), arguments, depth + 1)
        leaf = callee(node)
        name = text_of(leaf)
        if leaf is None:
            return None
        if _THREAD_CALL.fullmatch(name):
            return _THREAD
        if name in (b"num_threads", b"size") and node.child_by_field_name("function") is not leaf:
            return _SIZE if name == b"num_threads" else None
        if _PASSED_ON.fullmatch(name):
            found = [self.of(argument, arguments, depth + 1) for argument in arguments_of(node)]
            return _join([index for index in found if index is not None and index.kind != SIZE])
        macros = [macro for macro in self._macros.named(name) if macro.parameters is not None]
        if macros:
            return _join([self._expanded(macro, node, arguments, depth) for macro in macros])
        if functions_of(self._unit).named(name):
            return self.returned_by(name)
        given = arguments_of(node)
        return self._of_header_by(name, given, arguments, depth) or (None if given else _by_name(name))

    def _expanded(self, macro: Macro, call: Node, arguments: Arguments | None, depth: int) -> Index | None:
        given = [self._resolved(argument, arguments) for argument in arguments_of(call)]
        names = [name for name in macro.parameters or () if name]
        return self.of(self._macros.body(macro), dict(zip(names, given, strict=False)), depth + 1)

    def _values_returned(self, function: Function) -> list[Node]:
        if function.body is None:
            return []
        return [node for node in values_returned(self._unit.tree, function.body) if node.type != "comment"]


def _is_thread_call(call: Node) -> bool:
    return _THREAD_CALL.fullmatch(text_of(callee(call))) is not None


def _by_name(name: bytes) -> Index | None:
    """What the name of something says whose value this unit does not show."""
    if THREAD_NAME.fullmatch(name):
        return _THREAD
    return _SIZE if name == b"blockDim" or _SIZE_NAME.fullmatch(name) else None


def _join(found: list[Index | None]) -> Index | None:
    known = [index for index in found if index is not None]
    return min(known, key=lambda index: _ORDER.index(index.kind)) if known else None


def thread_indices(unit: Unit) -> ThreadIndices:
    """The thread indices of a unit."""
    return unit.analysis(ThreadIndices)
