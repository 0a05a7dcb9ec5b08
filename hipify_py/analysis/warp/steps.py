"""Statements in which a thread reads what another wrote in the step before: `s[i] += s[i + distance];`"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.patterns import lazy
from hipify_py.semantics.expressions import bare, name_in, operator_of, parts_of, text_of
from hipify_py.semantics.functions import Function
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


_ELEMENT_SET = lazy(rb"\][\s\\)]*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)([^;]*)|/[/*])")
_COMMENT_OR_LITERAL = lazy(rb"/[/*]|[\"']")
_IN_NAMES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_BLANKS = b" \t\r\n\\"


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


def may_have_steps(data: bytes) -> bool:
    """False only for a text in which no statement sets an element and reads another of the same memory.

    Most sources have none, and need no tree for the question.
    """
    return any(_may_be_step(data, found) for found in _ELEMENT_SET.finditer(data))


def _may_be_step(data: bytes, found: re.Match[bytes]) -> bool:
    right, opening = found[1], data.rfind(b"[", 0, found.start())
    if right is None or _COMMENT_OR_LITERAL.search(right) is not None:
        return True  # a comment may hide where the statement goes on
    index = data[opening + 1 : found.start()].strip(_BLANKS + b"()")
    if b"]" in index or _COMMENT_OR_LITERAL.search(index) is not None:
        return b"[" in right  # an element is the index itself, and `opening` belongs to it
    before = data[max(opening - 100, 0) : opening].rstrip(_BLANKS)
    memory = before[len(before.rstrip(_IN_NAMES)) :]
    behind = (rest.lstrip(_BLANKS + b")")[:1] for rest in right.split(index)[1:]) if index else ()
    return memory in right and any(sign in (b"+", b"-") for sign in behind)


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
