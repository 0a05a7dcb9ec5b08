"""Finds what `.gitignore` files exclude."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hipify_py.project.git_checkout import Checkout, UnreadableCheckout, top_of
from hipify_py.project.paths import is_within

if TYPE_CHECKING:
    import pathspec

_LARGEST = 1 << 22
"""Bytes of a `.gitignore`; a larger file does not count as one."""

_ANYWHERE = "^(?:.+/)?"
"""The beginning of the regular expressions of most patterns."""

_FOLDER_MARK = "ps_d"
"""The group of pathspec's regular expressions that matches the slash after a folder."""

_NAMED_GROUP = re.compile(r"\(\?P<\w+>")


class Ignores:
    """The `.gitignore` files that apply below a folder, including those of its parents up to the checkout's top.

    What git tracks is not ignored, whatever they contain. Outside a checkout nothing is ignored: in an archive of a
    repository, files that its patterns match are those that git tracks all the same (`scripts/` of GPUSPH).
    """

    def __init__(self, root: str) -> None:
        """`root` is a real path."""
        self._specs: dict[str, tuple[tuple[pathspec.GitIgnoreSpec, Callable[[str], object]], ...]] = {}
        self._read: set[str] = set()
        self._ignored_folders: dict[str, bool] = {}
        self._top = top_of(root)
        self._checkout: Checkout | None = None
        self._is_readable = self._top is not None
        if self._top is not None:
            self._read_file(self._top, os.path.join(self._top, ".git", "info", "exclude"))
            self.read_down_to(os.path.dirname(root) if root != self._top else root)

    def read(self, folder: str) -> None:
        """Read the `.gitignore` of a folder, given by its real path."""
        folder = folder.rstrip(os.sep)
        if self._top is not None and folder not in self._read:
            self._read.add(folder)
            self._read_file(folder, os.path.join(folder, ".gitignore"))

    def read_down_to(self, folder: str) -> None:
        """Read the `.gitignore` files from the checkout's top down to a folder below it."""
        if self._top is None or not is_within(folder, self._top):
            return
        self.read(self._top)
        place = self._top
        for name in os.path.relpath(folder, self._top).split(os.sep):
            if name != os.curdir:
                place = os.path.join(place, name)
                self.read(place)

    def match(self, path: str) -> bool:
        """Whether git would ignore this path (folders end in `/`)."""
        return bool(self._specs) and self._is_ignored(path) and not self._is_tracked(path)

    def _is_ignored(self, path: str) -> bool:
        """Whether patterns ignore a path, or a folder above it: nothing below an ignored folder is admitted again."""
        if self._verdict(path):
            return True
        folder = os.path.dirname(path.rstrip("/")) + "/"
        if folder not in self._ignored_folders:
            self._ignored_folders[folder] = folder.count("/") > 1 and self._is_ignored(folder)
        return self._ignored_folders[folder]

    def _verdict(self, path: str) -> bool | None:
        """Whether the last pattern that matches a path ignores it; the deepest file decides. None if none matches."""
        folder = os.path.dirname(path.rstrip("/"))
        while True:
            for spec, may_match in self._specs.get(folder, ()):
                relative = path[len(folder) + 1 :]
                verdict = _verdict(spec, relative) if may_match(relative) else None
                if verdict is not None:
                    return verdict
            parent = os.path.dirname(folder)
            if parent == folder:
                return None
            folder = parent

    def _is_tracked(self, path: str) -> bool:
        """Whether the file, or one in the folder, is in git's index."""
        checkout = self._opened()
        if checkout is None or self._top is None:
            return False
        relative = os.fsencode(os.path.relpath(path, self._top).replace(os.sep, "/"))
        return checkout.tracks_below(relative) if path.endswith("/") else checkout.tracks(relative)

    def _opened(self) -> Checkout | None:
        """The checkout, whose index is read when the first path is ignored; None if it cannot be read."""
        if self._checkout is None and self._is_readable and self._top is not None:
            try:
                self._checkout = Checkout(self._top)
            except UnreadableCheckout:
                self._is_readable = False  # excluded paths are reported as usual
        return self._checkout

    def _read_file(self, folder: str, path: str) -> None:
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
                return
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().splitlines()
        except OSError:
            return
        try:
            spec = globs(lines)
        except ValueError:
            spec = globs(_valid(lines))
        if spec is not None:
            # The folder's own file is read last, but has to be asked first.
            self._specs[folder] = ((spec, may_match(spec)), *self._specs.get(folder, ()))


class Globs:
    """Patterns, written as in `.gitignore`, by which a user selects files.

    They are relative to one folder if it is known, with files outside it matched as if there were none; otherwise to
    each walked folder.
    """

    def __init__(self, patterns: Sequence[str], folder: str = "") -> None:
        self._spec = globs(patterns)
        self._folder = os.path.realpath(folder) if folder and patterns else ""

    def __bool__(self) -> bool:
        return self._spec is not None

    def fit(self, relative: str, real: str) -> bool:
        """Whether a file, or a folder ending in `/`, matches: relative to where it was found, and by its real path."""
        if self._spec is None:
            return False
        if self._folder and is_within(real.rstrip(os.sep), self._folder):
            relative = real[len(self._folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        return self._spec.match_file(relative)


def globs(patterns: Sequence[str]) -> pathspec.GitIgnoreSpec | None:
    """Patterns as in `.gitignore`; None if there are none.

    Raises:
        ValueError: for an invalid pattern.
    """
    if not patterns:
        return None
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(patterns)


def _verdict(spec: pathspec.GitIgnoreSpec, relative: str) -> bool | None:
    """Whether the last pattern that matches a path, not only a folder above it, ignores it; None if none matches.

    git decides about each folder before it looks into it, so `!*/` admits a folder that `*` ignores; pathspec matches a
    path together with its folders and ranks patterns for folders below the others.
    """
    for pattern in reversed(spec.patterns):
        if pattern.include is None or pattern.regex is None:
            continue
        for match in pattern.regex.finditer(relative):
            if match.groupdict().get(_FOLDER_MARK) is None or match.end() == len(relative):
                return bool(pattern.include)
    return None


def may_match(spec: pathspec.GitIgnoreSpec) -> Callable[[str], object]:
    """A quick test that rules out most paths, which match no pattern; the patterns are tried on the others."""
    anywhere, others = [], []
    for pattern in spec.patterns:
        regex = getattr(pattern, "regex", None)
        if pattern.include is None or regex is None:
            continue
        text = _NAMED_GROUP.sub("(?:", regex.pattern)
        if text.startswith(_ANYWHERE):
            anywhere.append(f"(?:{text[len(_ANYWHERE) :]})")
        else:
            others.append(f"(?:{text})")
    try:
        return re.compile("|".join([f"{_ANYWHERE}(?:{'|'.join(anywhere)})", *others] if anywhere else others)).search
    except (re.error, OverflowError):
        return lambda path: True  # patterns that cannot be combined


def _valid(lines: Sequence[str]) -> list[str]:
    """The lines that are patterns; git skips the others."""
    return [line for line in lines if _is_pattern(line)]


def _is_pattern(line: str) -> bool:
    try:
        globs([line])
    except ValueError:
        return False
    return True
