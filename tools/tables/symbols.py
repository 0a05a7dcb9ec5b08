"""What a header says of one name, and the one symbol that all its declarations make."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tools.tables.libraries import is_public_header, is_public_reserved, library_of_header


class SurfaceError(ValueError):
    """A header set cannot be read; the message says which, and why."""


class Symbol(NamedTuple):
    """A name that a header declares.

    `signatures` are spelled `result (type, type)`; a parameter with a default ends in ` =`, a template begins
    with `template `. `parameters` are the names of each signature's parameters, with commas between them. `value` is an
    enumerator's number, a macro's text, or what kind of type a type is (enum, struct, union). `fields` are a struct's
    members or an enumeration's enumerators. `alias_of` is what a typedef or a macro stands for.
    """

    name: str
    kind: str
    library: str = ""
    header: str = ""
    signatures: tuple[str, ...] = ()
    value: str = ""
    fields: tuple[str, ...] = ()
    alias_of: str = ""
    deprecated: bool = False
    parameters: tuple[str, ...] = ()


def merge(symbols: Iterable[Symbol], side: str) -> dict[str, Symbol]:
    """Symbols by name: overloads in one symbol, macros that rename a symbol as that symbol, each with its library."""
    merged: dict[str, Symbol] = {}
    for symbol in symbols:
        if not symbol.library:
            symbol = symbol._replace(library=library_of_header(symbol.header, side))
        known = merged.get(symbol.name)
        merged[symbol.name] = symbol if known is None else _joined(known, symbol)
    for name, symbol in list(merged.items()):
        if symbol.kind == "macro":
            target = merged.get(_renamed(symbol.value))
            if target is not None and target.kind != "macro" and target.name != name:
                merged[name] = target._replace(
                    name=name, header=symbol.header, library=symbol.library, alias_of=target.name
                )
    return merged


def _joined(known: Symbol, other: Symbol) -> Symbol:
    """Two declarations of one name: the fuller one, with the signatures of both."""
    renames = known.kind == "macro" and _renamed(known.value).startswith(known.name)
    if (known.kind == "macro" and not renames) or (
        other.kind == "type" and known.kind == "type" and not known.fields and other.fields
    ):
        known, other = other, known
    if renames:
        return known
    new = [place for place, signature in enumerate(other.signatures) if signature not in known.signatures]
    alias_of = known.alias_of or (other.alias_of if other.kind == known.kind else "")
    return known._replace(
        signatures=(*known.signatures, *(other.signatures[place] for place in new)),
        parameters=(*known.parameters, *(other.parameters[place] for place in new)),
        alias_of="" if alias_of == known.name else alias_of,
        value=known.value or (other.value if other.kind == known.kind else ""),
        deprecated=known.deprecated or other.deprecated,
    )


def _renamed(value: str) -> str:
    """The name that a macro's text stands for: `name`, or `MACRO(name)` where the macro only decorates it."""
    match = re.fullmatch(r"(?:\w+\s*\(\s*)?([A-Za-z_]\w*)\s*\)?", value)
    return match[1] if match else ""


def is_public(symbol: Symbol) -> bool:
    """True for a name that programs may use: not in an implementation's header, and not of a reserved form.

    The device headers' public names begin with two underscores, so that there such names count.
    """
    if symbol.kind == "namespace" or not is_public_header(symbol.header):
        return False
    scope, _, name = symbol.name.rpartition("::")
    if scope.startswith("_") or "::_" in scope:
        return False
    if not name.startswith("_"):
        return bool(name)
    return symbol.kind != "macro" and is_public_reserved(symbol.header, name)
