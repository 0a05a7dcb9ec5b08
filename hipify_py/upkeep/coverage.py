"""Pages that say what the tables cover: one a library, and a summary beside the counts of AMD's HIPIFY."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog.model import TableError
from hipify_py.catalog.targeting import NEWEST_CUDA, NEWEST_ROCM
from hipify_py.upkeep.writing import SECTIONS

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TITLES = {
    "headers": "Headers",
    "namespaces": "Namespaces",
    "functions": "Functions",
    "device_functions": "Device functions",
    "types": "Types",
    "enumerators": "Enumerators",
    "macros": "Macros",
    "variables": "Variables",
}
PEER = "hipify-6.3.csv"
"""HIPIFY's rows for ROCm 6.3: CUDA name, library, and whether it has a HIP and a ROCm-native target for it."""

Document = Mapping[str, Any]


class Counts(NamedTuple):
    """A table's rows: names that stay, names that change, names without a counterpart; and HIPIFY's rows beside them."""

    native: int
    mapped: int
    unsupported: int
    peer_rows: int
    peer_mapped: int


class Peer(NamedTuple):
    """One row of HIPIFY's."""

    library: str
    is_mapped: bool


def pages(tables: Path, peer_file: Path) -> dict[str, str]:
    """The pages by file name.

    Raises:
        TableError: when a table or the peer's list cannot be read.
    """
    documents = [_read(path) for path in (*sorted(tables.glob("*.yaml")), *sorted(tables.glob("presets/*.yaml")))]
    peers = _peers(peer_file)
    result = {f"{document['library']}.md": _page(document) for document in documents}
    result["README.md"] = _summary(documents, peers)
    return result


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The names of pages in a folder that are missing, differ from what they are to be, or should not be there."""
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in there.keys() | wanted.keys() if there.get(name) != wanted.get(name))


def uncovered(documents: Sequence[Document], peers: Mapping[str, Peer]) -> list[str]:
    """HIPIFY's names that have neither a row nor a reason for having none."""
    rows = {name for document in documents for name in _rows(document)}
    return [name for name in sorted(peers) if name not in rows and _reason(documents, name) is None]


def _read(path: Path) -> Document:
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TableError(f"{path}: {error}") from error
    if not isinstance(document, dict):
        raise TableError(f"{path}: a table is a mapping")
    return document


def _peers(path: Path) -> dict[str, Peer]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return {
                row["cuda"]: Peer(row["library"], "yes" in (row["hip"], row["roc"])) for row in csv.DictReader(file)
            }
    except (OSError, UnicodeDecodeError, KeyError) as error:
        raise TableError(f"{path}: {error}") from error


def _rows(document: Document) -> dict[str, Document]:
    """All rows of a table in their long form."""
    return {
        name: {"hip": row} if isinstance(row, str) else row
        for section in SECTIONS
        for name, row in (document.get(section) or {}).items()
    }


def _reason(documents: Sequence[Document], name: str) -> str | None:
    """Why a name needs no row: what a family or the evidence of some table says of it."""
    for document in documents:
        for entry in document.get("evidence", {}).get("internal", ()):
            if re.fullmatch(entry["names"], name):
                return str(entry["reason"])
        for family in document.get("families") or ():
            if name.startswith(str(family.get("prefix") or family["header"])):
                return str(family["advice"])
    return None


def _summary(documents: Sequence[Document], peers: Mapping[str, Peer]) -> str:
    lines = [
        "# What the tables cover",
        "",
        f"Newest versions: CUDA {NEWEST_CUDA}, ROCm {NEWEST_ROCM}. *Native* names are valid in HIP as they stand, "
        "*mapped* ones change, *unsupported* ones have advice instead. HIPIFY's columns count the rows of AMD's "
        f"HIPIFY for ROCm 6.3 ([{PEER}]({PEER})) that fall to the table: all of them, and those with a target.",
        "",
        "| table | title | rows | native | mapped | unsupported | with `--target roc` | HIPIFY rows | HIPIFY mapped |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    totals = [0] * 7
    for document in documents:
        rows = _rows(document)
        mine = [peers[name] for name in rows if name in peers]
        numbers = [
            len(rows),
            sum(row.get("hip") == name for name, row in rows.items()),
            sum(_is_mapped(name, row) for name, row in rows.items()),
            sum(bool(row.get("unsupported")) for row in rows.values()),
            sum(_has_native(row) for row in rows.values()),
            len(mine),
            sum(peer.is_mapped for peer in mine),
        ]
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        library = document["library"]
        lines.append(f"| [{library}]({library}.md) | {_cell(document['title'])} | {_numbers(numbers)} |")
    lines += [f"| all | | {_numbers(totals)} |", "", *_against(documents, peers)]
    return "\n".join(lines) + "\n"


def _numbers(numbers: Sequence[int]) -> str:
    return " | ".join(f"{number:,}" for number in numbers)


def _is_mapped(name: str, row: Document) -> bool:
    return bool(row.get("drop")) or row.get("hip", name) != name


def _has_native(row: Document) -> bool:
    roc = row.get("roc")
    return isinstance(roc, str) or (isinstance(roc, dict) and not roc.get("unsupported"))


def _against(documents: Sequence[Document], peers: Mapping[str, Peer]) -> Iterator[str]:
    """Where HIPIFY's table and ours say different things."""
    rows = {name: row for document in documents for name, row in _rows(document).items()}
    gained = [name for name, peer in peers.items() if not peer.is_mapped and name in rows and "hip" in rows[name]]
    dropped = [name for name, peer in peers.items() if peer.is_mapped and rows.get(name, {}).get("unsupported")]
    absent = {name: _reason(documents, name) for name in sorted(peers) if name not in rows}
    yield "## Beside HIPIFY for ROCm 6.3"
    yield ""
    yield f"- Rows of HIPIFY: {len(peers):,}; with a row here: {len(peers) - len(absent):,}."
    yield f"- Names that HIPIFY calls unsupported and that have a counterpart here: {len(gained):,}."
    yield f"- Names that HIPIFY maps and that are unsupported here (each row says what to do): {len(dropped):,}."
    yield f"- Names of HIPIFY without a row here, with their reasons: {sum(bool(r) for r in absent.values()):,}; "
    yield f"  without a reason: {sum(not reason for reason in absent.values()):,}."
    yield ""
    if dropped:
        yield "### Mapped by HIPIFY, unsupported here"
        yield ""
        yield "| symbol | reason |"
        yield "| --- | --- |"
        for name in sorted(dropped):
            yield f"| `{name}` | {_cell(rows[name].get('advice', ''))} |"
        yield ""
    if absent:
        yield "### Rows of HIPIFY that are left out"
        yield ""
        yield "| symbol | reason |"
        yield "| --- | --- |"
        for name, reason in absent.items():
            yield f"| `{name}` | {_cell(reason or '**none**')} |"


def _page(document: Document) -> str:
    lines = [f"# {document['title']}", "", f"Table `{document['library']}`: every symbol that it knows."]
    if document.get("native"):
        lines.append(f"Under `--target roc` the library is {document['native']}.")
    for section, title in _TITLES.items():
        rows = document.get(section) or {}
        if rows:
            lines += ["", f"## {title}", "", *_table(rows)]
    members = {
        f"{struct}.{field}": row
        for struct, fields in (document.get("members") or {}).items()
        for field, row in fields.items()
    }
    if members:
        lines += ["", "## Members", "", "All others have the same name in HIP.", "", *_table(members)]
    if document.get("families"):
        lines += ["", "## Everything else that begins so", "", "| prefix or header | advice |", "| --- | --- |"]
        lines += [
            f"| `{family.get('prefix') or family['header']}` | {_cell(family['advice'])} |"
            for family in document["families"]
        ]
    return "\n".join(lines) + "\n"


def _table(rows: Document) -> Iterator[str]:
    yield "| symbol | HIP | ROCm-native | versions | note |"
    yield "| --- | --- | --- | --- | --- |"
    for name, row in sorted(rows.items()):
        full: Document = {"hip": row} if isinstance(row, str) else row
        yield f"| `{name}` | {_hip(full)} | {_native(full)} | {_cell(_versions(full))} | {_cell(_note(full))} |"


def _hip(row: Document) -> str:
    if row.get("drop"):
        return "(not needed)"
    if row.get("unsupported"):
        return "—"
    return f"`{row['hip']}`" if row["hip"] else "(nothing)"


def _native(row: Document) -> str:
    roc = row.get("roc")
    if roc is None:
        return ""
    if isinstance(roc, str):
        return f"`{roc}`"
    return "—" if roc.get("unsupported") else f"`{roc.get('hip', row.get('hip', ''))}`"


def _versions(row: Document) -> str:
    parts = []
    for side, name in (("cuda", "CUDA"), ("rocm", "ROCm")):
        bounds = row.get(side, {})
        parts += [f"{name} {event} {version}" for event, version in bounds.items()]
    before = row.get("before", ())
    for form in (before,) if isinstance(before, Mapping) else before:
        bounds = " and ".join(
            f"{name} {form[side]}" for side, name in (("cuda", "CUDA"), ("rocm", "ROCm")) if side in form
        )
        parts.append(f"below {bounds}: {form.get('hip') or ('none' if form.get('unsupported') else 'other arguments')}")
    return "; ".join(parts)


def _note(row: Document) -> str:
    parts = []
    if any(key in row for key in ("args", "insert", "order")):
        parts.append("Arguments are edited.")
    if "by_arity" in row or "by_type" in row:
        parts.append("Depends on the arguments.")
    if "differs" in row:
        parts.append(f"Arguments differ: {row['differs']}")
    parts += [row[key] for key in ("note", "advice") if key in row]
    roc = row.get("roc")
    if isinstance(roc, dict):
        parts += [f"ROCm-native: {roc[key]}" for key in ("differs", "note", "advice") if key in roc]
    return " ".join(parts)


def _cell(text: str) -> str:
    """Text that stays within one cell of a Markdown table."""
    return (
        str(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ")
    )
