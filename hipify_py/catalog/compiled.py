"""The compiled catalog: all tables in one file that loads in milliseconds.

Tables are compiled when they are newer than the cache (by name, size and time of change), which takes a
second or two, once. A cache that cannot be written or read costs time, never correctness.
"""

from __future__ import annotations

import marshal
import os
from typing import Any, BinaryIO

from hipify_py.catalog.lookup import Catalog, ReadDetails
from hipify_py.catalog.model import TableError
from hipify_py.catalog.places import cache_dir, mappings_dir, register_path
from hipify_py.catalog.targeting import NEWEST, Targeting

_FORMAT = 8
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
    image = _image(folder)
    if targeting.tables:
        from hipify_py.catalog.packing import with_tables

        image = with_tables(image, targeting.tables)
    image["stamp"] = stamp
    details: bytes = image.pop("details")
    index_bytes = marshal.dumps(image, 4)
    store(path, _MAGIC + len(index_bytes).to_bytes(8, "big") + index_bytes + details)
    return Catalog(image, lambda start, length: details[start : start + length], targeting)


def _image(folder: str) -> dict[str, Any]:
    """The shipped tables as one image, from their cache where it holds them: reading YAML takes seconds."""
    try:
        with open(os.path.join(cache_dir(), _cache_name(())), "rb") as file:
            return {**_read_index(file, _stamp(folder, ())), "details": file.read()}
    except (OSError, ValueError, EOFError, TypeError, KeyError, MemoryError):
        from hipify_py.catalog import packing

        return packing.compile_tables(folder)


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


def _stamp(folder: str, tables: tuple[str, ...]) -> list[object]:
    stamp: list[object] = [_FORMAT, folder]
    with os.scandir(folder) as entries:
        files = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".yaml"))
    try:
        files += [(table, os.stat(table)) for table in tables]
    except (OSError, ValueError) as error:
        raise TableError(f"the table cannot be read: {error}") from error
    for name, status in (*files, ("register", os.stat(register_path()))):
        stamp.append((name, status.st_size, status.st_mtime_ns))
    return stamp


def store(path: str, data: bytes) -> None:
    """Write a cache file whole, or not at all."""
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        pass  # a read-only home: the next run compiles again
