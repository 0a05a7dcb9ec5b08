"""Warp operations whose names a macro pastes together: where their pieces stand, and the masks that they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from hipify_py.analysis.warp.warp_calls import is_warp_built_in
from hipify_py.records import NamedTuple
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.pastes import pastes_in
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

_WORD = re.compile(rb"[A-Za-z_]\w*")
_PASTES = b"##"
_DEEPEST = 4
"""Macros that hand their arguments on, one to the other, until one pastes them."""


class Piece(NamedTuple):
    """The beginning of a pasted name, and where it stands."""

    place: int
    text: bytes


class _Paste(NamedTuple):
    """A name that a macro's body pastes together: its pieces, and the mask that it is given there."""

    macro: Macro
    pieces: tuple[bytes, ...]
    place: int
    mask: tuple[int, int] | None


class PastedBuiltIns:
    """The warp operations that one unit pastes together. Found when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._data = unit.source.data
        self._macros = macros_of(unit)

    @cached_property
    def pieces(self) -> list[Piece]:
        """Where the beginnings of their names stand: in the bodies of macros, and as what macros are given."""
        found = [Piece(paste.place, paste.pieces[0]) for paste in self._pastes if _is_begun(paste)]
        for start, end in (range for _, ranges, _ in self._given for range in ranges):
            if _begins(self._data[start:end]):
                found.append(Piece(start, self._data[start:end]))
        return sorted(set(found))

    @cached_property
    def masks(self) -> list[tuple[int, int]]:
        """What such an operation is given as its mask."""
        found = [paste.mask for paste in self._pastes if paste.mask is not None and self._is_warp_operation(paste)]
        for macro, ranges, closing in self._given:
            texts = [self._data[start:end] for start, end in ranges]
            pasted = [piece for paste in self._pastes if paste.macro is macro for piece in paste.pieces]
            if not any(map(_begins, texts + pasted)) or not any(text.endswith(b"sync") for text in texts + pasted):
                continue
            call = call_at(self._unit, closing + 1)
            if call is not None and call.arguments:
                found.append(call.arguments[0])
        return sorted(set(found))

    def _is_warp_operation(self, paste: _Paste) -> bool:
        """The pieces make the name of an operation that takes a mask: those of the body, and those that it is given."""
        if _is_begun(paste) and paste.pieces[-1].endswith(b"sync"):
            return True
        texts = [*paste.pieces]
        for macro, ranges, _ in self._given:
            if macro is paste.macro:
                texts += [self._data[start:end] for start, end in ranges]
        return any(map(_begins, texts)) and any(text.endswith(b"sync") for text in texts)

    @cached_property
    def _pastes(self) -> list[_Paste]:
        return [paste for macro in self._macros.all() for paste in self._pasted_in(macro)] if self._may_paste else []

    @cached_property
    def _may_paste(self) -> bool:
        return _PASTES in self._data and any(
            _begins(word) or word in (b"__", b"_sync") for word in names_of(self._unit).words
        )

    def _pasted_in(self, macro: Macro) -> Iterator[_Paste]:
        for paste in pastes_in(self._unit, macro):
            call = call_at(self._unit, paste.pieces[-1][1])
            mask = call.arguments[0] if call is not None and call.arguments else None
            texts = tuple(self._data[start:end] for start, end in paste.pieces)
            yield _Paste(macro, texts, paste.pieces[0][0], mask)

    @cached_property
    def _given(self) -> list[tuple[Macro, list[tuple[int, int]], int]]:
        """The uses of macros that paste, with the ranges of what they are given and where their brackets close."""
        if not self._may_paste:
            return []
        found, names = [], names_of(self._unit)
        for macro in self._pasting:
            for leaf in names.mentions(macro.name):
                call = call_at(self._unit, leaf.end_byte)
                if call is not None:
                    found.append((macro, call.arguments, call.closing))
        return found

    @cached_property
    def _pasting(self) -> list[Macro]:
        """The macros that paste, and those that hand on what they are given to one that does."""
        found = {paste.macro.name: paste.macro for paste in self._pastes}
        for _ in range(_DEEPEST):
            more = {}
            for macro in self._macros.all():
                body = self._data[macro.start : macro.end]
                if macro.parameters and macro.name not in found and found.keys() & set(_WORD.findall(body)):
                    more[macro.name] = macro
            if not more:
                break
            found |= more
        return list(found.values())


def _begins(word: bytes) -> bool:
    """A word is the beginning of such a name, and not the whole of one that takes a mask."""
    return word.startswith(b"__") and is_warp_built_in(word) and not word.endswith(b"_sync")


def _is_begun(paste: _Paste) -> bool:
    """A macro's body says itself what the name is of: `__shfl_##how`, or `__##name##_sync`."""
    return _begins(paste.pieces[0]) or (paste.pieces[0] == b"__" and paste.pieces[-1] == b"_sync")


def pasted_built_ins(unit: Unit) -> PastedBuiltIns:
    """The warp operations that a unit pastes together."""
    return unit.analysis(PastedBuiltIns)
