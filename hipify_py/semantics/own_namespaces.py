"""Namespaces of a source with the name of a library's which it does not use: `namespace nvcomp { … }`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.expressions import compact
from hipify_py.semantics.headers import is_local

_ONE_NAME = re.compile(rb"\s+((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)\s*[;{]")
"""What follows most of the words `namespace`."""
_ENDS = frozenset((b";", b"{"))
BUILT_IN_LIBRARIES = frozenset({"runtime", "device", "math"})
"""What nvcc includes in every CUDA source, and almost every header of the other libraries includes."""


def own_namespaces(unit: Unit) -> frozenset[bytes]:
    """Those of the tables' namespaces without a counterpart that the source defines itself.

    A source that includes a header of the library adds to the library's namespace instead.
    """
    return unit.analysis(_find)


def _find(unit: Unit) -> frozenset[bytes]:
    words = unit.lexemes.words
    libraries = {name: _library(unit, name) for name in unit.catalog.nested if name in words}
    included = included_libraries(unit) if any(libraries.values()) else frozenset()
    wanted = {name for name, library in libraries.items() if library and library not in included}
    if not any(not wanted.isdisjoint(words) for _, words in namespace_words(unit)):
        return frozenset()
    names = (node.child_by_field_name("name") for node in unit.tree.nodes("namespace_definition"))
    return frozenset(compact(name).partition(b"::")[0] for name in names) & wanted


def namespace_words(unit: Unit) -> list[tuple[int, list[bytes]]]:
    """Each offset of the word `namespace`, with the words after it, up to a brace or semicolon.

    Only where one of them matters is the tree needed to interpret them.
    """
    return unit.analysis(_written)


def extended_namespaces(unit: Unit) -> frozenset[bytes]:
    """The names of the namespaces that the source adds to, as they are written: `a`, `b` for `namespace a::b {`."""
    opened = (
        words
        for place, words in namespace_words(unit)
        if b"=" not in words and unit.lexemes.word_before(place) != b"using"
    )
    return frozenset(chain.from_iterable(opened))


def _written(unit: Unit) -> list[tuple[int, list[bytes]]]:
    return [(place, list(_words_after(unit, place))) for place in unit.lexemes.places(b"namespace")]


def _words_after(unit: Unit, place: int) -> Iterator[bytes]:
    start = place + len(b"namespace")
    name = _ONE_NAME.match(unit.source.data, start)
    if name is not None:
        yield from name[1].split(b"::")
        return
    for token in tokens(unit.lexemes, start, unit.lexemes.code_end(place)):
        if token.text in _ENDS:
            return
        yield token.text


def _library(unit: Unit, namespace: bytes) -> str:
    """The library of a namespace for which HIP has nothing."""
    row = unit.catalog.row(namespace)
    if row is not None:
        return row.library if row.is_unsupported else ""
    family = unit.catalog.family(namespace.decode() + "::")
    return family.library if family is not None else ""


def included_libraries(unit: Unit) -> frozenset[str]:
    """The libraries of which the source includes a header."""
    found: set[str] = set()
    for include in unit.lexemes.includes:
        if include.quoted and is_local(unit, include.path):
            continue
        found |= unit.catalog.libraries_of_header(include.path)
    return frozenset(found)


def has_library(unit: Unit, library: str) -> bool:
    """Whether the source itself includes a header of a library, or nvcc or other headers of CUDA's do for it."""
    included = included_libraries(unit)
    return library in included or (
        library in BUILT_IN_LIBRARIES and (bool(included) or unit.source.suffix in CUDA_SUFFIXES)
    )
