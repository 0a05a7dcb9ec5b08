"""The compiled catalog: all tables in one file that loads in milliseconds.

Tables are compiled when they are newer than the cache (by name, size and time of change), which takes a
second or two, once. A cache that cannot be written or read costs time, never correctness.
"""

from __future__ import annotations

import marshal
import os
import re
from typing import Any, BinaryIO

from hipify_py.catalog.lookup import LONG, PLAIN, Catalog, ReadDetails
from hipify_py.catalog.model import Row, TableError
from hipify_py.catalog.places import cache_dir, mappings_dir
from hipify_py.catalog.targeting import NEWEST, Targeting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify_py.catalog.tables import Table

_FORMAT = 7
_MAGIC = b"HIPIFYPY"
_catalogs: dict[Targeting, Catalog] = {}


def load_catalog(targeting: Targeting = NEWEST) -> Catalog:
    """The catalog of the shipped tables and of further ones, loaded once a process for each targeting.

    Raises:
        TableError: when the tables are missing or wrong.
    """
    catalog = _catalogs.get(targeting)
    if catalog is None:
        catalog = _catalogs[targeting] = _load(targeting)
    return catalog


def _load(targeting: Targeting = NEWEST) -> Catalog:
    """The tables, from the cache where it holds them as they are now."""
    folder = mappings_dir()
    stamp = _stamp(folder, targeting.tables)
    path = os.path.join(cache_dir(), _cache_name(targeting.tables))
    try:
        with open(path, "rb") as file:
            return Catalog(_read_index(file, stamp), _details_reader(file), targeting)
    except (OSError, ValueError, EOFError, TypeError, KeyError, MemoryError):
        pass  # no cache yet, or one that another version wrote: compile anew
    image = compile_tables(folder, targeting.tables)
    image["stamp"] = stamp
    details: bytes = image.pop("details")
    index_bytes = marshal.dumps(image, 4)
    _store(path, _MAGIC + len(index_bytes).to_bytes(8, "big") + index_bytes + details)
    return Catalog(image, lambda start, length: details[start : start + length], targeting)


def _cache_name(tables: tuple[str, ...]) -> str:
    """A cache file for each set of further tables, by their places."""
    if not tables:
        return "catalog.bin"
    from hashlib import sha256

    places = "\0".join(os.path.abspath(table) for table in tables)
    return f"catalog-{sha256(places.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}.bin"


def _read_index(file: BinaryIO, stamp: list[object]) -> dict[str, Any]:
    """The part of a cache file that every run needs; the details stand behind it.

    Raises:
        ValueError: when the file is no cache of these tables; other errors of `marshal` when it is damaged.
    """
    head = file.read(16)
    length = int.from_bytes(head[8:], "big")
    if head[:8] != _MAGIC or length > os.fstat(file.fileno()).st_size:
        raise ValueError("not a compiled catalog")
    index = marshal.loads(file.read(length))
    if index["stamp"] != stamp:
        raise ValueError("the tables have changed")
    return dict(index)


def _details_reader(file: BinaryIO) -> ReadDetails:
    """Reads single details from behind the index: they are two thirds of the file, and a run needs few.

    The descriptor stays open, so that it does not matter when another process replaces the cache; reading by
    position keeps forked workers, which share it, out of each other's way.
    """
    place = file.tell()
    if not hasattr(os, "pread"):
        details = file.read()
        return lambda start, length: details[start : start + length]
    descriptor = os.dup(file.fileno())
    return lambda start, length: os.pread(descriptor, length, place + start)


def _register_path() -> str:
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "diagnostics.yaml")


def _stamp(folder: str, tables: tuple[str, ...]) -> list[object]:
    stamp: list[object] = [_FORMAT, folder]
    with os.scandir(folder) as entries:
        files = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".yaml"))
    try:
        files += [(table, os.stat(table)) for table in tables]
    except (OSError, ValueError) as error:
        raise TableError(f"the table cannot be read: {error}") from error
    for name, status in (*files, ("register", os.stat(_register_path()))):
        stamp.append((name, status.st_size, status.st_mtime_ns))
    return stamp


def _store(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        pass  # a read-only home: the next run compiles again


def compile_tables(folder: str, tables: tuple[str, ...] = ()) -> dict[str, Any]:
    """Read every table of a folder, and further ones over them, and pack all into an image that `marshal` can write.

    Raises:
        TableError: for a table that is wrong, or a symbol that stands in two tables of the folder.
    """
    from pathlib import Path

    from hipify_py.catalog.tables import read_table

    packer = _Packer()
    for path in sorted(Path(folder).glob("*.yaml")):
        packer.add_table(read_table(path))
    for table in tables:
        packer.add_table(read_table(Path(table), checked=True), over=True)
    return packer.image()


class _Packer:
    """Collects tables into the form that `Catalog` reads."""

    def __init__(self) -> None:
        self.names: dict[bytes, bytes] = {}
        self.members: dict[bytes, dict[bytes, bytes]] = {}
        self.sections: list[tuple[str, str, str]] = []
        self.details = bytearray()
        self.families: list[tuple[object, ...]] = []
        self.suspects: list[tuple[str, str]] = []
        self.further: set[bytes] = set()

    def add_table(self, table: Table, *, over: bool = False) -> None:
        """Add a table's rows; `over` lets them replace those of other tables."""
        for row in table.rows:
            key = row.name.encode()
            if key in self.names and not over:
                raise TableError(f"{table.path}: {row.name} stands in two tables")
            self.names[key] = self._pack(row, table.native)
            if over:
                self.further.add(key.partition(b"::")[0])
        for row in table.members:
            struct, _, field = row.name.partition(".")
            self.members.setdefault(struct.encode(), {})[field.encode()] = self._pack(row, table.native)
        self.families.extend(tuple(family) for family in table.families)
        self.suspects.extend((prefix, table.library) for prefix in table.prefixes)
        if over:
            self.further.update(prefix.encode() for prefix in table.prefixes)
            self.further.update(family.prefix.encode() for family in table.families)

    def image(self) -> dict[str, Any]:
        return {
            "names": b"\n".join(self.names),
            "rows": b"\n".join(self.names.values()),
            "members": self.members,
            "sections": self.sections,
            "details": bytes(self.details),
            "families": self.families,
            "further": rb"(?<!\w)(?:" + b"|".join(sorted(map(re.escape, self.further))) + rb")"
            if self.further
            else b"",
            "suspects": sorted(self.suspects, key=lambda entry: (-len(entry[0]), entry)),
            "nested": sorted(self._nested()),
            "inner_namespaces": self._inner_namespaces(),
            "diagnostics": _read_register(),
        }

    def _nested(self) -> set[bytes]:
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
        place = len(self.details)
        self.details += blob
        return number + LONG + b"%d,%d" % (place, len(blob))


def _read_register() -> dict[str, tuple[str, ...]]:
    from pathlib import Path

    import yaml

    entries = yaml.safe_load(Path(_register_path()).read_text(encoding="utf-8"))
    fields = ("title", "severity", "effort", "message", "advice")
    return {id: tuple(str(entry[field]) for field in fields) for id, entry in entries.items()}
