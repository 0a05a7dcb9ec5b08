"""Finds warp operations that name all lanes, while the lanes are divided among two branches that both have one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hipify_py.analysis.dataflow.operations import CALL, EXTERN, LoweredFunction, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis
from hipify_py.analysis.dataflow.uniformity import LANE
from hipify_py.analysis.divergent_operations import DivergentOperation, DivergentOperations
from hipify_py.analysis.divided_functions import functions_with_branches
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words

# Warp operations with full masks that the lanes of a warp reach in different branches.

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

    def _operations(self, analysis: FunctionAnalysis) -> Iterator[Operation]:
        return find_full_masks(analysis.lowered, self._always_reached)

    def _is_divergent(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        return analysis.uniformity.divergence(one.condition).level == LANE


def divergent_full_masks(unit: Unit) -> Iterator[DivergentOperation]:
    """The full-mask warp operations of a unit that are reached in two branches."""
    words, places = unit.lexemes.words, unit.lexemes.places
    offsets = [place for word in filter(takes_mask, words) for place in places(word)]
    return DivergentFullMasks(unit).find(functions_with_branches(unit, offsets))


class PartialMasks(Rule):
    """Lanes that meet in an operation from two branches do not meet on AMD GPUs.

    With independent thread scheduling, a lane that calls an operation with a mask waits until all lanes of the mask
    have called it, in whatever branch they are. AMD GPUs execute one branch after the other: a shuffle does not read
    the
    lanes in the other branch, a vote does not count them, and what they write before `__syncwarp` may come too late. A
    mask
    that names fewer lanes than call the operation is not such a case: the named lanes communicate with each other.
    """

    id = "HIP332"
    triggers = words("__syncwarp") | facts(Fact.SYNC_WORDS, Fact.PROJECT_WAITING_FUNCTIONS)
    VALID = (
        Example(
            "__global__ void k(volatile int *o) { if (threadIdx.x / 32 == 0) { o[0] = 1; __syncwarp(); o[1] = o[32]; }"
            " else { o[32] = 2; __syncwarp(); } }"
        ),
        Example("__global__ void k(int *o) { if (threadIdx.x % 32 < 9) { o[0] = 1; __syncwarp(); } }"),
    )
    INVALID = (
        Example(
            "__global__ void k(volatile int *o) { if (threadIdx.x % 32 < 9) { o[0] = 1; __syncwarp(); o[1] = o[32]; }"
            " else { o[32] = 2; __syncwarp(); } }",
            None,
            ("HIP332",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if unit.is_hip:
            return
        for divided in divergent_full_masks(unit):
            name, target = divided.name.decode(errors="replace"), divided.other.decode(errors="replace")
            yield unit.finding("HIP332", divided.place, name=name, library="device", target=target)
