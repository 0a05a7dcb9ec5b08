"""Namespaces that a source calls like one of a library which it does not use: `namespace nvcomp { … }`."""

from __future__ import annotations

from hipify_py.semantics.expressions import compact
from hipify_py.semantics.headers import is_local
from hipify_py.unit import Unit


def own_namespaces(unit: Unit) -> frozenset[bytes]:
    """Those of the tables' namespaces without a counterpart that the source defines itself.

    A source that includes a header of the library adds to the library's namespace instead.
    """
    return unit.analysis(_find)


def _find(unit: Unit) -> frozenset[bytes]:
    words = unit.lexemes.words
    libraries = {name: _library(unit, name) for name in unit.catalog.nested if name in words}
    wanted = {name for name, library in libraries.items() if library and library not in _included(unit)}
    if not wanted:
        return frozenset()
    names = (node.child_by_field_name("name") for node in unit.tree.nodes("namespace_definition"))
    return frozenset(compact(name).partition(b"::")[0] for name in names) & wanted


def _library(unit: Unit, namespace: bytes) -> str:
    """The library that a namespace is of, where HIP has nothing for it."""
    row = unit.catalog.row(namespace)
    if row is not None:
        return row.library if row.is_unsupported else ""
    family = unit.catalog.family(namespace.decode() + "::")
    return family.library if family is not None else ""


def _included(unit: Unit) -> frozenset[str]:
    """The libraries of which the source includes a header."""
    found: set[str] = set()
    for include in unit.lexemes.includes:
        if include.quoted and is_local(unit, include.path):
            continue
        row = unit.catalog.row(include.path.encode("utf-8", "surrogateescape"))
        family = unit.catalog.family(include.path, header=True)
        found.update(known.library for known in (row, family) if known is not None)
    return frozenset(found)
