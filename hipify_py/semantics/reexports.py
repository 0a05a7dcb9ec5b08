"""API names that a namespace or class of the project re-exports: `namespace gpu { using ::cudaError_t; }`."""

from __future__ import annotations

import re
from collections.abc import Collection

from hipify_py.catalog import Catalog
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import text_of
from hipify_py.semantics.redefinitions import declares_api_type
from hipify_py.semantics.structure import scope_path, structure_of

# A pattern that begins with plain letters is found many times as fast as one that begins with `\b`.
_TAKEN_UP = re.compile(rb"using(?<=\busing)\s+(?:(?:typename\s+)?(?:(?:\w+\s*)?::\s*)+(\w+)\s*;|(\w+)\s*=)")
_TYPEDEF = re.compile(rb"typedef(?<=\btypedef)\b[^;{}]*?(\w+)\s*;")

Reexport = tuple[bytes, bytes]
"""The full name of a namespace or class, and the API's name that it has as well."""


def reexports(unit: Unit) -> frozenset[Reexport]:
    """The re-exports of the source, and of the others of its project; computed once per unit."""
    return unit.analysis(_all)


def may_reexport(catalog: Catalog, data: bytes) -> bool:
    """A prefilter: some scope may re-export an API name."""
    return any(
        (row := catalog.row(match[1] or match[2])) is not None and not row.is_standard
        for match in _TAKEN_UP.finditer(data)
    ) or (
        b"typedef" in data
        and b"namespace" in data
        and any((row := catalog.row(match[1])) is not None and row.kind == "type" for match in _TYPEDEF.finditer(data))
    )


def is_reexported(unit: Unit, scope: bytes, name: bytes) -> bool:
    """Whether a scope, as it is written before a name, re-exports the API's name."""
    exported = reexports(unit)
    if not any(name == taken for _, taken in exported):
        return False
    first, colons, rest = scope.partition(b"::")
    if b"namespace" in unit.source.data:
        scope = structure_of(unit).aliases.get(first, first) + colons + rest
    return _is_known(exported, scope, name)


def _is_known(exported: Collection[Reexport], scope: bytes, name: bytes) -> bool:
    """Whether the scope may be written from the file's level on, or from any of the enclosing ones."""
    return any(
        name == taken and (owner == scope or owner.endswith(b"::" + scope) or scope.endswith(b"::" + owner))
        for owner, taken in exported
    )


def _all(unit: Unit) -> frozenset[Reexport]:
    found = set(unit.project.reexports)
    if not may_reexport(unit.catalog, unit.source.data):
        return frozenset(found)
    catalog = unit.catalog
    for node in unit.tree.nodes("alias_declaration", "type_definition"):
        field = "name" if node.type == "alias_declaration" else "declarator"
        for leaf in node.children_by_field_name(field):
            row = catalog.row(text_of(leaf))
            scope = scope_path(node)
            if scope and row is not None and row.kind == "type" and declares_api_type(unit, node):
                found.add((scope, text_of(leaf)))
    while True:
        size = len(found)
        for using in structure_of(unit).usings:
            source, _, name = using.name.rpartition(b"::")
            row, scope = catalog.row(name), scope_path(using.node)
            if using.is_namespace or not scope or row is None or row.is_standard or row.kind == "namespace":
                continue
            if (not source and using.is_global) or (source and _is_known(found, source, name)):
                found.add((scope, name))
        if len(found) == size:
            return frozenset(found)
