"""Pasted names whose CUDA prefix is in a macro, and whose rest is in its uses: `cuda##f`, with `f` as `Free(p)`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hipify_py.catalog import Catalog
from hipify_py.core.rows import Row
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.macro_arguments import MacroArguments, paste_context
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

# Names that macros of a source paste together from names of functions that are renamed.


class PastedNames:
    """The names that one source's macros make, with what they make once the functions are renamed.

    Attributes:
        made: the new names by the old ones.
        first: the offset of the first function whose name is part of another one; -1 without.
    """

    def __init__(self, unit: Unit) -> None:
        self.made: dict[bytes, bytes] = {}
        self.first = -1
        if b"##" not in unit.source.data:
            return
        for use, macro, parameter in unit.analysis(MacroArguments).arguments:
            hip = effective_row(unit, use).hip
            if hip is None or hip == use.row.name or not hip.isidentifier():
                continue
            for before, after in paste_context(unit, macro, parameter):
                name = before + use.row.name.encode() + after
                if before + after and unit.catalog.row(name) is None:
                    self.made[name] = before + hip.encode() + after
                    self.first = use.start if self.first < 0 else self.first


# Token pasting in macros: the pieces of names in their bodies, and the arguments of their uses for the pieces.

_WORD_START = re.compile(rb"[A-Za-z_]\w*")
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
        word = _WORD_START.match(data, place, macro.end)
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


_WORD = re.compile(rb"\w+")
_PREFIX = re.compile(rb"\b([A-Za-z_]\w*)\s*##(?:\s*\w+\s*##\s*(\w+))?")


class Prefix(NamedTuple):
    """A prefix of names in a macro's body, its replacement (it may stay), and the detail of its finding."""

    name: str
    hip: str
    detail: str


class Suffix(NamedTuple):
    """What a use of the macro pastes after it: its replacement in HIP, or None and why.

    With neither a row nor a detail it stays, as the prefix before it does.
    """

    start: int
    end: int
    name: str
    library: str
    row: Row | None
    hip: str | None
    detail: str = ""


def find_prefixes(unit: Unit) -> dict[int, str]:
    """The libraries whose names seem to begin before a `##`, by offset."""
    libraries_by_offset = {}
    for match in _PREFIX.finditer(unit.source.data):
        name = match[1].decode()
        library = unit.catalog.candidate_library(name + "X") or unit.catalog.candidate_library(name + "_")
        is_own = "_" in name and name.islower()
        if library is not None and not is_own and unit.lexemes.non_code_at(match.start()) is None:
            libraries_by_offset[match.start()] = library
    return libraries_by_offset


class PastedPrefixes:
    """The prefixes in one source that HIP has counterparts of, by offset, and what is pasted after them."""

    def __init__(self, unit: Unit, libraries_by_offset: Mapping[int, str]) -> None:
        """Find them among offsets, with their libraries, where names of the libraries seem to begin."""
        self._unit = unit
        self._data = unit.source.data
        self._arguments = macro_call_arguments(unit)
        self._ends: set[int] = set()
        """The offsets of parameters after prefixes that become HIP's."""
        self._counterparts: dict[bytes, str] = {}
        self._own_beginnings: dict[bytes, str] = {}
        self._only_suffixes: dict[tuple[bytes, int], bool] = {}
        self.prefixes: dict[int, Prefix] = {}
        suffixes: dict[Range, set[Suffix]] = {}
        for macro in macros_of(unit).all():
            for paste in pastes_in(unit, macro):
                place = paste.pieces[0][0]
                if place in libraries_by_offset:
                    self._follow(paste, libraries_by_offset[place], suffixes)
        self.uses = [self._replacement(_common_result(sorted(found, key=str))) for _, found in sorted(suffixes.items())]

    def _follow(self, paste: Paste, library: str, suffixes: dict[Range, set[Suffix]]) -> None:
        start, end = paste.pieces[0]
        name = self._data[start:end]
        if name not in self._counterparts:
            self._counterparts[name] = prefix_counterpart(self._unit.catalog, name)
        hip = self._counterparts[name]
        if not hip or hip.encode() == name:
            return
        uses = self._arguments.bindings(paste.macro)
        suffixes_of_uses = (
            self._suffix(paste, ranges, name.decode(), hip, library) for ranges in uses if ranges is not None
        )
        made = [suffix for suffix in suffixes_of_uses if suffix is not None]
        is_followed = bool(made) and len(made) == len(uses) and not self._unit.source.is_header
        own = [suffix.name for suffix in made if self._is_own(suffix.name.encode())]
        if not own and not is_followed:
            own = [found] if (found := self._own_name_with_prefix(name)) else []
        unknown = [suffix.name for suffix in made if suffix.row is None and suffix.name not in own]
        prefix = Prefix(name.decode(), hip, "")
        if own:
            prefix = prefix._replace(hip=prefix.name, detail=f"but stays as it is: {own[0]} is declared here")
        elif unknown:
            is_told = is_followed and len(unknown) == len(made)
            detail = "" if is_told else f"but stays as it is: {unknown[0]} is unknown"
            prefix = prefix._replace(hip=prefix.name, detail=detail)
        elif not is_followed:
            prefix = prefix._replace(detail=f"and now begins with {hip}: check what is pasted after it")
        if own or unknown:
            made = [suffix if suffix.name in unknown else self._is_unchanged(suffix) for suffix in made]
        else:
            self._ends.update(piece[0] for piece in paste.pieces[1:])
        self.prefixes[start] = prefix
        for suffix in made:
            suffixes.setdefault((suffix.start, suffix.end), set()).add(suffix)

    def _is_unchanged(self, suffix: Suffix) -> Suffix:
        return suffix._replace(row=None, hip=self._data[suffix.start : suffix.end].decode(), detail="")

    def _is_own(self, name: bytes) -> bool:
        """Whether the source declares or defines a name itself."""
        return bool(macros_of(self._unit).named(name)) or names_of(self._unit).is_declared(name)

    def _own_name_with_prefix(self, prefix: bytes) -> str:
        """A name with the prefix that the source declares, for where not all uses are visible; else ''."""
        if prefix not in self._own_beginnings:
            at = len(prefix)
            found = (
                name.decode()
                for name in names_of(self._unit).words
                if name.startswith(prefix)
                and (name[at : at + 1].isupper() or (name[at:] and not prefix.islower()))
                and self._is_own(name)
            )
            self._own_beginnings[prefix] = next(found, "")
        return self._own_beginnings[prefix]

    def _replacement(self, use: Suffix) -> Suffix:
        """The replacement for a use, unchanged where the macro does more with it than paste it after prefixes."""
        text = self._data[use.start : use.end].decode()
        if use.hip in (None, text) or self._is_only_suffix(*self._arguments.receivers[use.start]):
            return use
        hip = use.row.hip if use.row is not None else ""
        return use._replace(hip=None, detail=f"which HIP calls {hip}, but the macro also uses {text} elsewhere")

    def _is_only_suffix(self, name: bytes, position: int) -> bool:
        """Whether all definitions of a macro use a parameter only as the rest of such names, or pass it on as one."""
        key = name, position
        if key not in self._only_suffixes:
            self._only_suffixes[key] = False  # meanwhile, for recursive macros
            defined = macros_of(self._unit).named(name)
            self._only_suffixes[key] = all(self._is_only_suffix_in(macro, position) for macro in defined)
        return self._only_suffixes[key]

    def _is_only_suffix_in(self, macro: Macro, position: int) -> bool:
        parameters = macro.parameters or ()
        if position >= len(parameters):
            return False
        for word in _WORD.finditer(self._data, macro.start, macro.end):
            place = word.start()
            if word[0] != parameters[position] or self._unit.lexemes.non_code_at(place) is not None:
                continue
            receiver = self._arguments.receivers.get(place)
            if place not in self._ends and (
                receiver is None or not self._is_passed_unchanged(word.end()) or not self._is_only_suffix(*receiver)
            ):
                return False
        return True

    def _is_passed_unchanged(self, end: int) -> bool:
        """Whether an argument ends where the parameter does: nothing is pasted to it, nor is it called."""
        following = self._unit.lexemes.after(end)
        return self._data[following : following + 1] in (b",", b")")

    def _suffix(self, paste: Paste, ranges: dict[bytes, Range], prefix: str, hip: str, library: str) -> Suffix | None:
        """What a use pastes after the prefix; None where that is unknown."""
        spans = [ranges.get(self._data[slice(*piece)], piece) for piece in paste.pieces[1:]]
        words = [word for start, end in spans if (word := _WORD.match(self._data, start, end)) is not None]
        if len(words) < len(spans) or any(map(self._is_pasted_to, words, spans)):
            return None
        texts = [word[0].decode() for word in words]
        own = [at for at, (span, piece) in enumerate(zip(spans, paste.pieces[1:], strict=True)) if span != piece]
        if not own:
            return None
        start, end = words[own[0]].span()
        name = prefix + "".join(texts)
        row = self._unit.catalog.row(name.encode())
        suffix = Suffix(start, end, name, library, row, None)
        if row is None:
            return suffix._replace(detail="which no mapping table has")
        suffix = suffix._replace(library=row.library)
        if row.hip is None or row.is_unsupported:
            return suffix._replace(detail=f"which HIP lacks: {row.advice}" if row.advice else "which HIP lacks")
        before, after = hip + "".join(texts[: own[0]]), "".join(texts[own[0] + 1 :])
        fits = row.hip.startswith(before) and row.hip.endswith(after) and len(row.hip) > len(before) + len(after)
        is_alike = row.hip == hip + "".join(texts)
        if row.edits_arguments or not (is_alike or (fits and len(own) == 1)):
            way = " and calls differently" if row.edits_arguments else ""
            return suffix._replace(detail=f"which HIP names {row.hip}{way}")
        return suffix._replace(hip=texts[own[0]] if is_alike else row.hip[len(before) : len(row.hip) - len(after)])

    def _is_pasted_to(self, word: re.Match[bytes], span: Range) -> bool:
        """Whether more is pasted to an argument's first word, as the arguments in macros' bodies may have it."""
        following = self._unit.lexemes.after(word.end())
        return following < span[1] and self._data.startswith(b"##", following)


def _common_result(found: list[Suffix]) -> Suffix:
    """The common result of several macros for one use; else None."""
    relevant = [suffix for suffix in found if suffix.row is not None or suffix.detail] or found
    if len({suffix.hip for suffix in found}) == 1:
        return relevant[0]
    ending = next((ending for ending in relevant if ending.hip is None), relevant[0])
    return ending._replace(hip=None, detail=ending.detail or "which needs several names in HIP")
