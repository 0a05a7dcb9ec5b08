"""Interval analysis of a function's integer values."""

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
"""`int` arithmetic is exact below it."""
_SMALLEST_TYPE = 127
"""Numbers up to it are the same in every integer type."""
_WIDENING_BOUNDS = (0, 1, 31, 32)
"""The bounds that widening may stop at."""
_PROPAGATED = frozenset({COPY, CAST, SELECT, BINARY})
"""The operations whose result intervals follow from their arguments."""
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
        """Whether all of them are within bounds."""
        return low <= self.low and self.high <= high


ANY = Interval(-_INFINITE, _INFINITE)


class Intervals:
    """The intervals of one function's values, for warps of 32 lanes."""

    def __init__(self, function: LoweredFunction) -> None:
        self._function = function
        self._order = {id(operation): at for at, operation in enumerate(function.operations)}
        self._limits: dict[int, int | None] = {}
        self._aliased = frozenset(_aliased_variables(function))

    def at(self, value: int, user: Operation) -> Interval:
        """The interval of a value where an operation uses it, by its definitions and the conditions around the use."""
        facts = solve(self._function, self._transfer, _widen, self._backward_slice(value))
        return self._refine(facts[value] or ANY, value, user)

    def _backward_slice(self, value: int) -> list[Operation]:
        """The backward slice of a value, through the operations that intervals are propagated through."""
        found, visited, pending = [], set[int](), [value]
        while pending:
            current = pending.pop()
            if current not in visited:
                visited.add(current)
                for operation in self._function.definitions.get(current, ()):
                    found.append(operation)
                    pending += operation.arguments if operation.code in _PROPAGATED else ()
        return found

    def _refine(self, interval: Interval, value: int, user: Operation) -> Interval:
        for condition, holds in self._conditions(user):
            comparison = self._function.definition(condition)
            if comparison is not None and comparison.code == BINARY and len(comparison.arguments) == 2:
                interval = self._refine_by_comparison(interval, value, comparison, holds, user)
        return interval

    def _conditions(self, user: Operation) -> Iterator[tuple[int, bool]]:
        """The conditions around an operation, each with whether it holds there."""
        for region in self._function.enclosing_regions(user.region):
            if region.kind in (IF, LOOP, LEFT, CHOICE) and region.condition >= 0:
                pending = [(region.condition, region.holds)]
                while pending:
                    condition, holds = pending.pop()
                    yield condition, holds
                    operation = self._function.definition(condition)
                    if operation is not None and operation.name == (b"&&" if holds else b"||"):
                        pending += [(part, holds) for part in operation.arguments]

    def _refine_by_comparison(
        self, interval: Interval, value: int, comparison: Operation, holds: bool, user: Operation
    ) -> Interval:
        """Narrow an interval by a comparison of its value with a number."""
        name = comparison.name if holds else _NEGATED.get(comparison.name, b"")
        left, right = comparison.arguments
        if right == value:
            left, right, name = right, left, _MIRRORED.get(name, b"")
        limit = self._number(right) if left == value else None
        if limit is None or not self._is_unchanged(value, comparison, user):
            return interval
        if name in (b"<", b"<=", b"=="):
            interval = interval._replace(high=min(interval.high, limit - (name == b"<")))
        if name in (b">", b">=", b"=="):
            interval = interval._replace(low=max(interval.low, limit + (name == b">")))
        return interval

    def _number(self, value: int) -> int | None:
        if value not in self._limits:
            self._limits[value] = self._function.evaluate(value, lambda one: 32 if one.name == _WARP_SIZE else None)
        return self._limits[value]

    def _is_unchanged(self, value: int, since: Operation, user: Operation) -> bool:
        """Whether a value is not redefined between two operations, nor in a loop that is entered between them."""
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
        if operation.result in self._aliased or code not in _PROPAGATED:
            return ANY
        operands = [argument for argument in arguments if argument is not None]
        if len(operands) < len(arguments):
            return None
        if code == COPY and len(operands) == 1:
            variable = self._function.variables.get(operation.result)
            is_signed = variable is not None and _SIGNED.fullmatch(variable.type.strip()) is not None
            return operands[0] if is_signed or operands[0].low >= 0 else ANY
        if code == CAST and len(operands) == 1:
            return operands[0] if operands[0].is_within(0, _SMALLEST_TYPE) else ANY
        if code == SELECT and len(operands) == 3:
            _, one, other = operands
            return Interval(min(one.low, other.low), max(one.high, other.high))
        if code == BINARY and len(operands) == 2:
            values = zip(operands, operation.arguments, strict=True)
            return _apply_operator(name, *(self._refine(known, value, operation) for known, value in values))
        return ANY


def _aliased_variables(function: LoweredFunction) -> Iterator[int]:
    """The variables that may be set through another name: an address, a reference, or a function's argument."""
    for operation in function.operations:
        by_reference = operation.code == COPY and function.variables.get(operation.result)
        if operation.code == ADDRESS or (by_reference and by_reference.shape == "reference"):
            yield from operation.arguments
        elif operation.code == CALL and not operation.name.startswith(b"__"):
            named = ((value, function.variables.get(value)) for value in operation.arguments)
            yield from (value for value, variable in named if variable is not None and b"const" not in variable.type)
    yield from (value for value, variable in function.variables.items() if variable.shape != "value")


def _widen(before: Interval, other: Interval) -> Interval:
    """The union of two intervals, with bounds that move widened to fixed ones, so that loop variables converge."""
    low, high = before
    if other.low < low:
        low = next((bound for bound in reversed(_WIDENING_BOUNDS) if bound <= other.low), -_INFINITE)
    if other.high > high:
        high = next((bound for bound in _WIDENING_BOUNDS if other.high <= bound), _INFINITE)
    return Interval(low, high)


def _apply_operator(name: bytes, left: Interval, right: Interval) -> Interval:
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
