"""What is found in files by their content alone: looked for once in a run, and once for all where results are kept."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, TypeVar

Fact = TypeVar("Fact")

_SIZE = 16
"""Bytes of a digest: two contents have the same by no accident."""

Entries = dict[bytes, dict[str, Any]]
"""By the digest of a content, what the functions of these names have found in it."""


class FileFacts:
    """Facts by content.

    Attributes:
        known: those that an earlier run has found.
        used: those about the contents of this run.
        is_fresh: some of them are this run's own.
    """

    def __init__(self, known: Entries | None = None) -> None:
        """`known` is what an earlier run has found."""
        self.known = known or {}
        self.is_fresh = False
        self.used: Entries = {}

    def about(self, data: bytes) -> dict[str, Any]:
        """What is known about a content, for `find`."""
        digest = blake2b(data, digest_size=_SIZE).digest()
        entry = self.used.get(digest)
        if entry is None:
            entry = self.used[digest] = self.known.get(digest, {})
        return entry

    def find(self, search: Callable[[bytes], Fact], data: bytes, entry: dict[str, Any]) -> Fact:
        """What a function finds in a content; nothing else may enter, and `marshal` has to be able to write it."""
        name = f"{search.__module__}.{search.__qualname__}"
        if name not in entry:
            entry[name] = search(data)
            self.is_fresh = True
        found: Fact = entry[name]
        return found

    @property
    def is_changed(self) -> bool:
        """Whether the next run should know something else than this one did."""
        return self.is_fresh or len(self.used) < len(self.known)
