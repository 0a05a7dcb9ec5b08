"""The functions that reach operations of one kind in different branches of a statement.

Most sources have none with a barrier or a warp operation in two branches. This module finds out without the modules
that lower functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.bodies import Body
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.device_code import function_bodies
from hipify_py.semantics.functions import Function, functions_of

_Found = TypeVar("_Found", Body, Function)

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
    found = _by_function(unit, functions_of(unit).at, offsets)
    return [one for one, places in found if _are_in_different_branches(unit, one, places)]


def _may_have_branches(unit: Unit, offsets: Iterable[int]) -> bool:
    """Whether two of some offsets in a function may be in different branches, by its words alone."""
    data = unit.source.data
    return any(
        _BETWEEN_BRANCHES.search(data, min(places), max(places)) or _SWITCH.search(data, body.start, min(places))
        for body, places in _by_function(unit, function_bodies(unit).at, offsets)
        if len(places) > 1
    )


def _by_function(
    unit: Unit, function_at: Callable[[int], _Found | None], offsets: Iterable[int]
) -> list[tuple[_Found, list[int]]]:
    """The functions around some offsets, and around the calls of these functions, each with its places, in order."""
    found: dict[int, tuple[_Found, list[int]]] = {}
    visited: set[bytes] = set()
    pending = list(offsets)
    while pending:
        place = pending.pop()
        function = function_at(place)
        if function is None or place <= function.start:
            continue
        found.setdefault(function.start, (function, []))[1].append(place)
        if function.name not in visited:
            visited.add(function.name)
            pending += unit.lexemes.places(function.name)
    return [found[start] for start in sorted(found)]


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
