"""Warp operations with full masks that the lanes of a warp reach in different branches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hipify_py.analysis.dataflow.operations import CALL, EXTERN, LoweredFunction, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis
from hipify_py.analysis.dataflow.uniformity import LANE
from hipify_py.analysis.divergent_operations import DivergentOperation, DivergentOperations
from hipify_py.frontend.unit import Unit

# Warp operations whose masks name all 32 lanes.

_WITH_MASK = re.compile(rb"__(?:shfl(?:_up|_down|_xor)?|any|all|ballot|uni|match_any|match_all|reduce_\w+)_sync")
_BARRIER = b"__syncwarp"
_ALL_32 = 0xFFFFFFFF
_FULL_NAME = re.compile(rb"(?:\w+::)*\w*(?:full\w*mask|mask\w*full|all_?lanes|mask_?all|full_?warp)\w*", re.IGNORECASE)


def find_full_masks(function: LoweredFunction, reaches_full_mask: Callable[[bytes], bool]) -> Iterator[Operation]:
    """Yield the operations of a function with a full mask, and the calls of functions that reach one.

    Args:
        function: the function.
        reaches_full_mask: whether the functions of a name reach such an operation with all lanes that call them.
    """
    for operation in function.operations:
        if operation.code != CALL:
            continue
        if takes_mask(operation.name):
            if not operation.arguments or _is_full(function, operation.arguments[0]):
                yield operation
        elif reaches_full_mask(operation.name):
            yield operation


def takes_mask(name: bytes) -> bool:
    """Whether a function of this name takes a lane mask."""
    return name == _BARRIER or _WITH_MASK.fullmatch(name) is not None


def _is_full(function: LoweredFunction, mask: int) -> bool:
    constant = function.constant(mask)
    if constant is not None:
        return constant & _ALL_32 == _ALL_32
    operation = function.definition(function.origin(mask))
    return operation is not None and operation.code == EXTERN and _FULL_NAME.fullmatch(operation.name) is not None


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
