"""Token pasting in macros: the pieces of names in their bodies, and the arguments of their uses for the pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Catalog
from hipify_py.core.unit import Unit
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

_WORD = re.compile(rb"[A-Za-z_]\w*")
_MORE = re.compile(rb"\w+")
_PASTES = b"##"
_DEEPEST = 4
"""Macros that pass their arguments on, one to the other, until one pastes them."""
_MOST = 1000
"""Different uses of one macro; the arguments of more of them are not followed."""

Range = tuple[int, int]
ArgumentRanges = dict[bytes, Range]


class Paste(NamedTuple):
    """A name that a macro's body pastes together, as the ranges of its pieces."""

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


def prefix_counterpart(catalog: Catalog, beginning: bytes) -> str:
    """The HIP prefix of most names of the tables with a prefix, where the rest of them is the same; else ''."""
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


class MacroCallArguments:
    """The arguments of macro uses in one source for their parameters, through the macros that pass them on."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._cache: dict[tuple[int, int], list[ArgumentRanges | None]] = {}
        self.receivers: dict[int, tuple[bytes, int]] = {}
        """The macro that each argument is passed to, and its position there, by the argument's offset."""

    def bindings(self, macro: Macro, depth: int = _DEEPEST) -> list[ArgumentRanges | None]:
        """The different ways in which a macro is used; None among them for uses that cannot be followed."""
        key = macro.place, depth
        if key not in self._cache:
            found: dict[tuple[Range, ...] | None, ArgumentRanges | None] = {}
            for ranges in self._uses(macro, depth):
                if len(found) == _MOST:
                    found[None] = None
                    break
                found.setdefault(None if ranges is None else tuple(ranges.values()), ranges)
            self._cache[key] = list(found.values())
        return self._cache[key]

    def _uses(self, macro: Macro, depth: int) -> Iterator[ArgumentRanges | None]:
        unit, parameters = self._unit, macro.parameters or ()
        needed = len(parameters) - parameters[-1].endswith(b"...") if parameters else 0
        for place in names_of(unit).places(macro.name):
            if unit.lexemes.non_code_at(place) is not None or unit.lexemes.in_condition(place):
                continue
            outer = macros_of(unit).around(place)
            is_own = outer is not None and outer.name == macro.name
            if is_own or unit.lexemes.word_before(place) in _NAMING:
                continue
            call = call_at(unit, place + len(macro.name))
            if call is None or len(call.arguments) < needed:
                yield None
                continue
            self.receivers.update((start, (macro.name, at)) for at, (start, _) in enumerate(call.arguments))
            yield from self._passed_on(dict(zip(parameters, call.arguments, strict=False)), outer, depth)

    def _passed_on(self, ranges: ArgumentRanges, outer: Macro | None, depth: int) -> Iterator[ArgumentRanges | None]:
        """The arguments of a use, which may be in a macro's body and pass on the arguments of that one."""
        data = self._unit.source.data
        handed = {name: data[slice(*span)] for name, span in ranges.items()}
        if outer is None or not set(outer.parameters or ()).intersection(handed.values()):
            yield ranges
        elif depth == 0:
            yield None
        else:
            for found in self.bindings(outer, depth - 1):
                yield found and {name: found.get(text, ranges[name]) for name, text in handed.items()}


def macro_call_arguments(unit: Unit) -> MacroCallArguments:
    """The arguments of a unit's macros, read once."""
    return unit.analysis(MacroCallArguments)


_NAMING = frozenset({b"define", b"undef", b"ifdef", b"ifndef"})
"""What precedes a macro's name where it is not used."""
