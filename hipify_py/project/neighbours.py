"""The files that stand beside a given one: a quoted include of one of them is the project's own."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hipify_py.source import CPP_SUFFIXES, CUDA_SUFFIXES, suffix_of


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


def portable(path: str) -> str:
    """A path as `Options` want it: normalised, with `/`."""
    return os.path.normpath(path).replace(os.sep, "/")
