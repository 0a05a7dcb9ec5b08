"""Finds barriers of a block in both branches of a condition that divides the threads of a wavefront."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hipify_py.analysis.dataflow.operations import ASM, CALL, LoweredFunction, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis
from hipify_py.analysis.dataflow.uniformity import BLOCK_SIZE_OR_MORE, Uniformity
from hipify_py.analysis.dataflow.warp_numbers import WarpNumbers
from hipify_py.analysis.divergent_operations import DivergentOperation, DivergentOperations
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import texts, words
from hipify_py.semantics.expressions import text_of

# Block barriers that the threads of a 64-lane wavefront reach in different branches.

# Block-wide barriers: CUDA's functions, cooperative groups and inline PTX.

_BUILT_IN = lazy_pattern(rb"__syncthreads(?:_and|_or|_count)?")
_BY_NUMBER = b"__barrier_sync"
_GROUP_SYNC = b"sync"
_BLOCK_SYNC = lazy_pattern(rb"\bthread_block\s*::\s*sync$")
_OPCODE = lazy_pattern(rb"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?")


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
            if _OPCODE.fullmatch(operation.name) and _is_barrier_0(function, operation):
                yield operation
        elif operation.code == CALL:
            if operation.name == _GROUP_SYNC:
                is_met = _is_block_group(operation, uniformity)
            elif operation.name == _BY_NUMBER:
                is_met = _is_barrier_0(function, operation)
            else:
                is_met = _BUILT_IN.fullmatch(operation.name) is not None
            if is_met or reaches_barrier(operation.name):
                yield operation


def is_barrier(name: bytes) -> bool:
    """Whether a function of this name may be a block-wide barrier."""
    return name in (_BY_NUMBER, _GROUP_SYNC) or _BUILT_IN.fullmatch(name) is not None


def asm_barrier_offsets(data: bytes) -> Iterator[int]:
    """The offsets of PTX instructions in a text that may be block-wide barriers."""
    return (found.start() for found in _OPCODE.finditer(data))


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


class DividedBarriers(Rule):
    """Warps that meet at a barrier of the block from two branches do not meet there on a wavefront of 64.

    CUDA counts the warps that have reached `__syncthreads`, in whatever branch they are. A wavefront of 64 has two of
    these warps: it executes one branch after the other and reaches the barrier in each, so that it is counted twice
    where
    other wavefronts are counted once. Conditions that are uniform in whole wavefronts, as `threadIdx.x < 128`, or in
    the
    whole block are not such a case, and unknown ones are not reported.
    """

    id = "HIP335"
    triggers = (
        words("__syncthreads*", "__barrier_sync", "sync") | texts("bar.sync", "barrier.sync", "barrier.cta.sync")
    ) & (words("else", "return", "switch", "break", "continue") | texts("?"))
    VALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 64) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }"
        ),
        Example(
            "__global__ void k(int *o) { if (blockIdx.x == 0) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }"
        ),
    )
    INVALID = (
        Example(
            "__global__ void k(int *o) { if (threadIdx.x < 32) { o[0] = 7; __syncthreads(); }"
            " else { __syncthreads(); o[1] = o[0]; } }",
            None,
            ("HIP335",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not unit.tree.is_available or unit.is_hip:
            return
        for divided in divergent_barriers(unit):
            name, target = divided.name.decode(errors="replace"), divided.other.decode(errors="replace")
            yield unit.finding("HIP335", divided.place, name=name, library="device", target=target)
