"""What a function does to those who call it, as plain data that other files can be told (and `marshal` can write)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Root = int | bytes
"""Memory as callers name it: the position of a parameter, `OBJECT`, or the name of a global variable."""

OBJECT = -1
"""The object that a member function is called on."""

LOCK, FLAG = 0, 1
"""What is waited for: a lock that the waiting thread takes itself, or memory that another thread writes."""


class Place(NamedTuple):
    """A place in memory as callers know it.

    Attributes:
        root: the memory.
        field: the member of the object that it is; empty for none.
        parameters: the positions of the parameters that say which element.
        fixed: the positions of the parameters that have to be constants, for an attempt to be one at a lock.
    """

    root: Root
    field: bytes
    parameters: tuple[int, ...]
    fixed: tuple[int, ...] = ()


class Waiting(NamedTuple):
    """Something that a function waits for.

    Attributes:
        kind: `LOCK` or `FLAG`.
        root: the memory.
        field: the member of the object that it is; empty for none.
        parameters: the positions of the parameters that say which element.
        level: how the element differs between threads whatever the callers give (see `dataflow.uniformity`).
        compared: the positions of the parameters that say which value is waited for.
        compared_level: how that value differs between threads whatever the callers give.
    """

    kind: int
    root: Root
    field: bytes
    parameters: tuple[int, ...]
    level: int = 0
    compared: tuple[int, ...] = ()
    compared_level: int = 0


class Summary(NamedTuple):
    """What a function does.

    Attributes:
        waits: what it waits for.
        reads: the memory that it looks at anew in each call, and that decides over what it returns.
        attempts: the locks that it tries to take once, and tells of in what it returns.
        writes: the memory that it changes.
        given: the positions of the parameters that it gives results back in, decided like what it returns.
        returned: how what it returns differs between threads, as `level`, `identity` and `parameter` of a `Spread`.
        is_changing: it gives members of the object that it is called on other values.
        declared: not a function at all but `volatile` memory, by the fields of its `Variable` after the name.
    """

    waits: frozenset[Waiting] = frozenset()
    reads: frozenset[Place] = frozenset()
    attempts: frozenset[Place] = frozenset()
    writes: frozenset[Place] = frozenset()
    given: frozenset[int] = frozenset()
    returned: tuple[int, int, int] = (0, 0, -1)
    is_changing: bool = False
    declared: tuple[bytes, str, int] | None = None

    @property
    def is_of_use(self) -> bool:
        """A caller has to know more than what memory is changed."""
        return bool(self.waits or self.reads or self.attempts)


def to_plain(summary: Summary) -> tuple[Any, ...]:
    """A summary as nested tuples and frozen sets."""
    waits, reads, attempts, writes, *others = summary
    return *(frozenset(map(tuple, part)) for part in (waits, reads, attempts, writes)), *others


def from_plain(plain: tuple[Any, ...]) -> Summary:
    """The summary that `to_plain` made plain data of."""
    waits, reads, attempts, writes, *others = plain
    return Summary(
        frozenset(Waiting(*waiting) for waiting in waits),
        frozenset(Place(*place) for place in reads),
        frozenset(Place(*place) for place in attempts),
        frozenset(Place(*place) for place in writes),
        *others,
    )


def joined(one: Summary, other: Summary) -> Summary:
    """What either of two functions of one name may do."""
    level = max(one.returned[0], other.returned[0])
    index = one.returned[1] if one.returned[1] == other.returned[1] else 0
    parameter = one.returned[2] if one.returned[2] == other.returned[2] else -1
    return Summary(
        one.waits | other.waits,
        one.reads | other.reads,
        one.attempts | other.attempts,
        one.writes | other.writes,
        one.given | other.given,
        (level, index, parameter),
        one.is_changing or other.is_changing,
        one.declared or other.declared,
    )


def merged(of_files: Iterable[Mapping[bytes, tuple[Any, ...]]]) -> dict[bytes, tuple[Any, ...]]:
    """The summaries of several files as one, as plain data.

    A name that several files define may mean any of its functions.
    """
    found: dict[bytes, tuple[Any, ...]] = {}
    for of_file in of_files:
        for name, plain in of_file.items():
            known = found.get(name)
            found[name] = plain if known is None else to_plain(joined(from_plain(known), from_plain(plain)))
    return found
