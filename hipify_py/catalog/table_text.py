"""Writes mapping tables in their canonical form.

Sections and the fields of a row have a fixed order; rows are sorted by name, one per line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import yaml

from hipify_py.catalog.model import KINDS, TableError

if TYPE_CHECKING:
    Document = dict[str, Any]

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
HEAD = "# Form: mappings/schema.json; `hipify-py mappings lint` checks it, `python -m tools.tables verify` the facts.\n"


def table_text(document: Document, comment: str = HEAD) -> str:
    """A table in the canonical form of its file.

    Raises:
        TableError: rows have an unknown field.
    """
    lines = [comment]
    lines += [f"{key}: {flow(document[key])}\n" for key in _LEAD if document.get(key)]
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
        lines.extend(f"  - {flow(family)}\n" for family in document["families"])
    if document.get("overloads"):
        lines.append("\noverloads:\n")
        lines.append(f"  types: {flow(document['overloads']['types'])}\n  functions:\n")
        functions = document["overloads"]["functions"]
        lines.extend(f"    {flow(name)}: {flow(functions[name])}\n" for name in sorted(functions))
    if document.get("evidence"):
        lines.append("\nevidence:\n")
        for key, entries in document["evidence"].items():
            lines.append(f"  {key}:\n")
            lines.extend(f"    - {flow(entry)}\n" for entry in entries)
    return "".join(lines)


def _rows(rows: Document, indent: str) -> Iterator[str]:
    for name in sorted(rows):
        yield f"{indent}{flow(name)}: {row_text(rows[name])}\n"


def row_text(row: Document | str) -> str:
    """One row, in its short form where it only has the HIP name."""
    if isinstance(row, str):
        return flow(row)
    if set(row) == {"hip"} and row["hip"]:
        return flow(row["hip"])
    strange = set(row) - set(FIELDS)
    if strange:
        raise TableError(f"not a field of a row: {', '.join(sorted(strange))}")
    return flow({key: row[key] for key in FIELDS if key in row})


class _Plain(yaml.SafeDumper):
    """Writes shared values out each time: a table has no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def flow(value: Any) -> str:
    """A value in YAML's flow style, on one line."""
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
