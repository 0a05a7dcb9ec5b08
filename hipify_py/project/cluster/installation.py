"""Checks whether two machines have the same hipify-py: otherwise their results would differ."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version

from hipify_py.catalog.places import mappings_dir
from hipify_py.core.installation import PACKAGE
from hipify_py.project.results_cache.fingerprint import GRAMMARS

_ENDINGS = (".py", ".yaml", ".json", ".hpp")


@cache
def installation() -> str:
    """A digest of the code, the tables and the versions of the grammars, wherever they are installed."""
    digest = blake2b(digest_size=16)
    for root in (PACKAGE, mappings_dir()):
        for relative in sorted(_files(root)):
            with open(os.path.join(root, relative), "rb") as file:
                digest.update(repr((relative, blake2b(file.read()).digest())).encode())
    for name in GRAMMARS:
        digest.update(f"{name} {version(name)}".encode())
    return digest.hexdigest()


def _files(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        if "__pycache__" in folders:
            folders.remove("__pycache__")
        if relative.partition("/")[0] != "mappings":  # inside the package in an installed wheel
            yield from (f"{relative}/{name}" for name in names if name.endswith(_ENDINGS) and name != "_version.py")
