"""How the sources of a run are compiled, from the compilation databases of its trees (`compile_commands.json`).

A tree's database is at its root or in `build/`; a user can name another one. It serves as evidence only: the include
graph uses just the folders, as the macros of one configuration mean nothing for others; `compile` uses everything.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.build_systems.compile_commands.database import Settings

NAME = "compile_commands.json"
_PLACES = (NAME, os.path.join("build", NAME))
_LARGEST = 256 << 20
_LARGEST_RESPONSE = 1 << 20
_MOST_LISTS = 32
"""Limit on lists of folders that are searched for headers; further ones seldom find more."""

Folders = tuple[tuple[str, ...], ...]
"""Lists of include folders, each in the order of its command line."""


class CompileCommands:
    """The contents of databases, by the absolute paths of sources."""

    def __init__(self, settings: Mapping[str, Settings], databases: Iterable[str] = ()) -> None:
        self.settings = settings
        self.databases = tuple(databases)
        lists = dict.fromkeys(said.searched for said in settings.values() if said.searched)
        self._every: Folders = tuple(lists)[:_MOST_LISTS]

    def __bool__(self) -> bool:
        return bool(self.settings)

    def of(self, path: str) -> Settings | None:
        """The settings of a source; None if no database names it."""
        found = self.settings.get(os.path.abspath(path))
        return self.settings.get(os.path.realpath(path)) if found is None and self.settings else found

    def folders(self, path: str) -> Folders:
        """Where the includes of a file are searched: for a header, in the folders of all sources."""
        if not self.settings:
            return ()
        own = self.of(path)
        if own is None:
            return self._every
        return (own.searched,) if own.searched else ()


NO_COMMANDS = CompileCommands({})


def compile_commands(trees: Iterable[str], given: str = "") -> CompileCommands:
    """Read the databases of some trees, or the one that the user has `given` instead."""
    settings: dict[str, Settings] = {}
    databases = []
    candidates = [(given,)] if given else [tuple(os.path.join(tree, place) for place in _PLACES) for tree in trees]
    for places in candidates:
        for place in places:
            data = _bytes(place, _LARGEST)
            found = _read(data) if data else {}
            if found:
                databases.append(place)
                for path, said in found.items():
                    settings.setdefault(path, said)
                break
    return CompileCommands(settings, databases) if settings else NO_COMMANDS


def joined_commands(several: Iterable[CompileCommands]) -> CompileCommands:
    """The combined databases of several groups."""
    settings: dict[str, Settings] = {}
    databases: list[str] = []
    for commands in several:
        for path, said in commands.settings.items():
            settings.setdefault(path, said)
        databases += commands.databases
    return CompileCommands(settings, databases) if settings else NO_COMMANDS


def _read(data: bytes) -> dict[str, Settings]:
    from hipify_py.build_systems.compile_commands.database import settings_in

    return settings_in(data, lambda path: _bytes(path, _LARGEST_RESPONSE))


def _bytes(path: str, largest: int) -> bytes:
    """The content of a regular file of a sensible size; empty for anything else."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            return b""
        with open(path, "rb") as file:
            return file.read(largest)
    except (OSError, ValueError):
        return b""
