"""Finds enumerators that were distinguished by their values and are equal in HIP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.conditional_branches import Arms, are_exclusive, arms_at
from hipify_py.semantics.enumerator_roles import (
    ASSIGNED,
    COMPARED,
    ELEMENT,
    ENTRY,
    Role,
    is_decided_before,
    may_change_between,
    role_of,
)
from hipify_py.semantics.symbols import names_of

_OUTCOMES = {
    ENTRY: "the list has two entries with the same key, and a search finds only the first",
    ASSIGNED: "the table gets one entry for both",
    ELEMENT: "the set gets one element for both",
    COMPARED: "both comparisons of the value have the same result",
}


class _Place(NamedTuple):
    row: Row
    start: int
    role: Role
    arms: Arms


class MergedValues(Rule):
    """Some HIP enumerators are the counterpart of several of CUDA's: an error of the runtime and one of the driver, for
    instance.

    Code that distinguishes them by their values (keys of a map, elements of a set, a chain of comparisons) no longer
    does: an entry is lost, or a branch is never taken. Labels of a `switch` have a finding of their own.
    """

    id = "HIP133"
    triggers = facts(Fact.MERGED_VALUES)
    VALID = (
        Example("bool f(int e) { return e == hipSuccess || e == hipErrorUnknown; }"),
        Example("const char *names[] = {[0] = NULL};"),
    )
    INVALID = (
        Example(
            "int f(int e) { if (e == cudaSuccess) return 1; if (e == CUDA_SUCCESS) return 2; return 3; }",
            "int f(int e) { if (e == hipSuccess) return 1; if (e == hipSuccess) return 2; return 3; }",
            ("HIP133",),
        ),
        Example(
            "std::set<int> s = {cudaSuccess, CUDA_SUCCESS};",
            "std::set<int> s = {hipSuccess, hipSuccess};",
            ("HIP133",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        groups: dict[tuple[str, int, str], list[_Place]] = {}
        for place in _places(unit):
            group = groups.setdefault((place.role.kind, place.role.subject, str(place.row.hip)), [])
            first = next((earlier for earlier in group if _conflict(unit, earlier, place)), None)
            group.append(place)
            if first is not None:
                yield unit.finding(
                    "HIP133",
                    place.start,
                    name=place.row.name,
                    library=place.row.library,
                    target=str(place.row.hip),
                    first=first.row.name,
                    detail=_OUTCOMES[place.role.kind],
                )


def _places(unit: Unit) -> Iterator[_Place]:
    """The enumerators that share their HIP value with another one of the source, with their roles."""
    uses = list(_merged(unit))
    names = names_of(unit)
    for use, arms in zip(uses, arms_at(unit, [use.start for use in uses]), strict=True):
        leaf = unit.tree.leaf(use.start, use.end)
        role = role_of(names, leaf) if leaf is not None and unit.lexemes.define_around(use.start) is None else None
        if role is not None:
            yield _Place(use.row, use.start, role, arms)


def _merged(unit: Unit) -> Iterator[Use]:
    names: dict[str, set[str]] = {}
    enumerators = [use for use in unit.uses if use.row.kind == "enumerator" and use.row.hip is not None]
    for use in enumerators:
        names.setdefault(str(use.row.hip), set()).add(use.row.name)
    return (use for use in enumerators if len(names[str(use.row.hip)]) > 1)


def _conflict(unit: Unit, first: _Place, second: _Place) -> bool:
    """Whether both are compiled together, and distinguished in CUDA."""
    if first.row.name == second.row.name or are_exclusive(first.arms, second.arms):
        return False
    if second.role.kind != COMPARED:
        return True
    return is_decided_before(first.role.node, second.role.node) and not may_change_between(
        names_of(unit), second.role, first.start, second.start
    )
