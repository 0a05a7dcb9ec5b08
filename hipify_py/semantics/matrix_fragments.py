"""The types of matrix fragments, with their template arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.expressions import entries_of

if TYPE_CHECKING:
    from tree_sitter import Node

FRAGMENT = "nvcuda::wmma::fragment"
_ELEMENT = 4
_INSTANCES = ("template_type", "template_function")


class FragmentType(NamedTuple):
    """A type `fragment<use, m, n, k, element, layout>`.

    Attributes:
        use: the use of its name.
        node: the name with its arguments.
        shape: the nodes of m, n and k.
        element: the node of the element's type; None where it is left out.
    """

    use: Use
    node: Node
    shape: tuple[Node, ...]
    element: Node | None


def fragment_types(unit: Unit) -> Iterator[FragmentType]:
    """The fragments that a source names with their arguments, in source order."""
    for use in unit.uses:
        if use.row.name != FRAGMENT:
            continue
        node = ancestor(unit.tree.leaf(use.end - 1, use.end), *_INSTANCES)
        name = node.child_by_field_name("name") if node is not None else None
        arguments = node.child_by_field_name("arguments") if node is not None else None
        if node is None or name is None or arguments is None or name.end_byte != use.end:
            continue
        entries = entries_of(arguments)
        element = entries[_ELEMENT] if len(entries) > _ELEMENT else None
        yield FragmentType(use, node, tuple(entries[1:_ELEMENT]), element)
