"""Sorts the names that the lexical pass found: references, the user's own, and unknown_symbols."""

from __future__ import annotations

import re

from hipify_py.catalog import Catalog
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.semantics.scopes import KEYWORDS
from hipify_py.semantics.shadows import find_shadows
from hipify_py.unit import Unit, Use

_DEFINITION_TAIL = re.compile(rb"\s*(?:[;{]|=(?!=)|/[/*])")


def resolve(unit: Unit) -> frozenset[str]:
    """Fill in the unit's `uses` and `unmapped_candidates`; return the CUDA-looking names that it declares itself."""
    shadows = find_shadows(unit)
    declared: set[str] = set()
    unknown_symbols: list[Name] = []
    data, lexemes, catalog = unit.source.data, unit.lexemes, unit.catalog
    nested = catalog.nested
    uses, done = unit.uses, 0
    for name in lexemes.names:
        start, end, text = name
        if start < done:
            continue
        lead = _lead(lexemes, data, start)
        if lead == b"." or (lead == b"->" and not _may_be_return_type(catalog, text)):
            continue
        if text in nested:
            from hipify_py.semantics.qualified import qualified_use

            use = qualified_use(unit, name, lead)
            if use is not None:
                uses.append(use)
                done = use.end
            continue
        if lead == b"::" and not _names_api_scope(lexemes, catalog, start):
            continue
        row = catalog.row(text)
        if row is None:
            unknown_symbols.append(name)
        elif row.kind == "type" and _DEFINITION_TAIL.match(data, end) and _is_definition(lexemes, catalog, name):
            unit.redefinitions.append(Use(start, end, row))
        elif not row.is_standard and row.kind != "namespace" and (lead == b"::" or not shadows.cover(name)):
            uses.append(Use(start, end, row))
    if b"namespace" in data:
        from hipify_py.semantics.qualified import alias_uses

        uses.extend(alias_uses(unit))
    if unknown_symbols or lexemes.defines:
        from hipify_py.semantics.unknown_symbols import sort_unknown_symbols

        sort_unknown_symbols(unit, unknown_symbols, declared)
    uses.sort(key=lambda use: use.start)
    return frozenset(declared)


def _is_definition(lexemes: Lexemes, catalog: Catalog, name: Name) -> bool:
    from hipify_py.semantics.redefinitions import is_definition

    return is_definition(lexemes, catalog, name)


def _lead(lexemes: Lexemes, data: bytes, start: int) -> bytes:
    """`.`, `->` or `::` where one stands before `start`, else nothing."""
    tail = data[max(start - 80, 0) : start]
    code = tail.rstrip()
    if code[-1:] not in (b".", b">", b":", b"/", b"") and (
        b"\n" not in tail[len(code) :] or lexemes.non_code_at(start - len(tail) + len(code) - 1) is None
    ):
        return b""  # what most names have in front of them; a comment's end says nothing, it is looked behind
    place = lexemes.before(start)
    if place < 0:
        return b""
    pair = data[place - 1 : place + 1] if place else data[:1]
    if pair == b"->" or pair == b"::":
        return pair
    return b"." if pair[-1:] == b"." and pair != b".." else b""


def _may_be_return_type(catalog: Catalog, text: bytes) -> bool:
    """`auto f() -> cudaError_t`: types and namespaces are no members."""
    row = catalog.row(text)
    return text in catalog.nested or (row is not None and row.kind == "type")


def _names_api_scope(lexemes: Lexemes, catalog: Catalog, start: int) -> bool:
    """`::cudaMalloc` and `cudaMemcpyKind::cudaMemcpyDefault` are CUDA's, `my::cudaMalloc` is not."""
    colons = lexemes.before(start)
    scope = lexemes.word_before(colons - 1)
    if lexemes.data[colons - 2 : colons - 1].isspace() and colons + 1 == start:
        return True  # `const ::cudaError_t`: no scope is written apart from its colons
    if scope and scope not in KEYWORDS:
        row = catalog.row(scope)
        return row is not None and row.kind == "type"
    before = lexemes.before(colons - 1)
    return bool(scope) or before < 0 or lexemes.data[before : before + 1] != b">"
