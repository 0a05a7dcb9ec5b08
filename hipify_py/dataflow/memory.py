"""Which memory the operations of a function look at and change, and which of that other threads may see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from hipify_py.dataflow.operations import (
    ADDRESS,
    ASM,
    BINARY,
    CALL,
    CAST,
    COPY,
    EXTERN,
    FIELD,
    LOAD,
    OF_OBJECT,
    PARAMETER,
    STORE,
    TUPLE,
    UNKNOWN,
    LoweredFunction,
    Operation,
    Variable,
)
from hipify_py.dataflow.plain import OBJECT, Place, Root, Summary
from hipify_py.records import NamedTuple

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
_MEMBERS_THAT_WAIT = re.compile(rb"wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire")
_ASM_LOADS = re.compile(rb"\bld\.(?:\w+\.)*(?:acquire|volatile|relaxed|cv|cg|mmio)\b|mbarrier\.(?:try|test)_wait")
_ASM_STORES = re.compile(rb"\b(?:st|red|atom)\.|mbarrier\.(?:arrive|inval|init)")
_CONVERTS = re.compile(
    rb"atomic_ref|addressof|to_address|\w*cvta\w*|\w*cast_smem_ptr\w*|\w*generic_to_shared\w*|\w*_native_handle"
)
_CONSTANT_NAME = re.compile(rb"(?:\w+::)*(?:[A-Z_][A-Z0-9_]*|k[A-Z]\w*)")
_WAITING_TYPES = (b"barrier", b"pipeline", b"Barrier", b"Pipeline")


class Access(NamedTuple):
    """The memory that an address leads to.

    Attributes:
        root: the value that the address begins with: a parameter, a variable, a name from outside.
        field: the member of an object that is accessed; empty for none.
        indices: the values that say which element it is.
        is_volatile: a type on the way says so.
    """

    root: int
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
                pass
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
        return Access(value, field, tuple(indices), is_volatile)

    def _is_number(self, value: int) -> bool:
        """A value of an integer type, as far as that is plain to see."""
        variable = self.function.variables.get(value)
        if variable is None:
            return self.function.constant(value) is not None
        return variable.shape == "value" and b"*" not in variable.type

    def variable(self, access: Access) -> Variable | None:
        """The variable that an access begins with."""
        return self.function.variables.get(access.root)

    def is_shared(self, access: Access) -> bool:
        """The memory is a block's `__shared__` memory, by its declaration."""
        variable = self.variable(access)
        return variable is not None and b"__shared__" in variable.type

    def is_same(self, one: Access, other: Access) -> bool:
        """Two accesses are of the same array or object, as far as names tell."""
        if one.root == other.root:
            return one.field == other.field or not one.field or not other.field
        left, right = self.variable(one), self.variable(other)
        return left is not None and right is not None and left.name == right.name and one.field == other.field

    def place(self, access: Access) -> Place | None:
        """An access as callers know it; None for memory of the function's own."""
        root = self._root(access)
        if root is None:
            return None
        sources = self.function.sources(access.indices)
        parameters = tuple(at for at, value in enumerate(self.function.parameters) if value in sources)
        variable, field = self.variable(access), access.field
        if root == OBJECT and variable is not None and variable.name != b"this":
            field = variable.name
        return Place(root, field, parameters)

    def _root(self, access: Access) -> Root | None:
        if access.root in self.function.parameters:
            return self.function.parameters.index(access.root)
        variable, operation = self.variable(access), self.function.definition(access.root)
        if variable is None or operation is None or operation.code != EXTERN:
            return None
        is_member = variable.name == b"this" or variable.name.endswith(b"_") or variable.region == OF_OBJECT
        return OBJECT if is_member else variable.name

    def given(self, call: Operation, root: Root, field: bytes, parameters: tuple[int, ...]) -> Access | None:
        """What a place that a called function knows is at a call."""
        start = self._given_root(call, root, field)
        if start is None:
            return None
        access, arguments = self.access(start), call.arguments[is_member_call(call) :]
        chosen = tuple(arguments[at] for at in parameters if at < len(arguments))
        is_member = start in self.function.variables and self.function.variables[start].name == field
        field = access.field or (b"" if is_member else field)
        return access._replace(indices=access.indices + chosen, field=field)

    def _given_root(self, call: Operation, root: Root, field: bytes) -> int | None:
        arguments, is_member = call.arguments, is_member_call(call)
        if root == OBJECT and is_member:
            return arguments[0]
        if isinstance(root, bytes) or root == OBJECT:
            names = (field, b"this") if root == OBJECT else (root,)
            variables = self.function.variables.items()
            return next((value for name in names for value, variable in variables if variable.name == name), None)
        return arguments[root + is_member] if root + is_member < len(arguments) else None

    def _given_places(self, call: Operation, places: Iterable[Place]) -> Iterator[Access]:
        for place in places:
            found = self.given(call, *place)
            if found is not None:
                yield found

    # ------------------------------------------------------------------ what operations do

    def reads(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation looks at anew each time, and leaves as it is."""
        name, arguments = operation.name, operation.arguments
        if operation.code in (LOAD, FIELD):
            access = self.access(operation.result)
            if access.is_volatile:
                yield access
        elif operation.code == ASM and arguments and _ASM_LOADS.search(name):
            yield self.access(arguments[0])
        elif operation.code == CALL and name in self.summaries:
            yield from self._given_places(operation, self.summaries[name].reads)
        elif operation.code == CALL and arguments and (_LOADS.fullmatch(name) or self._changes_nothing(operation)):
            yield self.access(arguments[0])

    def attempts(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation puts a fixed value into, if it is free: a lock."""
        name, arguments = operation.name, operation.arguments
        if operation.code != CALL or not arguments or is_statement(operation):
            return
        if name in self.summaries:
            yield from self._given_places(operation, self.summaries[name].attempts)
        elif self._changes_nothing(operation):
            return
        elif name in (b"test_and_set", b"try_acquire", b"try_lock") or (
            self._takes(operation) and self._differs_in_text(arguments[1:3])
        ):
            yield self.access(arguments[0])

    def _takes(self, operation: Operation) -> bool:
        arguments = operation.arguments
        if _COMPARES.fullmatch(operation.name) and len(arguments) >= 3:
            return self._is_fixed(arguments[1]) or self._is_masked(arguments[1])
        return bool(_EXCHANGES.fullmatch(operation.name)) and len(arguments) >= 2 and self._is_fixed(arguments[1])

    def _differs_in_text(self, values: tuple[int, ...]) -> bool:
        constants = [self.function.constant(value) for value in values]
        return len(values) < 2 or (len(set(values)) == 2 and (None in constants or len(set(constants)) == 2))

    def _changes_nothing(self, operation: Operation) -> bool:
        """An atomic operation that only looks: `atomicAdd(p, 0)`, `atomicCAS(p, x, x)`."""
        name, arguments = operation.name, operation.arguments
        if _UNCHANGED_BY_0.fullmatch(name):
            return len(arguments) >= 2 and self.function.constant(arguments[1]) == 0
        return bool(_COMPARES.fullmatch(name)) and len(arguments) >= 3 and not self._differs_in_text(arguments[1:3])

    def _is_fixed(self, value: int) -> bool:
        """A value that is the same each time: a number, the name of a constant, a variable that is set to one."""
        seen = set[int]()
        pending = [value]
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            variable = self.function.variables.get(value)
            operations = self.function.definitions.get(value, ())
            if self.function.constant(value) is not None:
                continue
            if variable is not None and operations and all(found.code == EXTERN for found in operations):
                if _CONSTANT_NAME.fullmatch(variable.name):
                    continue
                return False
            if not operations or not all(found.code in (COPY, CAST, TUPLE) for found in operations):
                return any(found.code == "const" for found in operations)
            pending += [argument for found in operations for argument in found.arguments[:1]]
        return True

    def _is_masked(self, value: int) -> bool:
        """A value with some bits cleared: the lock is those bits."""
        operation = self.function.definition(value)
        while operation is not None and operation.code in (COPY, CAST):
            operation = self.function.definition(operation.arguments[0])
        return operation is not None and operation.code == BINARY and operation.name == b"&"

    def writes(self, operation: Operation) -> Iterator[Access]:
        """The memory that an operation changes for other threads."""
        name, arguments = operation.name, operation.arguments
        if operation.code == STORE or (operation.code == ASM and arguments and _ASM_STORES.search(name)):
            yield self.access(arguments[0])
        elif operation.code == CALL and name in self.summaries:
            yield from self._given_places(operation, self.summaries[name].writes)
        elif (
            operation.code == CALL and arguments and _MODIFIES.fullmatch(name) and not self._changes_nothing(operation)
        ):
            yield self.access(arguments[0])

    @cached_property
    def all_writes(self) -> list[tuple[Operation, Access]]:
        """All operations of the function that write, with what they write, in the order of their places."""
        found = [(operation, access) for operation in self.function.operations for access in self.writes(operation)]
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

    def awaited(self, operation: Operation) -> Access | None:
        """The barrier or pipeline that an operation waits at, and that a part of the block may be missing from."""
        if operation.code == ASM and operation.arguments and b"mbarrier.try_wait" in operation.name:
            return self.access(operation.arguments[0]) if b"bra" in operation.name else None
        if operation.code != CALL or not _MEMBERS_THAT_WAIT.fullmatch(operation.name) or not is_member_call(operation):
            return None
        access = self.access(operation.arguments[0])
        variable = self.variable(access)
        is_barrier = variable is not None and any(word in variable.type for word in _WAITING_TYPES)
        return access if is_barrier else None


def _leads_on(call: Operation) -> bool:
    """A call of an object's member, or of a function that only converts an address, leads to memory of its argument."""
    return is_member_call(call) or _CONVERTS.fullmatch(call.name) is not None


def is_statement(call: Operation) -> bool:
    """Nothing is done with the result of a call."""
    parent = call.node.parent
    return parent is not None and parent.type == "expression_statement"


def is_member_call(call: Operation) -> bool:
    """A call of a member function: its object is the first argument."""
    function = call.node.child_by_field_name("function")
    return function is not None and function.type == "field_expression"
