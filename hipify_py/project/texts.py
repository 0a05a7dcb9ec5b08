"""The bytes of a run's files, each read once while the run is laid out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from hipify_py import witness
from hipify_py.project.compile_commands import NO_COMMANDS, CompileCommands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from hipify_py.project.file_facts import FileFacts

    Fact = TypeVar("Fact")


_MOST_BYTES = 2_000_000
_MOST_KEPT = 50_000_000
_NOTHING: Mapping[str, bytes] = {}


class Texts:
    """The beginnings of files; what a very large project has beyond some 50 MB is read again rather than kept."""

    def __init__(
        self,
        unsaved: Mapping[str, bytes] = _NOTHING,
        facts: FileFacts | None = None,
        commands: CompileCommands = NO_COMMANDS,
        jobs: int = 1,
    ) -> None:
        """`unsaved` is what files hold that are not, or not yet, on the disk like that; `facts` go by content.

        `commands` say how the files are compiled; so many `jobs` may be started to look into the files.
        """
        self.commands = commands
        self.jobs = jobs
        self._known: dict[str, bytes] = dict(unsaved)
        self.facts = facts
        self._entries: dict[str, dict[str, Any]] = {}
        self._room = _MOST_KEPT

    def of(self, path: str) -> bytes:
        """The beginning of a file; empty for one that cannot be read, which its own task reports."""
        data = self._known.get(path)
        if data is None:
            data = bytes_of(path)
            if len(data) <= self._room:
                self._known[path] = data
                self._room -= len(data)
        return data

    def find(self, search: Callable[[bytes], Fact], path: str) -> Fact:
        """What a function finds in the beginning of a file, by that alone: not looked for again where it is known."""
        data = self.of(path)
        if self.facts is None:
            return search(data)
        entry = self._entries.get(path)
        if entry is None:
            entry = self._entries[path] = self.facts.about(data)
        return self.facts.find(search, data, entry)


def bytes_of(path: str) -> bytes:
    """The beginning of a file; empty for one that cannot be read."""
    witness.saw(path)
    try:
        with open(path, "rb") as file:
            # A read of a given length would make room for all of it, for every small file.
            return file.read() if os.fstat(file.fileno()).st_size <= _MOST_BYTES else file.read(_MOST_BYTES)
    except OSError:
        return b""
