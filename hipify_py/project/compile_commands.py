"""How the sources of a run are compiled, from the compilation databases of its trees (`compile_commands.json`).

A tree's database lies at its root or in `build/`; a user can name another one. What it says is used as evidence only:
the include graph asks for folders, as macros of one configuration say nothing of others; `compile` asks for all.
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
"""Lists of folders that headers are looked for in; further ones seldom find more."""

Folders = tuple[tuple[str, ...], ...]
"""Lists of include folders, each by itself in the order of its command line."""


class CompileCommands:
    """What databases say of sources, by the absolute paths of those."""

    def __init__(self, settings: Mapping[str, Settings], databases: Iterable[str] = ()) -> None:
        self.settings = settings
        self.databases = tuple(databases)
        lists = dict.fromkeys(said.searched for said in settings.values() if said.searched)
        self._every: Folders = tuple(lists)[:_MOST_LISTS]

    def __bool__(self) -> bool:
        return bool(self.settings)

    def of(self, path: str) -> Settings | None:
        """What is said of a source; None for one that no database names."""
        found = self.settings.get(os.path.abspath(path))
        return self.settings.get(os.path.realpath(path)) if found is None and self.settings else found

    def folders(self, path: str) -> Folders:
        """Where the includes of a file are looked for: those of a header in the folders of all sources."""
        if not self.settings:
            return ()
        own = self.of(path)
        if own is None:
            return self._every
        return (own.searched,) if own.searched else ()


NO_COMMANDS = CompileCommands({})


def compile_commands(trees: Iterable[str], given: str = "") -> CompileCommands:
    """Read the databases of some trees, or the one that the user has `given` in their place."""
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
    """What the databases of several groups say together."""
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
    """What a regular file of a sensible size holds; empty for anything else."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            return b""
        with open(path, "rb") as file:
            return file.read(largest)
    except (OSError, ValueError):
        return b""
