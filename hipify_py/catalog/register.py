"""The register of findings, with all that is said of each; a run reads what it needs from the catalog."""

from __future__ import annotations

import os
from typing import Any

from hipify_py.catalog.cache import cached_image
from hipify_py.catalog.places import register_path

FAMILIES = {
    "1": "API",
    "2": "Device code",
    "3": "Wavefront",
    "4": "Preprocessor",
    "5": "Libraries",
    "6": "Build files",
    "7": "Run-time behaviour",
    "9": "The tool itself",
}
"""The subjects of findings, by the first digit of their numbers."""


def read_register() -> dict[str, dict[str, Any]]:
    """The entries by id, with the fields that `diagnostics.schema.json` describes, as they are written."""
    import yaml

    with open(register_path(), encoding="utf-8") as file:
        entries: dict[str, dict[str, Any]] = yaml.safe_load(file)
    return entries


def compiled_register() -> dict[str, dict[str, Any]]:
    """The same entries from the cache, where they are if they have not changed since: reading YAML takes long."""
    path = register_path()
    status = os.stat(path)
    stamp = [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    entries: dict[str, dict[str, Any]] = cached_image("register", [path], stamp, lambda: {"entries": read_register()})[
        "entries"
    ]
    return entries


def family(id: str) -> str:
    """The subject of findings of this id."""
    return FAMILIES[id[3]]
