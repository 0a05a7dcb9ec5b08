"""The mapping tables for the translator: `load_catalog` and what it returns."""

from __future__ import annotations

from hipify_py.catalog.compiled import load_catalog
from hipify_py.catalog.lookup import Catalog
from hipify_py.core.rows import Family, Row, TableError
from hipify_py.core.targeting import NEWEST, Targeting

__all__ = ["NEWEST", "Catalog", "Family", "Row", "TableError", "Targeting", "load_catalog"]
