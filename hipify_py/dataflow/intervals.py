"""The integers that the values of a function may be, as intervals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hipify_py.dataflow.operations import (
    ADDRESS,
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    SELECT,
    LoweredFunction,
    Operation,
)
from hipify_py.dataflow.solver import solve
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, LOOP

_INFINITE = 1 << 62
_LARGEST_EXACT = 1 << 31
"""What is calculated in `int` is exact below it."""
_SMALLEST_TYPE = 127
"""A number up to it is the same in every integer type."""
_SETTLED = (0, 1, 31, 32)
"""The bounds that an interval may still have after a variable was found to get several values."""
_FOLLOWED = frozenset({COPY, CAST, SELECT, BINARY})
"""The operations whose results follow from their arguments."""
_WARP_SIZE = b"warpSize"
_UNSIGNED = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
_SIGNED = re.compile(rb"(?:(?:const|signed|short|long|int|int32_t|int64_t)\b\s*)+")
_NEGATED = {b"<": b">=", b"<=": b">", b">": b"<=", b">=": b"<"}
_MIRRORED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"=="}


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    def is_within(self, low: int, high: int) -> bool:
        """All of them are within bounds."""
        return low <= self.low and self.high <= high


ANY = Interval(-_INFINITE, _INFINITE)


class Intervals:
    """The intervals of the values of one function, whose warps have 32 lanes."""

    def __init__(self, function: LoweredFunction) -> None:
        self._function = function
        self._order = {id(operation): at for at, operation in enumerate(function.operations)}
        self._limits: dict[int, int | None] = {}
        self._changed = frozenset(_changed_elsewhere(function))

    def of(self, value: int, user: Operation) -> Interval:
        """What a value may be where an operation uses it, by its definitions and by the conditions around that."""
        known = solve(self._function, self._transfer, _widened, self._deciding(value))
        return self._bounded(known[value] or ANY, value, user)

    def _deciding(self, value: int) -> list[Operation]:
        """The operations that a value comes from, as far as more is known of their results than of any value."""
        found, seen, pending = [], set[int](), [value]
        while pending:
            asked = pending.pop()
            if asked not in seen:
                seen.add(asked)
                for operation in self._function.definitions.get(asked, ()):
                    found.append(operation)
                    pending += operation.arguments if operation.code in _FOLLOWED else ()
        return found

    def _bounded(self, found: Interval, value: int, user: Operation) -> Interval:
        for condition, holds in self._conditions(user):
            comparison = self._function.definition(condition)
            if comparison is not None and comparison.code == BINARY and len(comparison.arguments) == 2:
                found = self._compared(found, value, comparison, holds, user)
        return found

    def _conditions(self, user: Operation) -> Iterator[tuple[int, bool]]:
        """The conditions around an operation that hold, or do not."""
        for region in self._function.around(user.region):
            if region.kind in (IF, LOOP, LEFT, CHOICE) and region.condition >= 0:
                pending = [(region.condition, region.holds)]
                while pending:
                    condition, holds = pending.pop()
                    yield condition, holds
                    operation = self._function.definition(condition)
                    if operation is not None and operation.name == (b"&&" if holds else b"||"):
                        pending += [(part, holds) for part in operation.arguments]

    def _compared(self, found: Interval, value: int, comparison: Operation, holds: bool, user: Operation) -> Interval:
        """What is left of an interval where a comparison, that may be of its value with a number, holds or does not."""
        name = comparison.name if holds else _NEGATED.get(comparison.name, b"")
        left, right = comparison.arguments
        if right == value:
            left, right, name = right, left, _MIRRORED.get(name, b"")
        limit = self._number(right) if left == value else None
        if limit is None or not self._is_unchanged(value, comparison, user):
            return found
        if name in (b"<", b"<=", b"=="):
            found = found._replace(high=min(found.high, limit - (name == b"<")))
        if name in (b">", b">=", b"=="):
            found = found._replace(low=max(found.low, limit + (name == b">")))
        return found

    def _number(self, value: int) -> int | None:
        if value not in self._limits:
            self._limits[value] = self._function.evaluated(value, lambda one: 32 if one.name == _WARP_SIZE else None)
        return self._limits[value]

    def _is_unchanged(self, value: int, since: Operation, user: Operation) -> bool:
        """A value gets no other one between two operations, nor in a loop that is entered between them."""
        first, last = self._order[id(since)], self._order[id(user)]
        loops = (loop for loop in self._function.loops if first < loop.first <= last < loop.last)
        end = max((loop.last for loop in loops), default=last)
        places = (self._order[id(operation)] for operation in self._function.definitions.get(value, ()))
        return first < last and not any(first < place < end for place in places)

    def _transfer(
        self, operation: Operation, arguments: Sequence[Interval | None], conditions: Sequence[Interval | None]
    ) -> Interval | None:
        code, name = operation.code, operation.name
        if code == CONST:
            return Interval(int(name), int(name)) if name else ANY
        if code == EXTERN:
            if name == _WARP_SIZE:
                return Interval(32, 32)
            return Interval(0, _INFINITE) if name.partition(b".")[0] in _UNSIGNED else ANY
        if operation.result in self._changed or code not in _FOLLOWED:
            return ANY
        known_arguments = [argument for argument in arguments if argument is not None]
        if len(known_arguments) < len(arguments):
            return None
        if code == COPY and len(known_arguments) == 1:
            variable = self._function.variables.get(operation.result)
            is_signed = variable is not None and _SIGNED.fullmatch(variable.type.strip()) is not None
            return known_arguments[0] if is_signed or known_arguments[0].low >= 0 else ANY
        if code == CAST and len(known_arguments) == 1:
            return known_arguments[0] if known_arguments[0].is_within(0, _SMALLEST_TYPE) else ANY
        if code == SELECT and len(known_arguments) == 3:
            _, one, other = known_arguments
            return Interval(min(one.low, other.low), max(one.high, other.high))
        if code == BINARY and len(known_arguments) == 2:
            values = zip(known_arguments, operation.arguments, strict=True)
            return _combined(name, *(self._bounded(known, value, operation) for known, value in values))
        return ANY


def _changed_elsewhere(function: LoweredFunction) -> Iterator[int]:
    """The variables that may be set by another name: by their address, a reference, or a function that is given one."""
    for operation in function.operations:
        by_reference = operation.code == COPY and function.variables.get(operation.result)
        if operation.code == ADDRESS or (by_reference and by_reference.shape == "reference"):
            yield from operation.arguments
        elif operation.code == CALL and not operation.name.startswith(b"__"):
            named = ((value, function.variables.get(value)) for value in operation.arguments)
            yield from (value for value, variable in named if variable is not None and b"const" not in variable.type)
    yield from (value for value, variable in function.variables.items() if variable.shape != "value")


def _widened(before: Interval, other: Interval) -> Interval:
    """Both intervals in one; a bound that moves goes to a settled one, so that variables of loops come to an end."""
    low, high = before
    if other.low < low:
        low = next((bound for bound in reversed(_SETTLED) if bound <= other.low), -_INFINITE)
    if other.high > high:
        high = next((bound for bound in _SETTLED if other.high <= bound), _INFINITE)
    return Interval(low, high)


def _combined(name: bytes, left: Interval, right: Interval) -> Interval:
    """The interval of an operator's results, for operands of any integer type."""
    is_number = right.low == right.high
    if name in (b"<", b">", b"<=", b">=", b"==", b"!=", b"&&", b"||"):
        return Interval(0, 1)
    if name == b"&" and is_number and right.low >= 0:
        return Interval(0, right.low)
    if left.low < 0 or right.low < 0:
        return ANY
    found = ANY
    if name == b"/" and right.low > 0:
        found = Interval(left.low // right.high, left.high // right.low)
    elif name == b"%" and right.low > 0:
        found = Interval(0, min(left.high, right.high - 1))
    elif name == b">>" and right.high < 32:
        found = Interval(left.low >> right.high, left.high >> right.low)
    elif name == b"<<" and right.high < 32:
        found = Interval(left.low << right.low, left.high << right.high)
    elif name == b"+":
        found = Interval(left.low + right.low, left.high + right.high)
    elif name == b"-":
        found = Interval(left.low - right.high, left.high - right.low)
    elif name == b"*":
        found = Interval(left.low * right.low, left.high * right.high)
    is_shrinking = name in (b"/", b"%", b">>")
    return found if is_shrinking or found.high < _LARGEST_EXACT else ANY
