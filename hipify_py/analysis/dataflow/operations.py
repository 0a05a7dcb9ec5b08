"""The operations that a function is lowered to: three-address code over values, in structured regions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

CONST, COPY, LOAD, STORE, ADDRESS, FIELD = "const", "copy", "load", "store", "address", "field"
CALL, UNARY, BINARY, SELECT, CAST, ASM = "call", "unary", "binary", "select", "cast", "asm"
TUPLE, EXTERN, PARAMETER, UNKNOWN = "tuple", "extern", "parameter", "unknown"
"""The codes of operations."""

BODY, LAMBDA = "body", "lambda"
"""The kinds of unguarded regions; the others are those of `semantics.control_flow`."""

DEFAULT = -1
"""The label `default` among the values of labels."""

NO_REGION, OBJECT_REGION = -1, -2
"""The regions of names from outside: not in the function, or a member of its object."""


_OF_MEMORY = (b"__shared__", b"volatile", b"__device__", b"__managed__")


class Operation(NamedTuple):
    """One operation.

    Attributes:
        code: its code: `CONST`, `COPY`, and so on.
        name: the operator, the name of the function or variable, the type of a cast, or the text of an `asm`.
        result: the value that it defines. Several copies may define the value of one variable.
        arguments: the values that it reads. A call of a member function has the object first.
        node: its syntax node.
        region: the innermost region around it.
    """

    code: str
    name: bytes
    result: int
    arguments: tuple[int, ...]
    node: Node
    region: int

    @property
    def place(self) -> int:
        """The offset of the operation in the source."""
        return self.node.start_byte


class Region(NamedTuple):
    """Code that one condition guards.

    Attributes:
        kind: `BODY`, `LAMBDA`, or a kind of `semantics.control_flow.Guard`.
        condition: the value of the condition; -1 where there is none.
        holds: whether the code is reached if the condition holds, or if it does not.
        parent: the region around this one; `NO_REGION` for the function's body.
        node: the statement or expression that makes the region; of a `switch`, the `case`.
        cases: of a `switch`, whose condition is the value that it selects by: the values of the labels that lead here,
            `DEFAULT` for `default`; empty where they are unknown.
    """

    kind: str
    condition: int
    holds: bool
    parent: int
    node: Node
    cases: tuple[int, ...] = ()


class Variable(NamedTuple):
    """A variable or parameter of a function, or a name from outside.

    Attributes:
        name: its name; `s.m` for a member of a plain variable.
        type: the declaration's text up to the name; empty where the declaration is unknown.
        shape: `value`, `pointer`, `reference` or `array`.
        region: the region that declares it; `NO_REGION` for a parameter and for a name from outside, and
            `OBJECT_REGION` for a member of the object.
    """

    name: bytes
    type: bytes
    shape: str
    region: int

    @property
    def is_memory(self) -> bool:
        """Whether other threads may change the variable itself: it is shared, global or `volatile`."""
        return self.shape == "value" and any(word in self.type for word in _OF_MEMORY)

    @property
    def is_shared(self) -> bool:
        """Whether it is declared `__shared__`."""
        return b"__shared__" in self.type

    @property
    def is_member(self) -> bool:
        """Whether it is a member of the object that the function is called on, by its declaration or its name."""
        return self.region == OBJECT_REGION or (self.region == NO_REGION and self.name.endswith(b"_"))

    @property
    def is_of_thread(self) -> bool:
        """Whether it is a built-in thread or block index."""
        return self.name.partition(b".")[0] in (b"threadIdx", b"blockIdx")

    @property
    def is_private_array(self) -> bool:
        """Whether it is a thread-private array that the function declares."""
        return self.region >= 0 and self.shape == "array" and not self.is_shared and b"extern" not in self.type


class Exit(NamedTuple):
    """A `return`, `break`, `continue`, `goto` or `throw`: its kind, its offset, and the region around it."""

    kind: str
    place: int
    region: int


class Loop(NamedTuple):
    """A loop.

    Attributes:
        node: its statement.
        region: the region of its body; its condition belongs to it.
        condition: the value of its condition; -1 without one.
        first: the index of its first operation.
        last: the index after its last operation.
    """

    node: Node
    region: int
    condition: int
    first: int
    last: int


_ORDERS: dict[bytes, Callable[[int, int], bool]] = {
    b"==": operator.eq,
    b"!=": operator.ne,
    b"<": operator.lt,
    b"<=": operator.le,
    b">": operator.gt,
    b">=": operator.ge,
    b"&&": lambda left, right: bool(left and right),
    b"||": lambda left, right: bool(left or right),
}


class LoweredFunction:
    """A function as a list of operations in the order of evaluation.

    Attributes:
        name: its name.
        operations: the operations.
        regions: the regions; the first is the body.
        variables: the variables by their values.
        parameters: the values of the parameters in order; -1 for one without a name.
        returned: the returned values, each with the region of its `return`.
        exits: the statements that leave the function or a loop.
        loops: the loops in source order.
        values: the number of values.
        volatile_fields: the accessed members of objects that are declared `volatile`.
        template_parameters: the names of the template parameters of the function, and of the classes around it.
    """

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.operations: list[Operation] = []
        self.regions: list[Region] = []
        self.variables: dict[int, Variable] = {}
        self.parameters: list[int] = []
        self.returned: list[tuple[int, int]] = []
        self.exits: list[Exit] = []
        self.loops: list[Loop] = []
        self.values = 0
        self.volatile_fields: set[bytes] = set()
        self.template_parameters: set[bytes] = set()

    @cached_property
    def definitions(self) -> dict[int, list[Operation]]:
        """The operations that define each value."""
        found: dict[int, list[Operation]] = {}
        for operation in self.operations:
            found.setdefault(operation.result, []).append(operation)
        return found

    @cached_property
    def calls(self) -> dict[int, Operation]:
        """The calls by the ids of their nodes."""
        return {operation.node.id: operation for operation in self.operations if operation.code == CALL}

    @cached_property
    def assignments(self) -> list[Operation]:
        """The operations that assign variables."""
        return [
            operation for operation in self.operations if operation.code == COPY and operation.result in self.variables
        ]

    @cached_property
    def used_values(self) -> set[int]:
        """The values that are arguments, conditions or returned."""
        found = {argument for operation in self.operations for argument in operation.arguments}
        found |= {region.condition for region in self.regions}
        return found.union(value for value, _ in self.returned)

    def source_parameters(self, values: Iterable[int]) -> tuple[int, ...]:
        """The positions of the parameters that values depend on."""
        sources = self.sources(values)
        return tuple(at for at, value in enumerate(self.parameters) if value in sources)

    def definition(self, value: int) -> Operation | None:
        """The only operation that defines a value; None where there are several, or none."""
        found = self.definitions.get(value, ())
        return found[0] if len(found) == 1 else None

    def origin(self, value: int) -> int:
        """The value that another one is copied or cast from; itself where it is neither."""
        visited = set[int]()  # loop variables may be copies of each other
        while value not in visited:
            visited.add(value)
            operation = self.definition(value)
            if operation is None or operation.code not in (COPY, CAST):
                break
            value = operation.arguments[0]
        return value

    def enclosing_regions(self, region: int) -> Iterator[Region]:
        """A region and the enclosing ones, innermost first."""
        while region != NO_REGION:
            yield self.regions[region]
            region = self.regions[region].parent

    def is_within(self, region: int, outer: int) -> bool:
        """Whether a region is another one, or inside it."""
        while region != NO_REGION and region != outer:
            region = self.regions[region].parent
        return region == outer

    def slice(
        self, values: Iterable[int], definitions_of: Callable[[int], Iterable[Operation]], region: int | None = None
    ) -> list[Operation]:
        """The backward slice of values: the operations that they depend on.

        Args:
            values: the values.
            definitions_of: returns the operations that define a value.
            region: also follow the conditions, within this region, that those operations are guarded by.
        """
        found, visited, pending = [], set[int](), list(values)
        while pending:
            value = pending.pop()
            if value in visited:
                continue
            visited.add(value)
            for operation in definitions_of(value):
                found.append(operation)
                pending += operation.arguments
                if region is not None:
                    pending += self.conditions(operation.region, region)
        return found

    def conditions(self, region: int, outer: int) -> Iterator[int]:
        """The conditions of a region and of the enclosing ones, up to another one."""
        while region not in (outer, NO_REGION):
            if self.regions[region].condition >= 0:
                yield self.regions[region].condition
            region = self.regions[region].parent

    def sources(self, values: Iterable[int]) -> set[int]:
        """Values, and all values that they depend on."""
        found = self.slice(values, lambda value: self.definitions.get(value, ()))
        return set(values).union(*(operation.arguments for operation in found))

    def constant(self, value: int) -> int | None:
        """The integer that a value always is, through copies, casts and arithmetic."""
        return self.evaluate(value, lambda operation: None)

    def evaluate(
        self, value: int, resolve: Callable[[Operation], int | None], visited: frozenset[int] = frozenset()
    ) -> int | None:
        """The integer that a value is, with a callback for the operations that cannot be folded."""
        operation = self.definition(value)
        if operation is None or value in visited:
            return None
        if operation.code not in (CONST, COPY, CAST, UNARY, BINARY):
            return resolve(operation)
        visited |= {value}
        if operation.code == CONST:
            return int(operation.name) if operation.name else None
        parts = [self.evaluate(argument, resolve, visited) for argument in operation.arguments]
        constants = [part for part in parts if part is not None]
        if operation.name in (b"&&", b"||") and int(operation.name == b"||") in map(int, map(bool, constants)):
            return int(operation.name == b"||")  # short circuit: the other operand does not matter
        if len(constants) < len(parts) or not constants:
            return None
        if operation.code in (COPY, CAST):
            return constants[0]
        if operation.code == UNARY:
            return {b"-": -constants[0], b"~": ~constants[0], b"!": int(not constants[0]), b"+": constants[0]}.get(
                operation.name
            )
        if operation.code == BINARY and len(constants) == 2:
            return _fold(operation.name, *constants)
        return None


def _fold(name: bytes, left: int, right: int) -> int | None:
    if name in (b"/", b"%"):
        return None if right <= 0 or left < 0 else left // right if name == b"/" else left % right
    if name in (b"<<", b">>"):
        return (
            None if right < 0 or (right >= 64 and name == b"<<") else left << right if name == b"<<" else left >> right
        )
    if name in _ORDERS:
        return int(_ORDERS[name](left, right))
    return {b"+": left + right, b"-": left - right, b"*": left * right, b"&": left & right, b"|": left | right}.get(
        name
    )
