"""Names of CUDA's that macros begin, and their uses end: `cuda##f`, with `f` as `Free(p)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.catalog.model import Row
from hipify_py.core.unit import Unit
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.pastes import Paste, Range, arguments_given, counterpart_of_beginning, pastes_in
from hipify_py.semantics.symbols import names_of

_WORD = re.compile(rb"\w+")
_BEGUN = re.compile(rb"\b([A-Za-z_]\w*)\s*##(?:\s*\w+\s*##\s*(\w+))?")


class Beginning(NamedTuple):
    """The beginning of names in a macro's body, what takes its place (it may stay), and what is to be told of it."""

    name: str
    hip: str
    detail: str


class Ending(NamedTuple):
    """What a use of the macro pastes behind it: what stands there in HIP, or None and why.

    What has neither a row nor a detail stays, as the beginning before it does.
    """

    start: int
    end: int
    name: str
    library: str
    row: Row | None
    hip: str | None
    detail: str = ""


def begun_names(unit: Unit) -> dict[int, str]:
    """The libraries whose names seem to begin in front of a `##`, by the places."""
    begun = {}
    for match in _BEGUN.finditer(unit.source.data):
        name = match[1].decode()
        library = unit.catalog.candidate_library(name + "X") or unit.catalog.candidate_library(name + "_")
        is_own = "_" in name and name.islower()
        if library is not None and not is_own and unit.lexemes.non_code_at(match.start()) is None:
            begun[match.start()] = library
    return begun


class PastedBeginnings:
    """The beginnings in one source that HIP has counterparts of, by their places, and what is pasted behind them."""

    def __init__(self, unit: Unit, begun: Mapping[int, str]) -> None:
        """Find them among places, with their libraries, where names of the libraries seem to begin."""
        self._unit = unit
        self._data = unit.source.data
        self._given = arguments_given(unit)
        self._ends: set[int] = set()
        """Where parameters stand behind beginnings that become HIP's."""
        self._counterparts: dict[bytes, str] = {}
        self._own_beginnings: dict[bytes, str] = {}
        self._ending_only: dict[tuple[bytes, int], bool] = {}
        self.beginnings: dict[int, Beginning] = {}
        endings: dict[Range, set[Ending]] = {}
        for macro in macros_of(unit).all():
            for paste in pastes_in(unit, macro):
                place = paste.pieces[0][0]
                if place in begun:
                    self._follow(paste, begun[place], endings)
        self.uses = [self._fitting(_one(sorted(found, key=str))) for _, found in sorted(endings.items())]

    def _follow(self, paste: Paste, library: str, endings: dict[Range, set[Ending]]) -> None:
        start, end = paste.pieces[0]
        name = self._data[start:end]
        if name not in self._counterparts:
            self._counterparts[name] = counterpart_of_beginning(self._unit.catalog, name)
        hip = self._counterparts[name]
        if not hip or hip.encode() == name:
            return
        uses = self._given.to(paste.macro)
        known = (self._ending(paste, given, name.decode(), hip, library) for given in uses if given is not None)
        made = [ending for ending in known if ending is not None]
        is_followed = bool(made) and len(made) == len(uses) and not self._unit.source.is_header
        own = [ending.name for ending in made if self._is_own(ending.name.encode())]
        if not own and not is_followed:
            own = [found] if (found := self._own_beginning(name)) else []
        unknown = [ending.name for ending in made if ending.row is None and ending.name not in own]
        beginning = Beginning(name.decode(), hip, "")
        if own:
            beginning = beginning._replace(hip=beginning.name, detail=f"and stays: {own[0]} is declared here")
        elif unknown:
            is_told = is_followed and len(unknown) == len(made)
            detail = "" if is_told else f"and stays: {unknown[0]} is not known"
            beginning = beginning._replace(hip=beginning.name, detail=detail)
        elif not is_followed:
            beginning = beginning._replace(detail=f"and begins with {hip} now: look at what is pasted behind it")
        if own or unknown:
            made = [ending if ending.name in unknown else self._staying(ending) for ending in made]
        else:
            self._ends.update(piece[0] for piece in paste.pieces[1:])
        self.beginnings[start] = beginning
        for ending in made:
            endings.setdefault((ending.start, ending.end), set()).add(ending)

    def _staying(self, ending: Ending) -> Ending:
        return ending._replace(row=None, hip=self._data[ending.start : ending.end].decode(), detail="")

    def _is_own(self, name: bytes) -> bool:
        """The source declares or defines a name itself."""
        return bool(macros_of(self._unit).named(name)) or names_of(self._unit).is_declared(name)

    def _own_beginning(self, beginning: bytes) -> str:
        """A name that begins so and that the source declares, for where not all uses are to be seen; else ''."""
        if beginning not in self._own_beginnings:
            at = len(beginning)
            found = (
                name.decode()
                for name in names_of(self._unit).words
                if name.startswith(beginning)
                and (name[at : at + 1].isupper() or (name[at:] and not beginning.islower()))
                and self._is_own(name)
            )
            self._own_beginnings[beginning] = next(found, "")
        return self._own_beginnings[beginning]

    def _fitting(self, use: Ending) -> Ending:
        """What a use takes, left as it is where the macro does more with it than to paste it behind beginnings."""
        text = self._data[use.start : use.end].decode()
        if use.hip in (None, text) or self._ends_only(*self._given.receivers[use.start]):
            return use
        hip = use.row.hip if use.row is not None else ""
        return use._replace(hip=None, detail=f"and HIP has {hip}, but the macro needs {text} for more than that")

    def _ends_only(self, name: bytes, position: int) -> bool:
        """All definitions of a macro use a parameter as the end of such names alone, or hand it on to be one."""
        key = name, position
        if key not in self._ending_only:
            self._ending_only[key] = False  # while it is looked at: a macro that comes back to itself
            defined = macros_of(self._unit).named(name)
            self._ending_only[key] = all(self._ends_only_in(macro, position) for macro in defined)
        return self._ending_only[key]

    def _ends_only_in(self, macro: Macro, position: int) -> bool:
        parameters = macro.parameters or ()
        if position >= len(parameters):
            return False
        for word in _WORD.finditer(self._data, macro.start, macro.end):
            place = word.start()
            if word[0] != parameters[position] or self._unit.lexemes.non_code_at(place) is not None:
                continue
            receiver = self._given.receivers.get(place)
            if place not in self._ends and (
                receiver is None or not self._is_handed(word.end()) or not self._ends_only(*receiver)
            ):
                return False
        return True

    def _is_handed(self, end: int) -> bool:
        """An argument ends where the parameter does: nothing is pasted to it, nor called."""
        following = self._unit.lexemes.after(end)
        return self._data[following : following + 1] in (b",", b")")

    def _ending(self, paste: Paste, given: dict[bytes, Range], beginning: str, hip: str, library: str) -> Ending | None:
        """What a use pastes behind the beginning; None where that cannot be told."""
        spans = [given.get(self._data[slice(*piece)], piece) for piece in paste.pieces[1:]]
        words = [word for start, end in spans if (word := _WORD.match(self._data, start, end)) is not None]
        if len(words) < len(spans) or any(map(self._is_pasted_to, words, spans)):
            return None
        texts = [word[0].decode() for word in words]
        own = [at for at, (span, piece) in enumerate(zip(spans, paste.pieces[1:], strict=True)) if span != piece]
        if not own:
            return None
        start, end = words[own[0]].span()
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

    def _is_pasted_to(self, word: re.Match[bytes], span: Range) -> bool:
        """More is pasted to an argument's first word, as the arguments in macros' bodies may have it."""
        following = self._unit.lexemes.after(word.end())
        return following < span[1] and self._data.startswith(b"##", following)


def _one(found: list[Ending]) -> Ending:
    """What several macros make of one use: all the same, or none."""
    telling = [ending for ending in found if ending.row is not None or ending.detail] or found
    if len({ending.hip for ending in found}) == 1:
        return telling[0]
    ending = next((ending for ending in telling if ending.hip is None), telling[0])
    return ending._replace(hip=None, detail=ending.detail or "which is to have several names in HIP")
