"""Warp operations with full masks that the lanes of a warp reach in different branches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.meetings_apart import DivergentOperation, DivergentOperations
from hipify_py.core.unit import Unit
from hipify_py.dataflow.full_masks import find_full_masks, takes_mask
from hipify_py.dataflow.operations import Operation, Region
from hipify_py.dataflow.summaries import FunctionAnalysis
from hipify_py.dataflow.uniformity import LANE


class DivergentFullMasks(DivergentOperations):
    """The full-mask warp operations of one unit that are reached in two branches."""

    def _candidate_offsets(self) -> Iterator[int]:
        for word in filter(takes_mask, self._unit.lexemes.words):
            yield from self._unit.lexemes.places(word)

    def _operations(self, analysis: FunctionAnalysis) -> Iterator[Operation]:
        return find_full_masks(analysis.lowered, self._always_reached)

    def _is_divergent(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        return analysis.uniformity.divergence(one.condition).level == LANE


def divergent_full_masks(unit: Unit) -> Iterator[DivergentOperation]:
    """The full-mask warp operations of a unit that are reached in two branches."""
    return unit.analysis(DivergentFullMasks).find()
