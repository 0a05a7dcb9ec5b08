"""Warp operations that name all 32 lanes of the warp in their masks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hipify_py.dataflow.operations import CALL, EXTERN, LoweredFunction, Operation

_WITH_MASK = re.compile(rb"__(?:shfl(?:_up|_down|_xor)?|any|all|ballot|uni|match_any|match_all|reduce_\w+)_sync")
_BARRIER = b"__syncwarp"
_ALL_32 = 0xFFFFFFFF
_FULL_NAME = re.compile(rb"(?:\w+::)*\w*(?:full\w*mask|mask\w*full|all_?lanes|mask_?all|full_?warp)\w*", re.IGNORECASE)


def full_mask_operations(function: LoweredFunction, meeting: Callable[[bytes], bool]) -> Iterator[Operation]:
    """The operations of a function that name all lanes, and the calls of functions that come to such a one.

    Args:
        function: the function.
        meeting: tells whether all lanes that call a function of a name come to such an operation.
    """
    for operation in function.operations:
        if operation.code != CALL:
            continue
        if is_operation(operation.name):
            if not operation.arguments or _is_full(function, operation.arguments[0]):
                yield operation
        elif meeting(operation.name):
            yield operation


def is_operation(name: bytes) -> bool:
    """A function of a name takes a mask of lanes."""
    return name == _BARRIER or _WITH_MASK.fullmatch(name) is not None


def _is_full(function: LoweredFunction, mask: int) -> bool:
    constant = function.constant(mask)
    if constant is not None:
        return constant & _ALL_32 == _ALL_32
    operation = function.definition(function.origin(mask))
    return operation is not None and operation.code == EXTERN and _FULL_NAME.fullmatch(operation.name) is not None
