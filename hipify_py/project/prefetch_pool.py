"""Searches many contents for facts with several processes, which end once they have found them."""

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
"""Finds something in a content, in a form that `marshal` can write."""

Undone: TypeAlias = "tuple[bytes, Sequence[Search]]"
"""A content, and the searches still to be done in it."""

Facts: TypeAlias = "dict[str, Any]"
"""What functions have found in a content, by their names (`file_facts.name_of`)."""

_LEAST = 1_000_000
"""Bytes of contents; fewer are searched before processes for them would have started."""

_SHARE = 500_000
"""Bytes of contents that justify starting a process."""


def find_facts_in_processes(undone: Sequence[Undone], jobs: int) -> list[Facts]:
    """What up to `jobs` processes find in contents, in the order of the contents.

    Empty if there is little to search, or where a process failed: the caller then searches itself.
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
    """The indexes of the contents, in shares of about the same size."""
    shares: list[list[int]] = [[] for _ in range(count)]
    sizes = [0] * count
    for index in sorted(range(len(undone)), key=lambda index: -len(undone[index][0])):
        least = sizes.index(min(sizes))
        shares[least].append(index)
        sizes[least] += len(undone[index][0])
    return shares


class _Child:
    """A process that searches some contents, inherited from this one."""

    def __init__(self, undone: Sequence[Undone], others: Sequence[Connection]) -> None:
        """`others` are this process's ends of the pipes to which its other children write."""
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_look, args=(undone, theirs, [*others, self.connection]), daemon=True)
        self._process.start()
        theirs.close()

    def answer(self) -> list[Facts]:
        """What it has found, content by content; empty if it was killed."""
        try:
            answer: list[Facts] = marshal.loads(self.connection.recv_bytes())  # nosec B302: from our own process
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
    gc.freeze()  # objects made by the parent are not scanned, and their pages stay shared
    try:
        connection.send_bytes(marshal.dumps([_facts_in(data, searches) for data, searches in undone]))
    except OSError:
        pass  # the parent no longer waits for it
    finally:
        os._exit(0)  # the parent flushes its own buffers


def _facts_in(data: bytes, searches: Sequence[Search]) -> Facts:
    found = ((search, _found(search, data)) for search in searches)
    return {name_of(search): fact[0] for search, fact in found if fact is not None}


def _found(search: Search, data: bytes) -> tuple[Any] | None:
    try:
        return (search(data),)
    except Exception:  # the parent searches itself, and gets the error where it can be reported
        return None
