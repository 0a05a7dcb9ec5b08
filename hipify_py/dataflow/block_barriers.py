"""Barriers that all threads of a block come to: by CUDA's functions, cooperative groups and inline PTX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hipify_py.dataflow.operations import ASM, CALL, LoweredFunction, Operation
from hipify_py.dataflow.uniformity import WHOLE_BLOCK, Uniformity
from hipify_py.semantics.expressions import text_of

_BUILT_IN = re.compile(rb"__syncthreads(?:_and|_or|_count)?")
_BY_NUMBER = b"__barrier_sync"
_OF_GROUP = b"sync"
_OF_BLOCK = re.compile(rb"\bthread_block\s*::\s*sync$")
_OPCODE = re.compile(rb"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?")


def block_barriers(
    function: LoweredFunction, uniformity: Callable[[], Uniformity], meeting: Callable[[bytes], bool]
) -> Iterator[Operation]:
    """The barriers of the whole block in a function, and the calls of functions that come to one.

    Args:
        function: the function.
        uniformity: gives how its values differ between threads.
        meeting: tells whether all threads that call a function of a name come to such a barrier.
    """
    for operation in function.operations:
        if operation.code == ASM:
            if _OPCODE.fullmatch(operation.name) and _is_first_alone(function, operation):
                yield operation
        elif operation.code == CALL:
            if operation.name == _OF_GROUP:
                is_met = _is_of_whole_block(operation, uniformity)
            elif operation.name == _BY_NUMBER:
                is_met = _is_first_alone(function, operation)
            else:
                is_met = _BUILT_IN.fullmatch(operation.name) is not None
            if is_met or meeting(operation.name):
                yield operation


def is_barrier(name: bytes) -> bool:
    """A function of a name may be a barrier of the whole block."""
    return name in (_BY_NUMBER, _OF_GROUP) or _BUILT_IN.fullmatch(name) is not None


def places_in_asm(data: bytes) -> Iterator[int]:
    """Where a text names an instruction of PTX that may be a barrier of the whole block."""
    return (found.start() for found in _OPCODE.finditer(data))


def _is_first_alone(function: LoweredFunction, operation: Operation) -> bool:
    """The barrier with the number 0 is meant, which is `__syncthreads`, and no number of threads that come to it."""
    return len(operation.arguments) == 1 and function.constant(operation.arguments[0]) == 0


def _is_of_whole_block(operation: Operation, uniformity: Callable[[], Uniformity]) -> bool:
    if operation.arguments:
        return uniformity().of(operation.arguments[0]).group >= WHOLE_BLOCK
    return _OF_BLOCK.search(text_of(operation.node.child_by_field_name("function"))) is not None
