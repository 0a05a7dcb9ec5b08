"""Looks for facts in many contents by several processes at once, which end when they have found them."""

from __future__ import annotations

import gc
import marshal
import multiprocessing
import os
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from hipify_py.project.content_facts import name_of
from hipify_py.project.process_utils import can_fork, leave_signals_to_parent

Search: TypeAlias = "Callable[[bytes], Any]"
"""Finds something in a content that `marshal` can write."""

Undone: TypeAlias = "tuple[bytes, Sequence[Search]]"
"""A content, and what is to be looked for in it."""

Facts: TypeAlias = "dict[str, Any]"
"""What functions have found in a content, by their names (`file_facts.name_of`)."""

_LEAST = 1_000_000
"""Bytes of contents; less is looked through before processes for it would have started."""

_SHARE = 500_000
"""Bytes that a process is worth starting for."""


def find_facts_in_processes(undone: Sequence[Undone], jobs: int) -> list[Facts]:
    """What at most so many processes find in contents, in their order.

    Nothing where there is little to look through, or where a process could not do it: who asks looks there, too.
    """
    found: list[Facts] = [{} for _ in undone]
    total = sum(len(data) for data, _ in undone)
    if total < _LEAST or not can_fork():
        return found
    shares = _shares(undone, min(jobs, len(undone), total // _SHARE))
    children: list[_Child] = []
    try:
        for share in shares:
            children.append(_Child([undone[index] for index in share], [child.connection for child in children]))
        for share, child in zip(shares, children, strict=True):
            for index, facts in zip(share, child.answer(), strict=False):
                found[index] = facts
    finally:
        for child in children:
            child.end()
    return found


def _shares(undone: Sequence[Undone], count: int) -> list[list[int]]:
    """The indexes of the contents in shares of about the same size."""
    shares: list[list[int]] = [[] for _ in range(count)]
    sizes = [0] * count
    for index in sorted(range(len(undone)), key=lambda index: -len(undone[index][0])):
        least = sizes.index(min(sizes))
        shares[least].append(index)
        sizes[least] += len(undone[index][0])
    return shares


class _Child:
    """A process that looks through some contents, which it has of this one."""

    def __init__(self, undone: Sequence[Undone], others: Sequence[Connection]) -> None:
        """`others` are this process's ends of what its other children write to."""
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_look, args=(undone, theirs, [*others, self.connection]), daemon=True)
        self._process.start()
        theirs.close()

    def answer(self) -> list[Facts]:
        """What it has found, content by content; nothing where it was killed."""
        try:
            answer: list[Facts] = marshal.loads(self.connection.recv_bytes())  # nosec B302: of our own process
        except (EOFError, OSError):
            return []
        return answer

    def end(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _look(undone: Sequence[Undone], connection: Connection, others: Sequence[Connection]) -> None:
    leave_signals_to_parent()
    for other in others:
        other.close()
    gc.freeze()  # what the parent made is not looked through, and its pages stay shared
    try:
        connection.send_bytes(marshal.dumps([_facts_in(data, searches) for data, searches in undone]))
    except OSError:
        pass  # nobody waits for it
    finally:
        os._exit(0)  # what waits in the parent's buffers is the parent's to write


def _facts_in(data: bytes, searches: Sequence[Search]) -> Facts:
    found = ((search, _found(search, data)) for search in searches)
    return {name_of(search): fact[0] for search, fact in found if fact is not None}


def _found(search: Search, data: bytes) -> tuple[Any] | None:
    try:
        return (search(data),)
    except Exception:  # the parent looks itself, and has the fault where it can be told
        return None
