"""Names of PTX: as people write them, as the tables' entries have them, and similar ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from itertools import chain

from hipify_py.ptx.catalog import PtxCatalog, Row, load_ptx_catalog, sort_modifiers

_MODIFIER = re.compile(r"\w+(?:::\w+)*")
_CHOICE = re.compile(r"\((?:\?:|\?P<\w+>)([^()]*)\)(\?)?")
_PART = re.compile(r"\[([^\]]*)\]|\{([^}]*)\}|([^\[{]+)")
_GUARD = re.compile(r"@!?%?\w+\s+")
_TOKEN = re.compile(r"\[!?\]?[^\]]*\]|.", re.DOTALL)
_ANYTHING = "…"

_ALIKE, _MUCH_ALIKE = 0.5, 0.75  # difflib's ratios: for a name that can only be one of PTX, and for any name
_SUGGESTIONS = 5
_OF_FILES = (".h", ".hpp", ".cuh")


def name_alone(text: str) -> str:
    """The opcode or the register of what stands in an `asm` statement: `@p bar.sync 0;`, `%%laneid`."""
    words = _GUARD.sub("", text.strip(), count=1).split(None, 1)
    word = words[0].rstrip(";,") if words else ""
    return word[1:] if word.startswith("%%") else word


def usual_case(catalog: PtxCatalog, name: str) -> str:
    """A name in the letters of the tables, as far as they have it: `MIN.NAN.F32` is `min.NaN.f32`."""
    low = name.lower()
    if name.startswith("%"):
        return low
    known = {word.lower(): word for word in _modifiers(catalog.rows_of(low))}
    stem, *modifiers = low.split(".")
    return ".".join([stem, *(known.get(word, word) for word in modifiers)])


def exact_rows(catalog: PtxCatalog, opcode: str) -> list[tuple[Row, dict[str, str]]]:
    """The entries of an opcode with its choices; modifiers may be in another order than the tables'."""
    for form in dict.fromkeys((opcode, sort_modifiers(opcode))):
        found = [(row, groups) for row in catalog.rows_of(opcode) if (groups := row.choices(form)) is not None]
        if found:
            return found
    return []


def rows_that_begin(catalog: PtxCatalog, opcode: str) -> list[Row]:
    """The entries of a mnemonic that have all of the given modifiers."""
    _, *modifiers = opcode.split(".")
    return [row for row in catalog.rows_of(opcode) if set(modifiers) <= _modifiers([row])]


def _modifiers(rows: Sequence[Row]) -> set[str]:
    return {word for row in rows for word in _MODIFIER.findall(readable(row.pattern))}


def readable(pattern: str) -> str:
    """An entry's opcodes as manuals write them: `shfl.sync.{idx|up}.b32`, `bar[.cta].sync`."""
    text = _CHOICE.sub(lambda found: f"[{found[1]}]" if found[2] else f"{{{found[1]}}}", pattern)
    return text.replace("\\", "").replace(".*", _ANYTHING)


class Glob:
    """A shell pattern that is matched with all opcodes of an entry at once: some entries have hundreds.

    A state is the number of the pattern's tokens that have been matched.
    """

    def __init__(self, pattern: str) -> None:
        self._tokens = _TOKEN.findall(pattern)
        self._start = re.split(r"[*?[]", pattern, maxsplit=1)[0]
        self._matches = [re.compile(translate(token)).match for token in self._tokens]
        self._next: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def matches_name(self, name: str) -> bool:
        """Whether a name matches."""
        return len(self._tokens) in self._after(self._with_stars({0}), name)

    def matches_row(self, row: Row) -> bool:
        """Whether one of an entry's opcodes matches."""
        text = readable(row.pattern)
        if text.endswith(_ANYTHING):
            beginning = text.removesuffix(_ANYTHING)
            return self._start.startswith(beginning) or self.matches_name(beginning)
        states = self._with_stars({0})
        for optional, choice, plain in _PART.findall(text):
            alternatives = ["", *optional.split("|")] if optional else choice.split("|") if choice else [plain]
            states = frozenset(chain.from_iterable(self._after(states, each) for each in alternatives))
        return len(self._tokens) in states

    def _after(self, states: frozenset[int], text: str) -> frozenset[int]:
        """The states that a text leads to."""
        for char in text:
            key = states, char
            if key not in self._next:
                stay = {state for state in states if self._tokens[state : state + 1] == ["*"]}
                moved = {state + 1 for state in states if state < len(self._tokens) and self._matches[state](char)}
                self._next[key] = self._with_stars(stay | moved)
            states = self._next[key]
        return states

    def _with_stars(self, states: set[int]) -> frozenset[int]:
        """The states with those after stars, which may match nothing."""
        waiting = list(states)
        for state in waiting:
            if self._tokens[state : state + 1] == ["*"] and state + 1 not in waiting:
                waiting.append(state + 1)
        return frozenset(waiting)


def near_ptx_names(name: str) -> list[str]:
    """Opcodes and registers that an unknown name may be a slip of, the likeliest first.

    Raises:
        TableError: if a table is wrong.
    """
    catalog, word = load_ptx_catalog(), name_alone(name).lower()
    if not word or word.endswith(_OF_FILES) or "/" in word:
        return []
    found = _near_registers(catalog, word.removeprefix("%"))
    if not word.startswith("%"):
        found += _near_opcodes(catalog, usual_case(catalog, word))
    return [*dict.fromkeys(found)][:_SUGGESTIONS]


def _near_registers(catalog: PtxCatalog, name: str) -> list[str]:
    names = {register.lower(): register if register.isupper() else f"%{register}" for register in catalog.registers()}
    components = [register for register in names if register.startswith(f"{name}.")]
    return [names[register] for register in components or _close(name, names, _MUCH_ALIKE)]


def _near_opcodes(catalog: PtxCatalog, name: str) -> list[str]:
    stem, *modifiers = name.split(".")
    stems = {_MODIFIER.findall(row.pattern)[0] for row in catalog.rows()}
    if stem in stems:
        found = _with_near_modifiers(catalog, stem, modifiers)
        return [found or stem]
    if modifiers:
        near_stems = _close(stem, stems, _ALIKE)
        opcodes = [".".join([near, *modifiers]) for near in near_stems]
        known = [opcode for opcode in opcodes if rows_that_begin(catalog, opcode)]
        return known or [*filter(None, (_with_near_modifiers(catalog, near, modifiers) for near in near_stems))]
    return _close(stem, stems, _MUCH_ALIKE)


def _with_near_modifiers(catalog: PtxCatalog, stem: str, modifiers: Sequence[str]) -> str:
    """The opcode with each unknown modifier replaced by a similar one; empty if there is none."""
    known = _modifiers(catalog.rows_of(stem)) - {stem}
    near = [
        modifier if modifier in known else next(iter(_close(modifier, known, _ALIKE)), "") for modifier in modifiers
    ]
    opcode = ".".join([stem, *near])
    return opcode if all(near) and rows_that_begin(catalog, opcode) else ""


def _close(word: str, words: Sequence[str] | set[str] | dict[str, str], cutoff: float) -> list[str]:
    import difflib

    return difflib.get_close_matches(word, sorted(words), n=_SUGGESTIONS, cutoff=cutoff)
