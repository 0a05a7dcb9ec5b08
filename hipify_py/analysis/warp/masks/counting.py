"""The functions that count or turn the bits of a mask, and the numbers around them that mean 32 lanes."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.masks.built_ins import COUNTED_IN_LL
from hipify_py.analysis.warp.masks.literals import WHOLE
from hipify_py.edits import Edit
from hipify_py.semantics.device_code import in_device_code, is_surely_host_code
from hipify_py.semantics.expressions import (
    argument_position,
    bare,
    callee,
    is_same,
    operator_of,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from hipify_py.analysis.warp.masks.following import Following

_FROM_THE_TOP = {b"31": b"63", b"32": b"64"}
_CALLED_WARP_SIZE = re.compile(rb"k?[Ww]arp_?[Ss]ize|\w*WARP_?SIZE\w*|kWarpThreads|WARP_THREADS")
_SET_APART = frozenset(
    {"argument_list", "parenthesized_expression", "init_declarator", "assignment_expression", "return_statement"}
)
_COUNTS_UPPER = frozenset({b"__popc", b"__builtin_popcount", b"__clz", b"__builtin_clz"})
"""What looks at the upper half of a mask, whatever is in the lower one."""
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_UP_TO = {"<": b"32", "!=": b"32", "<=": b"31"}


def count(flow: Following, call: Node, argument: Node, *, inverted: bool) -> None:
    """A call counts a mask's bits: 64 of them, of which the upper half is none on 32-lane GPUs."""
    leaf = callee(call)
    name = text_of(leaf)
    if leaf is None:
        return
    if name == b"__brev":
        turned(flow, call, leaf)
        return
    if name in _COUNTS_UPPER and flow.is_written(argument):
        only_there(flow, argument)
    starts_at_the_top = text_of(bare(argument)).startswith(b"__brev") or is_pushed_up(argument)
    if name == b"__clz" and not starts_at_the_top and not _is_from_the_top(flow, call):
        # 32 more than __clz where a wavefront has 64 lanes, and as much as __clz where it has 32
        flow.put(leaf.start_byte, leaf.end_byte, b"(" + COUNTED_IN_LL[name])
        flow.put(call.end_byte, call.end_byte, b" - (64 - warpSize))")
        return
    flow.put(leaf.start_byte, leaf.end_byte, COUNTED_IN_LL[name])
    if inverted and name not in (b"__clz", b"__builtin_clz"):
        only_lanes(flow, argument)
    if name == b"__builtin_clz" and not starts_at_the_top and not _is_from_the_top(flow, call):
        is_for_cuda = not flow.unit.is_hip and in_device_code(flow.unit, call.start_byte)
        fix = [Edit(leaf.start_byte, leaf.end_byte, b"__clz")] if is_for_cuda else []
        flow.report("HIP321", call.start_byte, text_of(call), fix=fix)
    elif name in (b"__popc", b"__builtin_popcount"):
        _compared_with_all(flow, call)


def counted_from_the_top(flow: Following, amount: Node) -> bool:
    """Make a distance from the highest of 32 bits one from the highest of 64: `31 - lane`, `WARP_SIZE - n`."""
    whole = _minuend(amount)
    of_64 = _of_64(whole)
    if whole is None or of_64 is None:
        return False
    flow.put(whole.start_byte, whole.end_byte, of_64)
    return True


def pushed_up(flow: Following, shift: Node, amount: Node) -> None:
    """`mask << (31 - lane)` puts a lane at the highest bit, whence it is counted or brought down again."""
    if counted_from_the_top(flow, amount):
        node = shift
        while node.parent is not None and node.parent.type == "parenthesized_expression":
            node = node.parent
        back = node.parent
        distance = back.child_by_field_name("right") if back is not None and operator_of(back) == ">>" else None
        if distance is not None and text_of(distance).rstrip(b"uU") == b"31":
            flow.put(distance.start_byte, distance.end_byte, b"63")
    elif text_of(amount) == b"32" or ((whole := _minuend(amount)) and text_of(whole) not in (b"63", b"64")):
        flow.report("HIP325", shift.start_byte, text_of(shift))


def is_pushed_up(node: Node) -> bool:
    """The expression is `mask << (31 - lane)`: the lane's bit is the highest."""
    shift = bare(node)
    amount = shift.child_by_field_name("right") if operator_of(shift) == "<<" else None
    if amount is None:
        return False
    whole = _minuend(amount)
    is_one_less = not is_same(whole, bare(amount).child_by_field_name("left"))
    return _of_64(whole) == (b"64" if is_one_less else b"63")


def _minuend(amount: Node) -> Node | None:
    """What the distance `31 - lane` or `WARP_SIZE - 1 - lane` is counted from."""
    difference = bare(amount)
    whole = difference.child_by_field_name("left") if operator_of(difference) == "-" else None
    one_less = bare(whole) if whole is not None else None
    if one_less is not None and operator_of(one_less) == "-":
        last = text_of(one_less.child_by_field_name("right")).rstrip(b"uU")
        return one_less.child_by_field_name("left") if last == b"1" else None
    return whole


def _of_64(whole: Node | None) -> bytes | None:
    text = text_of(whole).rstrip(b"uU")
    return _FROM_THE_TOP.get(text) or (b"64" if _CALLED_WARP_SIZE.fullmatch(text) else None)


def only_lanes(flow: Following, node: Node) -> None:
    """`~mask` has bits where a 32-lane GPU has no lanes: leave the lanes alone."""
    if bare(node).type != "unary_expression" or _is_for_the_host(flow, node):
        return
    only_there(flow, node)


def compare_with_all(flow: Following, node: Node, other: Node, *, is_literal: bool) -> None:
    """`mask == 0xffffffff` asks for all lanes of the wavefront, however many it has."""
    if _is_for_the_host(flow, node):
        return
    if is_literal:
        flow.put(other.start_byte, other.end_byte, WHOLE)
    else:
        flow.put(other.start_byte, other.start_byte, b"(")
        flow.put(other.end_byte, other.end_byte, b" >> (64 - warpSize))")
    if flow.is_written(node):  # a mask that was written down has its upper half on 32-lane GPUs too
        only_there(flow, node)


def only_there(flow: Following, node: Node) -> None:
    """Leave the lanes alone that a 32-lane GPU has: the mask was written down with 64 of them."""
    stands_alone = node.parent is not None and node.parent.type in _SET_APART
    if not stands_alone:
        flow.put(node.start_byte, node.start_byte, b"(")
    flow.put(node.end_byte, node.end_byte, b" & " + WHOLE + (b"" if stands_alone else b")"))


def tested_in_loop(flow: Following, index: Node) -> None:
    """A loop over the lanes of a mask that ends with lane 31."""
    node, name = index.parent, text_of(bare(index))
    for _ in range(40):
        if node is None or node.type in ("function_definition", "lambda_expression"):
            return
        if node.type == "for_statement":
            condition = node.child_by_field_name("condition")
            if condition is not None and condition.type == "binary_expression":
                left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
                if text_of(left) == name and right is not None:
                    if text_of(right).rstrip(b"uU") == _UP_TO.get(operator_of(condition)):
                        _report_loop(flow, right, operator_of(condition))
                    return
        node = node.parent


def _report_loop(flow: Following, bound: Node, operator: str) -> None:
    fix: list[Edit] = []
    if not is_surely_host_code(flow.unit, bound):
        fix = [Edit(bound.start_byte, bound.end_byte, b"warpSize" if operator != "<=" else b"warpSize - 1")]
    if fix and flow.unit.options.mends("mask-loops", "HIP322"):
        flow.put(*fix[0])
    else:
        flow.report("HIP322", bound.start_byte, text_of(bound), fix=fix)


def turned(flow: Following, call: Node, leaf: Node) -> None:
    """`__brev(mask)`: the turned lanes begin at bit 0, so they come down from bit 63 where there are 32 of them.

    `__clz(__brev(mask))` is the lowest lane, counted from the other end, and right as it is.
    """
    within = argument_position(call)
    if within is not None and text_of(callee(within[0])) in (b"__clz", b"__builtin_clz"):
        flow.put(leaf.start_byte, leaf.end_byte, b"__brevll")
    else:
        flow.put(leaf.start_byte, leaf.end_byte, b"(__brevll")
        flow.put(call.end_byte, call.end_byte, b" >> (64 - warpSize))")


def _is_from_the_top(flow: Following, call: Node) -> bool:
    """`31 - __clz(mask)` is the highest lane; so is `63 - __clzll(mask)`, on 32-lane GPUs too: it is written so."""
    node = call
    while node.parent is not None and node.parent.type in ("parenthesized_expression", "cast_expression"):
        node = node.parent
    parent = node.parent
    if parent is not None and parent.type == "binary_expression":
        left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
        operator = operator_of(parent)
        other = left if is_same(right, node) else right
        if other is not None and (operator == "^" or (operator == "-" and is_same(right, node))):
            whole = _FROM_THE_TOP.get(text_of(other).rstrip(b"uU"))
            if whole is not None and (operator == "-" or whole == b"63"):
                flow.put(other.start_byte, other.end_byte, whole)
                return True
            return text_of(other) in (b"63", b"64")
    return False


def _compared_with_all(flow: Following, call: Node) -> None:
    """`__popc(mask) == 32` asks for all lanes of the wavefront."""
    parent = call.parent
    if parent is None or parent.type != "binary_expression" or operator_of(parent) not in _COMPARISONS:
        return
    left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
    other = right if is_same(left, call) else left
    if other is not None and text_of(other).rstrip(b"uU") == b"32" and not _is_for_the_host(flow, call):
        flow.put(other.start_byte, other.end_byte, b"warpSize")


def _is_for_the_host(flow: Following, node: Node) -> bool:
    """The host does not know how many lanes there are (warpSize is for device code): it is told that it should."""
    if not is_surely_host_code(flow.unit, node):
        return False
    flow.report("HIP324", node.start_byte, text_of(node))
    return True
