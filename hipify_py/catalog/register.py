"""The register of findings as it is written; a run reads its compiled form from the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

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
    """The entries by id, with the fields that `diagnostics.schema.json` describes."""
    entries: dict[str, dict[str, Any]] = yaml.safe_load(Path(register_path()).read_text(encoding="utf-8"))
    return entries


def family(id: str) -> str:
    """The subject of findings of this id."""
    return FAMILIES[id[3]]
