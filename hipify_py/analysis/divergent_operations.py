"""Convergent operations that threads running in lockstep reach in different branches.

On CUDA GPUs with independent thread scheduling, lanes that call an operation in one branch wait for those that call it
in the other, and so do the warps of a block at its barrier. On AMD GPUs the branches of a wavefront are executed one
after the other, each by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hipify_py.analysis.dataflow.operations import NO_REGION, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis, summaries_of
from hipify_py.analysis.dataflow.uniformity import UNSURE
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH
from hipify_py.semantics.functions import Function


class DivergentOperation(NamedTuple):
    """An operation in one branch, and the name of the one that the other threads reach in the other branch."""

    place: int
    name: bytes
    other: bytes


class DivergentOperations(ABC):
    """The convergent operations of one kind in a unit that threads reach in two branches."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._summaries = summaries_of(unit)
        self._reached: dict[bytes, bool] = {}

    @abstractmethod
    def _operations(self, analysis: FunctionAnalysis) -> Iterator[Operation]:
        """The operations of a function, and its calls of functions that reach one."""

    @abstractmethod
    def _is_divergent(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        """Whether threads running in lockstep take both branches of one condition."""

    def find(self, functions: Iterable[Function]) -> Iterator[DivergentOperation]:
        """Yield the operations in some functions (see `functions_with_branches`), one per condition."""
        for function in functions:
            analysis = self._summaries.analyze_device_function(function)
            if analysis is not None:
                yield from self._find_in(analysis)

    def _find_in(self, analysis: FunctionAnalysis) -> Iterator[DivergentOperation]:
        by_condition: dict[object, dict[object, tuple[Region, Operation]]] = {}
        reported: set[object] = set()
        for operation in self._operations(analysis):
            for region in analysis.lowered.enclosing_regions(operation.region):
                branch = _branch(region)
                if branch is None or branch[0] in reported:
                    continue
                condition, side = branch
                sides = by_condition.setdefault(condition, {})
                if side in sides:
                    continue
                divergent = (other for found, other in sides.values() if self._is_divergent(analysis, found, region))
                other = next(divergent, None)
                sides[side] = region, operation
                if other is not None:
                    reported.add(condition)
                    yield DivergentOperation(operation.place, operation.name, other.name)

    def _always_reached(self, name: bytes) -> bool:
        """Whether all threads that call a function reach such an operation."""
        if name not in self._reached:
            self._reached[name] = False  # meanwhile, for recursive functions
            self._reached[name] = any(map(self._reaches_uniformly, self._summaries.named(name)))
        return self._reached[name]

    def _reaches_uniformly(self, analysis: FunctionAnalysis) -> bool:
        return any(
            all(
                analysis.uniformity.divergence(condition).level < UNSURE
                for condition in analysis.lowered.conditions(region, NO_REGION)
            )
            for region in {operation.region for operation in self._operations(analysis)}
        )


def _branch(region: Region) -> tuple[object, object] | None:
    """The statement that a region is a branch of, and which branch it is."""
    if region.kind in (IF, LEFT, CHOICE):
        return (region.node.id, region.condition), region.holds
    if region.kind == SWITCH and region.node.parent is not None:
        return (region.node.parent.id, region.condition), region.node.id
    return None
