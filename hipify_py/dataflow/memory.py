"""Which memory the operations of a function look at and change, and which of that other threads may see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from hipify_py.dataflow.operations import (
    ADDRESS,
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    FIELD,
    LOAD,
    PARAMETER,
    STORE,
    TUPLE,
    UNKNOWN,
    LoweredFunction,
    Operation,
    Variable,
)
from hipify_py.dataflow.plain import OBJECT, Place, Root, Summary, Waiting

_SCOPE = rb"(?:_block|_system)?"
_MODIFIES = re.compile(
    rb"atomic(?!_ref|Load)\w+|__(?:hip_)?atomic_(?!load)\w+|__sync_\w+|exchange|compare_exchange_\w+|test_and_set"
    rb"|fetch_\w+|store|clear|notify_\w+|arrive|arrive_\w+|producer_commit|consumer_release"
    rb"|(?:st|store|red|signal)_?(?:release|volatile|relaxed)\w*|release_store\w*|unlock\w*|release"
)
_LOADS = re.compile(
    rb"load|test|__ldcg|__ldcv|atomicLoad|__(?:hip_)?atomic_load(?:_n)?"
    rb"|(?:ld|load)_?(?:acquire|volatile|relaxed)\w*|(?:acquire|volatile)_?load\w*"
)
_UNCHANGED_BY_0 = re.compile(rb"atomic(?:Add|Sub|Or|Xor)" + _SCOPE + rb"|fetch_(?:add|sub|or|xor)")
_COMPARES = re.compile(
    rb"atomicCAS" + _SCOPE + rb"|compare_exchange_(?:strong|weak)|__sync_(?:bool|val)_compare_and_swap"
)
_EXCHANGES = re.compile(rb"atomic(?:Exch|Or)" + _SCOPE + rb"|exchange|fetch_or|__sync_lock_test_and_set")
_CONVERTS = re.compile(
    rb"atomic_ref|addressof|to_address|\w*cvta\w*|\w*cast_smem_ptr\w*|\w*generic_to_shared\w*|\w*_native_handle"
)
_TRIES = (b"test_and_set", b"try_acquire", b"try_lock")


class Access(NamedTuple):
    """The memory that an address leads to.

    Attributes:
        root: what the address begins with: the value of a parameter or a variable, `OBJECT`, or a name from outside.
        field: the member of an object that is accessed; empty for none.
        indices: the values that say which element it is.
        is_volatile: a type on the way says so.
    """

    root: Root
    field: bytes
    indices: tuple[int, ...]
    is_volatile: bool


class Memory:
    """The memory accesses of one function.

    Args:
        function: the function.
        summaries: what is known of the functions that it may call, by their names.
    """

    def __init__(self, function: LoweredFunction, summaries: Mapping[bytes, Summary]) -> None:
        self.function = function
        self.summaries = summaries
        self._accesses: dict[int, Access] = {}
        self._attempts: dict[int, list[tuple[Access, tuple[int, ...]]]] = {}
        self._besides: dict[bytes, list[tuple[Operation, Access]]] = {}

    def access(self, value: int) -> Access:
        """The memory that an address, an object, or a loaded value is of."""
        known = self._accesses.get(value)
        if known is None:
            known = self._accesses[value] = self._find_access(value)
        return known

    def _find_access(self, value: int) -> Access:
        indices: list[int] = []
        field, is_volatile, seen = b"", False, set[int]()
        while value not in seen:
            seen.add(value)
            variable = self.function.variables.get(value)
            is_volatile = is_volatile or (variable is not None and b"volatile" in variable.type)
            operation = self.function.definition(value)
            if operation is None or operation.code in (EXTERN, PARAMETER) or not operation.arguments:
                break
            first, *others = operation.arguments
            if operation.code == LOAD or (operation.code == CALL and _leads_on(operation)):
                indices += others
            elif operation.code == TUPLE:
                if others:
                    break  # an object that is made of several values is none of them
            elif operation.code == FIELD:
                field = field or operation.name
                is_volatile = is_volatile or operation.name in self.function.volatile_fields
            elif operation.code == BINARY and operation.name in (b"+", b"-"):
                if self._is_number(first) and not self._is_number(others[0]):
                    first, others = others[0], [first]
                indices += others
            elif operation.code == CAST:
                is_volatile = is_volatile or b"volatile" in operation.name
            elif operation.code not in (ADDRESS, COPY) and (operation.code != UNKNOWN or others):
                break
            value = first
        variable, operation = self.function.variables.get(value), self.function.definition(value)
        if variable is None or operation is None or operation.code != EXTERN:
            return Access(value, field, tuple(indices), is_volatile)
        if variable.name != b"this" and not variable.is_member:
            return Access(variable.name, field, tuple(indices), is_volatile)
        return Access(OBJECT, field if variable.name == b"this" else variable.name, tuple(indices), is_volatile)

    def _is_number(self, value: int) -> bool:
        """A value of an integer type, as far as that is plain to see."""
        variable = self.function.variables.get(value)
        if variable is None:
            return self.function.constant(value) is not None
        return variable.shape == "value" and b"*" not in variable.type

    @cached_property
    def _outside(self) -> dict[bytes, Variable]:
        """The names from outside."""
        variables = self.function.variables
        return {
            variables[operation.result].name: variables[operation.result]
            for operation in self.function.operations
            if operation.code == EXTERN and operation.result in variables
        }

    def variable(self, access: Access) -> Variable | None:
        """The variable that an access begins with."""
        if isinstance(access.root, bytes):
            return self._outside.get(access.root)
        return self._outside.get(access.field) if access.root == OBJECT else self.function.variables.get(access.root)

    def is_shared(self, access: Access) -> bool:
        """The memory is a block's `__shared__` memory, by its declaration."""
        variable = self.variable(access)
        return variable is not None and variable.is_shared

    def is_same(self, one: Access, other: Access) -> bool:
        """Two accesses are of the same array or object, as far as names tell."""
        return one.root == other.root and (one.field == other.field or not one.field or not other.field)

    def is_worked_out_from(self, value: int, access: Access) -> bool:
        """A value comes from a look at some memory."""
        found = self.function.slice([value], self.defining)
        return any(one.code == LOAD and self.is_same(self.access(one.result), access) for one in found)

    def place(self, access: Access, fixed: tuple[int, ...] = ()) -> Place | None:
        """An access as callers know it; None for memory of the function's own."""
        root = access.root
        if root in self.function.parameters:
            root = self.function.parameters.index(root)
        elif not isinstance(root, bytes) and root != OBJECT:
            return None
        return Place(root, access.field, self.function.parameters_of(access.indices), fixed)

    def given(self, call: Operation, place: Place | Waiting) -> Access | None:
        """What a place that a called function knows is at a call."""
        if isinstance(place.root, bytes) or (place.root == OBJECT and not is_member_call(call)):
            access = Access(place.root, b"", (), False)
        else:
            start = call.arguments[:1] if place.root == OBJECT else self.arguments(call, (place.root,))
            if not start:
                return None
            access = self.access(start[0])
        indices = access.indices + self.arguments(call, place.parameters)
        return access._replace(indices=indices, field=access.field or place.field)

    def arguments(self, call: Operation, positions: tuple[int, ...]) -> tuple[int, ...]:
        """The arguments of a call for some of the function's parameters."""
        arguments = call.arguments[is_member_call(call) :]
        return tuple(arguments[at] for at in positions if at < len(arguments))

    def _given_places(self, call: Operation, places: Iterable[Place]) -> Iterator[Access]:
        for place in places:
            found = self.given(call, place)
            if found is not None:
                yield found

    # ------------------------------------------------------------------ results

    def results(self) -> Iterator[tuple[int, int, int]]:
        """What the function gives back: its values and their regions, with the positions of the parameters for it.

        The position is -1 for what the function returns.
        """
        yield from ((-1, value, region) for value, region in self.function.returned)
        parameters, variables = self.function.parameters, self.function.variables
        for operation in self.function.operations:
            if operation.code == COPY and operation.result in parameters:
                if variables[operation.result].shape == "reference":
                    yield parameters.index(operation.result), operation.arguments[0], operation.region
            elif operation.code == STORE:
                root = self.access(operation.arguments[0]).root
                if root in parameters:
                    yield parameters.index(root), operation.arguments[-1], operation.region

    def defining(self, value: int) -> list[Operation]:
        """The operations that define a value, with the calls that give it back through a parameter."""
        return [*self.function.definitions.get(value, ()), *self._calls_that_give.get(value, ())]

    @cached_property
    def _calls_that_give(self) -> dict[int, list[Operation]]:
        found: dict[int, list[Operation]] = {}
        for operation in self.function.calls.values():
            for value in self.given_back(operation):
                found.setdefault(value, []).append(operation)
        return found

    def given_back(self, operation: Operation) -> list[int]:
        """The variables that a call gives results back in."""
        if operation.code == CALL and operation.name.startswith(b"compare_exchange_"):
            return list(map(self._pointed_at, operation.arguments[1:2]))
        if operation.code != CALL or operation.name not in self.summaries:
            return []
        return list(map(self._pointed_at, self.arguments(operation, tuple(self.summaries[operation.name].given))))

    def _pointed_at(self, value: int) -> int:
        operation = self.function.definition(value)
        return operation.arguments[0] if operation is not None and operation.code == ADDRESS else value

    def _is_own(self, value: int) -> bool:
        """An address is that of a variable of the thread's own."""
        variable = self.function.variables.get(self._pointed_at(value))
        is_address = self._pointed_at(value) != value
        return is_address and variable is not None and variable.region >= 0 and not variable.is_memory

    # ------------------------------------------------------------------ what operations do

    def reads(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation looks at anew each time, and leaves as it is."""
        name, arguments = operation.name, operation.arguments
        if operation.code in (LOAD, FIELD):
            access = self.access(operation.result)
            if access.is_volatile:
                yield access
        elif operation.code == CALL and name in self.summaries:
            yield from self._given_places(operation, self.summaries[name].reads)
        elif operation.code == CALL and arguments and (_LOADS.fullmatch(name) or self._changes_nothing(operation)):
            yield self.access(arguments[0])

    def attempts(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation puts a fixed value into, if it is free: a lock."""
        return (access for access, fixed in self.attempts_given(operation) if not fixed)

    def attempts_given(self, operation: Operation) -> Sequence[tuple[Access, tuple[int, ...]]]:
        """As `attempts`, with the positions of the function's parameters that have to be constants for that."""
        if operation.code != CALL:
            return ()
        known = self._attempts.get(operation.result)
        if known is None:
            known = self._attempts[operation.result] = list(self._find_attempts(operation))
        return known

    def _find_attempts(self, operation: Operation) -> Iterator[tuple[Access, tuple[int, ...]]]:
        name, arguments = operation.name, operation.arguments
        if self.is_statement(operation):
            return
        if name in self.summaries:
            for place in self.summaries[name].attempts:
                access = self.given(operation, place)
                fixed = self._fixed(self.arguments(operation, place.fixed))
                if access is not None and fixed is not None:
                    yield access, fixed
        elif not arguments or self._changes_nothing(operation):
            return
        elif name in _TRIES:
            yield self.access(arguments[0]), ()
        elif self._differs_in_text(arguments[1:3]):
            fixed = self._taken_for(operation)
            if fixed is not None:
                yield self.access(arguments[0]), fixed

    def _taken_for(self, operation: Operation) -> tuple[int, ...] | None:
        """The parameters that have to be constants for an atomic operation to take a lock; None for any other one."""
        arguments = operation.arguments
        if _COMPARES.fullmatch(operation.name) and len(arguments) >= 3:
            is_state = self._is_masked(arguments[1]) or self._is_asked_for(operation)
            return () if is_state else self._fixed(arguments[1:2])
        is_exchange = _EXCHANGES.fullmatch(operation.name) and len(arguments) >= 2
        return self._fixed(arguments[1:2]) if is_exchange else None

    def _is_asked_for(self, operation: Operation) -> bool:
        """A number that an operation puts into memory is compared with what it found there: that it is locked."""
        new = self.function.origin(operation.arguments[2])
        number, seen = self.function.constant(new), {operation.result, *self.given_back(operation)}
        if self._fixed((new,)) != ():
            return False
        others = [value for found in seen for value in self._compared_with.get(found, ())]
        return new in others or (number is not None and number in map(self.function.constant, others))

    @cached_property
    def _compared_with(self) -> dict[int, list[int]]:
        """By value, both sides of the comparisons for equality that it stands in, with and without copies and casts."""
        found: dict[int, list[int]] = {}
        for one in self.function.operations:
            if one.code == BINARY and one.name in (b"==", b"!="):
                sides = [*map(self.function.origin, one.arguments)]
                for value in {*one.arguments, *sides}:
                    found.setdefault(value, []).extend(sides)
        return found

    def _differs_in_text(self, values: tuple[int, ...]) -> bool:
        constants = [self.function.constant(value) for value in values]
        return len(values) < 2 or (len(set(values)) == 2 and (None in constants or len(set(constants)) == 2))

    def _changes_nothing(self, operation: Operation) -> bool:
        """An atomic operation that only looks: `atomicAdd(p, 0)`, `atomicCAS(p, x, x)`."""
        name, arguments = operation.name, operation.arguments
        if _UNCHANGED_BY_0.fullmatch(name):
            return len(arguments) >= 2 and self.function.constant(arguments[1]) == 0
        return bool(_COMPARES.fullmatch(name)) and len(arguments) >= 3 and not self._differs_in_text(arguments[1:3])

    def _fixed(self, values: Iterable[int]) -> tuple[int, ...] | None:
        """The parameters that values are the same each time for, if these are; None for values that differ.

        The same are a number, a name from outside that is no memory, and a variable that is set to one.
        """
        found, seen, pending = set[int](), set[int](), list(values)
        while pending:
            value = pending.pop()
            if value in seen or self.function.constant(value) is not None:
                continue
            seen.add(value)
            operations = self.function.definitions.get(value, ())
            codes = {operation.code for operation in operations}
            if CONST in codes:
                continue  # it is set back to a number: `expected = 0` before each attempt
            if codes == {PARAMETER}:
                found.add(self.function.parameters.index(value))
            elif codes == {EXTERN}:
                variable = self.function.variables.get(value)
                if variable is None or variable.is_member or variable.is_memory or variable.is_of_thread:
                    return None
            elif codes == {CALL} and all(map(self._is_conversion, operations)):
                for operation in operations:
                    pending += operation.arguments
            elif codes and codes <= {COPY, CAST, TUPLE}:
                for operation in operations:
                    pending += operation.arguments[:1]
            else:
                return None
        return tuple(sorted(found))

    def _is_conversion(self, call: Operation) -> bool:
        """A call may be a conversion: `T(1)`."""
        is_of_memory = _MODIFIES.fullmatch(call.name) or _LOADS.fullmatch(call.name) or call.name in self.summaries
        return bool(call.arguments) and not is_of_memory and not is_member_call(call)

    def _is_masked(self, value: int) -> bool:
        """A value with some bits cleared: the lock is those bits."""
        operation = self.function.definition(self.function.origin(value))
        return operation is not None and operation.code == BINARY and operation.name == b"&"

    def writes(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation changes for other threads."""
        name, arguments = operation.name, operation.arguments
        if operation.code == STORE:
            yield self.access(arguments[0])
        elif operation.code == CALL and name in self.summaries:
            for place in self.summaries[name].writes:
                access, root = self.given(operation, place), place.root
                start = self.arguments(operation, (root,)) if isinstance(root, int) and root != OBJECT else ()
                if access is not None and not any(map(self._is_own, start)):
                    yield access
        elif (
            operation.code == CALL and arguments and _MODIFIES.fullmatch(name) and not self._changes_nothing(operation)
        ):
            yield self.access(arguments[0])

    def is_statement(self, call: Operation) -> bool:
        """Nothing is done with the result of a call, nor with a variable that it gives one back in."""
        return call.result not in self.function.used and not self.given_back(call)

    @cached_property
    def all_writes(self) -> list[tuple[Operation, Access]]:
        """All operations of the function that write, with what they write, in the order of their places."""
        writing = (operation for operation in self.function.operations if operation.code in (STORE, CALL))
        found = [(operation, access) for operation in writing for access in self.writes(operation)]
        return sorted(found, key=lambda write: write[0].place)

    def writes_besides(self, call: bytes) -> list[tuple[Operation, Access]]:
        """As `all_writes`, without the calls of one function: a barrier writes before it waits, and so do two."""
        known = self._besides.get(call)
        if known is None:
            found = (write for write in self.all_writes if write[0].code != CALL or write[0].name != call)
            known = self._besides[call] = list(found)
        return known

    @property
    def publishes(self) -> bool:
        """The function writes memory in a way that others may wait for: `volatile`, atomic, by PTX."""
        return any(operation.code != STORE or access.is_volatile for operation, access in self.all_writes)


def _leads_on(call: Operation) -> bool:
    """A call of an object's member, or of a function that only converts an address, leads to memory of its argument."""
    return is_member_call(call) or _CONVERTS.fullmatch(call.name) is not None


def is_member_call(call: Operation) -> bool:
    """A call of a member function: its object is the first argument."""
    function = call.node.child_by_field_name("function")
    return function is not None and function.type == "field_expression"
