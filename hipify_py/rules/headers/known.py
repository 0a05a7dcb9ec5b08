"""Which headers are CUDA's, and which are the project's own."""

from __future__ import annotations

import posixpath

from hipify_py.catalog import Row
from hipify_py.frontend.lexer import Include
from hipify_py.unit import Unit


def header_row(unit: Unit, include: Include) -> Row | None:
    """The row of an included CUDA header; None for the project's own files and for headers of no table."""
    if include.quoted and is_local(unit, include.path):
        return None
    row = unit.catalog.row(include.path.encode("utf-8", "surrogateescape"))
    return row if row is not None and row.kind == "header" else None


def is_local(unit: Unit, path: str) -> bool:
    """True for a path that names a file of the project, seen from the including file's folder or from a root."""
    files = unit.options.local_headers
    if not files:
        return False
    folder = posixpath.dirname(unit.source.path.replace("\\", "/"))
    return posixpath.normpath(posixpath.join(folder, path)) in files or path in files
