"""What a function does to its callers, as plain data that other files can use and `marshal` can write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Root = int | bytes
"""Memory in the caller's terms: the position of a parameter, `OBJECT`, or the name of a global variable."""

OBJECT = -1
"""The object that a member function is called on."""

LOCK, FLAG = 0, 1
"""The kinds of waits: for a lock that the waiting thread takes itself, or for memory that another thread writes."""


class Place(NamedTuple):
    """A place in memory in the caller's terms.

    Attributes:
        root: the memory.
        field: the member of the object; empty for none.
        parameters: the positions of the parameters that select the element.
        fixed: of an attempt, the positions of the parameters that must be constants for it to take a lock.
    """

    root: Root
    field: bytes
    parameters: tuple[int, ...]
    fixed: tuple[int, ...] = ()


class WaitSummary(NamedTuple):
    """Something that a function waits for, in the caller's terms.

    Attributes:
        kind: `LOCK` or `FLAG`.
        root: the memory.
        field: the member of the object; empty for none.
        parameters: the positions of the parameters that select the element.
        level: how the element differs between threads whatever the arguments are (see `dataflow.uniformity`).
        compared: the positions of the parameters that give the value waited for.
        compared_level: how that value differs between threads whatever the arguments are.
    """

    kind: int
    root: Root
    field: bytes
    parameters: tuple[int, ...]
    level: int = 0
    compared: tuple[int, ...] = ()
    compared_level: int = 0


class Summary(NamedTuple):
    """The effects of a function.

    Attributes:
        waits: what it waits for.
        reads: the memory that it loads anew in each call, and that its results depend on.
        attempts: the locks that it tries to take once, and whose state its results report.
        writes: the memory that it changes.
        outputs: the positions of the parameters that it writes such results through.
        returned: how its returned value differs between threads: `level`, `identity` and `parameter` of a `Divergence`.
        changes_object: it assigns members of the object that it is called on.
        declared: not a function but `volatile` memory: the fields of its `Variable` after the name.
    """

    waits: frozenset[WaitSummary] = frozenset()
    reads: frozenset[Place] = frozenset()
    attempts: frozenset[Place] = frozenset()
    writes: frozenset[Place] = frozenset()
    outputs: frozenset[int] = frozenset()
    returned: tuple[int, int, int] = (0, 0, -1)
    changes_object: bool = False
    declared: tuple[bytes, str, int] | None = None

    @property
    def affects_callers(self) -> bool:
        """Whether callers need more of it than the memory that is changed."""
        return bool(self.waits or self.reads or self.attempts)


def to_plain(summary: Summary) -> tuple[Any, ...]:
    """A summary as nested tuples and frozen sets."""
    waits, reads, attempts, writes, *others = summary
    return *(frozenset(map(tuple, part)) for part in (waits, reads, attempts, writes)), *others


def from_plain(plain: tuple[Any, ...]) -> Summary:
    """The inverse of `to_plain`."""
    waits, reads, attempts, writes, *others = plain
    return Summary(
        frozenset(WaitSummary(*waiting) for waiting in waits),
        frozenset(Place(*place) for place in reads),
        frozenset(Place(*place) for place in attempts),
        frozenset(Place(*place) for place in writes),
        *others,
    )


def join_summaries(one: Summary, other: Summary) -> Summary:
    """The effects that either of two functions of one name may have."""
    level = max(one.returned[0], other.returned[0])
    index = one.returned[1] if one.returned[1] == other.returned[1] else 0
    parameter = one.returned[2] if one.returned[2] == other.returned[2] else -1
    return Summary(
        one.waits | other.waits,
        one.reads | other.reads,
        one.attempts | other.attempts,
        one.writes | other.writes,
        one.outputs | other.outputs,
        (level, index, parameter),
        one.changes_object or other.changes_object,
        one.declared or other.declared,
    )


def merge_summaries(files: Iterable[Mapping[bytes, tuple[Any, ...]]]) -> dict[bytes, tuple[Any, ...]]:
    """Merge the summaries of several files, as plain data.

    A name that several files define may mean any of its functions.
    """
    found: dict[bytes, tuple[Any, ...]] = {}
    for summaries in files:
        for name, plain in summaries.items():
            previous = found.get(name)
            found[name] = (
                plain if previous is None else to_plain(join_summaries(from_plain(previous), from_plain(plain)))
            )
    return found
