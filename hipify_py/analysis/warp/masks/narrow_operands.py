"""Numbers of 32 bits that are combined with a lane mask of 64, and say nothing of its upper half."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.masks.kinds import Kind
from hipify_py.analysis.warp.masks.literals import is_all_but_first, is_all_lanes, is_repeated
from hipify_py.analysis.warp.masks.mask_definitions import is_few
from hipify_py.semantics.expression_types import pointee_of, type_of
from hipify_py.semantics.expressions import (
    arguments_of,
    bare,
    call_of,
    callee,
    cast_of,
    name_in,
    operator_of,
    text_of,
)
from hipify_py.semantics.integer_types import Width, spelling
from hipify_py.semantics.symbols import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.analysis.warp.masks.following import Following

_BITS = frozenset({"&", "|", "^", "+", "-"})
_UPPER_LANES = re.compile(rb"0[xX]0*[1-9a-fA-F][0-9a-fA-F]{7}[uU]?")
"""A number of 32 bits that names some of the upper lanes of a warp."""
_SIGNED = re.compile(rb"(?:const\s+)?(?:signed|(?:signed\s+)?int|(?:std::)?int32_t)(?:\s+const)?")
_SHUFFLE = re.compile(rb"__shfl(?:_up|_down|_xor)?(_sync)?")
_LOAD = re.compile(rb"__ld(?:g|cg|cs|ca|lu|cv)")
_ORDERED = frozenset({"<", ">", "<=", ">="})


def narrow_parts(flow: Following, root: Node, seen: set[int]) -> Iterator[Node]:
    """The parts of an expression that have 32 bits whatever was widened: data, and numbers of the upper lanes.

    What was `seen` in another expression is left out.
    """
    pending = [root]
    while pending:
        node = bare(pending.pop())
        if node.id in seen:
            continue
        seen.add(node.id)
        kind, cast = node.type, cast_of(node)
        if cast is not None:
            pending += [cast.value] if cast.width is Width.NARROW else []
        elif is_few(node):
            continue
        elif kind == "number_literal":
            if _UPPER_LANES.fullmatch(text_of(node)) and not _names_all(text_of(node)):
                yield node
        elif kind == "unary_expression":
            argument = node.child_by_field_name("argument")
            is_literal = argument is not None and bare(argument).type == "number_literal"
            pending += [argument] if argument is not None and operator_of(node) in ("~", "-") and not is_literal else []
        elif kind == "binary_expression":
            pending += _operands(node)
        elif kind == "conditional_expression":
            pending += [side for field in ("consequence", "alternative") if (side := node.child_by_field_name(field))]
        elif kind == "comma_expression":
            pending += [side] if (side := node.child_by_field_name("right")) is not None else []
        elif kind == "call_expression" and (passed := _passed_through(node)) is not None:
            pending.append(passed)
        elif kind == "call_expression" and _LOAD.fullmatch(text_of(callee(node))) and arguments_of(node):
            if spelling(pointee_of(names_of(flow.unit), arguments_of(node)[0])).width is Width.NARROW:
                yield node
        elif (given := _given_beside_masks(flow, node)) is not None:
            pending += given
        elif _is_narrow_name(flow, node):
            yield node


def _names_all(text: bytes) -> bool:
    """The number names lanes however many there are, and is written in 64 bits."""
    return is_all_lanes(text) or is_all_but_first(text) or is_repeated(text)


def _operands(node: Node) -> list[Node]:
    """The operands that an operation takes its bits from."""
    operator = operator_of(node)
    fields = ("left", "right") if operator in _BITS else ("left",) if operator in ("<<", ">>") else ()
    return [side for field in fields if (side := node.child_by_field_name(field)) is not None]


def _given_beside_masks(flow: Following, node: Node) -> list[Node] | None:
    """What the uses of a macro give for a parameter where they give a mask as well; None for any other name."""
    macro = flow.macros.around(node.start_byte)
    if macro is None or macro.parameters is None or text_of(node) not in macro.parameters:
        return None
    position, found = macro.parameters.index(text_of(node)), []
    for leaf in flow.names.mentions(macro.name):
        call = call_of(leaf)
        arguments = arguments_of(call) if call is not None else []
        others = (argument for at, argument in enumerate(arguments) if at != position)
        if position < len(arguments) and any(flow.kinds.of(other) & Kind.MASK for other in others):
            found.append(arguments[position])
    return found


def _is_narrow_name(flow: Following, node: Node) -> bool:
    """A variable, an element, a member or a call of 32 bits that no mask is put into."""
    if node.type == "call_expression":
        leaf = callee(node)
        if leaf is None or not flow.names.functions(text_of(leaf)):
            return False
    else:
        leaf = name_in(_indexed(node))
    declared = flow.names.meant_by(leaf) if leaf is not None else ()
    if leaf is not None and (any(map(flow.is_widened, declared)) or flow.is_small(leaf)):
        return False
    return spelling(type_of(names_of(flow.unit), node)).width is Width.NARROW


def _indexed(node: Node) -> Node:
    """What an element is taken of."""
    while node.type in ("subscript_expression", "pointer_expression"):
        inner = node.child_by_field_name("argument")
        if inner is None:
            break
        node = bare(inner)
    return node


def _passed_through(call: Node) -> Node | None:
    """What a built-in gives back with as many bits as it has: what it shuffles, turns or loads."""
    name, arguments = text_of(callee(call)), arguments_of(call)
    shuffle = _SHUFFLE.fullmatch(name)
    if shuffle is not None:
        return arguments[1 if shuffle[1] else 0] if len(arguments) > 1 else None
    return arguments[0] if name == b"__brev" and arguments else None


def asks_for_sign(flow: Following, comparison: Node, mask: Node) -> bool:
    """`votes < 0`: what has a sign in CUDA, whose bit is that of lane 31."""
    if operator_of(comparison) not in _ORDERED:
        return False
    mask = bare(mask)
    cast = cast_of(mask)
    if cast is not None:
        return _SIGNED.fullmatch(flow.data[cast.start : cast.end].strip()) is not None
    leaf = callee(mask) if mask.type == "call_expression" else name_in(mask)
    declared = flow.names.meant_by(leaf) if leaf is not None else ()
    return any(found.type is not None and _SIGNED.fullmatch(text_of(found.type)) for found in declared)
