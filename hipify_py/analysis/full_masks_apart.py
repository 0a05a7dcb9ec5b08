"""Warp operations with full masks that the lanes of a warp come to in different branches.

On CUDA GPUs with independent thread scheduling, lanes that call an operation in one branch wait for those that call it
in the other. On AMD GPUs each branch is carried out by itself, and hears of its own lanes only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.dataflow.full_masks import full_mask_operations, is_met_by_all, is_operation
from hipify_py.dataflow.operations import Operation, Region
from hipify_py.dataflow.summaries import Known, summaries_of
from hipify_py.dataflow.uniformity import LANE
from hipify_py.records import NamedTuple
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.unit import Unit

_BRANCHES = re.compile(rb"\b(?:else|return|switch|break|continue)\b|[?]")


class Divided(NamedTuple):
    """An operation in one branch, and the name of the one that the other lanes come to in the other branch."""

    place: int
    name: bytes
    other: bytes


class FullMasksApart:
    """The warp operations of one unit whose full masks are met from two branches."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._summaries = summaries_of(unit)
        self._functions = functions_of(unit)
        self._met: dict[bytes, bool] = {}

    def found(self) -> Iterator[Divided]:
        """The operations, one for each condition."""
        for function in self._candidates():
            known = self._summaries.device_function(function)
            if known is not None:
                yield from self._divided(known)

    def _candidates(self) -> list[Function]:
        """The functions that name two operations with masks, or functions that come to call one."""
        lexemes = self._unit.lexemes
        pending = [word for word in lexemes.words if is_operation(word)] + list(self._met)
        counts: dict[int, int] = {}
        found: dict[int, Function] = {}
        seen = set(pending)
        while pending:
            for place in lexemes.places(pending.pop()):
                function = self._functions.at(place)
                if function is None or place <= function.start:
                    continue
                counts[function.start] = counts.get(function.start, 0) + 1
                found[function.start] = function
                if function.name not in seen:
                    seen.add(function.name)
                    pending.append(function.name)
        return [found[start] for start in sorted(counts) if counts[start] > 1 and self._has_branches(found[start])]

    def _has_branches(self, function: Function) -> bool:
        return _BRANCHES.search(self._unit.source.data, function.start, function.end) is not None

    def _divided(self, known: Known) -> Iterator[Divided]:
        first: dict[tuple[int, int], tuple[object, Operation]] = {}
        reported: set[tuple[int, int]] = set()
        for operation in full_mask_operations(known.lowered, self._is_met):
            for region in known.lowered.around(operation.region):
                branch = _branch(region)
                if branch is None or known.uniformity.of(region.condition).level != LANE:
                    continue
                condition, side = branch
                other_side, other = first.setdefault(condition, (side, operation))
                if other_side != side and condition not in reported:
                    reported.add(condition)
                    yield Divided(operation.place, operation.name, other.name)

    def _is_met(self, name: bytes) -> bool:
        """All lanes that call a function come to an operation that names all of them."""
        if name not in self._met:
            self._met[name] = False  # while it is worked out: a function that calls itself
            self._met[name] = any(map(self._meets, self._summaries.named(name)))
        return self._met[name]

    def _meets(self, known: Known) -> bool:
        return is_met_by_all(known.lowered, lambda: known.uniformity, self._is_met)


def _branch(region: Region) -> tuple[tuple[int, int], object] | None:
    """The statement that a region is a branch of, and which one."""
    if region.kind in (IF, LEFT, CHOICE):
        return (region.node.id, region.condition), region.holds
    if region.kind == SWITCH and region.node.parent is not None:
        return (region.node.parent.id, region.condition), region.node.id
    return None


def full_masks_apart(unit: Unit) -> Iterator[Divided]:
    """The warp operations of a unit whose full masks are met from two branches."""
    return unit.analysis(FullMasksApart).found()
