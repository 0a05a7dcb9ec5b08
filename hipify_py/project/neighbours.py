"""The files that stand beside a given one: a quoted include of one of them is the project's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from hipify_py.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,300})"', re.MULTILINE)
_MOST_HEADERS = 200
_MOST_BYTES = 2_000_000


def neighbours(paths: Iterable[str]) -> frozenset[str]:
    """The headers and sources in the folders of `paths`, as normalised paths with `/`."""
    suffixes = CUDA_SUFFIXES | CPP_SUFFIXES
    found: set[str] = set()
    for folder in {os.path.dirname(path) for path in paths}:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue  # a folder that may be entered but not listed: the files in it still translate
        found.update(portable(os.path.join(folder, n)) for n in names if suffix_of(n) in suffixes)
    return frozenset(found)


def included(paths: Iterable[str]) -> list[str]:
    """The headers that files include by a path from their own folder, and those that these include; `paths` left out.

    A source that is given by itself is one of a program all the same.
    """
    known = {os.path.abspath(path) for path in paths}
    pending = sorted(known)
    found: list[str] = []
    while pending and len(found) < _MOST_HEADERS:
        path = pending.pop()
        for match in _INCLUDE.finditer(bytes_of(path)):
            header = os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(match[1])))
            if header not in known and os.path.isfile(header):
                known.add(header)
                found.append(header)
                pending.append(header)
    return found


def bytes_of(path: str) -> bytes:
    """The beginning of a file; empty for one that cannot be read, which its own task reports."""
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return b""


def portable(path: str) -> str:
    """A path as `Options` want it: normalised, with `/`."""
    return os.path.normpath(path).replace(os.sep, "/")
