"""The compiled catalog: all tables in one file that loads in milliseconds.

Tables are compiled when they are newer than the cache (by name, size and times of change), which takes a second or
two, once. A cache that cannot be written or read costs time, never correctness.
"""

from __future__ import annotations

import os
from typing import Any

from hipify_py.catalog.cache import cached_image, stamps_of
from hipify_py.catalog.lookup import Catalog
from hipify_py.catalog.places import mappings_dir, register_path
from hipify_py.core.rows import TableError
from hipify_py.core.targeting import NEWEST, Targeting

_FORMAT = 13
_catalogs: dict[Targeting, Catalog] = {}


def load_catalog(targeting: Targeting = NEWEST) -> Catalog:
    """The catalog of the shipped tables and of further ones, loaded once per process for each targeting.

    Raises:
        TableError: the tables are missing or wrong.
    """
    catalog = _catalogs.get(targeting)
    if catalog is None:
        catalog = _catalogs[targeting] = _load(targeting)
    return catalog


def _load(targeting: Targeting = NEWEST) -> Catalog:
    folder = mappings_dir()
    return Catalog(_image(folder, targeting.tables), targeting)


def _image(folder: str, tables: tuple[str, ...] = ()) -> dict[str, Any]:
    """The tables as one image: reading YAML takes seconds."""

    def compiled() -> dict[str, Any]:
        from hipify_py.catalog import packing

        return packing.with_tables(_image(folder), tables) if tables else packing.compile_tables(folder)

    parts = (_FORMAT, folder, *(os.path.abspath(table) for table in tables))
    return cached_image("catalog", parts, _stamp(folder, tables), compiled)


def _stamp(folder: str, tables: tuple[str, ...]) -> list[object]:
    try:
        further = [(table, os.stat(table)) for table in tables]
    except (OSError, ValueError) as error:
        raise TableError(f"the table cannot be read: {error}") from error
    return stamps_of(folder, *further, ("register", os.stat(register_path())))
