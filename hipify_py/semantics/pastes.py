"""What macros paste together: the pieces of names in their bodies, and what their uses give for the pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hipify_py.catalog import Catalog
from hipify_py.records import NamedTuple
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

_WORD = re.compile(rb"[A-Za-z_]\w*")
_MORE = re.compile(rb"\w+")
_PASTES = b"##"
_DEEPEST = 4
"""Macros that hand their arguments on, one to the other, until one pastes them."""

Range = tuple[int, int]


class Paste(NamedTuple):
    """A name that a macro's body pastes together: where its pieces stand."""

    macro: Macro
    pieces: tuple[Range, ...]


def pastes_in(unit: Unit, macro: Macro) -> Iterator[Paste]:
    """The names that a macro's body pastes together, in order."""
    data, after, place = unit.source.data, unit.lexemes.after, macro.start
    while place < macro.end:
        word = _WORD.match(data, place, macro.end)
        if word is None:
            place += 1
            continue
        pieces, end = [word.span()], word.end()
        while data.startswith(_PASTES, after(end)):
            more = _MORE.match(data, after(after(end) + len(_PASTES)), macro.end)
            if more is None:
                break
            pieces.append(more.span())
            end = more.end()
        if len(pieces) > 1 and unit.lexemes.non_code_at(word.start()) is None:
            yield Paste(macro, tuple(pieces))
        place = end


def counterpart_of_beginning(catalog: Catalog, beginning: bytes) -> str:
    """What most names of the tables that begin so begin with in HIP, where the rest of them is the same; else ''."""
    counts = Counter[str]()
    start = len(beginning)
    for name in catalog.names:
        if name.startswith(beginning) and (name[start : start + 1].isupper() or not beginning.islower()):
            row = catalog.row(name)
            hip, rest = row.hip if row is not None else None, name[start:].replace(b"_v2", b"").decode()
            if hip and rest:
                counts[hip.removesuffix(rest) if hip.endswith(rest) else ""] += 1
    hip, count = counts.most_common(1)[0] if counts else ("", 0)
    return hip if 2 * count > counts.total() else ""


def given_to(unit: Unit, macro: Macro, depth: int = _DEEPEST) -> Iterator[dict[bytes, Range] | None]:
    """What each use of a macro in its source gives for its parameters; None for a use that cannot be followed."""
    parameters, data = macro.parameters or (), unit.source.data
    for leaf in names_of(unit).mentions(macro.name):
        outer = macros_of(unit).around(leaf.start_byte)
        if unit.lexemes.word_before(leaf.start_byte) in _NAMING or (outer is not None and outer.name == macro.name):
            continue
        call = call_at(unit, leaf.end_byte)
        if call is None or len(call.arguments) < len(parameters):
            yield None
            continue
        given = dict(zip(parameters, call.arguments, strict=False))
        handed = {name: data[slice(*given[name])] for name in parameters}
        if outer is None or not set(outer.parameters or ()).intersection(handed.values()):
            yield given
        elif depth == 0:
            yield None
        else:
            for found in given_to(unit, outer, depth - 1):
                yield found and {name: found.get(text, given[name]) for name, text in handed.items()}


_NAMING = frozenset({b"define", b"undef", b"ifdef", b"ifndef", b"defined"})
"""What stands before a macro's name where it is not used."""
