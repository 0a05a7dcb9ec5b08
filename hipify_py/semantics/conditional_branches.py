"""The branches of `#if` around places, and which places are never compiled together."""

from __future__ import annotations

from hipify_py.frontend.unit import Unit

Arms = tuple[tuple[int, int], ...]
"""The conditionals around a place, outermost first: the offsets of the `#if`, and of the branch."""


def arms_at(unit: Unit, places: list[int]) -> list[Arms]:
    """The branches around each of some places, which must be sorted."""
    found: list[Arms] = []
    stack: list[tuple[int, int]] = []
    directives = iter(unit.lexemes.directives)
    upcoming = next(directives, None)
    for place in places:
        while upcoming is not None and upcoming[0] < place:
            offset, word = upcoming
            if word in (b"if", b"ifdef", b"ifndef"):
                stack.append((offset, offset))
            elif word in (b"elif", b"else") and stack:
                stack[-1] = (stack[-1][0], offset)
            elif word == b"endif" and stack:
                stack.pop()
            upcoming = next(directives, None)
        found.append(tuple(stack))
    return found


def are_exclusive(one: Arms, other: Arms) -> bool:
    """Whether two places are in different branches of one conditional."""
    branches = dict(one)
    return any(branches.get(start, arm) != arm for start, arm in other)
