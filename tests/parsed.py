"""A source read as a unit, for tests of what its tree and its names say."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.symbols import names_of
from hipify_py.translator.translate import lexer


def unit_of(source: str, path: str = "a.cu") -> Unit:
    """A source before its names are resolved."""
    catalog, data = load_catalog(), source.encode()
    return Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS)


def members_of(source: str, record: str) -> list[str]:
    """The names of the plain members of a class, of a source that parses without an error."""
    unit = unit_of(source)
    assert not unit.tree.root.has_error
    return [member.name.decode() for member in names_of(unit).members(record.encode()) if member is not None]
