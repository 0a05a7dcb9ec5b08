"""Where declarations of the user's own take API names over."""

from __future__ import annotations

import re

from hipify_py.catalog import Row
from hipify_py.frontend.lexer import Name
from hipify_py.ranges import Ranges
from hipify_py.semantics.scopes import Scope, declares
from hipify_py.unit import Unit

# `#define cudaFree hipFree` means the API after all.
_BRIDGE = re.compile(rb"(?:\([^()]*\))?[ \t]+(?:hip|HIP|roc|miopen|rccl)")
# An overload for a type of the user's leaves the built-in function what it is for all others.
_OVERLOADED = re.compile(rb"__\w+_sync")
_BEFORE_USES = frozenset(b"(,!{;[.:")
_INITIALISED = re.compile(rb"\s*=(?!=)")
_DECLARATOR_TAIL = re.compile(rb"\s*(?:[=;,)(\[{]|:(?!:)|/[/*])")


class Shadows:
    """Scopes by the name that they take over; asked for each name of a source, so by bisection."""

    def __init__(self) -> None:
        self._scopes: dict[bytes, list[Scope]] = {}
        self._ranges: dict[bytes, Ranges] = {}

    def add(self, text: bytes, scope: Scope) -> None:
        self._scopes.setdefault(text, []).append(scope)

    def cover(self, name: Name) -> bool:
        """True where `name` stands in the scope of a declaration of the same name."""
        scopes = self._scopes.get(name.text)
        if scopes is None:
            return False
        ranges = self._ranges.get(name.text)
        if ranges is None:
            ranges = self._ranges[name.text] = Ranges(scopes)
        return name.start in ranges


def find_shadows(unit: Unit) -> Shadows:
    """Where the user's own declarations take API names over."""
    shadows = Shadows()
    data, lexemes, tree, catalog = unit.source.data, unit.lexemes, unit.tree, unit.catalog
    everywhere = Scope(0, len(data))
    for define in lexemes.defines:
        row = catalog.row(define.text)
        if row is not None and row.kind != "macro" and not _BRIDGE.match(data, define.end):
            shadows.add(define.text, everywhere)
    for name in lexemes.names:
        start, end, text = name
        if start and data[start - 1] in _BEFORE_USES:
            continue
        if _DECLARATOR_TAIL.match(data, end) is None or not _may_be_shadowed(catalog.row(text), data, name):
            continue
        scope = declares(lexemes, tree, name)
        if scope == everywhere and _OVERLOADED.fullmatch(text):
            unit.overloads.add(text.decode())
            scope = Scope(start, end)
        if scope is not None:
            shadows.add(text, scope)
    return shadows


def _may_be_shadowed(row: Row | None, data: bytes, name: Name) -> bool:
    """Nobody declares variables called like a keyword; names of the standard library are no references anyway.

    `2 * __ldg(p)` is the product that it looks like, not a declaration of a function returning a pointer; but
    `T *curand = p` can only declare.
    """
    if row is None or row.is_standard or row.kind == "macro":
        return False
    if row.kind == "type":
        following = data[name.end : name.end + 8].lstrip()[:1]
        return following != b"("
    if row.kind != "device function" or _INITIALISED.match(data, name.end) is not None:
        return True
    return data[max(name.start - 8, 0) : name.start].rstrip()[-1:] not in (
        b"*",
        b"&",
        b">",
    )
