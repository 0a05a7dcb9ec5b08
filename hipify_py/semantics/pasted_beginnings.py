"""Names of CUDA's that macros begin, and their uses end: `cuda##f`, with `f` as `Free(p)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hipify_py.catalog.model import Row
from hipify_py.records import NamedTuple
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.pastes import Paste, Range, counterpart_of_beginning, given_to, pastes_in
from hipify_py.unit import Unit

_WORD = re.compile(rb"\w+")


class Beginning(NamedTuple):
    """The beginning of names in a macro's body, what HIP's names begin with, and whether all uses were seen."""

    name: str
    hip: str
    is_followed: bool


class Ending(NamedTuple):
    """What a use of the macro pastes behind it: what stands there in HIP, or None and why."""

    start: int
    end: int
    name: str
    library: str
    row: Row | None
    hip: str | None
    detail: str = ""


class PastedBeginnings:
    """The beginnings in one source that HIP has counterparts of, by their places, and what is pasted behind them."""

    def __init__(self, unit: Unit, begun: Mapping[int, str]) -> None:
        """Find them among places, with their libraries, where names of the libraries seem to begin."""
        self._unit = unit
        self._data = unit.source.data
        self.beginnings: dict[int, Beginning] = {}
        endings: dict[Range, set[Ending]] = {}
        for macro in macros_of(unit).all():
            for paste in pastes_in(unit, macro):
                place = paste.pieces[0][0]
                if place in begun:
                    self._follow(paste, begun[place], endings)
        self.uses = [_one(sorted(found, key=str)) for _, found in sorted(endings.items())]

    def _follow(self, paste: Paste, library: str, endings: dict[Range, set[Ending]]) -> None:
        start, end = paste.pieces[0]
        name = self._data[start:end]
        hip = counterpart_of_beginning(self._unit.catalog, name)
        if not hip or hip.encode() == name:
            return
        seen, is_followed = False, not self._unit.source.is_header
        for given in given_to(self._unit, paste.macro):
            ending = None if given is None else self._ending(paste, given, name.decode(), hip, library)
            seen, is_followed = True, is_followed and ending is not None
            if ending is not None:
                endings.setdefault((ending.start, ending.end), set()).add(ending)
        self.beginnings[start] = Beginning(name.decode(), hip, seen and is_followed)

    def _ending(self, paste: Paste, given: dict[bytes, Range], beginning: str, hip: str, library: str) -> Ending | None:
        """What a use pastes behind the beginning; None where that cannot be told."""
        spans = [given.get(self._data[slice(*piece)], piece) for piece in paste.pieces[1:]]
        words = [_WORD.match(self._data, *span) for span in spans]
        if any(word is None for word in words):
            return None
        texts = [word[0].decode() for word in words if word is not None]
        own = [at for at, (span, piece) in enumerate(zip(spans, paste.pieces[1:], strict=True)) if span != piece]
        if not own:
            return None
        start, end = next(word.span() for at, word in enumerate(words) if at == own[0] and word is not None)
        name = beginning + "".join(texts)
        row = self._unit.catalog.row(name.encode())
        ending = Ending(start, end, name, library, row, None)
        if row is None:
            return ending._replace(detail="which is not known")
        ending = ending._replace(library=row.library)
        if row.hip is None or row.is_unsupported:
            return ending._replace(detail=f"which HIP lacks: {row.advice}" if row.advice else "which HIP lacks")
        before, behind = hip + "".join(texts[: own[0]]), "".join(texts[own[0] + 1 :])
        fits = row.hip.startswith(before) and row.hip.endswith(behind) and len(row.hip) > len(before) + len(behind)
        is_alike = row.hip == hip + "".join(texts)
        if row.edits_arguments or not (is_alike or (fits and len(own) == 1)):
            way = ", called in another way" if row.edits_arguments else ""
            return ending._replace(detail=f"and HIP has {row.hip}{way}")
        return ending._replace(hip=texts[own[0]] if is_alike else row.hip[len(before) : len(row.hip) - len(behind)])


def _one(found: list[Ending]) -> Ending:
    """What several macros make of one use: all the same, or none."""
    if len({ending.hip for ending in found}) == 1:
        return found[0]
    ending = next((ending for ending in found if ending.hip is None), found[0])
    return ending._replace(hip=None, detail=ending.detail or "which is to have several names in HIP")
