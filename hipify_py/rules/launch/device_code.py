"""Tells device code from the host's."""

from __future__ import annotations

import re

from hipify_py.frontend.syntax import ancestor
from hipify_py.unit import Unit

_BRACES = re.compile(rb"[{}]")


def in_device_code(unit: Unit, place: int) -> bool:
    """Inside the body of a `__global__` or `__device__` function (one that is not `__host__` as well).

    The brackets since the last such keyword rule it out nearly everywhere in host code; the tree has the last word.
    """
    if not _may_be_device_code(unit, place):
        return False
    node = unit.tree.leaf(place, place + 1)
    function = ancestor(node, "function_definition")
    body = function.child_by_field_name("body") if function is not None else None
    if function is None or body is None:
        return False
    head = unit.source.data[function.start_byte : body.start_byte]
    return b"__global__" in head or (b"__device__" in head and b"__host__" not in head)


def _may_be_device_code(unit: Unit, place: int) -> bool:
    """More brackets open than close between the nearest `__global__` or `__device__` and the place."""
    data, lexemes = unit.source.data, unit.lexemes
    keyword = max(data.rfind(b"__global__", 0, place), data.rfind(b"__device__", 0, place))
    if keyword < 0:
        return False
    depth = 0
    for mark in _BRACES.finditer(data, keyword, place):
        if lexemes.skip_at(mark.start()) is None:
            depth += 1 if mark[0] == b"{" else -1
            if depth == 0:
                return False  # the function's body has ended
    return depth > 0
