"""Reads the YAML tables. Slow (seconds for all of them), so only the catalog compiler calls it."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog.loading import LOADER
from hipify_py.catalog.model import KINDS, Family, Row, TableError

_LARGEST = 1 << 25
"""Maximum number of bytes of a table."""


class Table(NamedTuple):
    """One YAML file, read; `native` is the ROCm-native library of `--target roc`, or empty."""

    path: Path
    library: str
    native: str
    prefixes: list[str]
    rows: list[Row]
    members: list[Row]
    families: list[Family]
    overloads: dict[str, frozenset[str]]
    loaded: dict[str, str]
    constructed: dict[str, str]
    demands: dict[str, str]


def read_table(path: Path, *, checked: bool = False) -> Table:
    """Read one table; `checked` validates it against the schema first, as needed for a user's table.

    Raises:
        TableError: the file cannot be read, or a row is neither a name nor a mapping; the message has the file and,
            where known, the line.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise TableError(f"{path}: not a regular file of at most {_LARGEST} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"{path}: {error}") from error
    if checked:
        from hipify_py.catalog.checking import check

        check(path, text)
    try:
        document = yaml.load(text, Loader=LOADER)  # it is a safe loader  # nosec B506
    except (yaml.YAMLError, RecursionError) as error:
        raise TableError(f"{path}: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("library"), str):
        raise TableError(f"{path}: a table is a mapping with a `library`")
    library = document["library"]
    rows = [
        row
        for section, kind in KINDS.items()
        for row in _section_rows(path, library, kind, document.get(section) or {}, "")
    ]
    members = [
        row
        for struct, fields in (document.get("members") or {}).items()
        for row in _section_rows(path, library, "member", fields, f"{struct}.")
    ]
    families = [
        Family(str(entry.get("prefix") or entry["header"]), library, "header" in entry, entry["advice"])
        for entry in document.get("families") or []
    ]
    native, prefixes = document.get("native") or "", document.get("prefixes") or []
    overloads = _overloads(document.get("overloads") or {"functions": {}, "types": []})
    loaded, constructed = document.get("loaded") or {}, document.get("constructed") or {}
    demands = document.get("demands") or {}
    return Table(path, library, native, prefixes, rows, members, families, overloads, loaded, constructed, demands)


def _overloads(section: dict[str, Any]) -> dict[str, frozenset[str]]:
    """The parameter lists by name, `{T}` expanded."""
    return {
        name: frozenset(line.replace("{T}", type) for line in lines for type in section["types"])
        for name, lines in section["functions"].items()
    }


def _section_rows(path: Path, library: str, kind: str, section: Any, scope: str) -> Iterator[Row]:
    if not isinstance(section, dict):
        raise TableError(f"{path}: the rows of {library} ({kind}) are not a mapping")
    for name, value in section.items():
        if isinstance(value, str):
            yield Row(scope + name, library, kind, value, {})
        elif isinstance(value, dict):
            fields = {key: item for key, item in value.items() if key != "hip"}
            hip = value.get("hip")
            if hip is None and not (fields.get("unsupported") or fields.get("drop")):
                raise TableError(f"{path}: {name} has neither `hip` nor `unsupported`")
            yield Row(scope + name, library, kind, None if fields.get("unsupported") else hip, fields)
        else:
            raise TableError(f"{path}: the row of {name} is {value!r}, which is neither a HIP name nor a mapping")
