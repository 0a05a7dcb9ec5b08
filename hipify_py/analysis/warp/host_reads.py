"""Where host code reads the size of the device's warps: the field of its properties, and its attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.expression_types import type_of
from hipify_py.semantics.expressions import NAMES, call_of, is_same, operator_of, text_of
from hipify_py.semantics.group_types import is_open
from hipify_py.semantics.symbols import Names, names_of

if TYPE_CHECKING:
    from tree_sitter import Node

QUERIES = frozenset({"cudaDeviceGetAttribute", "cuDeviceGetAttribute"})
"""The functions that return a device's attributes."""
_FIELD = b"warpSize"
_PROPERTIES = re.compile(rb"(?i)prop")
"""A part of the name of each type that holds a device's properties, CUDA's or a project's."""
_SIZE = re.compile(rb"\b(?:cudaDevAttrWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE|hipDeviceAttributeWarpSize)\b|\A10\Z")
_OTHER = re.compile(rb"\b(?:cudaDevAttr|CU_DEVICE_ATTRIBUTE_|hipDeviceAttribute)\w+")


def may_query_warp_size(unit: Unit, use: Use) -> bool:
    """Whether a call of one of `QUERIES` reads the size of warps, or an attribute that a variable names."""
    call = call_at(unit, use.end)
    if call is None or len(call.arguments) < 2:
        return False
    attribute = unit.source.data[slice(*call.arguments[1])].strip()
    return _SIZE.search(attribute) is not None or _OTHER.search(attribute) is None


def queries_warp_size(unit: Unit) -> bool:
    """Whether host code of a source reads the size of the device's warps."""
    calls = (use for use in unit.uses if use.row.name in QUERIES)
    return any(may_query_warp_size(unit, use) for use in calls) or next(size_fields(unit), None) is not None


def size_fields(unit: Unit) -> Iterator[Node]:
    """The expressions that read `warpSize` of a device's properties.

    A field of that name in a type of the project's own holds what the project has put there. A type that is unknown may
    be
    CUDA's.
    """
    if b"." + _FIELD not in unit.source.data and b"->" + _FIELD not in unit.source.data:
        return
    names = names_of(unit)
    for leaf in names.mentions(_FIELD):
        member = leaf.parent
        if leaf.type != "field_identifier" or member is None or member.type != "field_expression":
            continue
        object = member.child_by_field_name("argument")
        if call_of(leaf) is None and not _is_of_own_type(names, object) and not _is_assigned(member):
            yield member


def _is_of_own_type(names: Names, object: Node | None) -> bool:
    """Whether an object's type is the project's own and does not hold a device's properties, judged by its name.

    A pointer or a container of another type may lead to them.
    """
    type = type_of(names, object)
    if object is None or object.type == "this" or (type and names.is_declared(type)):
        return object is not None
    declared = names.resolve(object) if object.type in NAMES else ()
    types = [one.type for one in declared]
    return bool(types) and all(
        type is not None
        and type.type == "type_identifier"
        and _PROPERTIES.search(text_of(type)) is None
        and not is_open(text_of(type), type)
        for type in types
    )


def _is_assigned(member: Node) -> bool:
    """Whether the field is assigned, incremented or decremented, or its address is taken."""
    parent = member.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return is_same(parent.child_by_field_name("left"), member)
    return parent.type == "update_expression" or (parent.type == "pointer_expression" and operator_of(parent) == "&")
