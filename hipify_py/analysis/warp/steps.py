"""Statements in which a thread reads what another wrote in the step before: `s[i] += s[i + distance];`"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.semantics.expressions import bare, name_in, operator_of, parts_of, text_of
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


class Step:
    """`s[i] += s[i + distance];`: what a thread reads is what another wrote in the step before.

    Attributes:
        array: the memory's name.
        index: the text of the thread's own index.
        sign: `+` or `-`, in front of the distance.
        distance: the distance's node.
        start: where the statement begins.
        end: where it ends, its semicolon included.
        statement: its node.
        previous: the step that this one goes on from; None for the steps of a loop.
    """

    __slots__ = ("array", "distance", "end", "index", "previous", "sign", "start", "statement")

    def __init__(
        self,
        array: bytes,
        index: bytes,
        sign: str,
        distance: Node,
        start: int,
        end: int,
        statement: Node,
        previous: Step | None = None,
    ) -> None:
        self.array = array
        self.index = index
        self.sign = sign
        self.distance = distance
        self.start = start
        self.end = end
        self.statement = statement
        self.previous = previous


def steps_of(unit: Unit, function: Function) -> list[Step]:
    """The steps of a function, in the order of their places, whatever stands between them."""
    if function.body is None:
        return []
    steps = map(_step, unit.tree.nodes("assignment_expression", within=function.body))
    return sorted((step for step in steps if step is not None), key=lambda step: step.start)


def _step(node: Node) -> Step | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    target = element(left)
    if target is None or right is None:
        return None
    statement = node.parent
    if statement is None or statement.type != "expression_statement":
        return None
    array, index = target
    for other in _elements_in(right):
        if other[0] != array:
            continue
        shifted = bare(other[1])
        if shifted.type == "binary_expression" and operator_of(shifted) in ("+", "-"):
            base, distance = shifted.child_by_field_name("left"), shifted.child_by_field_name("right")
            if base is not None and distance is not None and text_of(base) == text_of(index):
                return Step(
                    array,
                    text_of(index),
                    operator_of(shifted),
                    bare(distance),
                    statement.start_byte,
                    statement.end_byte,
                    statement,
                )
    return None


def element(node: Node | None) -> tuple[bytes, Node] | None:
    """The memory and the index of `s[i]`."""
    node = bare(node) if node is not None else None
    if node is None or node.type != "subscript_expression":
        return None
    leaf, indices = name_in(node.child_by_field_name("argument")), node.child_by_field_name("indices")
    entries = indices.named_children if indices is not None else []
    return (text_of(leaf), bare(entries[0])) if leaf is not None and len(entries) == 1 else None


def _elements_in(root: Node) -> Iterator[tuple[bytes, Node]]:
    for node in parts_of(root):
        found = element(node) if node.type == "subscript_expression" else None
        if found is not None:
            yield found
