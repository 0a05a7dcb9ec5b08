"""Masks that are given to functions of other files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.analysis.warp.masks.following import Following
from hipify_py.analysis.warp.masks.handed_on import parameters_at
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.evidence import DEDUCED
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.doubts import declared_parameters
from hipify_py.semantics.expressions import NAMES, entries_of, text_of
from hipify_py.semantics.integer_types import Width
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_TEMPLATES = frozenset({"template_function", "template_type", "template_method"})
_FOR_ANY_TYPE = re.compile(
    rb"__\w+|popcount|count[lr]_(?:zero|one)|bit_(?:cast|width|floor|ceil)|has_single_bit|rot[lr]|exchange|forward|move"
    rb"|min|max|swap|assert|to_string|printf|[A-Z_][A-Z0-9_]*|hip\w+|cuda\w+|sizeof|\w+_cast|atomic\w*|get|make_\w+"
)
"""Functions that have an overload for 64 bits, or are templates; macros of other files; those of HIP."""


def given_parameters(unit: Unit, names: PartedNames) -> Iterator[Declaration]:
    """The parameters of a source's functions that other files of the project give masks."""
    yield from parameters_at(names, {found[:2] for found in unit.project.mask_parameters})


def is_foreign(flow: Following, leaf: Node) -> bool:
    """A call is of a function that this source does not declare, by its name alone at least."""
    name = text_of(leaf)
    if leaf.type not in NAMES:
        return False  # `this->template f<N>(mask)`
    declared = flow.names.is_declared(name) or flow.names.meant_by(leaf) or flow.macros.named(name)
    return not declared


def into_foreign(flow: Following, call: Node, leaf: Node, position: int) -> None:
    """A mask is an argument of another file's function: that is widened there, or has to be."""
    name = text_of(leaf)
    known = [
        found for found in flow.unit.project.mask_parameters if (found.function, found.position) == (name, position)
    ]
    for found in known:
        _widen_arguments(flow, leaf, found.template, found.place)
    is_reported = not known and not _FOR_ANY_TYPE.fullmatch(name) and name not in flow.unit.project.warp_helpers.using
    if is_reported and not _takes_wide(flow.unit, leaf, position):
        flow.report("HIP320", call.start_byte, name, f"the parameter of {name.decode(errors='replace')}")


def _takes_wide(unit: Unit, leaf: Node, position: int) -> bool:
    """A compiler's view of the source says that a parameter has 64 bits, or the type of what it is given."""
    declared = declared_parameters(unit, leaf, position)
    return bool(declared) and all(type.width in (Width.WIDE.value, DEDUCED) for type in declared)


def _widen_arguments(flow: Following, leaf: Node, template: bytes, index: int) -> None:
    """The type that a call writes down for the parameter of a template around it: `Group<unsigned>::rank(mask)`."""
    node = leaf.parent
    while node is not None and node.type != "call_expression":
        scope = node.child_by_field_name("scope") if node.type == "qualified_identifier" else None
        for part in (node, scope):
            if part is not None and part.type in _TEMPLATES and text_of(part.child_by_field_name("name")) == template:
                arguments = part.child_by_field_name("arguments")
                entries = entries_of(arguments) if arguments is not None else []
                if index < len(entries):
                    flow.widen_type(entries[index])
        node = node.parent
