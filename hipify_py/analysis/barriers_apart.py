"""Block barriers that the threads of a 64-lane wavefront reach in different branches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.meetings_apart import DivergentOperation, DivergentOperations
from hipify_py.core.unit import Unit
from hipify_py.dataflow.block_barriers import asm_barrier_offsets, block_barriers, is_barrier
from hipify_py.dataflow.operations import Operation, Region
from hipify_py.dataflow.summaries import FunctionAnalysis
from hipify_py.dataflow.warp_numbers import WarpNumbers


class DivergentBarriers(DivergentOperations):
    """The barriers of one unit that are reached in two branches of a wavefront."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._numbers = WarpNumbers(self._summaries)

    def _candidate_offsets(self) -> Iterator[int]:
        for word in filter(is_barrier, self._unit.lexemes.words):
            yield from self._unit.lexemes.places(word)
        yield from asm_barrier_offsets(self._unit.source.data)

    def _operations(self, analysis: FunctionAnalysis) -> Iterator[Operation]:
        return block_barriers(analysis.lowered, lambda: analysis.uniformity, self._always_reached)

    def _is_divergent(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        return self._numbers.share_wavefront(analysis, one, other)


def divergent_barriers(unit: Unit) -> Iterator[DivergentOperation]:
    """The barriers of a unit that the threads of a wavefront reach in two branches."""
    return unit.analysis(DivergentBarriers).find()
