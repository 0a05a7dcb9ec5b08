"""Pages that say what the tables cover: one a library, and a summary beside the counts of AMD's HIPIFY.

The summary (`README.md`) is committed; the pages of the libraries are built where somebody wants to read them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.catalog.lint import SECTIONS
from hipify_py.catalog.loading import read_document
from hipify_py.core.rows import TableError
from hipify_py.core.targeting import NEWEST_CUDA, NEWEST_ROCM, older_forms
from hipify_py.report.explain import markdown

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
PEERS = Path(__file__).with_name("hipify-6.3.csv")
"""HIPIFY's rows for ROCm 6.3: CUDA name, library, and whether it has a HIP and a ROCm-native target for it."""

SUMMARY = "README.md"
"""The page that is committed."""

Document = Mapping[str, Any]


class Peer(NamedTuple):
    """One row of HIPIFY's."""

    library: str
    is_mapped: bool


class Coverage:
    """The tables of a folder, beside a list of HIPIFY's rows."""

    def __init__(self, tables: Path, peers: Path = PEERS) -> None:
        """Reads everything.

        Raises:
            TableError: when a table or the list cannot be read.
        """
        paths = (*sorted(tables.glob("*.yaml")), *sorted(tables.glob("presets/*.yaml")))
        self.documents = [read_document(path) for path in paths]
        self.files = [path.relative_to(tables).as_posix() for path in paths]
        self.peers = _peers(peers)
        # A table that overrides another is about another version of a library, and adds nothing to what is known.
        self.newest = [document for document in self.documents if "overrides" not in document]
        self.rows = {name: row for document in self.newest for name, row in _rows(document).items()}
        absent = [name for name in sorted(self.peers) if name not in self.rows]
        self.reasons = {name: _reason(self.documents, name) for name in absent}
        """HIPIFY's names without a row here, and why they have none."""

    def pages(self) -> dict[str, str]:
        """The pages by file name."""
        result = {f"{document['library']}.md": _page(document) for document in self.documents}
        return {**result, SUMMARY: "\n".join([*self._summary(), *self._against()]) + "\n"}

    def uncovered(self) -> list[str]:
        """HIPIFY's names that have neither a row nor a reason for having none."""
        return [name for name, reason in self.reasons.items() if reason is None]

    def _summary(self) -> Iterator[str]:
        yield "# What the tables cover"
        yield ""
        yield (
            f"Newest versions: CUDA {NEWEST_CUDA}, ROCm {NEWEST_ROCM}. *Native* names are valid in HIP as they stand, "
            "*mapped* ones change, *unsupported* ones have advice instead. HIPIFY's columns count the rows of AMD's "
            f"HIPIFY for ROCm 6.3 ([{PEERS.name}](../../tools/tables/{PEERS.name})) that fall to the table: "
            "all of them, and those with a target."
        )
        yield ""
        yield "`make coverage` writes a page for each table into this folder: each symbol, its target and advice."
        yield ""
        yield (
            "| table | title | rows | native | mapped | unsupported | with `--target roc` | HIPIFY rows "
            "| HIPIFY mapped |"
        )
        yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        totals = [0] * 7
        for document, file in zip(self.documents, self.files, strict=True):
            numbers = self._counts(document)
            if document in self.newest:
                totals = [total + number for total, number in zip(totals, numbers, strict=True)]
            link = f"[{document['library']}](../../mappings/{file})"
            yield f"| {link} | {_cell(document['title'])} | {_numbers(numbers)} |"
        older = ", ".join(document["library"] for document in self.documents if document not in self.newest)
        yield f"| all{f' but {older}' if older else ''} | | {_numbers(totals)} |"
        yield ""

    def _counts(self, document: Document) -> list[int]:
        rows = _rows(document)
        theirs = [self.peers[name] for name in rows if name in self.peers]
        return [
            len(rows),
            sum(row.get("hip") == name for name, row in rows.items()),
            sum(_is_mapped(name, row) for name, row in rows.items()),
            sum(bool(row.get("unsupported")) and "support" not in row for row in rows.values()),
            sum(_has_native(row) for row in rows.values()),
            len(theirs),
            sum(peer.is_mapped for peer in theirs),
        ]

    def _against(self) -> Iterator[str]:
        """Where HIPIFY's table and ours say different things."""
        rows, peers = self.rows, self.peers
        gained = [name for name, peer in peers.items() if not peer.is_mapped and "hip" in rows.get(name, {})]
        lost = [name for name, peer in peers.items() if peer.is_mapped and rows.get(name, {}).get("unsupported")]
        yield "## Beside HIPIFY for ROCm 6.3"
        yield ""
        yield f"- Rows of HIPIFY: {len(peers):,}; with a row here: {len(peers) - len(self.reasons):,}."
        yield f"- Names that HIPIFY calls unsupported and that have a counterpart here: {len(gained):,}."
        yield f"- Names that HIPIFY maps and that are unsupported here (the row says what to do): {len(lost):,}."
        yield f"- Names of HIPIFY that have no row here, but a reason: {len(self.reasons) - len(self.uncovered()):,}."
        yield f"- Names of HIPIFY that have neither: {len(self.uncovered()):,}."
        yield ""
        advice = {name: rows[name].get("advice", "") for name in sorted(lost)}
        yield from _reasons("Mapped by HIPIFY, unsupported here", advice)
        yield from _reasons("Rows of HIPIFY that are left out", {n: reason or "" for n, reason in self.reasons.items()})


def _reasons(title: str, reasons: Mapping[str, str]) -> Iterator[str]:
    if reasons:
        yield f"### {title}"
        yield ""
        yield "| symbol | reason |"
        yield "| --- | --- |"
        yield from (f"| `{name}` | {_cell(reason)} |" for name, reason in reasons.items())
        yield ""


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


def _numbers(numbers: Sequence[int]) -> str:
    return " | ".join(f"{number:,}" for number in numbers)


def _is_mapped(name: str, row: Document) -> bool:
    return bool(row.get("drop")) or row.get("hip", name) != name


def _has_native(row: Document) -> bool:
    roc = row.get("roc")
    return isinstance(roc, str) or (isinstance(roc, dict) and not roc.get("unsupported"))


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
        return f"`{row['support'].get('hip', '')}` (support header)" if "support" in row else "—"
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
    for form in older_forms(row):
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
    return markdown(str(text)).replace("|", "\\|").replace("\n", " ")
