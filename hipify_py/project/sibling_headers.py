"""The files next to a given one: a quoted include of one of them means the project's own file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Set
from functools import cache

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of
from hipify_py.project.source_store import SourceStore

_INCLUDE = lazy_pattern(
    rb'\#[ \t]*include[ \t]*(?:"(?P<quoted>[^"\n]{1,300})"|<(?P<angled>[^<>\n/]{1,100}/[^<>\n]{1,200})>)'
)
_MOST_HEADERS = 200
_MOST_FOLDERS = 8
_PATIENCE = 500
"""Lookups of headers in folders before all the folders are listed."""


def neighbours(paths: Iterable[str]) -> frozenset[str]:
    """The headers and sources in the folders of `paths`, as normalised paths with `/`."""
    suffixes = CUDA_SUFFIXES | CPP_SUFFIXES
    found: set[str] = set()
    for folder in {os.path.dirname(path) for path in paths}:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue  # a folder that may be entered but not listed: its files can still be translated
        found.update(portable(os.path.join(folder, n)) for n in names if suffix_of(n) in suffixes)
    return frozenset(found)


def included(paths: Iterable[str], texts: SourceStore) -> list[str]:
    """The project's headers that files include, directly or through each other; `paths` are left out.

    A source that is given by itself is still part of a program. An include is searched from the folder of the file that
    has it, and from the folders above the given file up to the top of its repository, as build files set them.
    """
    given = {os.path.abspath(path): path for path in paths}
    known = set(given)
    beside, above = cache(_file), cache(_Folders(_above(known)).find)  # many files include the same headers
    pending = sorted(known)
    found: list[str] = []
    while pending and len(found) < _MOST_HEADERS:
        path = pending.pop()
        for name, is_quoted in texts.fact(named, given.get(path, path)):
            header = beside(os.path.dirname(path), name) if is_quoted else None
            if header is None:
                header = above(name)
            if header is not None and header not in known:
                known.add(header)
                found.append(header)
                pending.append(header)
    return found


def named(data: bytes) -> tuple[tuple[str, bool], ...]:
    """What a source includes that may be a header of its project, and whether the include is quoted."""
    return tuple(
        (os.fsdecode(match["quoted"] or match["angled"]), match["quoted"] is not None)
        for match in _INCLUDE.finditer(data)
        if not data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()].strip(b" \t")
    )


class _Folders:
    """Folders in which headers are searched, one after the other.

    Most includes in a large tree lead to none of its many folders. After some lookups the folders are listed, and only
    those with an entry for the beginning of a header's path are checked.
    """

    def __init__(self, folders: list[str]) -> None:
        self._folders = folders
        self._patience = _PATIENCE
        self._by_entry: dict[str, set[str]] | None = None
        self._levels: dict[int, _Level] = {}
        self._always: set[str] = set()
        """Folders that may be entered but not listed."""

    def find(self, name: str) -> str | None:
        """The first header with a name, as a normalised path."""
        return next((path for path in self._places(name) if os.path.isfile(path)), None)

    def _places(self, name: str) -> Iterable[str]:
        """Possible paths of files with this name, normalised."""
        up, first, rest = _parts(name)
        if self._patience > 0 or not first.isascii() or not first.strip(".") or "~" in first or ":" in first:
            self._patience -= len(self._folders)
            # This also covers names that may not match an entry: in other folders, or spelled differently.
            return (os.path.normpath(os.path.join(folder, name)) for folder in self._folders)
        if self._by_entry is None:
            self._by_entry = self._list()
        having = self._by_entry.get(first.lower(), frozenset[str]())
        level = self._level(up)
        return (os.path.join(folder, rest) for folder in level.those(having | self._always, others=True))

    def _level(self, up: int) -> _Level:
        """The folders so many levels above."""
        known = self._levels.get(up)
        if known is None:
            folders = [*dict.fromkeys(map(os.path.dirname, self._level(up - 1).folders))] if up else self._folders
            known = self._levels[up] = _Level(folders, self._folders)
        return known

    def _list(self) -> dict[str, set[str]]:
        """The folders by their entries in lower case, as some file systems ignore case."""
        found: dict[str, set[str]] = {}
        for folder in self._folders:
            try:
                names = os.listdir(folder)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                self._always.add(folder)
                continue
            for name in {name.lower() for name in names}:
                found.setdefault(name, set()).add(folder)
        return found


class _Level:
    """Folders in order, split into known ones and others."""

    def __init__(self, folders: list[str], known: Iterable[str]) -> None:
        self.folders = folders
        self._places = {folder: place for place, folder in enumerate(folders)}
        self._others = self._places.keys() - set(known)

    def those(self, chosen: Set[str], *, others: bool = False) -> Iterable[str]:
        """The chosen known folders, and on request all others."""
        found = self._places.keys() & chosen
        return sorted(found | self._others if others else found, key=self._places.__getitem__)


def _parts(name: str) -> tuple[int, str, str]:
    """How many levels up a header's path leads, its first part there, and the rest of it, as a normalised path."""
    rest = os.path.normpath(name)
    up = 0
    while rest.startswith(os.pardir + os.sep):
        up, rest = up + 1, rest[len(os.pardir + os.sep) :]
    return up, rest.partition(os.sep)[0], rest


def _file(folder: str, name: str) -> str | None:
    path = os.path.normpath(os.path.join(folder, name))
    return path if os.path.isfile(path) else None


def _above(paths: Iterable[str]) -> list[str]:
    """The folders above files up to their repositories' tops, nearest first, and the `include` folder in each."""
    found: dict[str, None] = {}
    is_top = cache(_is_top)
    for folder in sorted({os.path.dirname(path) for path in paths}):
        for _ in range(_MOST_FOLDERS):
            found.setdefault(folder)
            found.setdefault(os.path.join(folder, "include"))
            if is_top(folder):
                break
            folder = os.path.dirname(folder)
    return list(found)


def _is_top(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder


def portable(path: str) -> str:
    """A path in the form that `Options` expects: normalised, with `/`."""
    return os.path.normpath(path).replace(os.sep, "/")
