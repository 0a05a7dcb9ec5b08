"""The functions that reach operations of one kind in different branches of a statement.

Most sources have none with a barrier or a warp operation in two branches. This module finds out without the modules
that lower functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.bodies import Body
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.device_code import function_bodies
from hipify_py.semantics.functions import Function, functions_of

_BETWEEN_BRANCHES = lazy_pattern(rb"\b(?:else|return|break|continue|goto)\b|(?<!:):(?!:)")
"""What lies between two places in different branches of a statement, unless that is a `switch`."""
_SWITCH = lazy_pattern(rb"\bswitch\b")
_BRANCHES = lazy_pattern(rb"\b(?:else|return|switch|break|continue)\b|[?]")


def functions_with_branches(unit: Unit, offsets: Sequence[int]) -> list[Function]:
    """The functions with operations at two of some offsets in different branches.

    A call of a function that has such an operation counts as one.
    """
    if not _may_have_branches(unit, offsets) or not unit.tree.is_available:
        return []
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


def _may_have_branches(unit: Unit, offsets: Iterable[int]) -> bool:
    """Whether two of some offsets in a function may be in different branches, by its words alone."""
    data, bodies = unit.source.data, function_bodies(unit)
    places: dict[Body, list[int]] = {}
    visited: set[bytes] = set()
    pending = list(offsets)
    while pending:
        place = pending.pop()
        body = bodies.at(place)
        if body is None or place <= body.start:
            continue
        places.setdefault(body, []).append(place)
        if body.name not in visited:
            visited.add(body.name)
            pending += unit.lexemes.places(body.name)
    return any(
        _BETWEEN_BRANCHES.search(data, min(found), max(found)) or _SWITCH.search(data, body.start, min(found))
        for body, found in places.items()
        if len(found) > 1
    )


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
