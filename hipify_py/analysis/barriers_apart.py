"""Barriers of a block that the threads of a wavefront of 64 come to in different branches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.meetings_apart import Divided, MeetingsApart
from hipify_py.core.unit import Unit
from hipify_py.dataflow.block_barriers import block_barriers, is_barrier, places_in_asm
from hipify_py.dataflow.operations import Operation, Region
from hipify_py.dataflow.summaries import Known
from hipify_py.dataflow.warp_numbers import WarpNumbers


class BarriersApart(MeetingsApart):
    """The barriers of one unit that are met from two branches of a wavefront."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._numbers = WarpNumbers(self._summaries)

    def _places(self) -> Iterator[int]:
        for word in filter(is_barrier, self._unit.lexemes.words):
            yield from self._unit.lexemes.places(word)
        yield from places_in_asm(self._unit.source.data)

    def _operations(self, known: Known) -> Iterator[Operation]:
        return block_barriers(known.lowered, lambda: known.uniformity, self._is_met)

    def _is_divided(self, known: Known, one: Region, other: Region) -> bool:
        return self._numbers.are_in_one_wavefront(known, one, other)


def barriers_apart(unit: Unit) -> Iterator[Divided]:
    """The barriers of a unit that the threads of a wavefront come to in two branches."""
    return unit.analysis(BarriersApart).found()
