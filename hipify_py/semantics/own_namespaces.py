"""Namespaces that a source calls like one of a library which it does not use: `namespace nvcomp { … }`."""

from __future__ import annotations

import re

from hipify_py.semantics.headers import is_local
from hipify_py.unit import Unit

_DEFINED = re.compile(rb"namespace\s+(\w+)(?:\s*::\s*\w+)*\s*\{")


def own_namespaces(unit: Unit) -> frozenset[bytes]:
    """Those of the tables' namespaces without a counterpart that the source defines itself.

    A source that includes a header of the library adds to the library's namespace instead.
    """
    return unit.analysis(_find)


def _find(unit: Unit) -> frozenset[bytes]:
    data, catalog = unit.source.data, unit.catalog
    found: set[bytes] = set()
    for place in unit.lexemes.places(b"namespace"):
        match = _DEFINED.match(data, place)
        if match is not None and match[1] in catalog.nested:
            library = _library(unit, match[1])
            if library and library not in _included(unit):
                found.add(match[1])
    return frozenset(found)


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
