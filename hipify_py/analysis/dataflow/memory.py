"""The memory that a function's operations read and write, and which of it other threads can observe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from hipify_py.analysis.dataflow.operations import (
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
from hipify_py.analysis.dataflow.plain import OBJECT, Place, Root, Summary, WaitSummary
from hipify_py.core.patterns import lazy_pattern

_SCOPE = rb"(?:_block|_system)?"
_MODIFIES = lazy_pattern(
    rb"atomic(?!_ref|Load)\w+|__(?:hip_)?atomic_(?!load)\w+|__sync_\w+|exchange|compare_exchange_\w+|test_and_set"
    rb"|fetch_\w+|store|clear|notify_\w+|arrive|arrive_\w+|producer_commit|consumer_release"
    rb"|(?:st|store|red|signal)_?(?:release|volatile|relaxed)\w*|release_store\w*|unlock\w*|release"
)
_LOADS = lazy_pattern(
    rb"load|test|__ldcg|__ldcv|atomicLoad|__(?:hip_)?atomic_load(?:_n)?"
    rb"|(?:ld|load)_?(?:acquire|volatile|relaxed)\w*|(?:acquire|volatile)_?load\w*"
)
_UNCHANGED_BY_0 = lazy_pattern(rb"atomic(?:Add|Sub|Or|Xor)" + _SCOPE + rb"|fetch_(?:add|sub|or|xor)")
_COMPARES = lazy_pattern(
    rb"atomicCAS" + _SCOPE + rb"|compare_exchange_(?:strong|weak)|__sync_(?:bool|val)_compare_and_swap"
)
_EXCHANGES = lazy_pattern(rb"atomic(?:Exch|Or)" + _SCOPE + rb"|exchange|fetch_or|__sync_lock_test_and_set")
_CONVERTS = lazy_pattern(
    rb"atomic_ref|addressof|to_address|\w*cvta\w*|\w*cast_smem_ptr\w*|\w*generic_to_shared\w*|\w*_native_handle"
)
_TRIES = (b"test_and_set", b"try_acquire", b"try_lock")


class Access(NamedTuple):
    """The memory that an address refers to.

    Attributes:
        root: the base of the address: the value of a parameter or a variable, `OBJECT`, or a name from outside.
        field: the member of an object that is accessed; empty for none.
        indices: the values that select the element.
        is_volatile: a type on the access path is `volatile`.
    """

    root: Root
    field: bytes
    indices: tuple[int, ...]
    is_volatile: bool


class Memory:
    """The memory accesses of one function.

    Args:
        function: the function.
        summaries: the summaries of the functions that it may call, by their names.
    """

    def __init__(self, function: LoweredFunction, summaries: Mapping[bytes, Summary]) -> None:
        self.function = function
        self.summaries = summaries
        self._accesses: dict[int, Access] = {}
        self._attempts: dict[int, list[tuple[Access, tuple[int, ...]]]] = {}
        self._writes_except: dict[bytes, list[tuple[Operation, Access]]] = {}

    def access(self, value: int) -> Access:
        """The memory behind an address, an object or a loaded value."""
        cached = self._accesses.get(value)
        if cached is None:
            cached = self._accesses[value] = self._find_access(value)
        return cached

    def _find_access(self, value: int) -> Access:
        indices: list[int] = []
        field, is_volatile, visited = b"", False, set[int]()
        while value not in visited:
            visited.add(value)
            variable = self.function.variables.get(value)
            is_volatile = is_volatile or (variable is not None and b"volatile" in variable.type)
            operation = self.function.definition(value)
            if operation is None or operation.code in (EXTERN, PARAMETER) or not operation.arguments:
                break
            first, *others = operation.arguments
            if operation.code == LOAD or (operation.code == CALL and _forwards_address(operation)):
                indices += others
            elif operation.code == TUPLE:
                if others:
                    break  # an object made of several values
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
        """Whether a value evidently has an integer type."""
        variable = self.function.variables.get(value)
        if variable is None:
            return self.function.constant(value) is not None
        return variable.shape == "value" and b"*" not in variable.type

    @cached_property
    def _outside(self) -> dict[bytes, Variable]:
        """The variables of names from outside."""
        variables = self.function.variables
        return {
            variables[operation.result].name: variables[operation.result]
            for operation in self.function.operations
            if operation.code == EXTERN and operation.result in variables
        }

    def variable(self, access: Access) -> Variable | None:
        """The variable at the base of an access."""
        if isinstance(access.root, bytes):
            return self._outside.get(access.root)
        return self._outside.get(access.field) if access.root == OBJECT else self.function.variables.get(access.root)

    def is_shared(self, access: Access) -> bool:
        """Whether the memory is declared `__shared__`."""
        variable = self.variable(access)
        return variable is not None and variable.is_shared

    def is_same(self, one: Access, other: Access) -> bool:
        """Whether two accesses are to the same array or object, judged by name."""
        return one.root == other.root and (one.field == other.field or not one.field or not other.field)

    def depends_on_load(self, value: int, access: Access) -> bool:
        """Whether a value depends on a load from some memory."""
        found = self.function.slice([value], self.defining)
        return any(one.code == LOAD and self.is_same(self.access(one.result), access) for one in found)

    def to_place(self, access: Access, fixed: tuple[int, ...] = ()) -> Place | None:
        """An access in the caller's terms; None for the function's own memory."""
        root = access.root
        if root in self.function.parameters:
            root = self.function.parameters.index(root)
        elif not isinstance(root, bytes) and root != OBJECT:
            return None
        return Place(root, access.field, self.function.source_parameters(access.indices), fixed)

    def access_at_call(self, call: Operation, place: Place | WaitSummary) -> Access | None:
        """The access at a call that a place of the callee's summary stands for."""
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
        """The arguments of a call for some of the callee's parameters."""
        arguments = call.arguments[is_member_call(call) :]
        return tuple(arguments[at] for at in positions if at < len(arguments))

    def _accesses_at_call(self, call: Operation, places: Iterable[Place]) -> Iterator[Access]:
        for place in places:
            found = self.access_at_call(call, place)
            if found is not None:
                yield found

    # ------------------------------------------------------------------ results

    def results(self) -> Iterator[tuple[int, int, int]]:
        """The function's results as parameter position, value and region.

        The position is -1 for a returned value, else that of the parameter that the result is written through.
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
        """The operations that define a value, with the calls that write it through a parameter."""
        return [*self.function.definitions.get(value, ()), *self._calls_by_output.get(value, ())]

    @cached_property
    def _calls_by_output(self) -> dict[int, list[Operation]]:
        found: dict[int, list[Operation]] = {}
        for operation in self.function.calls.values():
            for value in self.output_variables(operation):
                found.setdefault(value, []).append(operation)
        return found

    def output_variables(self, operation: Operation) -> list[int]:
        """The variables that a call writes results to."""
        if operation.code == CALL and operation.name.startswith(b"compare_exchange_"):
            return list(map(self._pointee, operation.arguments[1:2]))
        if operation.code != CALL or operation.name not in self.summaries:
            return []
        return list(map(self._pointee, self.arguments(operation, tuple(self.summaries[operation.name].outputs))))

    def _pointee(self, value: int) -> int:
        operation = self.function.definition(value)
        return operation.arguments[0] if operation is not None and operation.code == ADDRESS else value

    def _is_private(self, value: int) -> bool:
        """Whether an address is that of a thread-private variable."""
        variable = self.function.variables.get(self._pointee(value))
        is_address = self._pointee(value) != value
        return is_address and variable is not None and variable.region >= 0 and not variable.is_memory

    # ------------------------------------------------------------------ what operations do

    def reads(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation loads anew each time, without changing it."""
        name, arguments = operation.name, operation.arguments
        if operation.code in (LOAD, FIELD):
            access = self.access(operation.result)
            if access.is_volatile:
                yield access
        elif operation.code == CALL and name in self.summaries:
            yield from self._accesses_at_call(operation, self.summaries[name].reads)
        elif operation.code == CALL and arguments and (_LOADS.fullmatch(name) or self._only_reads(operation)):
            yield self.access(arguments[0])

    def attempts(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation sets to a fixed value if it is free: a lock."""
        return (access for access, fixed in self.attempts_with_constants(operation) if not fixed)

    def attempts_with_constants(self, operation: Operation) -> Sequence[tuple[Access, tuple[int, ...]]]:
        """As `attempts`, with the positions of the function's parameters that must be constants for that."""
        if operation.code != CALL:
            return ()
        cached = self._attempts.get(operation.result)
        if cached is None:
            cached = self._attempts[operation.result] = list(self._find_attempts(operation))
        return cached

    def _find_attempts(self, operation: Operation) -> Iterator[tuple[Access, tuple[int, ...]]]:
        name, arguments = operation.name, operation.arguments
        if self.is_statement(operation):
            return
        if name in self.summaries:
            for place in self.summaries[name].attempts:
                access = self.access_at_call(operation, place)
                fixed = self._required_constants(self.arguments(operation, place.fixed))
                if access is not None and fixed is not None:
                    yield access, fixed
        elif not arguments or self._only_reads(operation):
            return
        elif name in _TRIES:
            yield self.access(arguments[0]), ()
        elif self._differ(arguments[1:3]):
            fixed = self._lock_constants(operation)
            if fixed is not None:
                yield self.access(arguments[0]), fixed

    def _lock_constants(self, operation: Operation) -> tuple[int, ...] | None:
        """The parameters that must be constants for an atomic operation to take a lock; None if it takes none."""
        arguments = operation.arguments
        if _COMPARES.fullmatch(operation.name) and len(arguments) >= 3:
            is_state = self._is_masked(arguments[1]) or self._is_tested_for(operation)
            return () if is_state else self._required_constants(arguments[1:2])
        is_exchange = _EXCHANGES.fullmatch(operation.name) and len(arguments) >= 2
        return self._required_constants(arguments[1:2]) if is_exchange else None

    def _is_tested_for(self, operation: Operation) -> bool:
        """Whether an operation's new value is compared with the old one that it returns: a test for being locked."""
        new = self.function.origin(operation.arguments[2])
        number, visited = self.function.constant(new), {operation.result, *self.output_variables(operation)}
        if self._required_constants((new,)) != ():
            return False
        others = [value for found in visited for value in self._comparisons.get(found, ())]
        return new in others or (number is not None and number in map(self.function.constant, others))

    @cached_property
    def _comparisons(self) -> dict[int, list[int]]:
        """By value, both sides of the equality comparisons that it is in, with and without copies and casts."""
        found: dict[int, list[int]] = {}
        for one in self.function.operations:
            if one.code == BINARY and one.name in (b"==", b"!="):
                sides = [*map(self.function.origin, one.arguments)]
                for value in {*one.arguments, *sides}:
                    found.setdefault(value, []).extend(sides)
        return found

    def _differ(self, values: tuple[int, ...]) -> bool:
        constants = [self.function.constant(value) for value in values]
        return len(values) < 2 or (len(set(values)) == 2 and (None in constants or len(set(constants)) == 2))

    def _only_reads(self, operation: Operation) -> bool:
        """Whether an atomic operation only reads: `atomicAdd(p, 0)`, `atomicCAS(p, x, x)`."""
        name, arguments = operation.name, operation.arguments
        if _UNCHANGED_BY_0.fullmatch(name):
            return len(arguments) >= 2 and self.function.constant(arguments[1]) == 0
        return bool(_COMPARES.fullmatch(name)) and len(arguments) >= 3 and not self._differ(arguments[1:3])

    def _required_constants(self, values: Iterable[int]) -> tuple[int, ...] | None:
        """The parameters that must be constants for values to be the same each time; None if they vary anyway.

        A number is the same each time, and so are a name from outside that is not memory, and a variable that is set to
        either.
        """
        found, visited, pending = set[int](), set[int](), list(values)
        while pending:
            value = pending.pop()
            if value in visited or self.function.constant(value) is not None:
                continue
            visited.add(value)
            operations = self.function.definitions.get(value, ())
            codes = {operation.code for operation in operations}
            if CONST in codes:
                continue  # reset to a number: `expected = 0` before each attempt
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
        """Whether a call may be a conversion: `T(1)`."""
        is_of_memory = _MODIFIES.fullmatch(call.name) or _LOADS.fullmatch(call.name) or call.name in self.summaries
        return bool(call.arguments) and not is_of_memory and not is_member_call(call)

    def _is_masked(self, value: int) -> bool:
        """Whether some bits of a value are cleared: these bits are the lock."""
        operation = self.function.definition(self.function.origin(value))
        return operation is not None and operation.code == BINARY and operation.name == b"&"

    def writes(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation changes for other threads."""
        name, arguments = operation.name, operation.arguments
        if operation.code == STORE:
            yield self.access(arguments[0])
        elif operation.code == CALL and name in self.summaries:
            for place in self.summaries[name].writes:
                access, root = self.access_at_call(operation, place), place.root
                start = self.arguments(operation, (root,)) if isinstance(root, int) and root != OBJECT else ()
                if access is not None and not any(map(self._is_private, start)):
                    yield access
        elif operation.code == CALL and arguments and _MODIFIES.fullmatch(name) and not self._only_reads(operation):
            yield self.access(arguments[0])

    def is_statement(self, call: Operation) -> bool:
        """Whether neither a call's result nor a variable that it writes a result to is used."""
        return call.result not in self.function.used_values and not self.output_variables(call)

    @cached_property
    def all_writes(self) -> list[tuple[Operation, Access]]:
        """All operations of the function that write, with what they write, in source order."""
        writing = (operation for operation in self.function.operations if operation.code in (STORE, CALL))
        found = [(operation, access) for operation in writing for access in self.writes(operation)]
        return sorted(found, key=lambda write: write[0].place)

    def writes_except(self, call: bytes) -> list[tuple[Operation, Access]]:
        """As `all_writes`, without the calls of one function: a barrier writes before it waits, and so do two."""
        cached = self._writes_except.get(call)
        if cached is None:
            found = (write for write in self.all_writes if write[0].code != CALL or write[0].name != call)
            cached = self._writes_except[call] = list(found)
        return cached

    @property
    def publishes(self) -> bool:
        """Whether the function writes memory in a way that others may wait for: `volatile`, atomically, or by PTX."""
        return any(operation.code != STORE or access.is_volatile for operation, access in self.all_writes)


def _forwards_address(call: Operation) -> bool:
    """Whether a call leads to its first argument's memory: a member call, or a conversion of an address."""
    return is_member_call(call) or _CONVERTS.fullmatch(call.name) is not None


def is_member_call(call: Operation) -> bool:
    """Whether a call is one of a member function, whose first argument is its object."""
    function = call.node.child_by_field_name("function")
    return function is not None and function.type == "field_expression"
