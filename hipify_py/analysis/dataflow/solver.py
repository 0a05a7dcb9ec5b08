"""A sparse data-flow solver over the operations of one function."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from hipify_py.analysis.dataflow.operations import COPY, LoweredFunction, Operation

if TYPE_CHECKING:
    Fact = TypeVar("Fact")
    Transfer = Callable[[Operation, Sequence["Fact | None"], Sequence["Fact | None"]], "Fact | None"]


def solve(
    function: LoweredFunction,
    transfer: Transfer[Fact],
    join: Callable[[Fact, Fact], Fact],
    operations: Sequence[Operation] | None = None,
) -> list[Fact | None]:
    """The least fixed point of a data-flow problem: the fact for each value, None where nothing defines it.

    Args:
        function: the function.
        transfer: the fact for an operation's result, from the facts of its arguments and, for a copy into a variable,
            of
            the conditions between the copy and the variable's declaration.
        join: combines the facts of two operations that define one value. All ascending chains must be finite.
        operations: the operations to solve for; None for all.
    """
    operations = function.operations if operations is None else operations
    facts: list[Fact | None] = [None] * function.values
    conditions = [_conditions(function, operation) for operation in operations]
    users: dict[int, list[int]] = {}
    for at, operation in enumerate(operations):
        for value in {*operation.arguments, *conditions[at]}:
            users.setdefault(value, []).append(at)
    work = deque(range(len(operations)))
    queued = set(work)
    while work:
        at = work.popleft()
        queued.discard(at)
        operation = operations[at]
        arguments = [facts[value] for value in operation.arguments]
        fact = transfer(operation, arguments, [facts[value] for value in conditions[at]])
        before = facts[operation.result]
        if fact is None:
            continue
        after = fact if before is None else join(before, fact)
        if after != before:
            facts[operation.result] = after
            for user in users.get(operation.result, ()):
                if user not in queued:
                    queued.add(user)
                    work.append(user)
    return facts


def _conditions(function: LoweredFunction, operation: Operation) -> list[int]:
    """The conditions that decide whether a variable is assigned, up to those around its declaration."""
    variable = function.variables.get(operation.result)
    if operation.code != COPY or variable is None:
        return []
    return list(function.conditions(operation.region, variable.region))
