"""How the values of a function differ between the threads of a block.

A warp is 32 threads here, as in CUDA, and a wavefront 64: threads `64k … 64k+63` of a block. Two warps that share a
wavefront run in step on AMD's CDNA GPUs (HIP programming model, "Warp"; CUDA C++ Programming Guide, "Hardware
Multithreading").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hipify_py.dataflow.operations import (
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
from hipify_py.dataflow.solver import solve

BLOCK, WAVEFRONT, WARP, UNSURE, LANE = range(5)
"""Same in the whole block; in each wavefront of 64; in each warp of 32; not known; different from lane to lane."""

NO_INDEX, OF_THREAD, OF_LANE, OF_WARP = range(4)
"""An index that no two threads of a wavefront share; one of the lanes of a warp; one of the warps of a block."""

WHOLE_BLOCK = 1024
"""The size of a cooperative group that is a block or more."""


class Spread(NamedTuple):
    """How a value differs between threads.

    Attributes:
        level: `BLOCK`, `WAVEFRONT`, `WARP`, `UNSURE` or `LANE`.
        identity: `OF_THREAD`, `OF_LANE` or `OF_WARP` for a value that tells these apart; `NO_INDEX` for any other.
        group: the size of the cooperative group that the value is; 0 where it is none.
        parameter: the position of the parameter that the value is, of one lane or of each; -1 for any other value.
    """

    level: int
    identity: int = NO_INDEX
    group: int = 0
    parameter: int = -1


SAME = Spread(BLOCK)
_SAME_FOR_ALL = (BLOCK, WAVEFRONT, UNSURE)
"""The levels of what is added to an index: one that is not known is taken for a start or a stride."""
_THREAD, _LANE, _WARP = Spread(LANE, OF_THREAD), Spread(LANE, OF_LANE), Spread(WARP, OF_WARP)
_DIFFERENT, _UNSURE = Spread(LANE), Spread(UNSURE)

_SPECIAL = {b"%laneid": _LANE, b"%tid.x": _THREAD, b"%warpid": _WARP}
"""The special registers of PTX that tell threads apart."""
_OF_ALL = frozenset({b"blockIdx", b"blockDim", b"gridDim", b"warpSize"})
"""The built-in variables that all threads of a block have in common."""

_VOTES = re.compile(
    rb"__(?:any|all|ballot|uni)(?:_sync)?|__reduce_\w+_sync|__match_all_sync|__activemask"
    rb"|__builtin_amdgcn_(?:readfirstlane|ballot\w*)"
)
_BLOCK_VOTES = re.compile(rb"__syncthreads_(?:and|or|count)")
_SHUFFLES = re.compile(rb"__shfl(?:_(?:up|down|xor))?(?:_sync)?")
_OF_EACH_LANE = re.compile(rb"atomic\w+|clock(?:64)?|__match_any_sync|fetch_\w+|curand\w*")
_PURE = re.compile(rb"(?:__)?(?:f?min|f?max|abs|ffs|ffsll|clz|popc|popcll|brev|ceil_div|ceildiv|div_?up|__ldg)")
_LANE_NAME = re.compile(
    rb"(?:\w+\.|\w*->)?_*(?:get_?|my_?|thread_?)?(?:lane_*(?:id|idx|index|rank|no)?_*(?:in_?warp)?|warp_?tid)", re.I
)
_WARP_NAME = re.compile(
    rb"_*(?:get_?|my_?|canonical_?)?(?:warp|wid)_*(?:id|idx|index|rank|no|num)?_*(?:in_?block|sync)?", re.I
)
_THREAD_NAME = re.compile(rb"_*(?:get_?|my_?)?(?:g?tid|thread_?(?:id|idx|index|rank|num))_*(?:x|in_?block)?_*", re.I)
_SIZE_NAME = re.compile(rb"(?:\b|_|k)(?:warp_?size|warp_?threads|threads_?per_?warp)\b", re.I)
"""Names of constants of other files that give a warp its size."""
_OF_A_WAVEFRONT = 64
_TILE = re.compile(rb"thread_block_tile\s*<\s*(\w+)")
_WHOLE = re.compile(rb"\b(?:thread_block|grid_group)\b")
_ANY_TILE = 1
"""Stands for the size of a tile that a template parameter gives: no more is known than that it is a part of a warp."""
_MIRRORED = {b"<": b">", b">": b"<", b"<=": b">=", b">=": b"<="}
_COMPARISONS = frozenset({b"==", b"!=", b"<", b">", b"<=", b">="})


class Uniformity:
    """How the values of one function differ between threads.

    Args:
        function: the function.
        is_kernel: its parameters are the same for the whole grid.
        returned: tells how what other functions return differs, by their names; None for one that is not known.
    """

    def __init__(
        self, function: LoweredFunction, *, is_kernel: bool, returned: Callable[[bytes], Spread | None]
    ) -> None:
        self._function = function
        self._is_kernel = is_kernel
        self._returned = returned
        names = {variable.name for variable in function.variables.values()}
        self._positions = {value: at for at, value in enumerate(function.parameters)}
        self._is_flat = not names & {b"threadIdx.y", b"threadIdx.z"}
        self._known = solve(function, self._transfer, joined_spreads)

    def of(self, value: int) -> Spread:
        """How a value differs; unsure where nothing is known."""
        found = self._known[value] if value >= 0 else SAME
        return found if found is not None else _UNSURE

    # ------------------------------------------------------------------ operations

    def _transfer(
        self, operation: Operation, arguments: Sequence[Spread | None], conditions: Sequence[Spread | None]
    ) -> Spread | None:
        known = [argument for argument in arguments if argument is not None]
        code = operation.code
        if code == CONST:
            return SAME
        if code == EXTERN or code == PARAMETER:
            found = self._outside(operation.name, operation.code == PARAMETER, operation.result)
            return found if code == EXTERN else found._replace(parameter=self._positions[operation.result])
        if code == LOAD and self._is_shared_variable(operation):
            return SAME
        if not known:
            return None if arguments or code == COPY else self._call(operation, known) if code == CALL else _UNSURE
        if code == COPY:
            return self._copied(operation, known, [found for found in conditions if found is not None])
        if code in (CAST, ADDRESS) or (code == UNARY and operation.name in (b"-", b"+")):
            return known[0]
        if code == BINARY and len(known) == 2:
            return self._binary(operation, *known)
        if code == CALL:
            return self._call(operation, known)
        if code == ASM:
            return self._instruction(operation, known)
        if code == FIELD and (known[0].level == UNSURE or self._is_returned(operation.arguments[0])):
            return _hinted(_UNSURE, operation.name)
        level = max((found.level for found in known), default=UNSURE if code == UNKNOWN else BLOCK)
        if code == LOAD and known[0].group == 0 and known[0].level == UNSURE:
            return Spread(max(level, UNSURE))
        return Spread(level)

    def _is_shared_variable(self, load: Operation) -> bool:
        """One variable for the whole block, which is no array."""
        variable = self._function.variables.get(load.arguments[0])
        is_one = len(load.arguments) == 1 and variable is not None and variable.shape == "value"
        return is_one and variable is not None and variable.is_shared

    def _is_returned(self, value: int) -> bool:
        """A variable holds an object that a function has returned: its members may differ in different ways."""
        variable = self._function.variables.get(value)
        if variable is None or variable.shape != "value":
            return False
        found = self._function.definition(self._function.origin(value))
        return found is not None and found.code == CALL

    def _outside(self, name: bytes, is_parameter: bool, value: int) -> Spread:
        if name.startswith(b"%"):
            return _SPECIAL.get(name, _DIFFERENT if name.startswith((b"%lanemask", b"%clock")) else SAME)
        base, _, part = name.partition(b".")
        if base == b"threadIdx":
            if part == b"x" or not part:
                return _THREAD if self._is_flat else _LANE
            return Spread(UNSURE, OF_WARP)
        type = self._function.variables[value].type if value in self._function.variables else b""
        tile = _TILE.search(type)
        if tile is not None:
            return Spread(BLOCK, NO_INDEX, int(tile[1]) if tile[1].isdigit() else _ANY_TILE)
        if _WHOLE.search(type) is not None:
            return Spread(BLOCK, NO_INDEX, WHOLE_BLOCK)
        if is_parameter:
            return SAME if self._is_kernel else _hinted(_UNSURE, name)
        if base in _OF_ALL or name in self._function.template_parameters:
            return SAME
        found = _hinted(_UNSURE, name)
        return found if found != _UNSURE or name.endswith(b"_") or name == b"this" else SAME

    def _copied(self, operation: Operation, known: list[Spread], conditions: list[Spread]) -> Spread:
        variable = self._function.variables.get(operation.result, Variable(b"", b"", "", 0))
        level = max(found.level for found in (*known, *conditions))
        if level > known[0].level:  # a member that one thread sets may be that of an object of all (PhysX)
            return _UNSURE if variable.is_member else Spread(level, NO_INDEX, known[0].group)
        return _hinted(known[0], variable.name)

    def _binary(self, operation: Operation, left: Spread, right: Spread) -> Spread:
        name, (one, other) = operation.name, operation.arguments
        level = max(left.level, right.level)
        if name in (b"+", b"-", b"|", b"^", b"*"):
            if {left.identity, right.identity} == {OF_LANE, OF_WARP} and name != b"*":
                return _THREAD
            if right.level in _SAME_FOR_ALL and left.identity:
                return Spread(left.level, left.identity)
            if left.level in _SAME_FOR_ALL and right.identity:
                return Spread(right.level, right.identity)
            if name == b"-" and (left.identity, right.identity) == (OF_THREAD, OF_LANE):
                return _WARP
        elif name in (b"/", b">>", b"%", b"&"):
            count = self._count(other)
            if name == b">>" and right.level == WARP and left.level in _SAME_FOR_ALL:
                return _UNSURE  # of a table: both warps of a wavefront may find the same there
            if name == b"&" and count is None:
                one, left, right, count = other, right, left, self._count(one)
            if left.identity and count is not None:
                return _part(name, left, count)
            if left.identity and right.level in (BLOCK, UNSURE):
                is_part = self._is_constant_elsewhere(other)
                return _UNSURE if name in (b"/", b">>") else Spread(left.level, NO_INDEX if is_part else left.identity)
        elif name in _COMPARISONS:
            return self._compared(name, (one, left), (other, right))
        return Spread(level)

    def _count(self, value: int) -> int | None:
        """The constant that a value is, with `warpSize` as what this function takes it for."""
        count = self._function.constant(value)
        operation = self._function.definition(self._function.origin(value)) if count is None else None
        if operation is None or operation.code != EXTERN:
            return count
        return 32 if is_size_of_warp(operation.name) else None

    def _is_constant_elsewhere(self, value: int) -> bool:
        """A value is a template parameter, or a constant of another file: an index modulo it is one of a part."""
        operation = self._function.definition(self._function.origin(value))
        return operation is not None and operation.code == EXTERN and b"." not in operation.name

    def _compared(self, name: bytes, left: tuple[int, Spread], right: tuple[int, Spread]) -> Spread:
        if right[1].identity and not left[1].identity:
            left, right, name = right, left, _MIRRORED.get(name, name)
        index, level = left[1].identity, max(left[1].level, right[1].level)
        if name in (b"==", b"!=") or not index or right[1].level not in (BLOCK, UNSURE):
            return Spread(level)
        count = self._count(right[0])
        if count is None:
            return _UNSURE if index == OF_THREAD else Spread(level)
        count += name in (b"<=", b">")
        if index == OF_WARP:
            return Spread(WAVEFRONT if count % 2 == 0 else level)
        return (
            Spread(WAVEFRONT if count % 64 == 0 else WARP if count % 32 == 0 else LANE)
            if index == OF_THREAD
            else (Spread(BLOCK if count % 32 == 0 else LANE))
        )

    def _call(self, operation: Operation, known: list[Spread]) -> Spread:
        name = operation.name
        level = max((found.level for found in known), default=BLOCK)
        group = known[0].group if known else 0
        if _BLOCK_VOTES.fullmatch(name):
            return SAME
        if _VOTES.fullmatch(name):
            return Spread(WARP)
        if _SHUFFLES.fullmatch(name):
            return self._shuffled(name, operation, known)
        if name in (b"thread_rank", b"thread_index"):
            return _rank(group) if group else _hinted(_UNSURE, b"thread_rank")
        if name == b"meta_group_rank" and group:
            return _WARP if group == 32 else Spread(LANE if group < 32 else BLOCK)
        if name in (b"any", b"all", b"ballot", b"shfl") and group:
            is_one = name != b"shfl" or known[-1].level <= WARP
            return Spread(WARP if group >= 32 and is_one else LANE)
        if name in (b"this_thread_block", b"this_grid"):
            return Spread(BLOCK, NO_INDEX, WHOLE_BLOCK)
        if name == b"tiled_partition":
            size = re.search(rb"<\s*(\w+)\s*>", operation.node.text or b"")
            return Spread(BLOCK, NO_INDEX, int(size[1]) if size is not None and size[1].isdigit() else _ANY_TILE)
        if _OF_EACH_LANE.fullmatch(name):
            return _DIFFERENT
        if _PURE.fullmatch(name):
            return Spread(level)
        found = self._returned(name)
        if found is not None and 0 <= found.parameter < len(operation.arguments) == len(known):
            given = known[found.parameter]
            return given if found.level >= UNSURE else _of_one_lane(given)
        if found is not None:
            return Spread(max(found.level, level if found.level == UNSURE else found.level), found.identity)
        return _hinted(_UNSURE, name)

    def _instruction(self, operation: Operation, known: list[Spread]) -> Spread:
        """What an instruction of PTX gives that meets no memory."""
        opcode = operation.name
        if opcode.startswith((b"vote", b"activemask", b"redux", b"match.all")):
            return Spread(WARP)
        if not opcode.startswith(b"shfl"):
            return Spread(max((found.level for found in known), default=UNSURE))
        is_of_one = b".idx" in opcode and len(known) > 2 and known[1].level <= WARP
        return _of_one_lane(known[0]) if is_of_one and self._count(operation.arguments[2]) == 31 else _DIFFERENT

    def _shuffled(self, name: bytes, operation: Operation, known: list[Spread]) -> Spread:
        place = 2 if name.endswith(b"_sync") else 1
        if not name.startswith(b"__shfl_sync") and name != b"__shfl":
            return _DIFFERENT
        if len(known) <= place or known[place].level > WARP:
            return _DIFFERENT
        width = self._count(operation.arguments[place + 1]) if len(operation.arguments) > place + 1 else 32
        if width is None or width < 32:
            return _DIFFERENT
        return _of_one_lane(known[place - 1])


def is_size_of_warp(name: bytes) -> bool:
    """A name from outside is that of the size of a warp: `warpSize`, or a constant of another file."""
    return _SIZE_NAME.search(name) is not None


def _of_one_lane(value: Spread) -> Spread:
    """A value of one lane of a warp, for all of them: the warp's number stays what it is."""
    if value.identity == OF_WARP:
        return value
    return Spread(WARP if value.level in (WARP, LANE) else WAVEFRONT, parameter=value.parameter)


def joined_spreads(one: Spread, other: Spread) -> Spread:
    """How a value differs that is one of two."""
    return Spread(
        max(one.level, other.level),
        one.identity if one.identity == other.identity else NO_INDEX,
        one.group if one.group == other.group else 0,
        one.parameter if one.parameter == other.parameter else -1,
    )


def _hinted(found: Spread, name: bytes) -> Spread:
    """What the name of a value says where the code does not."""
    if found.level != UNSURE or found.identity:
        return found
    if _LANE_NAME.fullmatch(name):
        return _LANE
    if _WARP_NAME.fullmatch(name):
        return _WARP
    return _THREAD if _THREAD_NAME.fullmatch(name) else found


def _part(name: bytes, value: Spread, count: int) -> Spread:
    """An index divided, or its remainder: by `32` the warp and the lane."""
    if name in (b"/", b">>"):
        size = 1 << count if name == b">>" and 0 <= count < 32 else count
        if value.identity == OF_WARP:
            return value if size == 1 else Spread(WAVEFRONT if size % 2 == 0 else value.level)
        if value.identity == OF_LANE:
            return SAME if size >= 32 else Spread(LANE)
        return (
            Spread(WAVEFRONT) if size % 64 == 0 else _WARP if size == 32 else Spread(WARP if size % 32 == 0 else LANE)
        )
    if name == b"%" or (count >= 0 and count & (count + 1) == 0):
        size = count if name == b"%" else count + 1
        if value.identity == OF_WARP:
            return Spread(value.level)
        if value.identity == OF_LANE:
            return value if size >= 32 else Spread(LANE)
        return value if size % 64 == 0 else _LANE if size == 32 else Spread(LANE)
    if value.identity == OF_THREAD and count & 31 == 0:
        return Spread(WAVEFRONT) if count & 63 == 0 else _WARP
    return Spread(value.level)


def _rank(group: int) -> Spread:
    if group >= _OF_A_WAVEFRONT:
        return _THREAD
    return _LANE if group == 32 else Spread(LANE)
