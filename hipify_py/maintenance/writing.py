"""Writes mapping tables in their one canonical form, and lays patches over them.

Canonical: sections in a fixed order, rows sorted by name, one row a line, fields in a fixed order. A patch is a
YAML document `library -> section -> name -> row`; a row that is null goes, fields of a row that are null go, and
all others are laid over what stands there. In `members` a name is `Struct.field`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from hipify_py.catalog.loading import LOADER
from hipify_py.catalog.model import KINDS, TableError

SECTIONS = tuple(KINDS)
FIELDS = (
    "hip",
    "roc",
    "unsupported",
    "tag",
    "experimental",
    "standard",
    "switch",
    "drop",
    "main",
    "needs",
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
    "device",
    "support",
    "warp32",
    "include",
    "cuda",
    "rocm",
    "enums",
    "values",
    "differs",
    "agrees",
    "note",
    "advice",
    "note_for_constants",
)
_LEAD = ("library", "title", "native", "prefixes", "loaded", "constructed", "demands")
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

HEAD = "# Form: mappings/schema.json; `hipify-py mappings lint` checks it, `hipify-py mappings verify` the facts.\n"

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


def table_text(document: Document, comment: str = HEAD) -> str:
    """A table as its file is to be.

    Raises:
        TableError: for a field that rows do not have.
    """
    lines = [comment]
    lines += [f"{key}: {_flow(document[key])}\n" for key in _LEAD if document.get(key)]
    for section in SECTIONS:
        if document.get(section):
            lines.append(f"\n{section}:\n")
            lines.extend(_rows(document[section], "  "))
    if any((document.get("members") or {}).values()):
        lines.append("\nmembers:\n")
        for struct, rows in sorted(document["members"].items()):
            if rows:
                lines.append(f"  {struct}:\n")
                lines.extend(_rows(rows, "    "))
    if document.get("families"):
        lines.append("\nfamilies:\n")
        lines.extend(f"  - {_flow(family)}\n" for family in document["families"])
    if document.get("overloads"):
        lines.append("\noverloads:\n")
        lines.append(f"  types: {_flow(document['overloads']['types'])}\n  functions:\n")
        functions = document["overloads"]["functions"]
        lines.extend(f"    {_flow(name)}: {_flow(functions[name])}\n" for name in sorted(functions))
    if document.get("evidence"):
        lines.append("\nevidence:\n")
        for key, entries in document["evidence"].items():
            lines.append(f"  {key}:\n")
            lines.extend(f"    - {_flow(entry)}\n" for entry in entries)
    return "".join(lines)


def patch_text(patch: Document) -> str:
    """A patch as a YAML document, one row a line."""
    lines = []
    for library, sections in sorted(patch.items()):
        lines.append(f"{library}:\n")
        for section, rows in sections.items():
            lines.append(f"  {section}:\n")
            lines.extend(f"    {_flow(name)}: {_flow(row)}\n" for name, row in sorted(rows.items()))
    return "".join(lines).removesuffix("\n")


def _rows(rows: Document, indent: str) -> Iterator[str]:
    for name in sorted(rows):
        yield f"{indent}{_flow(name)}: {row_text(rows[name])}\n"


def row_text(row: Document | str) -> str:
    """One row, in its short form where the HIP name is all there is to say."""
    if isinstance(row, str):
        return _flow(row)
    if set(row) == {"hip"} and row["hip"]:
        return _flow(row["hip"])
    strange = set(row) - set(FIELDS)
    if strange:
        raise TableError(f"not a field of a row: {', '.join(sorted(strange))}")
    return _flow({key: row[key] for key in FIELDS if key in row})


class _Plain(yaml.SafeDumper):
    """Writes shared values out each time: a table has no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _flow(value: Any) -> str:
    dumped = yaml.dump(
        value, Dumper=_Plain, default_flow_style=True, width=sys.maxsize, sort_keys=False, allow_unicode=True
    )
    return str(dumped).removesuffix("\n").removesuffix("...").strip()


def head_comment(text: str) -> str:
    """The comment lines at the head of a table's text."""
    lines = []
    for line in text.splitlines(keepends=True):
        if not line.startswith("#"):
            break
        lines.append(line)
    return "".join(lines)
