"""Reads a mapping table's YAML; only what compiles or maintains the tables imports it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hipify_py.core.rows import TableError

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's safe loader; the one in C where the installation has it."""


def read_document(path: Path) -> dict[str, Any]:
    """A table as the mapping that its file holds.

    Raises:
        TableError: the file cannot be read, is not YAML in UTF-8, or holds no mapping.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)  # it is a safe loader  # nosec B506
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TableError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(document, dict):
        raise TableError(f"{path}: a table is a mapping with a `library`")
    return document
