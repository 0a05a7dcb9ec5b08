"""The files that stand beside a given one: a quoted include of one of them is the project's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from hipify_py import witness
from hipify_py.patterns import lazy
from hipify_py.project.texts import Texts
from hipify_py.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of

_INCLUDE = lazy(
    rb'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"\n]{1,300})"|<(?P<angled>[^<>\n/]{1,100}/[^<>\n]{1,200})>)',
    re.MULTILINE,
)
_MOST_HEADERS = 200
_MOST_FOLDERS = 8


def neighbours(paths: Iterable[str]) -> frozenset[str]:
    """The headers and sources in the folders of `paths`, as normalised paths with `/`."""
    suffixes = CUDA_SUFFIXES | CPP_SUFFIXES
    found: set[str] = set()
    for folder in {os.path.dirname(path) for path in paths}:
        witness.saw_folder(folder or os.curdir)
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue  # a folder that may be entered but not listed: the files in it still translate
        found.update(portable(os.path.join(folder, n)) for n in names if suffix_of(n) in suffixes)
    return frozenset(found)


def included(paths: Iterable[str], texts: Texts) -> list[str]:
    """The project's headers that files include, and those that these include; `paths` left out.

    A source that is given by itself is one of a program all the same. An include is looked for from the folder of the
    file that has it, and from the folders above the given file up to its repository's, as build files set them.
    """
    known = {os.path.abspath(path) for path in paths}
    folders = _above(known)
    pending = sorted(known)
    found: list[str] = []
    missing: set[str] = set()
    while pending and len(found) < _MOST_HEADERS:
        path = pending.pop()
        for match in _INCLUDE.finditer(texts.of(path)):
            name = os.fsdecode(match["quoted"] or match["angled"])
            beside = [os.path.dirname(path)] if match["quoted"] else []
            header = _found(name, beside) or (None if name in missing else _found(name, folders))
            if header is None:
                missing.add(name)
            elif header not in known:
                known.add(header)
                found.append(header)
                pending.append(header)
    return found


def _found(name: str, folders: Iterable[str]) -> str | None:
    candidates = (os.path.normpath(os.path.join(folder, name)) for folder in folders)
    return next((path for path in candidates if witness.is_file(path)), None)


def _above(paths: Iterable[str]) -> list[str]:
    """The folders above files up to their repositories' tops, the nearest first, and the `include` in each."""
    found: dict[str, None] = {}
    for folder in sorted({os.path.dirname(path) for path in paths}):
        for _ in range(_MOST_FOLDERS):
            found.setdefault(folder)
            found.setdefault(os.path.join(folder, "include"))
            if witness.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
                break
            folder = os.path.dirname(folder)
    return list(found)


def portable(path: str) -> str:
    """A path as `Options` want it: normalised, with `/`."""
    return os.path.normpath(path).replace(os.sep, "/")
