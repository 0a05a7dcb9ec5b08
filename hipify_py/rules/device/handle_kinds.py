"""Declarations of handles with the type of the other kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import uses

_TYPES = {"cudaSurfaceObject_t": b"hipTextureObject_t", "cudaTextureObject_t": b"hipSurfaceObject_t"}
_NAME = re.compile(rb"\s+(\w+)")


class HandleKinds(Rule):
    """`cudaTextureObject_t` and `cudaSurfaceObject_t` are the same number, and different pointers in HIP.

    A variable or member that holds textures only, and is declared as a surface, gets the type of what it holds.
    (popsift's octaves have such members.)
    """

    id = "handle-kinds"
    triggers = uses(*_TYPES)
    VALID = (Example("struct S { hipSurfaceObject_t tex; };"),)

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        names = unit.project.other_handles
        if unit.options.dual or not names:
            return
        for use in unit.uses:
            match = _NAME.match(unit.source.data, use.end) if use.row.name in _TYPES else None
            if match is not None and match[1] in names:
                yield replaced(use.start, use.end, _TYPES[use.row.name])
