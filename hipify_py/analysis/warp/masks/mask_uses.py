"""What becomes of a mask of 64 bits: what it is put into, and what is done with it."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.masks.built_ins import COUNTED_IN_LL
from hipify_py.analysis.warp.masks.casts import into_own_type, is_cast_to_own_type
from hipify_py.analysis.warp.masks.counting import (
    compare_with_all,
    count,
    is_pushed_up,
    only_lanes,
    pushed_up,
    tested_in_loop,
)
from hipify_py.analysis.warp.masks.destinations import (
    into_constructor,
    into_function,
    into_object,
    into_result,
    into_target,
    into_type,
    into_variable,
)
from hipify_py.analysis.warp.masks.following import Confidence, Following
from hipify_py.analysis.warp.masks.foreign import into_foreign, is_foreign
from hipify_py.analysis.warp.masks.formats import POSITIONS, widened_conversions
from hipify_py.analysis.warp.masks.literals import WIDE, is_all_lanes
from hipify_py.analysis.warp.masks.narrow_operands import asks_for_sign
from hipify_py.analysis.warp.masks.pairs import MAKERS, into_made_pair
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.expressions import (
    argument_position,
    arguments_of,
    bare,
    call_of,
    callee,
    cast_of,
    element_of,
    entries_of,
    is_same,
    name_in,
    operator_of,
    text_of,
    whole_name,
)
from hipify_py.semantics.integer_types import Width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_FARTHEST = 100
"""Steps from a mask up to what it is put into."""

_SHUFFLE = re.compile(rb"__shfl(?:_up|_down|_xor)?(_sync)?")
_ATOMIC = re.compile(rb"atomic[A-Z]\w*")
_PASSED_THROUGH = frozenset({"parenthesized_expression", "binary_expression", "unary_expression"})
_SETS_LANES = frozenset({"=", "&=", "|=", "^=", "+=", "-="})
_VECTOR = re.compile(rb"make_u?(?:int|long)[234]")
_FEW_LANES = re.compile(rb"0[xX]0*[0-9a-fA-F]{1,7}[uU]?|[0-9]{1,9}[uU]?")


class MaskUses:
    """The way from a mask to where its value goes."""

    def __init__(self, flow: Following) -> None:
        self._flow = flow
        self._seen: set[tuple[int, int, str, int]] = set()

    def used(self, leaf: Node, declaration: Declaration, *, taken: bool) -> None:
        """A use of a widened declaration's name."""
        node = whole_name(leaf)
        if declaration.shape in ("pointer", "array"):
            element = element_of(node, declaration.dimensions)
            if element is None:
                self._into_atomic(node)
                self._elements(node)
                return
            node = element
        parent = node.parent
        if parent is None:
            return
        if parent.type == "field_initializer":
            for value in parent.named_children[1:]:
                for entry in entries_of(value):
                    self._flow.require_wide(entry, taken=taken)
        elif parent.type == "pointer_expression" and operator_of(parent) == "&":
            self._into_atomic(parent)
        elif parent.type == "assignment_expression" and is_same(parent.child_by_field_name("left"), node):
            self._set(parent, declaration, taken)
            self.propagate_wide(parent)
        else:
            self.propagate_wide(node)

    def propagate_wide(self, node: Node) -> None:
        """Follow a mask up through the expression that it is part of."""
        inverted = False
        for _ in range(_FARTHEST):
            parent = node.parent
            if parent is None:
                return
            key = (parent.start_byte, parent.end_byte, parent.type, node.start_byte)
            if key in self._seen:
                return
            self._seen.add(key)
            kind = parent.type
            if kind == "binary_expression":
                if not self._combined(parent, node, inverted):
                    return
                inverted = inverted and operator_of(parent) not in ("&", ">>")
            elif kind == "unary_expression":
                if operator_of(parent) not in ("~", "-"):
                    return
                inverted = operator_of(parent) == "~"
            elif kind == "conditional_expression":
                if not self._chosen(parent, node):
                    return
            elif kind == "cast_expression":
                if not self._cast(parent):
                    return
            elif kind == "assignment_expression":
                if is_same(parent.child_by_field_name("left"), node):
                    return
                if operator_of(parent) not in _SETS_LANES:
                    return
                if inverted and operator_of(parent) in ("=", "|="):
                    only_lanes(self._flow, node)
                into_target(self._flow, parent.child_by_field_name("left"), node)
            elif kind in ("argument_list", "initializer_list") and into_object(self._flow, parent, node):
                return
            elif kind == "argument_list":
                call = self._passed(node, inverted)
                if call is None:
                    return
                parent = call
            elif kind == "comma_expression":
                if not is_same(parent.child_by_field_name("right"), node):
                    return
            elif kind not in ("parenthesized_expression", "initializer_list", "subscript_argument_list"):
                self._ends(parent, node, inverted)
                return
            elif kind == "subscript_argument_list":
                return
            node = parent

    def keeps_its_width(self, call: Node) -> bool:
        """A value goes where its 64 bits are seen: into `auto`, or to `__ffs`, which has several overloads."""
        node, parent = call, call.parent
        while parent is not None and parent.type in _PASSED_THROUGH:
            node, parent = parent, parent.parent
        found = argument_position(node)
        if found is not None:
            return text_of(callee(found[0])) == b"__ffs"
        declarator = parent.child_by_field_name("declarator") if parent is not None else None
        declared = self._flow.names.declared_in(declarator) if declarator is not None else None
        return declared is not None and declared.spelling.width is Width.DEDUCED

    # -- the kinds of places that a mask can be in

    def _combined(self, parent: Node, node: Node, inverted: bool) -> bool:
        """A mask is an operand; True where the result is one, too."""
        flow, operator = self._flow, operator_of(parent)
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        other = right if is_same(left, node) else left
        if other is None:
            return False
        if operator in ("&", "|", "^"):
            self._test(other)
            if operator == "&" and _FEW_LANES.fullmatch(text_of(bare(other))):
                return False  # fits in the 32 bits that it goes into
            flow.require_wide(other)
            flow.combine(other)
            return True
        if operator in ("+", "-"):
            return bare(other).type == "number_literal" or self._is_shifted_one(other)
        if operator in ("<<", ">>"):
            if not is_same(left, node):
                return False
            if operator == "<<":
                pushed_up(flow, parent, other)
                return True
            tested_in_loop(flow, other)
            if flow.kinds.is_half(parent):
                return False
            return not is_pushed_up(node)  # one lane, brought down again
        if operator in ("==", "!="):
            is_literal = is_all_lanes(text_of(other))
            if is_literal or flow.is_full(name_in(bare(other))):
                if not is_literal:
                    flow.require_wide(other)
                compare_with_all(flow, node, other, is_literal=is_literal)
            else:
                flow.require_wide(other)
                flow.combine(other)
                if inverted:
                    only_lanes(flow, node)
        elif asks_for_sign(flow, parent, node):
            flow.report("HIP328", parent.start_byte, text_of(parent))
        return False

    def _test(self, other: Node) -> None:
        """`mask & (1 << i)`: the lane that a loop looks at."""
        shifted = bare(other)
        if shifted.type == "binary_expression" and operator_of(shifted) == "<<":
            index = shifted.child_by_field_name("right")
            if index is not None:
                tested_in_loop(self._flow, index)

    def _is_shifted_one(self, node: Node) -> bool:
        inner = bare(node)
        return inner.type == "binary_expression" and operator_of(inner) == "<<"

    def _chosen(self, parent: Node, node: Node) -> bool:
        if is_same(parent.child_by_field_name("condition"), node):
            return False
        for field in ("consequence", "alternative"):
            other = parent.child_by_field_name(field)
            if other is not None and not is_same(other, node):
                self._flow.require_wide(other)
                self._flow.combine(other)
        return True

    def _cast(self, node: Node) -> bool:
        """A cast of a mask; True where it is to an integer that is, or becomes, wide enough."""
        cast = cast_of(node)
        if cast is None or cast.width is Width.OTHER:
            return into_own_type(self._flow, node)
        if cast.width is Width.NARROW and self._flow.kinds.is_half(cast.value):
            return False
        if cast.width is Width.NARROW and not self._is_counted(node):
            self._flow.put(cast.start, cast.end, b"static_cast<" + WIDE + b">" if cast.is_function else WIDE)
        return True

    def _is_counted(self, cast: Node) -> bool:
        """`__popc((unsigned)mask)` needs no cast, now that the mask is all that it counts: it goes."""
        found = argument_position(cast)
        form = cast_of(cast)
        if found is None or form is None or text_of(callee(found[0])) not in COUNTED_IN_LL:
            return False
        self._flow.put(cast.start_byte, form.value.start_byte, b"")
        if cast.type == "call_expression":
            self._flow.put(form.value.end_byte, cast.end_byte, b"")
        return True

    def _passed(self, node: Node, inverted: bool) -> Node | None:
        """A mask is an argument; the call where its result is a mask, too."""
        found = argument_position(node)
        if found is None:
            return None
        call, position = found
        if cast_of(call) is not None:
            return call if self._cast(call) else None
        if is_cast_to_own_type(self._flow, call):
            return call if into_own_type(self._flow, call) else None
        leaf = callee(call)
        name = text_of(leaf)
        if name in COUNTED_IN_LL and position == 0:
            count(self._flow, call, node, inverted=inverted)
            return call if name == b"__brev" else None
        shuffle = _SHUFFLE.fullmatch(name)
        if shuffle is not None:
            return call if position == (1 if shuffle[1] else 0) else None
        if name in POSITIONS:
            arguments = arguments_of(call)
            format = arguments[POSITIONS[name]] if POSITIONS[name] < len(arguments) else None
            if format is not None:
                for edit in widened_conversions(format, position - POSITIONS[name] - 1):
                    self._flow.put(*edit)
        elif _ATOMIC.fullmatch(name) and position > 0:
            into_target(self._flow, arguments_of(call)[0], node)
            return call
        elif name in MAKERS:
            into_made_pair(self._flow, call, position)
        elif _VECTOR.fullmatch(name):
            self._flow.report("HIP320", call.start_byte, name)
        elif leaf is not None:
            if inverted and self._flow.names.called(leaf):
                only_lanes(self._flow, node)
            if is_foreign(self._flow, leaf):
                into_foreign(self._flow, call, leaf, position)
                return None
            return call if into_function(self._flow, leaf, position, node) else None
        return None

    def _into_atomic(self, node: Node) -> None:
        """A mask in memory is changed: what it is changed by is one, too, and so is what it was."""
        found = argument_position(node)
        if found is not None and _ATOMIC.fullmatch(text_of(callee(found[0]))):
            for other in arguments_of(found[0])[1:]:
                self._flow.require_wide(other)
            self.propagate_wide(found[0])

    def _elements(self, node: Node) -> None:
        """`for (unsigned m : masks)`."""
        parent = node.parent
        if parent is not None and parent.type == "for_range_loop":
            declared = parent.child_by_field_name("declarator")
            leaf = name_in(declared)
            found = self._flow.names.declaration_at(leaf) if leaf is not None else None
            if found is not None:
                self._flow.widen(found)

    def _set(self, assignment: Node, declaration: Declaration, taken: bool) -> None:
        """A widened variable is set: to a mask, if all is right."""
        value = assignment.child_by_field_name("right")
        if value is None or operator_of(assignment) not in _SETS_LANES:
            return
        if operator_of(assignment) == "=":
            self._flow.begin(declaration, value, is_initial=False)
        confidence = self._flow.require_wide(value, taken=taken)
        self._flow.combine(value)
        if taken and confidence in (Confidence.PARTIAL, Confidence.UNKNOWN):
            self._flow.report("HIP301", value.start_byte, text_of(value), declaration.name.decode())

    def _ends(self, parent: Node, node: Node, inverted: bool) -> None:
        """The expression ends: in a declaration, a `return`, a macro's body, a condition."""
        flow, kind = self._flow, parent.type
        if kind in ("init_declarator", "declaration", "field_declaration", "optional_parameter_declaration"):
            declarator = parent.child_by_field_name("declarator")
            if declarator is not None and not is_same(declarator, node):
                if inverted and kind == "init_declarator":
                    only_lanes(flow, node)
                into_variable(self._flow, declarator, node)
        elif kind == "parameter_declaration":
            into_constructor(flow, node)
        elif kind == "return_statement":
            if inverted:
                only_lanes(flow, node)
            into_result(self._flow, parent, node)
        elif kind == "condition_clause" and inverted:
            only_lanes(flow, node)
        elif kind == "decltype":
            into_type(flow, parent)
        elif kind in ("expression_statement", "translation_unit", "ERROR"):
            macro = flow.macros.around(node.start_byte)
            if macro is not None and (node.start_byte, node.end_byte) == (macro.start, macro.end):
                for leaf in flow.names.mentions(macro.name):
                    self.propagate_wide((call_of(leaf) if macro.parameters is not None else None) or leaf)
