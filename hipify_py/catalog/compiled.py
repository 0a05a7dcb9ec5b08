"""The compiled catalog: all tables in one file that loads in milliseconds.

Tables are compiled when they are newer than the cache (by name, size and times of change), which takes a second or
two, once. A cache that cannot be written or read costs time, never correctness.
"""

from __future__ import annotations

import marshal
import os
from typing import Any

from hipify_py.catalog.cache import cache_name, read_cache, write_cache
from hipify_py.catalog.lookup import Catalog
from hipify_py.catalog.model import TableError
from hipify_py.catalog.places import mappings_dir, register_path
from hipify_py.catalog.targeting import NEWEST, Targeting

_FORMAT = 9
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
    folder = mappings_dir()
    return Catalog(_image(folder, targeting.tables), targeting)


def _image(folder: str, tables: tuple[str, ...] = ()) -> dict[str, Any]:
    """The tables as one image, from the cache where it holds them as they are now: reading YAML takes seconds."""
    name = cache_name("catalog", (_FORMAT, folder, *(os.path.abspath(table) for table in tables)))
    stamp = _stamp(folder, tables)
    cached = read_cache(name)
    if cached is not None:
        image = marshal.loads(cached)  # the user's own, and whole  # nosec B302
        if image["stamp"] == stamp:
            return dict(image)
    if tables:
        from hipify_py.catalog.packing import with_tables

        image = with_tables(_image(folder), tables)
    else:
        from hipify_py.catalog import packing

        image = packing.compile_tables(folder)
    write_cache(name, marshal.dumps({**image, "stamp": stamp}, 4))
    return image


def _stamp(folder: str, tables: tuple[str, ...]) -> list[object]:
    with os.scandir(folder) as entries:
        files = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".yaml"))
    try:
        files += [(table, os.stat(table)) for table in tables]
    except (OSError, ValueError) as error:
        raise TableError(f"the table cannot be read: {error}") from error
    return [stamp_of(name, status) for name, status in (*files, ("register", os.stat(register_path())))]


def stamp_of(name: str, status: os.stat_result) -> tuple[object, ...]:
    """What changes when a file does. Its time of change alone may not: packages carry their own."""
    return name, status.st_size, status.st_mtime_ns, status.st_ctime_ns
