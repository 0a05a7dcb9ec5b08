"""The bytes of a run's files, each read once during planning."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hipify_py.project.compile_commands import NO_COMMANDS, CompileCommands
from hipify_py.project.faults import Faults

if TYPE_CHECKING:
    from hipify_py.project.content_facts import FileFacts
    from hipify_py.project.prefetch_pool import Search, Undone

    Fact = TypeVar("Fact")


_MOST_BYTES = 2_000_000
_MOST_KEPT = 20_000_000
_MOST_SEARCHED = 25_000_000
"""Bytes of contents that are searched together: they are in memory until then."""
_NOTHING: Mapping[str, bytes] = {}


class SourceStore:
    """The beginnings of files; beyond some 20 MB of a very large project, files are read again rather than kept."""

    def __init__(
        self,
        unsaved: Mapping[str, bytes] = _NOTHING,
        facts: FileFacts | None = None,
        commands: CompileCommands = NO_COMMANDS,
        jobs: int = 1,
    ) -> None:
        """`unsaved` has contents that differ from the disk; `facts` are stored by content.

        `commands` tells how the files are compiled; up to `jobs` processes may be started to examine the files.
        """
        self.commands = commands
        self.jobs = jobs
        self._unsaved = unsaved
        self._known: dict[str, bytes] = dict(unsaved)
        self.facts = facts
        self.faults = Faults() if facts is None else facts.faults
        self._entries: dict[str, dict[str, Any]] = {}
        self._digests: dict[str, bytes] = {}
        self._room = _MOST_KEPT

    def __reduce__(self) -> tuple[Any, ...]:
        """A worker that is not a copy of this process reads the files itself."""
        return SourceStore, (self._unsaved, None, self.commands)

    def compiled_by(self, commands: CompileCommands) -> SourceStore:
        """The same texts with other compile commands."""
        texts = SourceStore(self._unsaved, self.facts, commands, self.jobs)
        texts._known, texts._entries, texts._room = self._known, self._entries, self._room
        texts.faults = self.faults
        return texts

    def read(self, path: str) -> bytes:
        """The beginning of a file; empty for an unreadable one, which its own task reports."""
        data = self._known.get(path)
        if data is None:
            data = bytes_of(path)
            if len(data) <= self._room:
                self._known[path] = data
                self._room -= len(data)
        return data

    def ask(self, search: Callable[[str, bytes], Fact], path: str) -> Fact:
        """What a function finds in a file, given its path and its beginning."""
        return search(path, self.read(path))

    def digest(self, path: str) -> bytes:
        """A digest of what `read` returns, computed once."""
        if path not in self._digests:
            from hipify_py.project.results_cache.keys import content_digest  # a check of one file keeps nothing

            self._digests[path] = content_digest(self.read(path))
        return self._digests[path]

    def fact(self, search: Callable[[bytes], Fact], path: str) -> Fact:
        """What a function finds in the beginning of a file, given only that; known results are reused.

        What the run found earlier also holds for files that have been replaced since. If the function fails, it finds
        what it finds in an empty file, and `faults` has the reason.
        """
        return self.faults.ask(path, lambda: self._fact(search, path), lambda: search(b""))

    def _fact(self, search: Callable[[bytes], Fact], path: str) -> Fact:
        if self.facts is None:
            return search(self.read(path))
        known = self.facts.of_file(search, path)
        if known is not None:
            return known[0]
        data = self.read(path)
        return self.facts.find(search, data, self._entry(path, data))

    def expect(self, asked: Iterable[tuple[str, Sequence[Search]]]) -> None:
        """Announce searches of files by some functions: several processes do them, if that pays off."""
        if self.facts is None or self.jobs < 2:
            return
        from hipify_py.project.content_facts import name_of
        from hipify_py.project.prefetch_pool import find_facts_in_processes

        undone: list[Undone] = []
        entries: dict[int, dict[str, Any]] = {}
        size = 0

        def search_all() -> None:
            for entry, found in zip(entries.values(), find_facts_in_processes(undone, self.jobs), strict=True):
                entry.update(found)
            entries.clear()
            undone.clear()

        for path, searches in asked:
            data = self.read(path)
            entry = self._entry(path, data)
            unknown = [search for search in searches if name_of(search) not in entry]
            if unknown and id(entry) not in entries:
                entries[id(entry)] = entry
                undone.append((data, unknown))
                size += len(data)
            if size > _MOST_SEARCHED:
                search_all()
                size = 0
        search_all()

    def _entry(self, path: str, data: bytes) -> dict[str, Any]:
        """The known facts about the content of a file."""
        assert self.facts is not None
        entry = self._entries.get(path)
        if entry is None or path not in self._known:  # a file that is read again may have changed
            entry = self._entries[path] = self.facts.of_files[path] = self.facts.about(data)
        return entry


def bytes_of(path: str) -> bytes:
    """The beginning of a file; empty if it cannot be read.

    An include can name anything (`/proc/kmsg`, a pipe), and reading it may never end: only files with a size are read.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not status.st_size:
                return b""
            # A read with a length would allocate all of it, for every small file.
            return file.read() if status.st_size <= _MOST_BYTES else file.read(_MOST_BYTES)
    except OSError:
        return b""


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
