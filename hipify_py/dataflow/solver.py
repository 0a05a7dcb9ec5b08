"""Solves a data-flow problem over the operations of one function."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from hipify_py.dataflow.operations import COPY, LoweredFunction, Operation

if TYPE_CHECKING:
    Fact = TypeVar("Fact")
    Transfer = Callable[[Operation, Sequence["Fact | None"], Sequence["Fact | None"]], "Fact | None"]


def solve(
    function: LoweredFunction,
    transfer: Transfer[Fact],
    join: Callable[[Fact, Fact], Fact],
    operations: Sequence[Operation] | None = None,
) -> list[Fact | None]:
    """The least solution of a problem: what is known of each value, None where nothing defines it.

    Args:
        function: the function.
        transfer: what an operation says of its result, from what is known of its arguments and, for a copy into a
            variable, of the conditions between the copy and the variable's declaration.
        join: combines what two operations say of one value. It must reach an end: no chain of facts grows for ever.
        operations: the operations that are asked about, where that is not all of the function.
    """
    operations = function.operations if operations is None else operations
    known: list[Fact | None] = [None] * function.values
    conditions = [_conditions(function, operation) for operation in operations]
    users: dict[int, list[int]] = {}
    for at, operation in enumerate(operations):
        for value in {*operation.arguments, *conditions[at]}:
            users.setdefault(value, []).append(at)
    work = deque(range(len(operations)))
    waiting = set(work)
    while work:
        at = work.popleft()
        waiting.discard(at)
        operation = operations[at]
        arguments = [known[value] for value in operation.arguments]
        fact = transfer(operation, arguments, [known[value] for value in conditions[at]])
        before = known[operation.result]
        if fact is None:
            continue
        after = fact if before is None else join(before, fact)
        if after != before:
            known[operation.result] = after
            for user in users.get(operation.result, ()):
                if user not in waiting:
                    waiting.add(user)
                    work.append(user)
    return known


def _conditions(function: LoweredFunction, operation: Operation) -> list[int]:
    """The conditions that decide whether a variable gets a value, those around its declaration left out."""
    variable = function.variables.get(operation.result)
    if operation.code != COPY or variable is None:
        return []
    return list(function.conditions(operation.region, variable.region))
