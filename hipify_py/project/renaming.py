"""The new names of a tree's files: other endings, and other words in the names of files and folders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from posixpath import dirname

from hipify_py.core.renamed_words import RenamedWords
from hipify_py.project.discovery import BUILD, OTHER, SOURCE, Discovery, Entry

_MODULES = (".py", ".pyi", ".pyx")


class Renaming:
    """The new paths of the files that a walk has found, within their roots.

    Endings and words change in the names of sources; build files and others keep their names, because programs know
    them by these. Words change in the names of folders that sources are in, with all that is in them; a folder with
    Python modules keeps its name, which is that of a package.
    """

    def __init__(self, found: Discovery, renames: Mapping[str, str]) -> None:
        """`renames` has new endings by old ones, which begin with a dot, and new words by old ones."""
        self._found = found
        endings = ((old, new) for old, new in renames.items() if old.startswith("."))
        self._endings = sorted(endings, key=lambda pair: len(pair[0]), reverse=True)
        self.words = {old: new for old, new in renames.items() if not old.startswith(".")}
        self._renamed_words = RenamedWords(self.words)

    def path(self, entry: Entry, *, keeps_name: bool = False) -> str:
        """The new path of a file within its root."""
        if not (self._endings or self.words):
            return entry.relative
        folder, _, name = entry.relative.rpartition("/")
        if not keeps_name and entry.kind not in {OTHER, BUILD}:
            name = self.name(name)
        folder = self.folder(entry.root, folder)
        return f"{folder}/{name}" if folder else name

    def name(self, name: str) -> str:
        """The new name of a source: with its words replaced, and its ending; the longest matching ending decides."""
        name = self._renamed_words.renamed(name) if self.words else name
        for old, new in self._endings:
            if name.endswith(old) and len(name) > len(old):
                return name[: -len(old)] + new
        return name

    def folder(self, root: int, path: str) -> str:
        """The new path of a folder within its root."""
        if not self.words or not path:
            return path
        parts = path.split("/")
        places = ["/".join(parts[: at + 1]) for at in range(len(parts))]
        return "/".join(
            self._renamed_words.renamed(part) if (root, place) in self._folders else part
            for part, place in zip(parts, places, strict=True)
        )

    @cached_property
    def _folders(self) -> set[tuple[int, str]]:
        """The folders whose names may change."""
        having: set[tuple[int, str]] = set()
        packages: set[tuple[int, str]] = set()
        for entry in self._found.entries:
            folder = dirname(entry.relative)
            if entry.relative.endswith(_MODULES):
                packages.add((entry.root, folder))
            while entry.kind == SOURCE and folder and (entry.root, folder) not in having:
                having.add((entry.root, folder))
                folder = dirname(folder)
        return having - packages
