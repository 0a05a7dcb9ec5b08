"""Distinguishes this installation from others: its version, its code, its tables, its grammars."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from importlib.util import find_spec

from hipify_py.catalog.places import mappings_dir
from hipify_py.core.installation import PACKAGE, VERSION

GRAMMARS = (
    "tree_sitter",
    "tree_sitter_cuda",
    "tree_sitter_cpp",
    "tree_sitter_python",
    "tree_sitter_toml",
)
"""The parser and its grammars, whose versions affect a translation."""

_OTHERS = (
    *GRAMMARS,
    "pathspec",
    "click",
    "rich",
)
"""Packages whose versions can change a result, or how it is displayed."""

_IGNORED = frozenset({"__pycache__"})

_VERSION_FILE = "_version.py"
"""A build from a checkout writes it again; the digest has the version itself."""


def fingerprint(tables: Sequence[str] = ()) -> bytes:
    """A digest that changes with every part of the installation, or of the user's own tables, that affects results.

    Raises:
        OSError: if some part of it cannot be examined.
    """
    package = PACKAGE
    digest = blake2b(repr((VERSION, sys.version, package)).encode(errors="surrogateescape"))
    for folder in dict.fromkeys((package, mappings_dir())):
        digest.update(repr(sorted(_stamps(folder))).encode(errors="surrogateescape"))
    for name in _OTHERS:
        digest.update(repr(sorted(_package_stamps(name))).encode(errors="surrogateescape"))
    for table in tables:
        if not os.path.isfile(table):
            raise FileNotFoundError(f"{table}: not a regular file")  # opening a pipe would block
        with open(table, "rb") as file:
            digest.update(blake2b(file.read()).digest())
    return digest.digest()


def _stamps(folder: str, *, deep: bool = True) -> Iterator[tuple[str, int, int]]:
    """Values that change when a file below a folder does."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if deep and entry.name not in _IGNORED:
                    yield from _stamps(entry.path)
            elif entry.name != _VERSION_FILE and not entry.name.endswith(".pyc"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns


def _package_stamps(name: str) -> Iterator[tuple[str, int, int]]:
    """The stamps of another package's own folder, which is found without importing the package."""
    spec = find_spec(name)
    if spec is not None and spec.origin is not None:
        yield from _stamps(os.path.dirname(spec.origin), deep=False)
