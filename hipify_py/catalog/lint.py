"""Checks mapping tables: schema, order, duplicate symbols, and contradictory rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from hipify_py.catalog.checking import problems
from hipify_py.catalog.loading import LOADER
from hipify_py.core.rows import KINDS, TableError

if TYPE_CHECKING:
    Document = dict[str, Any]


# Writes mapping tables in their canonical form.

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
    "fails",
    "note_for_constants",
)
_LEAD = ("library", "title", "overrides", "native", "prefixes", "loaded", "constructed", "demands")
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


_MOST_ARGUMENTS = 48
_OF_CUDA = ("cuda", "cudnn", "cublas", "cusparse", "cusolver", "cufft", "curand", "nvrtc")
"""Prefixes that no HIP name has."""


class Flaw(NamedTuple):
    """A problem of a table; `line` is 1 where it cannot be located."""

    path: Path
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def lint(paths: Sequence[Path], *, fix: bool = False) -> list[Flaw]:
    """Check tables, also against each other.

    Args:
        paths: the tables.
        fix: first bring those that follow the schema into the canonical form (order, one row per line).

    Raises:
        OSError: a table cannot be read or written.
        UnicodeDecodeError: a table is not in UTF-8.
    """
    flaws: list[Flaw] = []
    owners: dict[str, Path] = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found = [Flaw(path, line, what) for line, what in problems(text)]
        if not found:
            document = yaml.load(text, Loader=LOADER)  # it is a safe loader  # nosec B506
            lines = _lines(text)
            found += [Flaw(path, lines.get(name, 1), what) for name, what in _contradictions(document)]
            found += _duplicates(path, document, lines, owners)
            found += _form(path, text, table_text(document, head_comment(text)), fix)
        flaws += found
    return flaws


def _contradictions(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Rows that contradict themselves, or have no content."""
    for section in SECTIONS:
        for name, row in (document.get(section) or {}).items():
            for form in _forms({"hip": row} if isinstance(row, str) else row):
                yield from ((name, f"{name}: {what}") for what in _row_flaws(name, section, form))


def _forms(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The row itself, and its ROCm target, which is a row in all but its place."""
    yield row
    if isinstance(row.get("roc"), dict):
        yield {"of": "roc", **row["roc"]}


def _row_flaws(name: str, section: str, row: Mapping[str, Any]) -> Iterator[str]:
    targets = [key for key in ("hip", "drop", "unsupported") if key in row]
    if len(targets) != 1 and not ("of" in row and not targets):
        yield f"a row has exactly one of hip, drop and unsupported; this one has {', '.join(targets) or 'none'}"
    if "unsupported" in row and not row.get("advice"):
        yield "an unsupported symbol needs advice"
    if ("drop" in row or "main" in row) and section != "headers":
        yield "drop and main are only for headers"
    if str(row.get("hip", "")).startswith(_OF_CUDA) and row["hip"] != name:
        yield f"{row['hip']} is a CUDA name"
    if "differs" in row and "agrees" in row:
        yield "the arguments cannot both differ and agree"
    for edits in (row, *_choices(row)):
        yield from _edit_flaws(edits)


def _choices(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The forms of a row that depend on a call's arguments."""
    by_type = [choice for types in row.get("by_type", {}).values() for choice in types.values()]
    yield from (choice for choice in (*row.get("by_arity", {}).values(), *by_type) if isinstance(choice, dict))


def _edit_flaws(row: Mapping[str, Any]) -> Iterator[str]:
    order = row.get("order", [])
    positions = [*map(int, row.get("args", {})), *map(int, row.get("insert", {})), *order]
    if any(position >= _MOST_ARGUMENTS for position in positions):
        yield f"no function has {_MOST_ARGUMENTS} arguments"
    if len(order) != len(set(order)):
        yield "order names an argument twice"
    if order and (row.get("args") or row.get("insert")):
        yield "order goes with neither args nor insert"
    for template in filter(None, row.get("args", {}).values()):
        if template.count("(") != template.count(")") or template.count("{}") > 1:
            yield f"{template!r} is not a wrap: its brackets must be balanced, and {{}} may appear at most once"


def _duplicates(
    path: Path, document: Mapping[str, Any], lines: Mapping[str, int], owners: dict[str, Path]
) -> Iterator[Flaw]:
    """Symbols in two sections or two tables; a table that overrides another has its symbols again, and only changed."""
    overridden = document.get("overrides")
    for section in SECTIONS:
        for name in document.get(section) or {}:
            owner = owners.setdefault(name, path)
            if owner is not path and owner.stem != overridden:
                yield Flaw(path, lines.get(name, 1), f"{name} is also in {owner.name}")
    names = [name for section in SECTIONS for name in document.get(section) or {}]
    for name in sorted({name for name in names if names.count(name) > 1}) if len(names) != len(set(names)) else []:
        yield Flaw(path, lines.get(name, 1), f"{name} is in two sections")


def _form(path: Path, text: str, wanted: str, fix: bool) -> Iterator[Flaw]:
    if text == wanted:
        return
    if fix:
        path.write_text(wanted, encoding="utf-8", newline="\n")
        return
    pairs = zip(text.splitlines(), wanted.splitlines(), strict=False)
    line = next((number for number, (old, new) in enumerate(pairs, 1) if old != new), 1)
    yield Flaw(path, line, "not in canonical form (order, spelling of a row); `mappings lint --fix` fixes it")


def _lines(text: str) -> dict[str, int]:
    """The line of each row, by its name."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, _ = line.strip().partition(": ")
        if colon:
            found.setdefault(name.strip("'\""), number)
    return found
