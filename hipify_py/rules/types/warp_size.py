"""Casts `warpSize` where an object will not do for an int."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

_CALL = re.compile(rb"(?<![\w.>])(f?printf|std\s*::\s*(?:min|max))(?=\s*\()")


class WarpSizeObject(Rule):
    """`warpSize` is an object since HIP 7, which converts to int where an int is asked for.

    Neither the variable arguments of `printf` nor the template parameter of `std::min` ask for one, so it is cast
    there. Everywhere else it stays, and so does a variable of that name which the source declares itself.
    """

    id = "warp-size-object"
    triggers = words("warpSize")
    VALID = (
        Example("__global__ void k(int *x) { x[0] = min(warpSize, 3); }"),
        Example('__global__ void k() { printf("%d", warpSize / 2); }'),
        Example('void f(int warpSize) { printf("%d", warpSize); }'),
    )
    INVALID = (
        Example(
            '__global__ void k() { printf("%d", warpSize); }',
            '__global__ void k() { printf("%d", static_cast<int>(warpSize)); }',
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        data, lexemes = unit.source.data, unit.lexemes
        for call in _CALL.finditer(data):
            if lexemes.non_code_at(call.start()) is not None:
                continue
            found = call_at(unit, call.end())
            if found is None:
                continue
            for start, end in found.arguments:
                if data[start:end] == b"warpSize" and not _is_own(unit, start, end):
                    yield Edit(start, start, b"static_cast<int>(")
                    yield Edit(end, end, b")")


def _is_own(unit: Unit, start: int, end: int) -> bool:
    """The name means what the source declares by it."""
    if any(define.text == b"warpSize" for define in unit.lexemes.defines):
        return True
    leaf = unit.tree.leaf(start, end)
    return leaf is not None and bool(names_of(unit).meant_by(leaf))
