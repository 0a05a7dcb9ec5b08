"""Warp operations with full masks that the lanes of a warp come to in different branches."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.meetings_apart import Divided, MeetingsApart
from hipify_py.core.unit import Unit
from hipify_py.dataflow.full_masks import full_mask_operations, is_operation
from hipify_py.dataflow.operations import Operation, Region
from hipify_py.dataflow.summaries import Known
from hipify_py.dataflow.uniformity import LANE


class FullMasksApart(MeetingsApart):
    """The warp operations of one unit whose full masks are met from two branches."""

    def _places(self) -> Iterator[int]:
        for word in filter(is_operation, self._unit.lexemes.words):
            yield from self._unit.lexemes.places(word)

    def _operations(self, known: Known) -> Iterator[Operation]:
        return full_mask_operations(known.lowered, self._is_met)

    def _is_divided(self, known: Known, one: Region, other: Region) -> bool:
        return known.uniformity.of(one.condition).level == LANE


def full_masks_apart(unit: Unit) -> Iterator[Divided]:
    """The warp operations of a unit whose full masks are met from two branches."""
    return unit.analysis(FullMasksApart).found()
