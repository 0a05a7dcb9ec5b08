"""Tells lane masks from other integers: what is stored in each declaration, and what an expression is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntFlag

from hipify_py.analysis.warp.masks.built_ins import COUNTED_IN_LL
from hipify_py.analysis.warp.masks.layout import Layout
from hipify_py.analysis.warp.masks.literals import is_all_lanes
from hipify_py.analysis.warp.masks.objects import type_parameter_named
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.analysis.warp.masks.stores import Store, returned_by, stores_of
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    arguments_of,
    bare,
    call_of,
    callee,
    cast_of,
    name_in,
    operator_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width
from hipify_py.semantics.macros import Macros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


class Kind(IntFlag):
    """What a value is made of; NEUTRAL is what any integer may be: a number, a bit, a truth value, a count."""

    NEUTRAL = 0
    MASK = 1
    """Lanes: what a vote returns, or a built-in is given as its mask."""
    DATA = 2
    UNSEEN = 4
    """From where this source does not reach."""


_GIVES = re.compile(
    rb"__ballot(?:64|_sync)?|__activemask|__match_(?:any|all)(?:_sync)?|__lanemask_\w\w|ballot|match_any|match_all"
)
_TURNS = re.compile(rb"__brev(?:ll)?")
_SHUFFLES = re.compile(rb"__shfl(?:_up|_down|_xor)?(_sync)?|__reduce_(?:and|or|xor)(_sync)")
_ASKS = re.compile(rb"__(?:any|all|isinf|isnan)(?:_sync)?|__popcll|__ffsll|__clzll|popc|any|all")
_CHOOSES = frozenset({b"min", b"max", b"umin", b"umax", b"select"})
_LOADS = re.compile(rb"__ld(?:g|cg|cs|ca|lu|cv)")
_ATOMIC = re.compile(rb"atomic([A-Z]\w*)")
_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "<=>"})
_BITS = frozenset({"&", "|", "^"})
_FEW_LANES = re.compile(rb"0[xX]0*[0-9a-fA-F]{1,7}[uU]?|[0-9]{1,9}[uU]?")
_ONE = re.compile(rb"(?:0[xX]0*)?1[uUlL]*")
_HALF = re.compile(rb"32[uUlL]*")
_BUILT_IN_DATA = frozenset({b"threadIdx", b"blockIdx", b"blockDim", b"gridDim", b"warpSize"})
_CONSTANTS = frozenset({"true", "false", "null", "nullptr", "char_literal"})
_WHOLE_NAMES = frozenset(
    {"identifier", "qualified_identifier", "field_identifier", "type_identifier", "template_function"}
)
_FLOATING = re.compile(rb"[0-9.']+(?:[eE][-+]?[0-9]+)?[fF]?|[0-9.']+[eE][-+]?[0-9]+")
_DEEPEST = 100
"""Parts of an expression within each other; beyond, nothing is known."""
_MOST_ROUNDS = 100


class ValueKinds:
    """What the values of one source are, each declaration's worked out once with all that it is set from."""

    def __init__(self, names: PartedNames, macros: Macros, layout: Layout) -> None:
        self._names = names
        self._macros = macros
        self._layout = layout
        self._known: dict[Declaration, Kind] = {}
        self._given: set[Declaration] = set()
        self._arguments: dict[tuple[int, int], Kind] = {}
        """What the uses of a macro give for a parameter, as far as it is known in this round."""
        self._settled: dict[tuple[int, int], Kind] = {}
        """The same where all is known."""
        self._stores: dict[Declaration, list[Store]] = {}
        self._open: dict[Declaration, Kind] | None = None
        self._pending: list[Declaration] = []
        self._in_macros: set[int] = set()

    def give(self, parameters: Iterable[Declaration]) -> None:
        """Other files give these parameters masks; to be said before anything is asked."""
        self._given.update(parameters)

    def of(self, node: Node) -> Kind:
        """What an expression is made of."""
        if self._open is not None:
            return self._value(node, 0)
        self._open = {}
        kind = self._value(node, 0)
        if not self._pending:
            self._open = None
            return kind
        self._settle()
        return self._value(node, 0)

    def of_declaration(self, declaration: Declaration) -> Kind:
        """What a declaration is set to throughout; of a function or lambda, what it returns."""
        known = self._known.get(declaration)
        if known is None:
            self._open = {}
            self._look_up(declaration)
            self._settle()
            known = self._known[declaration]
        return known

    def is_half(self, node: Node) -> bool:
        """The expression is one half of a number of 64 bits: `v >> 32`, or `v` where its other half is taken, too."""
        inner = bare(node)
        if operator_of(inner) == ">>":
            amount = inner.child_by_field_name("right")
            return amount is not None and _HALF.fullmatch(text_of(bare(amount))) is not None
        leaf = name_in(inner)
        declared = self._names.meant_by(leaf) if leaf is not None else ()
        return bool(declared) and all(self._is_taken_apart(found) for found in declared)

    def _is_taken_apart(self, declaration: Declaration) -> bool:
        """A declaration has 64 bits as it is, and its upper half is taken somewhere."""
        if declaration.spelling.width is not Width.WIDE and self._names.type_parameter(declaration) is None:
            return False
        for leaf in self._names.uses(declaration):
            shift = whole_name(leaf).parent
            amount = shift.child_by_field_name("right") if shift is not None and operator_of(shift) == ">>" else None
            if amount is not None and _HALF.fullmatch(text_of(bare(amount))) is not None:
                return True
        return False

    # -- the fixpoint: masks first, then what else there is beside them

    def _settle(self) -> None:
        """Work out the kinds of all declarations that were met; they depend on no others."""
        open: dict[Declaration, Kind] = {}
        self._open = open
        self._arguments.clear()
        while self._pending:
            declaration = self._pending.pop()
            if declaration not in open:
                open[declaration] = Kind.NEUTRAL
                self._stores[declaration] = list(stores_of(self._names, self._layout, declaration))
                self._stored(declaration)
        ordered = list(reversed(open))
        for wanted in (Kind.MASK, Kind.MASK | Kind.DATA | Kind.UNSEEN):
            for _ in range(_MOST_ROUNDS):
                is_changed = False
                self._arguments.clear()
                for declaration in ordered:
                    kind = open[declaration] | (self._stored(declaration) & wanted)
                    is_changed |= kind != open[declaration]
                    open[declaration] = kind
                if not is_changed:
                    break
        for declaration in ordered:
            del self._stores[declaration]
        self._known.update(open)
        self._arguments.clear()
        self._open = None

    def _look_up(self, declaration: Declaration) -> Kind:
        known = self._known.get(declaration)
        if known is not None:
            return known
        if self._open is None:
            return self.of_declaration(declaration)
        if declaration not in self._open:
            self._pending.append(declaration)
        return self._open.get(declaration, Kind.NEUTRAL)

    def _stored(self, declaration: Declaration) -> Kind:
        """What a declaration is set to, as far as it is known."""
        found = _of_type(declaration)
        if found is not None:
            return found
        kind = Kind.MASK if declaration in self._given else Kind.NEUTRAL
        for store in self._stores[declaration]:
            if store.copied is not None:
                kind |= self._look_up(store.copied)
            elif store.value is None:
                kind |= Kind[store.kind]
            elif store.operator and store.target is not None:
                kind |= self._combined(store.operator, store.target, store.value, 0)
            elif declaration.spelling.width is Width.NARROW and self.is_half(store.value):
                kind |= Kind.DATA
            else:
                kind |= self._value(store.value, 0)
        return kind

    # -- expressions

    def _value(self, node: Node, depth: int) -> Kind:
        node = bare(node)
        kind = node.type
        if depth > _DEEPEST:
            return Kind.UNSEEN
        if kind == "number_literal":
            is_floating = text_of(node)[:2].lower() != b"0x" and _is_floating(text_of(node))
            return Kind.DATA if is_floating else Kind.NEUTRAL
        if kind in _CONSTANTS:
            return Kind.NEUTRAL
        if is_all_lanes(text_of(node)):
            return Kind.NEUTRAL
        if kind in _WHOLE_NAMES or kind == "field_expression":
            return self._named(node)
        if kind == "binary_expression":
            return self._binary(node, depth)
        if kind == "unary_expression":
            argument = node.child_by_field_name("argument")
            return Kind.NEUTRAL if operator_of(node) == "!" or argument is None else self._value(argument, depth + 1)
        if kind in ("cast_expression", "call_expression"):
            return self._call(node, depth)
        if kind == "conditional_expression":
            return self._either(node, ("consequence", "alternative"), depth)
        if kind == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = operator_of(node)
            if left is None or right is None:
                return Kind.UNSEEN
            if operator == "=":
                return self._value(right, depth + 1)
            return self._combined(operator[:-1], left, right, depth)
        if kind == "comma_expression":
            return self._either(node, ("right",), depth)
        if kind in ("subscript_expression", "pointer_expression"):
            return self._value(_pointer_in(node), depth + 1)
        if kind == "update_expression":
            return self._either(node, ("argument",), depth) | Kind.DATA
        if kind == "compound_literal_expression":
            return self._either(node, ("value",), depth)
        if kind == "initializer_list":
            return self._any_of(node.named_children, depth)
        if kind == "lambda_expression":
            return self._any_of(returned_by(node), depth)
        return Kind.DATA if kind in ("sizeof_expression", "string_literal") else Kind.UNSEEN

    def _either(self, node: Node, fields: tuple[str, ...], depth: int) -> Kind:
        parts = (node.child_by_field_name(field) for field in fields)
        return self._any_of([part for part in parts if part is not None], depth)

    def _any_of(self, nodes: list[Node] | tuple[Node, ...], depth: int) -> Kind:
        kind = Kind.NEUTRAL
        for node in nodes:
            if node.type != "comment":
                kind |= self._value(node, depth + 1)
        return kind

    def _binary(self, node: Node, depth: int) -> Kind:
        """The left side of a chain is gone down without a call for each link."""
        chain: list[tuple[str, Node]] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression" and len(chain) < 2000:
            right = left.child_by_field_name("right")
            if right is None:
                return Kind.UNSEEN
            chain.append((operator_of(left), right))
            left = left.child_by_field_name("left")
            left = bare(left) if left is not None else None
        if left is None:
            return Kind.UNSEEN
        kind = self._value(left, depth + 1)
        is_number = self._is_number(left)
        for operator, right in reversed(chain):
            kind = self._operation(operator, kind, is_number, text_of(left), right, depth)
            is_number = is_number and operator == "<<"  # a bit that was moved
        return kind

    def _combined(self, operator: str, left: Node, right: Node, depth: int) -> Kind:
        kind = self._value(left, depth + 1)
        return self._operation(operator, kind, self._is_number(left), text_of(bare(left)), right, depth)

    def _operation(self, operator: str, left: Kind, is_number: bool, text: bytes, right: Node, depth: int) -> Kind:
        """What an operation gives, by what is known of its left side."""
        if operator in _COMPARES:
            self._value(right, depth + 1)
            return Kind.NEUTRAL
        other, amount = self._value(right, depth + 1), text_of(bare(right))
        if operator == "&":
            if _ONE.fullmatch(amount) or _ONE.fullmatch(text):
                return Kind.NEUTRAL
            if _FEW_LANES.fullmatch(amount):
                return left & ~Kind.MASK
            return Kind.MASK if (left | other) & Kind.MASK else left | other
        if operator in ("|", "^"):
            return left | other
        if operator in ("<<", ">>"):
            if _HALF.fullmatch(amount):
                return Kind.DATA
            return left
        if operator in ("+", "-"):
            is_other_number = self._is_number(right)
            if is_number and is_other_number:
                return Kind.NEUTRAL
            if is_other_number and left & Kind.MASK:
                return left
            if left == other == Kind.MASK:
                return Kind.MASK
        return Kind.NEUTRAL if is_number and self._is_number(right) else Kind.DATA

    def _call(self, node: Node, depth: int) -> Kind:
        cast = cast_of(node)
        if cast is not None:
            if cast.width is Width.NARROW and self.is_half(cast.value):
                return Kind.DATA
            return self._value(cast.value, depth + 1) if not self._is_no_integer(node) else Kind.DATA
        leaf = callee(node)
        name, arguments = text_of(leaf), arguments_of(node)
        if self._is_number(node):
            return Kind.NEUTRAL
        if leaf is None:
            function = node.child_by_field_name("function")
            is_lambda = function is not None and bare(function).type == "lambda_expression"
            return self._value(function, depth + 1) if function is not None and is_lambda else Kind.UNSEEN
        shuffle = _SHUFFLES.fullmatch(name)
        if shuffle is not None:
            at = 1 if shuffle[1] or shuffle[2] else 0
            for argument in arguments:
                self._value(argument, depth + 1)
            return self._value(arguments[at], depth + 1) if at < len(arguments) else Kind.UNSEEN
        declared = self._names.functions(name) or self._names.meant_by(leaf) or self._macros.named(name)
        if declared:
            return self._own_call(leaf, arguments, depth)
        if _GIVES.fullmatch(name):
            return Kind.MASK
        if _ASKS.fullmatch(name) or (name in COUNTED_IN_LL and not _TURNS.fullmatch(name)):
            return Kind.NEUTRAL
        if name in _CHOOSES or _TURNS.fullmatch(name) or _LOADS.fullmatch(name):
            return self._any_of(arguments, depth)
        atomic = _ATOMIC.fullmatch(name)
        if atomic is not None:
            return self._any_of(arguments[:1], depth) if arguments else Kind.UNSEEN
        return Kind.UNSEEN

    def _is_number(self, node: Node) -> bool:
        """A number in any type, or a bit that is moved to a place."""
        for _ in range(_DEEPEST):
            node = bare(node)
            cast = cast_of(node)
            if cast is not None:
                node = cast.value
            elif operator_of(node) == "<<" and (left := node.child_by_field_name("left")) is not None:
                node = left
            elif (
                node.type == "compound_literal_expression" and (value := node.child_by_field_name("value")) is not None
            ):
                node = value
            elif node.type == "initializer_list" and node.named_child_count == 1:
                node = node.named_children[0]
            elif self._is_of_own_type(node):
                node = arguments_of(node)[0]
            else:
                break
        return node.type == "number_literal" or is_all_lanes(text_of(node))

    def _is_of_own_type(self, call: Node) -> bool:
        """A number in a type that the source has a name for: `M(1)`."""
        arguments, leaf = arguments_of(call), callee(call)
        if leaf is None or [argument.type for argument in arguments] != ["number_literal"]:
            return False
        name = text_of(leaf)
        return self._names.alias(name) is not None or type_parameter_named(call, name) is not None

    def _is_no_integer(self, node: Node) -> bool:
        """A cast to a type of floating point."""
        type = node.child_by_field_name("type")
        return text_of(type) in (b"float", b"double", b"half", b"__half")

    def _own_call(self, leaf: Node, arguments: list[Node], depth: int) -> Kind:
        """A call of a function, a lambda or a macro of this source."""
        functions = self._names.functions(text_of(leaf))
        kind = Kind.NEUTRAL
        for function in functions:
            passed = self._passed_through(function, arguments)
            kind |= self._look_up(function) if passed is None else self._value(passed, depth + 1)
        if not functions:
            for found in self._names.meant_by(leaf):
                kind |= self._look_up(found)
            kind |= self._macro(leaf, depth)
        return kind

    def _passed_through(self, function: Declaration, arguments: list[Node]) -> Node | None:
        """The argument whose type a function's template returns: what comes back is what was given."""
        if function.type is None or function.function is None or self._names.type_parameter(function) is None:
            return None
        for parameter, argument in zip(self._names.parameters(function.function), arguments, strict=False):
            if parameter is not None and text_of(parameter.type) == text_of(function.type):
                return argument
        return None

    def _named(self, node: Node) -> Kind:
        leaf = name_in(node)
        if leaf is None:
            owner = node.child_by_field_name("argument")
            return Kind.DATA if text_of(owner) in _BUILT_IN_DATA else Kind.UNSEEN
        if text_of(leaf) in _BUILT_IN_DATA:
            return Kind.DATA
        argument = node.child_by_field_name("argument") if node.type == "field_expression" else None
        if text_of(argument) in _BUILT_IN_DATA:
            return Kind.DATA
        around = self._macros.around(leaf.start_byte)
        if around is not None and around.parameters is not None and text_of(leaf) in around.parameters:
            return self._macro_parameter(around.name, around.start, around.parameters.index(text_of(leaf)))
        declared = self._names.meant_by(leaf)
        kind = Kind.NEUTRAL
        for found in declared:
            kind |= self._look_up(found)
        return kind if declared else self._macro(leaf, 0)

    def _macro(self, leaf: Node, depth: int) -> Kind:
        macros, kind = self._macros.named(text_of(leaf)), Kind.NEUTRAL
        for macro in macros:
            body = self._macros.body(macro)
            if macro.start in self._in_macros:
                continue
            self._in_macros.add(macro.start)
            kind |= Kind.UNSEEN if body is None else self._value(body, depth + 1)
            self._in_macros.discard(macro.start)
        return kind if macros else Kind.UNSEEN

    def _macro_parameter(self, name: bytes, start: int, position: int) -> Kind:
        key, known = (start, position), self._settled if self._open is None else self._arguments
        if key in self._settled:
            return self._settled[key]
        if key in known:
            return known[key]
        known[key] = kind = Kind.NEUTRAL  # while it is looked at: a macro that names itself
        for leaf in self._names.mentions(name):
            call = call_of(leaf)
            arguments = arguments_of(call) if call is not None else []
            if position < len(arguments):
                kind |= self._value(arguments[position], 1)
        known[key] = kind
        return kind


def _of_type(declaration: Declaration) -> Kind | None:
    """What a declaration holds by its type alone; None for integers, and for types that are not known."""
    type = declaration.type
    if type is None or type.type != "primitive_type" or declaration.spelling.width is not Width.OTHER:
        return None
    return Kind.NEUTRAL if text_of(type) == b"bool" else Kind.DATA


def _pointer_in(node: Node) -> Node:
    """The pointer or array that an element is reached by: `p` in `*(p++ + i)`."""
    for _ in range(_DEEPEST):
        if node.type in ("subscript_expression", "pointer_expression", "update_expression"):
            inner = node.child_by_field_name("argument")
        elif node.type == "binary_expression":
            inner = node.child_by_field_name("left")
        else:
            break
        if inner is None:
            break
        node = bare(inner)
    return node


def _is_floating(text: bytes) -> bool:
    return b"." in text or (_FLOATING.fullmatch(text) is not None and text[-1:] in b"fF")
