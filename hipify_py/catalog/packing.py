"""Packs tables into the image that the compiled catalog is made of. Reads YAML, so only called for a stale cache."""

from __future__ import annotations

import marshal
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog.loading import LOADER
from hipify_py.catalog.lookup import LONG, PLAIN
from hipify_py.catalog.names import pack_names, unpack_names
from hipify_py.catalog.register import read_register
from hipify_py.core.rows import KINDS, Family, Row, TableError

# Reads the YAML tables. Slow (seconds for all of them), so only the catalog compiler calls it.

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


def compile_tables(folder: str) -> dict[str, Any]:
    """Read every table of a folder, and pack all into an image that `marshal` can write.

    Raises:
        TableError: a table is wrong, or a symbol is in two tables.
    """
    packer = _Packer()
    for path in sorted(Path(folder).glob("*.yaml")):
        packer.add_table(read_table(path))
    return packer.image()


def with_tables(image: dict[str, Any], tables: tuple[str, ...]) -> dict[str, Any]:
    """The image with further tables, whose rows override its own and those of earlier tables.

    Raises:
        TableError: a table is wrong.
    """
    packer = _Packer(image)
    for table in tables:
        packer.add_table(read_table(Path(table), checked=True), over=True)
    return packer.image()


class _Packer:
    """Collects tables into the form that `Catalog` reads."""

    def __init__(self, image: dict[str, Any] | None = None) -> None:
        """`image` is what was packed before."""
        image = image or {}
        self.names: dict[bytes, bytes] = unpack_names(image["names"]) if image else {}
        self.members: dict[bytes, dict[bytes, bytes]] = image.get("members", {})
        self.sections: list[tuple[str, str, str]] = image.get("sections", [])
        self.details = bytearray(image.get("details", b""))
        self.families: list[tuple[object, ...]] = image.get("families", [])
        self.unmapped_candidates: list[tuple[str, str]] = image.get("unmapped_candidates", [])
        self.overloads: dict[str, frozenset[str]] = image.get("overloads", {})
        self.loaded: dict[str, tuple[str, str]] = image.get("loaded", {})
        self.constructed: dict[bytes, str] = image.get("constructed", {})
        self.demands: dict[str, str] = image.get("demands", {})
        self.switches: dict[bytes, str] = image.get("switches", {})
        self.further: set[bytes] = set()
        self._blobs: dict[bytes, int] = {}

    def add_table(self, table: Table, *, over: bool = False) -> None:
        """Add a table's rows; with `over` they may replace those of other tables."""
        for row in table.rows:
            key = row.name.encode()
            if key in self.names and not over:
                raise TableError(f"{table.path}: {row.name} is in two tables")
            self.names[key] = self._pack(row, table.native)
            if over:
                self.further.add(key.partition(b"::")[0])
            if "switch" in row.details:
                self.switches[key] = str(row.details["switch"])
        for row in table.members:
            struct, _, field = row.name.partition(".")
            self.members.setdefault(struct.encode(), {})[field.encode()] = self._pack(row, table.native)
        self.families.extend(tuple(family) for family in table.families)
        self.overloads.update(table.overloads)
        self.loaded.update((cuda, (table.library, hip)) for cuda, hip in table.loaded.items())
        self.constructed.update((name.encode(), where) for name, where in table.constructed.items())
        self.demands.update(table.demands)
        self.unmapped_candidates.extend((prefix, table.library) for prefix in table.prefixes)
        if over:
            self.further.update(prefix.encode() for prefix in table.prefixes)
            self.further.update(family.prefix.encode() for family in table.families)

    def image(self) -> dict[str, Any]:
        names, places = pack_names(self.names)
        return {
            "names": names,
            "places": places,
            "members": self.members,
            "sections": self.sections,
            "details": bytes(self.details),
            "families": self.families,
            "overloads": self.overloads,
            "loaded": self.loaded,
            "constructed": self.constructed,
            "demands": self.demands,
            "switches": self.switches,
            "further": rb"(?<!\w)(?:" + b"|".join(sorted(map(re.escape, self.further))) + rb")"
            if self.further
            else b"",
            "unmapped_candidates": sorted(self.unmapped_candidates, key=lambda entry: (-len(entry[0]), entry)),
            "nested": sorted(self._first_segments()),
            "inner_namespaces": self._inner_namespaces(),
            "diagnostics": _read_register(),
        }

    def _first_segments(self) -> set[bytes]:
        """First segments of qualified names, families of names included."""
        qualified = [name for name in self.names if b"::" in name]
        spaces = [name for name, packed in self.names.items() if self._kind(packed) == "namespace"]
        prefixes = [str(family[0]).encode() for family in self.families if "::" in str(family[0])]
        return {name.split(b"::")[0] for name in (*qualified, *spaces, *prefixes)}

    def _inner_namespaces(self) -> dict[bytes, list[bytes]]:
        inner: dict[bytes, list[bytes]] = {}
        for name, packed in self.names.items():
            outer, separator, rest = name.partition(b"::")
            if separator and self._kind(packed) == "namespace":
                inner.setdefault(outer, []).append(rest)
        return inner

    def _kind(self, packed: bytes) -> str:
        return self.sections[int(packed[:3])][1]

    def _pack(self, row: Row, native: str) -> bytes:
        section = (row.library, row.kind, native)
        if section not in self.sections:
            self.sections.append(section)
        number = b"%03d" % self.sections.index(section)
        if not row.details and row.hip is not None:
            return number + PLAIN + row.hip.encode()
        blob = marshal.dumps((row.hip, dict(row.details)), 4)
        place = self._blobs.get(blob)
        if place is None:  # many symbols share their details
            place = self._blobs[blob] = len(self.details)
            self.details += blob
        return number + LONG + b"%d,%d" % (place, len(blob))


def _read_register() -> dict[str, tuple[str, ...]]:
    fields = ("title", "severity", "effort", "message", "advice", "source")
    return {
        id: (*(str(entry[field]) for field in fields), *_fix_name(entry.get("fix", {})))
        for id, entry in read_register().items()
    }


def _fix_name(fix: dict[str, str]) -> tuple[str, str]:
    return fix.get("title", ""), fix.get("applicability", "")
