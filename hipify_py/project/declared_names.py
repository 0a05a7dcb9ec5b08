"""Names that look like CUDA's and that a header declares."""

from __future__ import annotations

from hipify_py.source import Source, UnreadableSource, reject_unreadable


def declared_in(path: str, data: bytes) -> frozenset[str]:
    """The names that a header beside the files of a run declares."""
    from hipify_py.catalog import load_catalog
    from hipify_py.options import DEFAULT_OPTIONS
    from hipify_py.semantics.references import resolve
    from hipify_py.translator import lexer
    from hipify_py.unit import Unit

    try:
        reject_unreadable(data)
    except UnreadableSource:
        return frozenset()  # a header that a run with it would complain about
    catalog = load_catalog()
    return resolve(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS))
