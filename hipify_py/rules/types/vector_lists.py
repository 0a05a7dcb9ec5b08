"""Braced initializers of vector types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.core.edits import Edit
from hipify_py.core.patterns import lazy_pattern
from hipify_py.semantics.expressions import NAMES, compact, entries_of, is_same, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = lazy_pattern(rb"[-+]?(?:0[xX][\da-fA-F]+|\d*\.?\d+\.?(?:[eE][-+]?\d+)?)[uUlLfF]*")
_ZERO = lazy_pattern(rb"0[uUlL]*|0?\.0*[fF]?|0\.?[fF]?")


def initializer_lists(name: Node | None) -> Iterator[tuple[Node, int]]:
    """The braced initializers of a named type, each with the dimensions of the array above them."""
    while name is not None and name.parent is not None and name.parent.type == "qualified_identifier":
        name = name.parent
    around = name.parent if name is not None else None
    if around is None or not is_same(around.child_by_field_name("type"), name):
        return
    if around.type == "compound_literal_expression":
        values = around.child_by_field_name("value")
        if values is not None:
            yield values, 0
    elif around.type in ("declaration", "field_declaration"):
        for declarator in around.children_by_field_name("declarator"):
            value = around.child_by_field_name("default_value")
            if declarator.type == "init_declarator":
                value, inner = declarator.child_by_field_name("value"), declarator.child_by_field_name("declarator")
                declarator = inner if inner is not None else declarator
            depth = 0
            while declarator.type == "array_declarator":
                depth += 1
                declarator = declarator.child_by_field_name("declarator") or declarator.named_children[0]
            if value is not None and value.type == "initializer_list" and declarator.type in NAMES:
                yield value, depth


def complete(values: Node, size: int, depth: int) -> Iterator[Edit]:
    """The edits that complete a braced list, `depth` array dimensions above its vectors."""
    items = entries_of(values)
    if not items or values.has_error:
        return
    if depth:
        inner = [item for item in items if item.type == "initializer_list"]
        for item in inner:
            yield from complete(item, size, depth - 1)
        if not inner and all(_NUMBER.fullmatch(compact(item)) is not None for item in items):
            if len(items) == 1 and _ZERO.fullmatch(text_of(items[0])) is not None:
                yield Edit(items[0].start_byte, items[0].end_byte, b"")
            elif depth == 1:
                yield from _group(items, size)
        return
    designated = [item for item in items if item.type == "initializer_pair"]
    if designated:
        named = [item.child_by_field_name("value") for item in designated]
        names = b"".join(compact(item.child_by_field_name("designator")).removeprefix(b".") for item in designated)
        if len(names) != len(items) or not b"xyzw".startswith(names):
            return
        for item, value in zip(designated, named, strict=True):
            if value is not None:
                yield Edit(item.start_byte, value.start_byte, b"")
    elif len(items) == 1 and _NUMBER.fullmatch(compact(items[0])) is None:
        return  # a vector to copy, as likely as a number
    if len(items) < size and all(item.type != "initializer_list" for item in items):
        end = items[-1].end_byte
        yield Edit(end, end, b", 0" * (size - len(items)))


def _group(items: list[Node], size: int) -> Iterator[Edit]:
    """Braces around each vector's numbers, the last one padded."""
    for first in range(0, len(items), size):
        group = items[first : first + size]
        yield Edit(group[0].start_byte, group[0].start_byte, b"{")
        yield Edit(group[-1].end_byte, group[-1].end_byte, b", 0" * (size - len(group)) + b"}")
