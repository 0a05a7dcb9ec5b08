"""Patches for mapping tables.

A patch is a YAML document `library -> section -> name -> row`. A row that is null is removed, and so are the fields of
a row that are null; all others replace what the table has. In `members` a name is `Struct.field`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hipify_py.catalog.lint import SECTIONS, flow, head_comment, table_text
from hipify_py.catalog.loading import LOADER
from hipify_py.core.rows import TableError

_TARGETS = (
    "hip",
    "roc",
    "args",
    "unbounded",
    "insert",
    "order",
    "recall",
    "template_order",
    "by_arity",
    "by_type",
    "by_library",
    "before",
    "rocm",
    "differs",
    "agrees",
)

Document = dict[str, Any]


def apply_patch(folder: Path, patch: Document) -> list[Path]:
    """Lay a patch over the tables of a folder; the result are the files that changed.

    Raises:
        TableError: for a library or section that the tables do not have.
    """
    changed = []
    for library, sections in patch.items():
        path = folder / f"{library}.yaml"
        if not path.is_file():
            raise TableError(f"{path}: there is no such table")
        before = path.read_text(encoding="utf-8")
        document: Document = yaml.load(before, Loader=LOADER)  # it is a safe loader  # nosec B506
        for section, rows in sections.items():
            if section in SECTIONS:
                _lay(document.setdefault(section, {}), rows)
            elif section == "members":
                _lay_members(document.setdefault("members", {}), rows)
            elif section in (
                "constructed",
                "demands",
                "evidence",
                "families",
                "loaded",
                "overloads",
                "prefixes",
                "native",
                "title",
            ):
                document[section] = rows
            else:
                raise TableError(f"{path}: a table has no section {section}")
        after = table_text(document, head_comment(before))
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            changed.append(path)
    return changed


def _lay_members(members: Document, rows: Document) -> None:
    for name, row in rows.items():
        struct, _, field = name.partition(".")
        _lay(members.setdefault(struct, {}), {field: row})


def _lay(section: Document, rows: Document) -> None:
    for name, row in rows.items():
        if row is None:
            section.pop(name, None)
        else:
            section[name] = merged(section.get(name, {}), row)


def merged(row: Document | str, over: Document | str) -> Document:
    """One row laid over another, field by field; a row that becomes unsupported loses its targets."""
    row = {"hip": row} if isinstance(row, str) else dict(row)
    over = {"hip": over} if isinstance(over, str) else over
    if over.get("unsupported"):
        row = {key: value for key, value in row.items() if key not in _TARGETS}
    elif "hip" in over or over.get("drop"):
        for key in ("unsupported", "advice"):
            row.pop(key, None)
    return {key: value for key, value in {**row, **over}.items() if value is not None}


def patch_text(patch: Document) -> str:
    """A patch as a YAML document, one row a line."""
    lines = []
    for library, sections in sorted(patch.items()):
        lines.append(f"{library}:\n")
        for section, rows in sections.items():
            lines.append(f"  {section}:\n")
            lines.extend(f"    {flow(name)}: {flow(row)}\n" for name, row in sorted(rows.items()))
    return "".join(lines).removesuffix("\n")
