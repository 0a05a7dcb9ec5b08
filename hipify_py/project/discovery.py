"""Finds the files of a run: one walk over the given files and folders, in a fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.core.source import SOURCE_SUFFIXES, is_fortran, suffix_of
from hipify_py.embedded.host_files import kind_of_host
from hipify_py.project.errors import reason
from hipify_py.project.gitignore import Globs, Ignores
from hipify_py.project.paths import is_within
from hipify_py.project.temporary import is_temporary

# Walks folders, whatever the search is for: each folder is read once, and the caller decides where the walk goes.

OUTPUT_MARK = ".hipify-py-output"
"""The file that marks an output folder inside an input; later runs do not treat that folder as part of the input."""

NEVER_WALKED = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})


class Folder(NamedTuple):
    """A folder on a walk: its path from where the walk began, and its sorted contents."""

    relative: str
    children: list[os.DirEntry[str]]
    names: frozenset[str]

    @property
    def is_output(self) -> bool:
        """Whether it is an output of hipify-py below the folder where the walk began."""
        return bool(self.relative) and OUTPUT_MARK in self.names

    def name_of(self, child: os.DirEntry[str]) -> str:
        """The path of one of its entries, from where the walk began."""
        return f"{self.relative}/{child.name}" if self.relative else child.name


class Walk:
    """A folder and those below it: the folder itself first, then those passed to `enter`, the last of them first."""

    def __init__(
        self, path: str, ignores: Ignores | None = None, failed: Callable[[str, OSError], None] | None = None
    ) -> None:
        """`ignores` reads the `.gitignore` files; `failed` is called for folders that cannot be read."""
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


SOURCE, OTHER, LINK = "source", "other", "link"
BUILD = "build"
HOST = "host"
"""The kinds of files."""


_EXCLUDED = "excluded"


class Root(NamedTuple):
    """A path as given: a folder to walk, or a single file.

    `inner` is the place of its files below an output if it belongs to another given folder; otherwise None.
    """

    path: str
    is_tree: bool
    inner: str | None = None


class Entry(NamedTuple):
    """A file found.

    Attributes:
        path: as given, or below the given folder; messages show it.
        root: index of its root.
        relative: the path within its root, with `/`; a given file's base name.
        kind: `SOURCE`, `BUILD` for build files that are translated, `HOST` for programs of other languages that have
            GPU code, `OTHER`, or `LINK` for a symbolic link to something else of the same tree.
        size: in bytes.
        points_to: where a link leads, relative to the root.
    """

    path: str
    root: int
    relative: str
    kind: str
    size: int
    points_to: str = ""


class Problem(NamedTuple):
    """A path that cannot be used, and why."""

    path: str
    message: str


class Discovery(NamedTuple):
    """What a walk found: `problems` are failures, `skipped` only deserve a mention.

    `given` is the number of paths given to the run; there are fewer roots if some paths were unusable. `left_out` holds
    the excluded files and folders (the latter end in `/`), with reasons.
    """

    given: int
    roots: list[Root]
    entries: list[Entry]
    problems: list[Problem]
    skipped: list[Problem]
    left_out: list[Problem]

    @property
    def sources(self) -> list[Entry]:
        """The sources to translate."""
        return [entry for entry in self.entries if entry.kind == SOURCE]

    @property
    def build_files(self) -> list[Entry]:
        """The build files to translate."""
        return [entry for entry in self.entries if entry.kind == BUILD]


class Selection(NamedTuple):
    """The selected files below given folders; the globs are written as in `.gitignore`.

    Attributes:
        include: the files to translate, instead of selecting them by suffix.
        exclude: the files to exclude, even if given explicitly.
        gitignore: exclude what `.gitignore` files name.
        include_from, exclude_from: the folder to which the globs are relative; empty for each given folder in turn.
        build_files: translate build files, too.
        files: the files to translate, by their paths below the given folder, with `/`; nothing else is looked at. Empty
            for what the folder has.
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    gitignore: bool = True
    include_from: str = ""
    exclude_from: str = ""
    build_files: bool = True
    files: Sequence[str] = ()


EVERYTHING = Selection()


def is_source_name(name: str) -> bool:
    """Whether a file name ends like that of a CUDA, C or C++ source."""
    return suffix_of(name) in SOURCE_SUFFIXES


def discover(
    paths: Iterable[str],
    selection: Selection = EVERYTHING,
    *,
    without: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
) -> Discovery:
    """Find all files at and below `paths`, sorted within each of them.

    Given files are included whatever their names. Symbolic links are never followed out of their tree.

    Args:
        without: folders that are not walked, such as the output folder.
        elsewhere: real paths of files and folders that another walk of the same run covers.
    """
    return _Walk(selection, without, elsewhere).run(paths)


class _Tree(NamedTuple):
    """A folder being walked: its path as given, its real path, and the symbolic links found so far."""

    path: str
    real: str
    root: int
    ignores: Ignores | None
    links: list[str]


class _Walk:
    def __init__(self, selection: Selection, without: Iterable[str], elsewhere: Iterable[str]) -> None:
        self.include = Globs(selection.include, selection.include_from)
        self.exclude = Globs(selection.exclude, selection.exclude_from)
        self.gitignore = selection.gitignore
        self.build_files = selection.build_files
        self.files = selection.files
        self.without = {os.path.realpath(path) for path in without}
        self.elsewhere = frozenset(elsewhere)
        self.found = Discovery(0, [], [], [], [], [])
        self.seen: set[str] = set()

    def run(self, paths: Iterable[str]) -> Discovery:
        paths = list(paths)
        self.found = self.found._replace(given=len(paths))
        for path in paths:
            try:
                status = os.stat(path)
            except OSError as error:
                self.found.problems.append(Problem(path, _why(path, error)))
                continue
            if stat.S_ISDIR(status.st_mode):
                self._tree(path)
            elif stat.S_ISREG(status.st_mode):
                self._file(path, status.st_size)
            else:
                self.found.problems.append(Problem(path, "not a regular file"))
        return self.found

    def _file(self, path: str, size: int) -> None:
        if self.exclude.fit(os.path.normpath(path), os.path.realpath(path)):
            self.found.left_out.append(Problem(path, _EXCLUDED))
            return
        self.found.roots.append(Root(path, False))
        self._add(
            Entry(path, len(self.found.roots) - 1, os.path.basename(path), self._given_kind(path), size),
            os.path.realpath(path),
        )

    def _tree(self, path: str) -> None:
        real = os.path.realpath(path)
        self.found.roots.append(Root(path, True))
        tree = _Tree(path, real, len(self.found.roots) - 1, Ignores(real) if self.gitignore else None, [])
        first = len(self.found.entries)

        if self.files:
            self._listed(tree)
            return

        def failed(relative: str, error: OSError) -> None:
            self.found.problems.append(Problem(_join(path, relative), f"cannot read the folder: {reason(error)}"))

        walk = Walk(path, tree.ignores, failed)
        for folder in walk:
            self._folder(tree, folder, walk)
        for relative in tree.links:
            self._link(tree, relative)
        self.found.entries[first:] = sorted(self.found.entries[first:], key=lambda entry: entry.relative.split("/"))

    def _listed(self, tree: _Tree) -> None:
        """Record the files of a list, without a look at the folders."""
        for relative in sorted(self.files, key=lambda name: name.split("/")):
            path = _join(tree.path, relative)
            try:
                size = os.stat(path).st_size
            except OSError as error:
                self.found.problems.append(Problem(path, _why(path, error)))
            else:
                self._add(Entry(path, tree.root, relative, SOURCE, size), os.path.join(tree.real, relative))

    def _folder(self, tree: _Tree, folder: Folder, walk: Walk) -> None:
        """Record one folder's files, and enter its subfolders."""
        if folder.is_output:
            self.found.left_out.append(Problem(_join(tree.path, folder.relative) + "/", "an output of hipify-py"))
            return
        for child in folder.children:
            name = folder.name_of(child)
            is_folder = child.is_dir(follow_symlinks=False)
            if self.elsewhere and os.path.join(tree.real, name) in self.elsewhere:
                continue
            why = self._left_out(tree, name, is_folder)
            if why:
                self.found.left_out.append(Problem(_join(tree.path, name) + ("/" if is_folder else ""), why))
            elif is_folder:
                walk.enter(name)
            elif child.is_symlink():
                tree.links.append(name)
            elif child.is_file(follow_symlinks=False):
                kind = self._kind(tree, name)
                size = child.stat(follow_symlinks=False).st_size
                self._add(Entry(_join(tree.path, name), tree.root, name, kind, size), os.path.join(tree.real, name))
            else:
                self._unusable(_join(tree.path, name), "not a regular file")

    def _link(self, tree: _Tree, relative: str) -> None:
        shown = _join(tree.path, relative)
        target = os.path.realpath(os.path.join(tree.path, relative))
        if not os.path.exists(target):
            self._unusable(shown, "a broken symbolic link")
        elif not is_within(target, tree.real):
            self.found.skipped.append(Problem(shown, "a symbolic link to outside its tree, not followed"))
        else:
            inside = os.path.relpath(target, tree.real).replace(os.sep, "/")
            self.found.entries.append(Entry(shown, tree.root, relative, LINK, 0, inside))

    def _unusable(self, shown: str, message: str) -> None:
        """Record an unusable path: a failure if it is named like a source, otherwise no loss."""
        where = self.found.problems if is_source_name(shown) else self.found.skipped
        where.append(Problem(shown, message))

    def _left_out(self, tree: _Tree, relative: str, is_folder: bool) -> str:
        """Why a file or folder is excluded; empty for included ones."""
        name = relative + "/" if is_folder else relative
        real = os.path.join(tree.real, name)
        if self.exclude.fit(name, real):
            return _EXCLUDED
        if is_folder and os.path.join(tree.real, relative) in self.without:
            return "it is the output folder"
        return "ignored by .gitignore" if tree.ignores is not None and tree.ignores.match(real) else ""

    def _kind(self, tree: _Tree, relative: str) -> str:
        if self.include:
            if not self.include.fit(relative, os.path.join(tree.real, relative)):
                return OTHER
            return self._given_kind(relative)
        if self.build_files and is_build_file(relative):
            return BUILD
        return SOURCE if is_source_name(relative) else OTHER

    def _given_kind(self, path: str) -> str:
        """The kind of a file that the user has chosen, whatever its name."""
        if self.build_files and is_build_file(path):
            return BUILD
        if is_fortran(path):
            return OTHER
        return HOST if kind_of_host(path) else SOURCE

    def _add(self, entry: Entry, real: str) -> None:
        if real not in self.seen:
            self.seen.add(real)
            self.found.entries.append(entry)


def _join(root: str, relative: str) -> str:
    return os.path.normpath(os.path.join(root, relative))


def _why(path: str, error: OSError) -> str:
    return "a broken symbolic link" if os.path.islink(path) else reason(error)
