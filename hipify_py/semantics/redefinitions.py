"""Definitions of the user's own that bear the name of an API type: stubs and bridges to other platforms."""

from __future__ import annotations

import re

from hipify_py.catalog import Catalog
from hipify_py.frontend.lexer import Lexemes, Name

_TAGS = frozenset({b"struct", b"class", b"union", b"enum"})
_LARGEST_BODY = 20_000
_WORD = re.compile(rb"[A-Za-z_]\w*")


def is_definition(lexemes: Lexemes, catalog: Catalog, name: Name) -> bool:
    """True where a type's name is being given a meaning: `struct T {`, `typedef hipFoo_t T;`, `using T = int;`.

    What only announces the API's own type does not count: a typedef of one of its tags
    (`typedef struct CUstream_st *cudaStream_t;`) or of another of its types.
    """
    data = lexemes.data
    following = data[lexemes.after(name.end) : lexemes.after(name.end) + 1]
    before = lexemes.word_before(name.start)
    if following == b"{":
        return before in _TAGS
    if following == b"=":
        end = data.find(b";", name.end)
        return before == b"using" and end >= 0 and not _names_api(catalog, data[name.end : end])
    place = lexemes.before(name.start)
    if data[place : place + 1] == b"}":
        opening = _opening_brace(data, place)
        return opening is not None and b"typedef" in _statement(data, opening)
    statement = _statement(data, name.start)
    return statement.startswith(b"typedef") and not _names_api(catalog, statement)


def _opening_brace(data: bytes, closing: int) -> int | None:
    """The brace that opens a struct's body, within the size that a struct may have."""
    depth = 0
    for at in range(closing, max(closing - _LARGEST_BODY, -1), -1):
        if data[at] == 0x7D:
            depth += 1
        elif data[at] == 0x7B:
            depth -= 1
            if depth == 0:
                return at
    return None


def _statement(data: bytes, end: int) -> bytes:
    """The text in front of a place, back to the end of the statement or line before it."""
    start = max(data.rfind(mark, 0, end) for mark in (b";", b"{", b"}", b"\n"))
    return data[start + 1 : end].strip()


def _names_api(catalog: Catalog, text: bytes) -> bool:
    rows = (catalog.row(word) for word in _WORD.findall(text))
    return any(row is not None and not row.is_standard and row.kind in ("type", "namespace") for row in rows)
