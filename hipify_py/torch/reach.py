"""Which files a call translates: the given ones, and the headers that these include, found as a compiler finds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexer
from hipify_py.project.source_store import SourceStore
from hipify_py.support_header import MARK
from hipify_py.torch.result import IS_OUTPUT, MARKER, NOT_SELECTED
from hipify_py.torch.selection import Patterns, to_unix_path


class Include(NamedTuple):
    """One `#include`: the path as written, and whether it is quoted."""

    name: str
    is_quoted: bool


class Found(NamedTuple):
    """The file that an include leads to, and the folder from which its path leads there."""

    path: str
    folder: str


class Scope:
    """The files that a call may translate, and the folders in which it looks for headers.

    A file outside of `all_files` may be translated as well if something includes it, the patterns of the call admit it,
    and it is not one that the walk has left out on purpose: its name has another ending, or it is outside of the output
    folder. (The sources that `torch.utils.cpp_extension.load` compiles have headers beside them in no given folder.)
    """

    def __init__(
        self,
        output_directory: str,
        all_files: Iterable[str],
        header_include_dirs: Iterable[str] = (),
        patterns: Patterns | None = None,
        extensions: Iterable[str] = (),
    ) -> None:
        """Paths are relative to the output folder; without patterns, only `all_files` are translated."""
        self.output_directory = os.path.abspath(output_directory)
        self.all_files = {self.place(path) for path in all_files}
        self.folders = [self.place(folder) for folder in header_include_dirs]
        self._patterns = patterns
        self._extensions = tuple(extensions)

    def place(self, path: str) -> str:
        """The absolute path of a file or folder, which is relative to the output folder."""
        return os.path.abspath(os.path.join(self.output_directory, path))

    def has(self, path: str) -> bool:
        """Whether a file is given, or one that is translated if something includes it."""
        if path in self.all_files:
            return True
        if self._patterns is None or not self._patterns.admit(to_unix_path(path)):
            return False
        return not path.endswith(self._extensions) or not path.startswith(self.output_directory + os.sep)

    def find(self, includer: str, name: str, *, is_quoted: bool) -> Found | None:
        """The file that an include leads to; None if it is nowhere that is searched.

        A quoted path is first looked for beside the file that has it, then all are in the folders, of which the first
        that has the file wins. (In PyTorch's translator, the last one does.)
        """
        beside = [os.path.dirname(includer)] if is_quoted else []
        for folder in (*beside, *self.folders):
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                return Found(path, folder)
        return None


class Reach(NamedTuple):
    """The files to translate, each with its includes that lead to files of the project; and those to be ignored, each
    with the reason."""

    files: Mapping[str, Mapping[Include, Found]]
    ignored: Mapping[str, str]


def reach_of(entries: Iterable[str], scope: Scope, texts: SourceStore, *, follow: bool) -> Reach:
    """What a call translates.

    Args:
        entries: the given files, by their absolute paths.
        scope: what may be translated.
        texts: reads the files.
        follow: whether to translate what they include as well, and what that includes.
    """
    files: dict[str, dict[Include, Found]] = {}
    ignored: dict[str, str] = {}
    pending = [*dict.fromkeys(entries)]
    pending.reverse()
    while pending:
        path = pending.pop()
        if path in files or path in ignored:
            continue
        if not scope.has(path):
            ignored[path] = NOT_SELECTED
            continue
        if is_generated(texts.read(path)):
            ignored[path] = IS_OUTPUT
            continue
        found = files[path] = _includes(path, scope, texts) if follow else {}
        pending += reversed([each.path for each in found.values()])
    return Reach(files, ignored)


def is_generated(data: bytes) -> bool:
    """Whether a file is output, of PyTorch's translator or ours."""
    first, _, _ = data.partition(b"\n")
    return first.rstrip(b"\r") == MARKER.encode().rstrip() or data.startswith(MARK)


def _includes(path: str, scope: Scope, texts: SourceStore) -> dict[Include, Found]:
    found: dict[Include, Found] = {}
    for include in texts.fact(includes_of, path):
        place = scope.find(path, include.name, is_quoted=include.is_quoted)
        if place is not None and place.path != path:
            found[include] = place
    return found


def includes_of(data: bytes) -> tuple[Include, ...]:
    """What a source includes, under any condition."""
    return tuple(Include(each.path, each.quoted) for each in Lexer(frozenset()).scan(data).includes)
