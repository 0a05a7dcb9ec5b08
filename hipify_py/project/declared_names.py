"""Names that look like CUDA's and that a header declares."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source, UnreadableSource, reject_unreadable
from hipify_py.core.unit import Unit
from hipify_py.semantics.references import resolve


def declared_in(path: str, data: bytes) -> frozenset[str]:
    """The names that a header beside the files of a run declares."""
    from hipify_py.core.translator import lexer

    try:
        reject_unreadable(data)
    except UnreadableSource:
        return frozenset()  # a header that a run with it would complain about
    catalog = load_catalog()
    return resolve(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS))
