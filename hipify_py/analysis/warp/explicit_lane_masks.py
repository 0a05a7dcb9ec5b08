"""Masks that name just the lanes that get to where they are used."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, LOOP, conjuncts, control_flow_of
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.expressions import bare, cast_of, compact, name_in, operator_of, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_COLUMN, _ROW = frozenset((b"threadIdx.x",)), frozenset((b"threadIdx.y", b"blockDim.x"))
_LANES = 32
_GUARDS = frozenset({IF, CHOICE, LEFT, LOOP})
_BELOW = {"<": ("left", "right"), ">": ("right", "left")}
_AT_LEAST = {">=": ("left", "right"), "<=": ("right", "left")}


def names_active_lanes(unit: Unit, place: int, mask: bytes) -> bool:
    """A mask of the lowest `n` lanes, where only the first `n` threads of a block get: right on any wavefront.

    A number below 32 lanes in the first row of a block names the row: whoever wrote it knows that it is so short.
    """
    function = functions_of(unit).at(place)
    node = unit.tree.leaf(place, place + len(mask))
    if function is None or node is None or node.start_byte != place:
        return False
    counts = [_count(value) for value in _values(unit, node)]
    if not counts or any(count is None for count in counts):
        return False
    conditions = [
        part
        for guard in control_flow_of(unit, function).around(place)
        if guard.kind in _GUARDS and guard.condition is not None
        for part in conjuncts(guard.condition, guard.holds)
    ]
    if all(any(_is_below(unit, part, holds, count) for part, holds in conditions) for count in counts):
        return True
    is_number = _number(bare(node)) is not None
    return is_number and any(_is_first_row(part, holds) for part, holds in conditions)


def _values(unit: Unit, node: Node) -> Iterator[Node | None]:
    """What a mask may be: all that a name is set to, or the expression itself."""
    leaf = name_in(bare(node))
    if leaf is None:
        yield node
        return
    for found in names_of(unit).meant_by(leaf):
        if found.kind == "parameter":
            yield None
        for definition in definitions_of(unit).of(found):
            yield definition.value if definition.operator == "=" else None


def _count(value: Node | None) -> bytes | None:
    """`n` of `(1u << n) - 1`, or of a number of as many bits; None for any other value."""
    if value is not None and (bits := _number(bare(value))) is not None:
        return b"%d" % bits
    difference = bare(value) if value is not None else None
    if difference is None or operator_of(difference) != "-" or not _is_one(difference.child_by_field_name("right")):
        return None
    shift = difference.child_by_field_name("left")
    shift = bare(shift) if shift is not None else None
    if shift is None or operator_of(shift) != "<<" or not _is_one(shift.child_by_field_name("left")):
        return None
    count = shift.child_by_field_name("right")
    return text_of(bare(count)) if count is not None else None


def _number(node: Node) -> int | None:
    """The bits of a literal `2**n - 1` that are fewer than the lanes of a warp; None for any other expression."""
    if node.type != "number_literal":
        return None
    try:
        mask = int(text_of(node).replace(b"'", b"").rstrip(b"uUlL"), 0)
    except ValueError:  # an octal number, or one with a point
        return None
    bits = mask.bit_length()
    return bits if 0 < bits < _LANES and mask == (1 << bits) - 1 else None


def _is_first_row(condition: Node, holds: bool) -> bool:
    """A condition says that the thread is of its block's first row."""
    text = compact(bare(condition)).translate(None, b"()")
    if holds:
        return text in (b"threadIdx.y==0", b"0==threadIdx.y", b"!threadIdx.y", b"threadIdx.y<1")
    return text in (b"threadIdx.y!=0", b"0!=threadIdx.y", b"threadIdx.y", b"threadIdx.y>0", b"threadIdx.y>=1")


def _is_one(node: Node | None) -> bool:
    return node is not None and text_of(bare(node)).rstrip(b"uUlL") == b"1"


def _is_below(unit: Unit, condition: Node, holds: bool, count: bytes | None) -> bool:
    """A condition says that the number of the thread is below a count."""
    condition = bare(condition)
    sides = (_BELOW if holds else _AT_LEAST).get(operator_of(condition))
    if sides is None:
        return False
    thread, limit = (condition.child_by_field_name(side) for side in sides)
    if thread is None or limit is None:
        return False
    bound = text_of(bare(limit))
    return count in (bound, bound.rstrip(b"uUlL")) and _is_thread(unit, thread)


def _is_thread(unit: Unit, node: Node) -> bool:
    """The thread's index in its block, or a variable that is set to it and to nothing else."""
    node = bare(node)
    cast = cast_of(node)
    if cast is not None:
        node = bare(cast.value)
    if _is_index(node):
        return True
    leaf = name_in(node)
    if leaf is None or leaf.parent is None or leaf.parent.type == "field_expression":
        return False
    values = [definition for found in names_of(unit).meant_by(leaf) for definition in definitions_of(unit).of(found)]
    return bool(values) and all(
        definition.value is not None and definition.operator == "=" and _is_thread_itself(definition.value)
        for definition in values
    )


def _is_thread_itself(value: Node) -> bool:
    cast = cast_of(bare(value))
    return _is_index(bare(cast.value if cast is not None else value))


def _is_index(node: Node) -> bool:
    """`threadIdx.x`, or the index in a block of rows, in whatever order."""
    terms = [frozenset(map(compact, _operands(term, "*"))) for term in _operands(node, "+")]
    return terms == [_COLUMN] or sorted(terms, key=len) == [_COLUMN, _ROW]


def _operands(node: Node, operator: str) -> list[Node]:
    """What a sum or product adds or multiplies, casts to integers looked through; any other expression itself."""
    node = bare(node)
    cast = cast_of(node)
    if cast is not None:
        return _operands(cast.value, operator)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or operator_of(node) != operator or left is None or right is None:
        return [node]
    return _operands(left, operator) + _operands(right, operator)
