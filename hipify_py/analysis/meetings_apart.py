"""Operations that threads are to meet in, where threads that run in step come to them in different branches.

On CUDA GPUs with independent thread scheduling, lanes that call an operation in one branch wait for those that call it
in the other, and so do the warps of a block at its barrier. On AMD GPUs the branches of a wavefront are carried out one
after the other, each by itself.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.unit import Unit
from hipify_py.dataflow.operations import NO_REGION, Operation, Region
from hipify_py.dataflow.summaries import Known, summaries_of
from hipify_py.dataflow.uniformity import UNSURE
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, LOOP, SWITCH, control_flow_of
from hipify_py.semantics.functions import Function, functions_of

_BRANCHES = re.compile(rb"\b(?:else|return|switch|break|continue)\b|[?]")


class Divided(NamedTuple):
    """An operation in one branch, and the name of the one that the other threads come to in the other branch."""

    place: int
    name: bytes
    other: bytes


class MeetingsApart(ABC):
    """The operations of one unit, of some kind, that threads are to meet in and come to in two branches."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._summaries = summaries_of(unit)
        self._functions = functions_of(unit)
        self._met: dict[bytes, bool] = {}

    @abstractmethod
    def _places(self) -> Iterator[int]:
        """Where the source may have such an operation."""

    @abstractmethod
    def _operations(self, known: Known) -> Iterator[Operation]:
        """The operations of a function, and its calls of functions that come to such a one."""

    @abstractmethod
    def _is_divided(self, known: Known, one: Region, other: Region) -> bool:
        """Threads that run in step come to two branches of one condition."""

    def found(self) -> Iterator[Divided]:
        """The operations, one for each condition."""
        for function in self._candidates():
            known = self._summaries.device_function(function)
            if known is not None:
                yield from self._divided(known)

    def _candidates(self) -> list[Function]:
        """The functions with two such operations, or calls of functions that come to have one."""
        lexemes = self._unit.lexemes
        functions: dict[int, Function] = {}
        places: dict[int, list[int]] = {}
        seen: set[bytes] = set()
        pending = list(self._places())
        while pending:
            place = pending.pop()
            function = self._functions.at(place)
            if function is None or place <= function.start:
                continue
            functions[function.start] = function
            places.setdefault(function.start, []).append(place)
            if function.name not in seen:
                seen.add(function.name)
                pending += lexemes.places(function.name)
        return [functions[start] for start in sorted(places) if self._stand_apart(functions[start], places[start])]

    def _stand_apart(self, function: Function, places: list[int]) -> bool:
        """Two of some places in a function stand in different branches of a statement, or in one `switch`."""
        if len(places) < 2 or _BRANCHES.search(self._unit.source.data, function.start, function.end) is None:
            return False
        flow = control_flow_of(self._unit, function)
        sides: dict[int, set[int]] = {}
        for place in places:
            for guard in flow.around(place):
                if guard.kind != LOOP:
                    sides.setdefault(guard.node.id, set()).add(place if guard.kind == SWITCH else int(guard.holds))
        return any(len(found) > 1 for found in sides.values())

    def _divided(self, known: Known) -> Iterator[Divided]:
        met: dict[object, dict[object, tuple[Region, Operation]]] = {}
        reported: set[object] = set()
        for operation in self._operations(known):
            for region in known.lowered.around(operation.region):
                branch = _branch(region)
                if branch is None or branch[0] in reported:
                    continue
                condition, side = branch
                sides = met.setdefault(condition, {})
                if side in sides:
                    continue
                apart = (other for found, other in sides.values() if self._is_divided(known, found, region))
                other = next(apart, None)
                sides[side] = region, operation
                if other is not None:
                    reported.add(condition)
                    yield Divided(operation.place, operation.name, other.name)

    def _is_met(self, name: bytes) -> bool:
        """All threads that call a function come to such an operation."""
        if name not in self._met:
            self._met[name] = False  # while it is worked out: a function that calls itself
            self._met[name] = any(map(self._meets, self._summaries.named(name)))
        return self._met[name]

    def _meets(self, known: Known) -> bool:
        return any(
            all(
                known.uniformity.of(condition).level < UNSURE
                for condition in known.lowered.conditions(region, NO_REGION)
            )
            for region in {operation.region for operation in self._operations(known)}
        )


def _branch(region: Region) -> tuple[object, object] | None:
    """The statement that a region is a branch of, and which one."""
    if region.kind in (IF, LEFT, CHOICE):
        return (region.node.id, region.condition), region.holds
    if region.kind == SWITCH and region.node.parent is not None:
        return (region.node.parent.id, region.condition), region.node.id
    return None
