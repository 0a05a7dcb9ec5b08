"""Divergence analysis: how the values of a function differ between the threads of a block.

A warp has 32 threads here, as in CUDA, and a wavefront 64: threads `64k … 64k+63` of a block. Two warps that share a
wavefront run in lockstep on AMD's CDNA GPUs (HIP programming model, "Warp"; CUDA C++ Programming Guide, "Hardware
Multithreading").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hipify_py.analysis.dataflow.operations import (
    ADDRESS,
    ASM,
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    FIELD,
    LOAD,
    PARAMETER,
    UNARY,
    UNKNOWN,
    LoweredFunction,
    Operation,
    Variable,
)
from hipify_py.analysis.dataflow.solver import solve
from hipify_py.core.patterns import lazy_pattern

BLOCK, WAVEFRONT, WARP, UNSURE, LANE = range(5)
"""Uniform in the whole block; in each wavefront of 64; in each warp of 32; unknown; different from lane to lane."""

NO_INDEX, THREAD_INDEX, LANE_INDEX, WARP_INDEX = range(4)
"""Not an index; one that no two threads of a wavefront share; one of a warp's lanes; one of a block's warps."""

BLOCK_SIZE_OR_MORE = 1024
"""The size of a cooperative group that is a block or more."""


class Divergence(NamedTuple):
    """How a value differs between threads.

    Attributes:
        level: `BLOCK`, `WAVEFRONT`, `WARP`, `UNSURE` or `LANE`.
        identity: `THREAD_INDEX`, `LANE_INDEX` or `WARP_INDEX` for a value that is such an index, else `NO_INDEX`.
        group: the size of the cooperative group that the value is; 0 for any other value.
        parameter: the position of the parameter that the value is a copy of, from one lane or each; -1 for any other
            value.
    """

    level: int
    identity: int = NO_INDEX
    group: int = 0
    parameter: int = -1


SAME = Divergence(BLOCK)
_PRESERVES_INDEX = (BLOCK, WAVEFRONT, UNSURE)
"""The levels of an addend that preserves an index: an unknown one is taken for a start or a stride."""
_THREAD, _LANE, _WARP = Divergence(LANE, THREAD_INDEX), Divergence(LANE, LANE_INDEX), Divergence(WARP, WARP_INDEX)
_DIFFERENT, _UNSURE = Divergence(LANE), Divergence(UNSURE)

_SPECIAL = {b"%laneid": _LANE, b"%tid.x": _THREAD, b"%warpid": _WARP}
"""The PTX special registers that differ between threads."""
_UNIFORM_BUILTINS = frozenset({b"blockIdx", b"blockDim", b"gridDim", b"warpSize"})
"""The built-in variables that are uniform in a block."""

_VOTES = lazy_pattern(
    rb"__(?:any|all|ballot|uni)(?:_sync)?|__reduce_\w+_sync|__match_all_sync|__activemask"
    rb"|__builtin_amdgcn_(?:readfirstlane|ballot\w*)"
)
_BLOCK_VOTES = lazy_pattern(rb"__syncthreads_(?:and|or|count)")
_SHUFFLES = lazy_pattern(rb"__shfl(?:_(?:up|down|xor))?(?:_sync)?")
_DIVERGENT_CALLS = lazy_pattern(rb"atomic\w+|clock(?:64)?|__match_any_sync|fetch_\w+|curand\w*")
_PURE = lazy_pattern(rb"(?:__)?(?:f?min|f?max|abs|ffs|ffsll|clz|popc|popcll|brev|ceil_div|ceildiv|div_?up|__ldg)")
_LANE_NAME = lazy_pattern(
    rb"(?:\w+\.|\w*->)?_*(?:get_?|my_?|thread_?)?(?:lane_*(?:id|idx|index|rank|no)?_*(?:in_?warp)?|warp_?tid)", re.I
)
_WARP_NAME = lazy_pattern(
    rb"_*(?:get_?|my_?|canonical_?)?(?:warp|wid)_*(?:id|idx|index|rank|no|num)?_*(?:in_?block|sync)?", re.I
)
_THREAD_NAME = lazy_pattern(rb"_*(?:get_?|my_?)?(?:g?tid|thread_?(?:id|idx|index|rank|num))_*(?:x|in_?block)?_*", re.I)
_SIZE_NAME = lazy_pattern(rb"(?:\b|_|k)(?:warp_?size|warp_?threads|threads_?per_?warp)\b", re.I)
"""Names of constants in other files that hold the warp size."""
_WAVEFRONT_SIZE = 64
_TILE = lazy_pattern(rb"thread_block_tile\s*<\s*(\w+)")
_WHOLE = lazy_pattern(rb"\b(?:thread_block|grid_group)\b")
_ANY_TILE = 1
"""The size of a tile that a template parameter gives: it is only known to be part of a warp."""
_MIRRORED = {b"<": b">", b">": b"<", b"<=": b">=", b">=": b"<="}
_COMPARISONS = frozenset({b"==", b"!=", b"<", b">", b"<=", b">="})


class Uniformity:
    """The divergence of one function's values.

    Args:
        function: the function.
        is_kernel: its parameters are uniform in the whole grid.
        returned: the divergence of what functions of a name return; None for an unknown function.
    """

    def __init__(
        self, function: LoweredFunction, *, is_kernel: bool, returned: Callable[[bytes], Divergence | None]
    ) -> None:
        self._function = function
        self._is_kernel = is_kernel
        self._returned = returned
        names = {variable.name for variable in function.variables.values()}
        self._positions = {value: at for at, value in enumerate(function.parameters)}
        self._is_flat = not names & {b"threadIdx.y", b"threadIdx.z"}
        self._divergence = solve(function, self._transfer, join_divergence)

    def divergence(self, value: int) -> Divergence:
        """The divergence of a value; unsure where nothing is known."""
        found = self._divergence[value] if value >= 0 else SAME
        return found if found is not None else _UNSURE

    # ------------------------------------------------------------------ operations

    def _transfer(
        self, operation: Operation, arguments: Sequence[Divergence | None], conditions: Sequence[Divergence | None]
    ) -> Divergence | None:
        operands = [argument for argument in arguments if argument is not None]
        code = operation.code
        if code == CONST:
            return SAME
        if code == EXTERN or code == PARAMETER:
            found = self._outside(operation.name, operation.code == PARAMETER, operation.result)
            return found if code == EXTERN else found._replace(parameter=self._positions[operation.result])
        if code == LOAD and self._is_shared_variable(operation):
            return SAME
        if not operands:
            return None if arguments or code == COPY else self._call(operation, operands) if code == CALL else _UNSURE
        if code == COPY:
            return self._copy(operation, operands, [found for found in conditions if found is not None])
        if code in (CAST, ADDRESS) or (code == UNARY and operation.name in (b"-", b"+")):
            return operands[0]
        if code == BINARY and len(operands) == 2:
            return self._binary(operation, *operands)
        if code == CALL:
            return self._call(operation, operands)
        if code == ASM:
            return self._instruction(operation, operands)
        if code == FIELD and (operands[0].level == UNSURE or self._is_returned(operation.arguments[0])):
            return _refine_by_name(_UNSURE, operation.name)
        level = max((found.level for found in operands), default=UNSURE if code == UNKNOWN else BLOCK)
        if code == LOAD and operands[0].group == 0 and operands[0].level == UNSURE:
            return Divergence(max(level, UNSURE))
        return Divergence(level)

    def _is_shared_variable(self, load: Operation) -> bool:
        """Whether a load is of one `__shared__` variable that is not an array."""
        variable = self._function.variables.get(load.arguments[0])
        is_one = len(load.arguments) == 1 and variable is not None and variable.shape == "value"
        return is_one and variable is not None and variable.is_shared

    def _is_returned(self, value: int) -> bool:
        """Whether a value is an object that a function returned, whose members may differ in different ways."""
        variable = self._function.variables.get(value)
        if variable is None or variable.shape != "value":
            return False
        found = self._function.definition(self._function.origin(value))
        return found is not None and found.code == CALL

    def _outside(self, name: bytes, is_parameter: bool, value: int) -> Divergence:
        if name.startswith(b"%"):
            return _SPECIAL.get(name, _DIFFERENT if name.startswith((b"%lanemask", b"%clock")) else SAME)
        base, _, part = name.partition(b".")
        if base == b"threadIdx":
            if part == b"x" or not part:
                return _THREAD if self._is_flat else _LANE
            return Divergence(UNSURE, WARP_INDEX)
        type = self._function.variables[value].type if value in self._function.variables else b""
        tile = _TILE.search(type)
        if tile is not None:
            return Divergence(BLOCK, NO_INDEX, int(tile[1]) if tile[1].isdigit() else _ANY_TILE)
        if _WHOLE.search(type) is not None:
            return Divergence(BLOCK, NO_INDEX, BLOCK_SIZE_OR_MORE)
        if is_parameter:
            return SAME if self._is_kernel else _refine_by_name(_UNSURE, name)
        if base in _UNIFORM_BUILTINS or name in self._function.template_parameters:
            return SAME
        found = _refine_by_name(_UNSURE, name)
        return found if found != _UNSURE or name.endswith(b"_") or name == b"this" else SAME

    def _copy(self, operation: Operation, operands: list[Divergence], conditions: list[Divergence]) -> Divergence:
        variable = self._function.variables.get(operation.result, Variable(b"", b"", "", 0))
        level = max(found.level for found in (*operands, *conditions))
        if level > operands[0].level:  # a member set by one thread may belong to a shared object (PhysX)
            return _UNSURE if variable.is_member else Divergence(level, NO_INDEX, operands[0].group)
        return _refine_by_name(operands[0], variable.name)

    def _binary(self, operation: Operation, left: Divergence, right: Divergence) -> Divergence:
        name, (one, other) = operation.name, operation.arguments
        level = max(left.level, right.level)
        if name in (b"+", b"-", b"|", b"^", b"*"):
            if {left.identity, right.identity} == {LANE_INDEX, WARP_INDEX} and name != b"*":
                return _THREAD
            if right.level in _PRESERVES_INDEX and left.identity:
                return Divergence(left.level, left.identity)
            if left.level in _PRESERVES_INDEX and right.identity:
                return Divergence(right.level, right.identity)
            if name == b"-" and (left.identity, right.identity) == (THREAD_INDEX, LANE_INDEX):
                return _WARP
        elif name in (b"/", b">>", b"%", b"&"):
            count = self._count(other)
            if name == b">>" and right.level == WARP and left.level in _PRESERVES_INDEX:
                return _UNSURE  # of a table: both warps of a wavefront may read the same
            if name == b"&" and count is None:
                one, left, right, count = other, right, left, self._count(one)
            if left.identity and count is not None:
                return _divide_index(name, left, count)
            if left.identity and right.level in (BLOCK, UNSURE):
                is_part = self._is_constant_elsewhere(other)
                return (
                    _UNSURE if name in (b"/", b">>") else Divergence(left.level, NO_INDEX if is_part else left.identity)
                )
        elif name in _COMPARISONS:
            return self._comparison(name, (one, left), (other, right))
        return Divergence(level)

    def _count(self, value: int) -> int | None:
        """The constant that a value is, with 32 for the warp size."""
        count = self._function.constant(value)
        operation = self._function.definition(self._function.origin(value)) if count is None else None
        if operation is None or operation.code != EXTERN:
            return count
        return 32 if is_size_of_warp(operation.name) else None

    def _is_constant_elsewhere(self, value: int) -> bool:
        """Whether a value is a template parameter or another file's constant: an index modulo it is one of a part."""
        operation = self._function.definition(self._function.origin(value))
        return operation is not None and operation.code == EXTERN and b"." not in operation.name

    def _comparison(self, name: bytes, left: tuple[int, Divergence], right: tuple[int, Divergence]) -> Divergence:
        if right[1].identity and not left[1].identity:
            left, right, name = right, left, _MIRRORED.get(name, name)
        index, level = left[1].identity, max(left[1].level, right[1].level)
        if name in (b"==", b"!=") or not index or right[1].level not in (BLOCK, UNSURE):
            return Divergence(level)
        count = self._count(right[0])
        if count is None:
            return _UNSURE if index == THREAD_INDEX else Divergence(level)
        count += name in (b"<=", b">")
        if index == WARP_INDEX:
            return Divergence(WAVEFRONT if count % 2 == 0 else level)
        return (
            Divergence(WAVEFRONT if count % 64 == 0 else WARP if count % 32 == 0 else LANE)
            if index == THREAD_INDEX
            else (Divergence(BLOCK if count % 32 == 0 else LANE))
        )

    def _call(self, operation: Operation, operands: list[Divergence]) -> Divergence:
        name = operation.name
        level = max((found.level for found in operands), default=BLOCK)
        group = operands[0].group if operands else 0
        if _BLOCK_VOTES.fullmatch(name):
            return SAME
        if _VOTES.fullmatch(name):
            return Divergence(WARP)
        if _SHUFFLES.fullmatch(name):
            return self._shuffle(name, operation, operands)
        if name in (b"thread_rank", b"thread_index"):
            return _rank(group) if group else _refine_by_name(_UNSURE, b"thread_rank")
        if name == b"meta_group_rank" and group:
            return _WARP if group == 32 else Divergence(LANE if group < 32 else BLOCK)
        if name in (b"any", b"all", b"ballot", b"shfl") and group:
            is_one = name != b"shfl" or operands[-1].level <= WARP
            return Divergence(WARP if group >= 32 and is_one else LANE)
        if name in (b"this_thread_block", b"this_grid"):
            return Divergence(BLOCK, NO_INDEX, BLOCK_SIZE_OR_MORE)
        if name == b"tiled_partition":
            size = re.search(rb"<\s*(\w+)\s*>", operation.node.text or b"")
            return Divergence(BLOCK, NO_INDEX, int(size[1]) if size is not None and size[1].isdigit() else _ANY_TILE)
        if _DIVERGENT_CALLS.fullmatch(name):
            return _DIFFERENT
        if _PURE.fullmatch(name):
            return Divergence(level)
        found = self._returned(name)
        if found is not None and 0 <= found.parameter < len(operation.arguments) == len(operands):
            argument = operands[found.parameter]
            return argument if found.level >= UNSURE else _broadcast(argument)
        if found is not None:
            return Divergence(max(found.level, level if found.level == UNSURE else found.level), found.identity)
        return _refine_by_name(_UNSURE, name)

    def _instruction(self, operation: Operation, operands: list[Divergence]) -> Divergence:
        """The result of a PTX instruction that does not access memory."""
        opcode = operation.name
        if opcode.startswith((b"vote", b"activemask", b"redux", b"match.all")):
            return Divergence(WARP)
        if not opcode.startswith(b"shfl"):
            return Divergence(max((found.level for found in operands), default=UNSURE))
        is_of_one = b".idx" in opcode and len(operands) > 2 and operands[1].level <= WARP
        return _broadcast(operands[0]) if is_of_one and self._count(operation.arguments[2]) == 31 else _DIFFERENT

    def _shuffle(self, name: bytes, operation: Operation, operands: list[Divergence]) -> Divergence:
        place = 2 if name.endswith(b"_sync") else 1
        if not name.startswith(b"__shfl_sync") and name != b"__shfl":
            return _DIFFERENT
        if len(operands) <= place or operands[place].level > WARP:
            return _DIFFERENT
        width = self._count(operation.arguments[place + 1]) if len(operation.arguments) > place + 1 else 32
        if width is None or width < 32:
            return _DIFFERENT
        return _broadcast(operands[place - 1])


def is_size_of_warp(name: bytes) -> bool:
    """Whether a name from outside is that of the warp size: `warpSize`, or a constant of another file."""
    return _SIZE_NAME.search(name) is not None


def _broadcast(value: Divergence) -> Divergence:
    """A value of one lane, broadcast to its warp: the warp's number stays the warp's number."""
    if value.identity == WARP_INDEX:
        return value
    return Divergence(WARP if value.level in (WARP, LANE) else WAVEFRONT, parameter=value.parameter)


def join_divergence(one: Divergence, other: Divergence) -> Divergence:
    """The join of two values' divergence."""
    return Divergence(
        max(one.level, other.level),
        one.identity if one.identity == other.identity else NO_INDEX,
        one.group if one.group == other.group else 0,
        one.parameter if one.parameter == other.parameter else -1,
    )


def _refine_by_name(found: Divergence, name: bytes) -> Divergence:
    """An unknown divergence, refined by the value's name."""
    if found.level != UNSURE or found.identity:
        return found
    if _LANE_NAME.fullmatch(name):
        return _LANE
    if _WARP_NAME.fullmatch(name):
        return _WARP
    return _THREAD if _THREAD_NAME.fullmatch(name) else found


def _divide_index(name: bytes, value: Divergence, count: int) -> Divergence:
    """The quotient or remainder of an index: by `32` the warp and the lane."""
    if name in (b"/", b">>"):
        size = 1 << count if name == b">>" and 0 <= count < 32 else count
        if value.identity == WARP_INDEX:
            return value if size == 1 else Divergence(WAVEFRONT if size % 2 == 0 else value.level)
        if value.identity == LANE_INDEX:
            return SAME if size >= 32 else Divergence(LANE)
        return (
            Divergence(WAVEFRONT)
            if size % 64 == 0
            else _WARP
            if size == 32
            else Divergence(WARP if size % 32 == 0 else LANE)
        )
    if name == b"%" or (count >= 0 and count & (count + 1) == 0):
        size = count if name == b"%" else count + 1
        if value.identity == WARP_INDEX:
            return Divergence(value.level)
        if value.identity == LANE_INDEX:
            return value if size >= 32 else Divergence(LANE)
        return value if size % 64 == 0 else _LANE if size == 32 else Divergence(LANE)
    if value.identity == THREAD_INDEX and count & 31 == 0:
        return Divergence(WAVEFRONT) if count & 63 == 0 else _WARP
    return Divergence(value.level)


def _rank(group: int) -> Divergence:
    if group >= _WAVEFRONT_SIZE:
        return _THREAD
    return _LANE if group == 32 else Divergence(LANE)
