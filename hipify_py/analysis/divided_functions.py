"""The functions that reach operations of one kind in different branches of a statement.

Most sources have none with a barrier or a warp operation in two branches. This module finds out without the modules
that lower functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.functions import Function, functions_of

_BRANCHES = lazy_pattern(rb"\b(?:else|return|switch|break|continue)\b|[?]")


def functions_with_branches(unit: Unit, offsets: Iterable[int]) -> list[Function]:
    """The functions with operations at two of some offsets in different branches.

    A call of a function that has such an operation counts as one.
    """
    functions: dict[int, Function] = {}
    places: dict[int, list[int]] = {}
    visited: set[bytes] = set()
    pending = list(offsets)
    while pending:
        place = pending.pop()
        function = functions_of(unit).at(place)
        if function is None or place <= function.start:
            continue
        functions[function.start] = function
        places.setdefault(function.start, []).append(place)
        if function.name not in visited:
            visited.add(function.name)
            pending += unit.lexemes.places(function.name)
    return [
        functions[start]
        for start in sorted(places)
        if _are_in_different_branches(unit, functions[start], places[start])
    ]


def _are_in_different_branches(unit: Unit, function: Function, places: list[int]) -> bool:
    """Whether two of some places in a function are in different branches of a statement, or in one `switch`."""
    if len(places) < 2 or _BRANCHES.search(unit.source.data, function.start, function.end) is None:
        return False
    from hipify_py.semantics.control_flow import LOOP, SWITCH, control_flow_of

    places = sorted(set(places))
    sides: dict[int, set[int]] = {}
    for guard in control_flow_of(unit, function).guards:
        first = bisect_left(places, guard.start)
        within = [place for place in places[first : first + 2] if place < guard.end]  # two are enough
        if guard.kind != LOOP and within:
            sides.setdefault(guard.node.id, set()).update(within if guard.kind == SWITCH else [int(guard.holds)])
    return any(len(found) > 1 for found in sides.values())
