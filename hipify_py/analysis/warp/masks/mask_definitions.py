"""Makes an expression that has to be a mask one of 64 bits: literals, names, computations."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.masks.counting import counted_from_the_top, turned
from hipify_py.analysis.warp.masks.following import Confidence, Following
from hipify_py.analysis.warp.masks.literals import (
    FULL,
    LONGEST,
    LOWER,
    WIDE,
    is_all_but_first,
    is_all_lanes,
    is_repeated,
    is_wide,
    widened,
)
from hipify_py.analysis.warp.masks.wide_constants import is_wide_constant
from hipify_py.semantics.expressions import (
    NAMES,
    arguments_of,
    bare,
    call_of,
    callee,
    cast_of,
    name_in,
    operator_of,
    text_of,
)
from hipify_py.semantics.integer_types import Width
from hipify_py.semantics.macros import Macro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_GIVES = re.compile(
    rb"__ballot(?:64|_sync)?|__activemask|__match_(?:any|all)(?:_sync)?|__lanemask_\w\w|ballot|match_any|match_all"
    rb"|__brevll|__double_as_longlong"
)
_PASSES_ON = re.compile(rb"__shfl(?:_up|_down|_xor)?_sync")
_PASSED_ON = re.compile(rb"__shfl\w*")
_ASKS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_NAMED = NAMES | {"qualified_identifier", "field_expression"}
_SMALL = 8
"""Characters of a number that has less than 32 bits, however it is written."""
_DEEPEST = 60
"""Macros, declarations and casts that stand for one another; real code has three or four."""
_MOST_STEPS = 2000
"""Parts of one expression that are looked at."""


class MaskDefinitions:
    """The way back from an expression to what its lanes are written as."""

    def __init__(self, flow: Following) -> None:
        self._flow = flow
        self._seen: dict[tuple[int, int, bool], Confidence] = {}
        self._operations: set[tuple[int, int, bool]] = set()
        self._depth = 0

    def require_wide(self, root: Node, *, exact: bool = False, taken: bool = False) -> Confidence:
        """Make an expression a mask of 64 bits.

        Args:
            root: the expression.
            exact: its type must have 64 bits; otherwise what converts by itself stays as it is.
            taken: a built-in is given the mask, so it must name all the lanes that it means.
        """
        if self._depth >= _DEEPEST:
            return Confidence.UNKNOWN
        self._depth += 1
        confidence, nodes = Confidence.SURE, [(root, exact)]
        for _ in range(_MOST_STEPS):
            if not nodes:
                break
            node, exact = nodes.pop()
            if not taken and self._is_known(node, exact):
                continue
            confidence = max(confidence, self._part(node, exact, taken, nodes))
        self._depth -= 1
        return Confidence.UNKNOWN if nodes else confidence

    def _is_known(self, node: Node, exact: bool) -> bool:
        """An operation whose parts were looked at before; asked of those that no built-in is given."""
        if node.type != "binary_expression":
            return False
        key = (node.start_byte, node.end_byte, exact)
        if key in self._operations:
            return True
        self._operations.add(key)
        return False

    def literal_macro(self, macro: Macro) -> Confidence | None:
        """Widen the literal that a macro stands for; None where it stands for anything else."""
        text = self._flow.data[macro.start : macro.end]
        if is_wide(text):
            return Confidence.SURE
        wide = widened(text)
        if wide is None:
            return None
        if is_all_lanes(text) or not text.isdigit():
            self._flow.put(macro.start, macro.end, wide)
        return Confidence.SURE if is_all_lanes(text) else Confidence.PARTIAL

    def _part(self, node: Node, exact: bool, taken: bool, nodes: list[tuple[Node, bool]]) -> Confidence:
        """One part of an expression; its own parts are put among `nodes`."""
        literal = self._literal(node, exact)
        if literal is not None:
            return literal
        if is_wide_constant(self._flow.unit, node):
            return Confidence.SURE
        kind = node.type
        if kind in _NAMED:
            return self._named(node, exact, taken)
        if kind in ("parenthesized_expression", "initializer_list"):
            nodes += [(child, exact) for child in node.named_children if child.type != "comment"]
            return Confidence.SURE
        if kind == "binary_expression":
            return self._binary(node, exact, nodes)
        if kind == "conditional_expression":
            for field in ("consequence", "alternative"):
                _add(nodes, node.child_by_field_name(field), exact)
            return Confidence.SURE
        if kind == "unary_expression":
            return self._unary(node, exact, nodes)
        if kind in ("cast_expression", "call_expression"):
            return self._call(node, exact, taken, nodes)
        if kind in ("subscript_expression", "update_expression") or (
            kind == "pointer_expression" and operator_of(node) == "*"
        ):
            _add(nodes, node.child_by_field_name("argument"), exact)
            return Confidence.SURE
        if kind == "assignment_expression":
            _add(nodes, node.child_by_field_name("left"), exact)
            return Confidence.SURE
        if kind == "comma_expression":
            _add(nodes, node.child_by_field_name("right"), exact)
            return Confidence.SURE
        return Confidence.UNKNOWN

    def _literal(self, node: Node, exact: bool) -> Confidence | None:
        start, end = node.start_byte, node.end_byte
        if end - start > LONGEST:
            return None
        text = text_of(node)
        if is_wide(text):
            return Confidence.SURE
        if is_all_lanes(text):
            self._flow.put(start, end, FULL)
            return Confidence.SURE
        wide = widened(text) if node.type == "number_literal" else None
        if wide is None:
            return None
        follows = is_repeated(text) or is_all_but_first(text)
        if exact or follows:
            self._flow.put(start, end, wide)
        return Confidence.SURE if _is_zero(text) or follows else Confidence.PARTIAL

    def _unary(self, node: Node, exact: bool, nodes: list[tuple[Node, bool]]) -> Confidence:
        operator = operator_of(node)
        if operator not in ("~", "-", "+"):
            return Confidence.UNKNOWN
        argument = node.child_by_field_name("argument")
        if argument is not None and bare(argument).type == "number_literal":
            self._literal(bare(argument), exact=True)  # all lanes but these
            return Confidence.SURE
        _add(nodes, argument, exact or operator == "~")
        return Confidence.SURE

    def _binary(self, node: Node, exact: bool, nodes: list[tuple[Node, bool]]) -> Confidence:
        operator = operator_of(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return Confidence.UNKNOWN
        if operator in ("&", "|", "^"):
            nodes += [(left, exact), (right, exact)]
            return Confidence.SURE
        if operator in ("+", "-"):
            inner = bare(left)
            nodes.append((left, exact))
            if bare(right).type != "number_literal":
                nodes.append((right, exact))
            is_count = operator == "-" and inner.type == "binary_expression" and operator_of(inner) == "<<"
            return Confidence.PARTIAL if is_count else Confidence.SURE
        if operator == "<<":
            if bare(left).type == "number_literal" and not is_all_lanes(text_of(left)):
                confidence = self._literal(bare(left), exact=True) or Confidence.SURE
                return Confidence.SURE if _is_one(text_of(bare(left))) else confidence
            nodes.append((left, True))
            return Confidence.SURE
        if operator == ">>":
            return self._shifted_right(left, right, nodes)
        return Confidence.UNKNOWN

    def _shifted_right(self, left: Node, right: Node, nodes: list[tuple[Node, bool]]) -> Confidence:
        """The lowest `n` lanes are `all >> (64 - n)`; all but the highest `n` of 32 stay counted in 32."""
        if not self._is_all_lanes(left):
            nodes.append((left, True))
            return Confidence.SURE
        if counted_from_the_top(self._flow, right):
            nodes.append((_shifted(left), True))
            return Confidence.SURE
        if is_all_lanes(text_of(left)):
            self._flow.put(left.start_byte, left.end_byte, LOWER)
        else:
            nodes.append((left, True))
        return Confidence.PARTIAL

    def _is_all_lanes(self, node: Node) -> bool:
        """A literal for all lanes, or a name that stands for one; some of the highest may be left out."""
        node = _shifted(node)
        if is_all_lanes(text_of(node)):
            return True
        return self._flow.is_full(name_in(bare(node)))

    def _call(self, node: Node, exact: bool, taken: bool, nodes: list[tuple[Node, bool]]) -> Confidence:
        cast = cast_of(node)
        if cast is not None:
            if cast.width is Width.NARROW:
                wide = b"static_cast<" + WIDE + b">" if cast.is_function else WIDE
                self._flow.put(cast.start, cast.end, wide)
                confidence = self.require_wide(cast.value, taken=taken)
                return Confidence.SURE if confidence is Confidence.UNTYPED else confidence
            return Confidence.SURE if cast.width is Width.WIDE else Confidence.UNKNOWN
        leaf = callee(node)
        name = text_of(leaf)
        if leaf is None:
            return Confidence.UNKNOWN
        if _GIVES.fullmatch(name):
            return Confidence.SURE
        if name == b"__brev":
            turned(self._flow, node, leaf)
            nodes += [(argument, exact) for argument in arguments_of(node)]
            return Confidence.SURE
        arguments = arguments_of(node)
        if _PASSES_ON.fullmatch(name) and len(arguments) > 1:
            nodes.append((arguments[1], exact))
            return Confidence.SURE
        return self._named(leaf, exact, taken)

    def _named(self, node: Node, exact: bool, taken: bool) -> Confidence:
        """A name: a macro, a macro's parameter, or a declaration."""
        leaf = name_in(node)
        if leaf is None:
            return Confidence.UNKNOWN
        macro = self._flow.macros.around(leaf.start_byte)
        if macro is not None and macro.parameters is not None and text_of(leaf) in macro.parameters:
            return self._macro_parameter(macro, macro.parameters.index(text_of(leaf)), taken)
        if not taken and not exact and self._flow.is_small(leaf):
            return Confidence.SURE
        if self._flow.is_data_constant(leaf):
            self._flow.put(node.start_byte, node.end_byte, FULL)
            return Confidence.SURE
        declared = self._flow.widen_all(leaf, taken=taken)
        if declared is not None:
            return declared
        macros = self._flow.macros.named(text_of(leaf))
        return max((self._macro(macro, taken) for macro in macros), default=Confidence.UNKNOWN)

    def _macro(self, macro: Macro, taken: bool) -> Confidence:
        key = (macro.start, macro.end, taken)
        if key not in self._seen:
            self._seen[key] = Confidence.UNKNOWN  # while it is looked at: a macro that names itself
            confidence = self.literal_macro(macro) if macro.parameters is None else None
            if confidence is None:
                body = self._flow.macros.body(macro)
                confidence = (
                    self.require_wide(body, exact=True, taken=taken) if body is not None else Confidence.UNKNOWN
                )
            self._seen[key] = confidence
        return self._seen[key]

    def _macro_parameter(self, macro: Macro, position: int, taken: bool) -> Confidence:
        """What the macro's uses in this source give for a parameter."""
        key = (macro.start, -1 - position, taken)
        if key not in self._seen:
            self._seen[key] = Confidence.UNKNOWN
            found = []
            for leaf in self._flow.names.mentions(macro.name):
                call = call_of(leaf)
                arguments = arguments_of(call) if call is not None else []
                if position < len(arguments):
                    found.append(self.require_wide(arguments[position], exact=True, taken=taken))
            self._seen[key] = max(found, default=Confidence.UNKNOWN)
        return self._seen[key]


def is_few(node: Node, but: bytes = b"") -> bool:
    """An expression is a truth value or a small number, or a variable of a name as another lane has it."""
    node = bare(node)
    if node.type == "number_literal":
        return len(text_of(node)) < _SMALL and not is_all_lanes(text_of(node))
    if node.type in ("true", "false"):
        return True
    if node.type == "binary_expression":
        operator, right = operator_of(node), node.child_by_field_name("right")
        return operator in _ASKS or (operator == "&" and right is not None and _is_one(text_of(bare(right))))
    if node.type == "unary_expression":
        return operator_of(node) == "!"
    if node.type == "call_expression" and _PASSED_ON.fullmatch(text_of(callee(node))):
        return any(text_of(argument) == but for argument in arguments_of(node)[:2])
    return False


def _shifted(node: Node) -> Node:
    """What an expression shifts to the right, once or several times."""
    for _ in range(_DEEPEST):
        inner = bare(node)
        left = inner.child_by_field_name("left") if operator_of(inner) == ">>" else None
        if left is None:
            break
        node = left
    return node


def _add(nodes: list[tuple[Node, bool]], node: Node | None, exact: bool) -> None:
    if node is not None:
        nodes.append((node, exact))


def _is_zero(text: bytes) -> bool:
    return not text.lower().strip(b"0xul'")


def _is_one(text: bytes) -> bool:
    return text.lower().lstrip(b"0x").rstrip(b"ul") == b"1"
