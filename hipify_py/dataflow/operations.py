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
"""The kinds of regions that no condition guards; the others are those of `semantics.control_flow`."""

DEFAULT = -1
"""Stands for the label `default` among the values of labels."""

NO_REGION, OF_OBJECT = -1, -2
"""Where a name from outside is declared: nowhere in the function, or as a member of the function's object."""


_OF_MEMORY = (b"__shared__", b"volatile", b"__device__", b"__managed__")


class Operation(NamedTuple):
    """One operation.

    Attributes:
        code: what it does: `CONST`, `COPY`, and so on.
        name: the operator, the name of the function or variable, the type of a cast, the text of an `asm`.
        result: the value that it defines. Several copies may define the value of a variable.
        arguments: the values that it reads. A call of a member function has the object first.
        node: where it stands.
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
        """Where the operation stands in the source."""
        return self.node.start_byte


class Region(NamedTuple):
    """Code that one condition guards.

    Attributes:
        kind: `BODY`, `LAMBDA`, or a kind of `semantics.control_flow.Guard`.
        condition: the value of the condition; -1 where there is none.
        holds: the code is reached where the condition holds; False: where it does not.
        parent: the region around this one; `NO_REGION` for the function's body.
        node: the statement or expression that makes the region, of a `switch` the `case`.
        cases: of a `switch`, whose condition is the value that it goes by: the values of the labels that lead here,
            `DEFAULT` for `default`; empty where they are not known.
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
        type: the declaration's text up to the name; empty where no declaration is known.
        shape: `value`, `pointer`, `reference` or `array`.
        region: the region that declares it; `NO_REGION` for a parameter and for a name from outside, `OF_OBJECT` for a
            member of the object.
    """

    name: bytes
    type: bytes
    shape: str
    region: int

    @property
    def is_memory(self) -> bool:
        """Other threads may change the variable itself: it is shared, global or `volatile`."""
        return self.shape == "value" and any(word in self.type for word in _OF_MEMORY)

    @property
    def is_shared(self) -> bool:
        """A block's `__shared__` memory, by its declaration."""
        return b"__shared__" in self.type

    @property
    def is_member(self) -> bool:
        """A member of the object that the function is called on, by its declaration or its name."""
        return self.region == OF_OBJECT or (self.region == NO_REGION and self.name.endswith(b"_"))

    @property
    def is_of_thread(self) -> bool:
        """An index that the compiler provides."""
        return self.name.partition(b".")[0] in (b"threadIdx", b"blockIdx")

    @property
    def is_own_array(self) -> bool:
        """An array of each thread's own, that the function declares."""
        return self.region >= 0 and self.shape == "array" and not self.is_shared and b"extern" not in self.type


class Exit(NamedTuple):
    """A `return`, `break`, `continue`, `goto` or `throw`: its kind, where it stands, and the region it stands in."""

    kind: str
    place: int
    region: int


class Loop(NamedTuple):
    """A loop.

    Attributes:
        node: its statement.
        region: the region of its body; its condition belongs to it.
        condition: the value of its condition; -1 without one.
        first: the first of its operations.
        last: the one after its last.
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
        returned: the returned values.
        exits: what leaves the function or a loop.
        loops: the loops in the order of their places.
        values: how many values there are.
        volatile_fields: the members of objects that are declared `volatile`, among those that are named.
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
        """The operations that give a variable a value."""
        return [
            operation for operation in self.operations if operation.code == COPY and operation.result in self.variables
        ]

    @cached_property
    def used(self) -> set[int]:
        """The values that something is done with."""
        found = {argument for operation in self.operations for argument in operation.arguments}
        found |= {region.condition for region in self.regions}
        return found.union(value for value, _ in self.returned)

    def parameters_of(self, values: Iterable[int]) -> tuple[int, ...]:
        """The positions of the parameters that values are worked out from."""
        sources = self.sources(values)
        return tuple(at for at, value in enumerate(self.parameters) if value in sources)

    def definition(self, value: int) -> Operation | None:
        """The only operation that defines a value; None where there are several, or none."""
        found = self.definitions.get(value, ())
        return found[0] if len(found) == 1 else None

    def origin(self, value: int) -> int:
        """The value that another one is a copy of, or is cast from; itself where it is neither."""
        seen = set[int]()  # variables may be copies of each other in a loop
        while value not in seen:
            seen.add(value)
            operation = self.definition(value)
            if operation is None or operation.code not in (COPY, CAST):
                break
            value = operation.arguments[0]
        return value

    def around(self, region: int) -> Iterator[Region]:
        """A region and those around it, from the inside to the outside."""
        while region != NO_REGION:
            yield self.regions[region]
            region = self.regions[region].parent

    def is_within(self, region: int, outer: int) -> bool:
        """A region is another one, or lies in it."""
        while region != NO_REGION and region != outer:
            region = self.regions[region].parent
        return region == outer

    def slice(
        self, values: Iterable[int], defining: Callable[[int], Iterable[Operation]], region: int | None = None
    ) -> list[Operation]:
        """The operations that values come from.

        Args:
            values: the values.
            defining: the operations that define a value.
            region: with the operations that decide, within this region, whether those are carried out.
        """
        found, seen, pending = [], set[int](), list(values)
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            for operation in defining(value):
                found.append(operation)
                pending += operation.arguments
                if region is not None:
                    pending += self.conditions(operation.region, region)
        return found

    def conditions(self, region: int, outer: int) -> Iterator[int]:
        """The conditions of a region and of those around it, up to another one."""
        while region not in (outer, NO_REGION):
            if self.regions[region].condition >= 0:
                yield self.regions[region].condition
            region = self.regions[region].parent

    def sources(self, values: Iterable[int]) -> set[int]:
        """Values, and all that these are worked out from."""
        found = self.slice(values, lambda value: self.definitions.get(value, ()))
        return set(values).union(*(operation.arguments for operation in found))

    def constant(self, value: int) -> int | None:
        """The integer that a value always is, through copies, casts and arithmetic."""
        return self.evaluated(value, lambda operation: None)

    def evaluated(
        self, value: int, given: Callable[[Operation], int | None], seen: frozenset[int] = frozenset()
    ) -> int | None:
        """The integer that a value is, where something else than the code says what some operations come to."""
        operation = self.definition(value)
        if operation is None or value in seen:
            return None
        if operation.code not in (CONST, COPY, CAST, UNARY, BINARY):
            return given(operation)
        seen |= {value}
        if operation.code == CONST:
            return int(operation.name) if operation.name else None
        parts = [self.evaluated(argument, given, seen) for argument in operation.arguments]
        known = [part for part in parts if part is not None]
        if operation.name in (b"&&", b"||") and int(operation.name == b"||") in map(int, map(bool, known)):
            return int(operation.name == b"||")  # whatever the other one is
        if len(known) < len(parts) or not known:
            return None
        if operation.code in (COPY, CAST):
            return known[0]
        if operation.code == UNARY:
            return {b"-": -known[0], b"~": ~known[0], b"!": int(not known[0]), b"+": known[0]}.get(operation.name)
        if operation.code == BINARY and len(known) == 2:
            return _combined(operation.name, *known)
        return None


def _combined(name: bytes, left: int, right: int) -> int | None:
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
