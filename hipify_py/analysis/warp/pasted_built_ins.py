"""The start offsets of the pieces of warp operations that a macro pastes together, as `__shfl_##how##_sync`."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.frontend.unit import Unit
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.semantics.token_pasting import pastes_in

_WORD = re.compile(rb"[A-Za-z_]\w*")
_PREFIXES = (b"__shfl_", b"__ballot", b"__any_", b"__all_", b"__match_", b"__reduce_")
_PASTE = re.compile(rb"\s*##\s*")


class Piece(NamedTuple):
    """The prefix of a pasted name: `[start, end)` covers the two underscores, and an operator after them."""

    start: int
    end: int
    text: bytes


def pasted_built_ins(unit: Unit) -> list[Piece]:
    """The prefixes of the warp operations that a unit pastes together, in source order."""
    return unit.analysis(_pieces)


def _pieces(unit: Unit) -> list[Piece]:
    data = unit.source.data
    words = names_of(unit).words if b"##" in data else ()
    if not any(_is_prefix(word) or word in (b"__", b"_sync") for word in words):
        return []
    found: set[Piece] = set()
    pasting: dict[bytes, Macro] = {}
    for macro in macros_of(unit).all():
        for paste in pastes_in(unit, macro):
            first, last = paste.pieces[0], paste.pieces[-1]
            text = data[first[0] : first[1]]
            if _is_prefix(text) or (text == b"__" and data[last[0] : last[1]] == b"_sync"):
                found.add(_piece(data, first[0], text))
            pasting[macro.name] = macro
    for macro in _forwarding_macros(unit, pasting):
        for leaf in names_of(unit).mentions(macro.name):
            call = call_at(unit, leaf.end_byte)
            for start, end in call.arguments if call is not None else ():
                if _is_prefix(data[start:end]):
                    found.add(_piece(data, start, data[start:end]))
    named = {use.start for use in unit.uses}  # a whole name
    return sorted(piece for piece in found if piece.start not in named)


def _forwarding_macros(unit: Unit, pasting: dict[bytes, Macro]) -> list[Macro]:
    """The macros that paste, and those that pass their arguments on to one that does."""
    found = dict(pasting)
    data, every = unit.source.data, macros_of(unit).all()
    while True:
        more = {
            macro.name: macro
            for macro in every
            if macro.parameters
            and macro.name not in found
            and not found.keys().isdisjoint(_WORD.findall(data, macro.start, macro.end))
        }
        if not more:
            return list(found.values())
        found |= more


def _piece(data: bytes, start: int, text: bytes) -> Piece:
    paste = _PASTE.match(data, start + 2) if text == b"__" else None
    return Piece(start, start + 2 if paste is None else paste.end(), text)


def _is_prefix(word: bytes) -> bool:
    """Whether a word is a prefix of such a name, and not the whole of one that takes a mask."""
    if not word.startswith(b"__") or len(word) < 5 or word.endswith(b"_sync"):
        return False
    return any(word.startswith(name) or name.startswith(word) for name in _PREFIXES)
