"""Block barriers that the threads of a 64-lane wavefront reach in different branches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hipify_py.analysis.block_barriers import BUILT_IN, BY_NUMBER, GROUP_SYNC, OPCODE
from hipify_py.analysis.dataflow.operations import ASM, CALL, LoweredFunction, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis
from hipify_py.analysis.dataflow.uniformity import BLOCK_SIZE_OR_MORE, Uniformity
from hipify_py.analysis.dataflow.warp_numbers import WarpNumbers
from hipify_py.analysis.divergent_operations import DivergentOperation, DivergentOperations
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.functions import Function

_BLOCK_SYNC = lazy_pattern(rb"\bthread_block\s*::\s*sync$")


def block_barriers(
    function: LoweredFunction, uniformity: Callable[[], Uniformity], reaches_barrier: Callable[[bytes], bool]
) -> Iterator[Operation]:
    """Yield the block-wide barriers of a function, and the calls of functions that reach one.

    Args:
        function: the function.
        uniformity: returns the divergence of its values; called only if it is needed.
        reaches_barrier: whether the functions of a name reach such a barrier with all threads that call them.
    """
    for operation in function.operations:
        if operation.code == ASM:
            if OPCODE.fullmatch(operation.name) and _is_barrier_0(function, operation):
                yield operation
        elif operation.code == CALL:
            if operation.name == GROUP_SYNC:
                is_met = _is_block_group(operation, uniformity)
            elif operation.name == BY_NUMBER:
                is_met = _is_barrier_0(function, operation)
            else:
                is_met = BUILT_IN.fullmatch(operation.name) is not None
            if is_met or reaches_barrier(operation.name):
                yield operation


def _is_barrier_0(function: LoweredFunction, operation: Operation) -> bool:
    """Whether this is barrier 0 without a thread count, which is `__syncthreads`."""
    return len(operation.arguments) == 1 and function.constant(operation.arguments[0]) == 0


def _is_block_group(operation: Operation, uniformity: Callable[[], Uniformity]) -> bool:
    if operation.arguments:
        return uniformity().divergence(operation.arguments[0]).group >= BLOCK_SIZE_OR_MORE
    return _BLOCK_SYNC.search(text_of(operation.node.child_by_field_name("function"))) is not None


class DivergentBarriers(DivergentOperations):
    """The barriers of one unit that are reached in two branches of a wavefront."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._numbers = WarpNumbers(self._summaries)

    def _operations(self, analysis: FunctionAnalysis) -> Iterator[Operation]:
        return block_barriers(analysis.lowered, lambda: analysis.uniformity, self._always_reached)

    def _is_divergent(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        return self._numbers.share_wavefront(analysis, one, other)


def divergent_barriers(unit: Unit, functions: Iterable[Function]) -> Iterator[DivergentOperation]:
    """The barriers in some functions of a unit that the threads of a wavefront reach in two branches."""
    return DivergentBarriers(unit).find(functions)
