"""How folders are walked, whatever is looked for in them: each is read once, and the walk goes where it is told to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hipify_py.project.gitignore import Ignores
from hipify_py.project.temporary import is_temporary

OUTPUT_MARK = ".hipify-py-output"
"""The file that marks an output folder which lies within an input: no later run takes that for a part of it."""

NEVER_WALKED = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})


class Folder(NamedTuple):
    """A folder on a walk: its path from where the walk began, and what is in it, in order."""

    relative: str
    children: list[os.DirEntry[str]]
    names: frozenset[str]

    @property
    def is_output(self) -> bool:
        """It is an output of hipify-py below the folder where the walk began."""
        return bool(self.relative) and OUTPUT_MARK in self.names

    def name_of(self, child: os.DirEntry[str]) -> str:
        """The path of something in it, from where the walk began."""
        return f"{self.relative}/{child.name}" if self.relative else child.name


class Walk:
    """The folders below one, which comes first; those that `enter` is told of follow, the last of them first."""

    def __init__(
        self, path: str, ignores: Ignores | None = None, failed: Callable[[str, OSError], None] | None = None
    ) -> None:
        """`ignores` takes up what `.gitignore` files say, `failed` hears of folders that cannot be read."""
        self._path = path
        self._real = os.path.realpath(path)
        self._ignores = ignores
        self._failed = failed
        self._pending = [""]

    def enter(self, relative: str) -> None:
        """Go into a folder later."""
        self._pending.append(relative)

    def __iter__(self) -> Iterator[Folder]:
        while self._pending:
            relative = self._pending.pop()
            place = os.path.join(self._path, relative)
            try:
                with os.scandir(place) as scan:
                    found = sorted(scan, key=lambda child: child.name)
            except OSError as error:
                if self._failed is not None:
                    self._failed(relative, error)
                continue
            children = [child for child in found if not _is_never_walked(child)]
            folder = Folder(relative, children, frozenset(child.name for child in found))
            if self._ignores is not None and ".gitignore" in folder.names and not folder.is_output:
                self._ignores.read(os.path.join(self._real, relative))
            yield folder


def _is_never_walked(child: os.DirEntry[str]) -> bool:
    return (child.name in NEVER_WALKED or is_temporary(child.name)) and child.is_dir(follow_symlinks=False)
