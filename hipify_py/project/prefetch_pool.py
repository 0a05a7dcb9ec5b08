"""Searches many contents for facts with several worker processes, which end once they have found them."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from hipify_py.project.content_facts import name_of
from hipify_py.project.worker_pool import WorkerPool

Search: TypeAlias = "Callable[[bytes], Any]"
"""Finds something in a content, in a form that `marshal` can write."""

Undone: TypeAlias = "tuple[bytes, Sequence[Search]]"
"""A content, and the searches still to be done in it."""

Facts: TypeAlias = "dict[str, Any]"
"""What functions have found in a content, by their names (`content_facts.name_of`)."""

_LEAST = 1_000_000
"""Bytes of contents; fewer are searched before processes for them would have started."""

_SHARE = 500_000
"""Bytes of contents that justify starting a process, and that one request holds."""


def find_facts_in_processes(undone: Sequence[Undone], jobs: int) -> list[Facts]:
    """What up to `jobs` processes find in contents, in the order of the contents.

    Empty if there is little to search, or where a process failed: the caller then searches itself.
    """
    found: list[Facts] = [{} for _ in undone]
    total = sum(len(data) for data, _ in undone)
    if total < _LEAST:
        return found
    shares = _shares(undone)
    with WorkerPool(min(jobs, len(shares), max(1, total // _SHARE)), _facts_in) as pool:
        for number, share in enumerate(shares):
            pool.submit(number, [undone[index] for index in share])
        for number, facts in pool:
            if facts is not None:
                for index, known in zip(shares[number], marshal.loads(facts), strict=True):  # nosec B302: our own
                    found[index] = known
    return found


def _shares(undone: Sequence[Undone]) -> list[list[int]]:
    """The indexes of the contents, large ones first, in shares of at least `_SHARE` bytes."""
    shares: list[list[int]] = []
    size = _SHARE
    for index in sorted(range(len(undone)), key=lambda index: -len(undone[index][0])):
        if size >= _SHARE:
            shares.append([])
            size = 0
        shares[-1].append(index)
        size += len(undone[index][0])
    return shares


def _facts_in(undone: Sequence[Undone]) -> bytes:
    facts = [
        {name_of(search): fact[0] for search in searches if (fact := _found(search, data)) is not None}
        for data, searches in undone
    ]
    return marshal.dumps(facts)


def _found(search: Search, data: bytes) -> tuple[Any] | None:
    try:
        return (search(data),)
    except Exception:  # the parent searches itself, and gets the error where it can be reported
        return None
