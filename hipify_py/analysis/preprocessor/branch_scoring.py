"""Evidence against a branch of an `#if`: code that AMD GPUs cannot run, stubs that stop the program, no code."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from hipify_py.core.ranges import Ranges
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.conditions import Branch, Section, condition
from hipify_py.frontend.unit import Unit
from hipify_py.frontend.words import words
from hipify_py.rules.ptx.rewriting import converted
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

NEVER, HARD, LACKED, SUSPECT, STRANGE, STOP, HINT, NOTHING, PTX = 1000, 100, 99, 41, 40, 10, 9, 8, 5
"""The weight of each kind of sign: an `#error`; what has no counterpart; what HIP lacks and another branch defines;
what looks like CUDA's; a telling name; a stub; a hardware hint without effect on results; no code; PTX that cannot be
converted, or that depends on a whole wavefront.
"""

_HINTS = frozenset(
    (
        "griddepcontrol", "createpolicy", "setmaxnreg", "cudaGridDependencySynchronize",
        "cudaTriggerProgrammaticLaunchCompletion",
    )
)  # fmt: skip
_IN_PTX = " in PTX"
_HARD_PTX = re.compile(
    rb"\b(wgmma|mma|wmma|ldmatrix|stmatrix|movmatrix|mbarrier|tcgen05|cp\.async\.bulk|cp\.reduce|barrier\.cluster|mapa"
    rb"|fence\.proxy|tensormap|multimem|clusterlaunchcontrol|griddepcontrol|createpolicy|setmaxnreg|elect\.sync)\b"
)
_HARD_NAME = (
    rb"(?:\w*_)?(?:ldmatrix|ldsm|stmatrix|wgmma|tcgen05|mbarrier|tma_(?:load|store)|mma)(?:[_0-9]\w*)?"
    rb"|__pipeline_\w+|__nvvm_\w+"
)
_KINDS = re.compile(
    rb"(?P<asm>asm|__asm__|__asm)|(?P<hard>" + _HARD_NAME + rb")|(?P<copy>(?:\w*_)?cp_?async(?:[_0-9]\w*)?)"
    rb"|(?P<stop>__trap|(?:\w*_)?assert|NO_DEVICE_CODE|\w*NOT_IMPLEMENTED\w*|__builtin_trap)"
    rb"|(?P<reduce>__reduce_[a-z]+_sync)",
    re.IGNORECASE,
)
"""The words that may be signs, by kind."""
_STOP_CALL = re.compile(rb"__trap\s*\(|\w*assert\s*\(\s*(?:false|0)\b|(?!__trap\b|(?:\w*_)?assert\b)\w+", re.IGNORECASE)
_ERROR = re.compile(rb"#[ \t]*error\b", re.IGNORECASE)
_HARD_FLAG = re.compile(rb"(?:^|_)(?:CP_?ASYNC|LDMATRIX|LDSM|WGMMA|TCGEN05|\w?MMA|TMA)(?:_|[0-9]|$)", re.IGNORECASE)
_FLAG = re.compile(rb"[ \t]*(?:1|true)?[ \t]*(?:\r?\n|//|/\*|\Z)")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_BARE_STOP = re.compile(rb"\"[\s\\nt]*(?:trap|exit|brkpt)\b")
_GIVES_UP = re.compile(
    rb"\b(?:throw\b|(?:std::)?(?:abort|exit|terminate)\s*\(|\w*(?:ABORT|TRAP|UNREACHABLE|NOT_(?:IMPLEMENTED|SUPPORTED))\w*"
    rb"|__(?:builtin_)?trap\b|NO_DEVICE_CODE\b|(?:\w*ASSERT|\w*assert|\w*CHECK)\w*\s*\(\s*(?:\w*false|0)\b"
    rb"|\w*assert\s*\(\s*\w*ARCH_SM_?[0-9]+\s*\))"
    rb"|\)\s*(?:const\s*|noexcept\s*)?\{\s*\}",
    re.IGNORECASE,
)
_MAY_GIVE_UP = re.compile(
    rb"throw|abort|exit|terminate|trap|unreachable|not_(?:implemented|supported)|no_device_code|assert|check",
    re.IGNORECASE,
)
"""One of the words that `_GIVES_UP` begins with, except for `std`."""
_NOTHING_AFTER = re.compile(rb"\)\s*(?:const\s*|noexcept\s*)?\{\s*\}", re.IGNORECASE)
_IDLE = re.compile(
    rb"\breturn\b[ \t]*(?:-?\d[\w.]*|true|false|nullptr|NULL|\w*\s*\{\s*\})?\s*;|\(void\)[^;]*;|\w*UNUSED\w*\s*\([^;]*;"
    rb"|\b(?:std::)?f?printf\s*\([^;]*;"
    rb"|\b\w*(?:ERROR|FATAL|PANIC)\w*\s*\([^;\"]*\"[^;]*;"
    rb"|^[ \t]*\#[ \t]*define[ \t]+\w+(?:[ \t]+(?:0|false))?[ \t]*\r?$|[{};\s\\]+",
    re.MULTILINE,
)
_QUOTES = b"\"'RuUL"
_SEMICOLON = re.compile(rb";")
_BEFORE_USE = frozenset(
    (b"", b"return", b"else", b"do", b"case", b"throw", b"if", b"elif", b"ifdef", b"ifndef", b"not")
)
_AFTER_NO_CALL = re.compile(rb"[.A-Za-z_]")
_AFTER_CALL = re.compile(rb"[;),.=!<>?+*/|^%\]]|-(?!>)")
"""What follows a call's arguments, and never a function's parameters."""
_STUB = 3  # statements of a branch that does little but stop
_BESIDE_STOPS = 12  # statements beside those that stop: messages, unused values


class Sign(NamedTuple):
    """Evidence against compiling the code around it.

    Attributes:
        offset: its offset.
        weight: its weight.
        what: its name in findings; for a flag that is judged by its name alone, that name.
        flag: the macro whose definition it is, and which other code tests.
        is_spared: all the code that tests the flag has another branch that does its work.
    """

    offset: int
    weight: int
    what: str
    flag: str = ""
    is_spared: bool = False

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol that HIP lacks."""
        return self.weight in (HARD, SUSPECT) and not self.what.endswith(_IN_PTX)


def provided_function(unit: Unit, start: int, end: int) -> str:
    """A function that HIP lacks and that a source defines in `[start, end)`; empty where there is none."""
    lacking = unit.analysis(_lacking_functions)
    first = bisect_left(lacking, (start, 0, ""))
    found = lacking[first] if first < len(lacking) else None
    return found[2] if found is not None and found[1] <= end else ""


class Content:
    """The signs of a source, by offset."""

    def __init__(self, unit: Unit, every: list[Section]) -> None:
        self._unit = unit
        self._set_signs({*_by_text(unit), *_by_tables(unit)})
        self._set_signs({*self._signs, *_by_flags(unit, self, every)})

    def _set_signs(self, signs: set[Sign]) -> None:
        self._signs = sorted(signs)
        self._places = [sign.offset for sign in self._signs]

    def mark_lost(self, branches: list[Branch]) -> bool:
        """Make calls of functions that only these branches define signs against the code around them; True for any."""
        lost = Ranges((branch.body, branch.end) for branch in branches)
        defined = list(_definitions(self._unit))
        names = {name for name, place in defined if place in lost}
        names.difference_update(name for name, place in defined if place not in lost)
        found = {
            Sign(place, STRANGE, name.decode(errors="replace"))
            for name in names
            for place in names_of(self._unit).places(name)
            if self._unit.lexemes.non_code_at(place) is None and place not in lost
        }
        self._set_signs({*self._signs, *found})
        return bool(found)

    def signs(self, start: int, end: int) -> list[Sign]:
        """The signs in `[start, end)`."""
        return self._signs[bisect_left(self._places, start) : bisect_left(self._places, end)]

    def does_work(self, start: int, end: int) -> bool:
        """Whether the code there does something: more than an early return, a message, clearing a flag, or a stop."""
        code = self._code
        statements = self.statements(start, end)
        start, end = code.place(start), code.place(end)
        stops = _count_between(code.stops, start, end)
        if stops:
            return statements > 2 * stops + _BESIDE_STOPS
        return not _is_idle(code.text[start:end])

    def statements(self, start: int, end: int) -> int:
        """The number of statements in `[start, end)`."""
        return _count_between(self._code.semicolons, self._code.place(start), self._code.place(end))

    def is_stub(self, start: int, end: int) -> bool:
        """Whether a branch has so few statements that it does nothing but stop."""
        return self.statements(start, end) <= _STUB

    @cached_property
    def _code(self) -> _Code:
        return _Code(self._unit)


class _Code:
    """The source without comments and the contents of literals, and where statements end and the program gives up.

    Sections are nested, so that searching each branch would repeat work: everything is searched for once.
    """

    def __init__(self, unit: Unit) -> None:
        data, pieces, at, removed = unit.source.data, [], 0, 0
        self._ends, self._removed = [0], [0]
        for start, end in unit.lexemes.comments_and_literals:
            if data[start] in _QUOTES:
                pieces.append(data[at:start] + b'"' + b"_" * (end - start - 2) + b'"'[: end - start - 1])
                at = end
            elif data[start] == 0x2F:
                pieces.append(data[at:start])
                at = end
                removed += end - start
                self._ends.append(end)
                self._removed.append(removed)
        self.text = b"".join([*pieces, data[at:]])
        self.semicolons = [match.start() for match in _SEMICOLON.finditer(self.text)]
        self.stops = list(_stops(self.text))

    def place(self, offset: int) -> int:
        """The offset in the text of a source offset that is in no comment."""
        return offset - self._removed[bisect_right(self._ends, offset) - 1]


def _stops(text: bytes) -> Iterator[int]:
    """The offsets where a text gives up: searched at the words that may, and at brackets with nothing after them."""
    places = {match.start() for match in _NOTHING_AFTER.finditer(text)}
    for word in set(words(text)):
        if _may_give_up(word):
            at = text.find(word)
            while at >= 0:
                places.add(at)
                at = text.find(word, at + len(word))
    done = 0
    for place in sorted(places):
        match = _GIVES_UP.match(text, place) if place >= done else None
        if match is not None:
            yield place
            done = match.end()


@lru_cache(maxsize=1 << 14)
def _may_give_up(word: bytes) -> bool:
    """Whether `_GIVES_UP` may match at the word, or within it."""
    return _MAY_GIVE_UP.search(word) is not None or word.lower() == b"std"


def _count_between(places: list[int], start: int, end: int) -> int:
    """The number of places in `[start, end)`."""
    return bisect_left(places, end) - bisect_left(places, start)


def _is_idle(code: bytes) -> bool:
    """Whether there is nothing but early returns, messages and flags that are cleared."""
    at = 0
    while at < len(code):
        match = _IDLE.match(code, at)
        if match is None:
            return False
        at = match.end()
    return True


def _lacking_functions(unit: Unit) -> list[tuple[int, int, str]]:
    """The functions that HIP lacks and the source defines: the offsets of each and of its body, and its name."""
    found = []
    for start, _, text in (*unit.lexemes.names, *unit.lexemes.defines):
        row = unit.catalog.row(text)
        body = _body_of(unit, start, text) if row is not None and row.is_unsupported else None
        if row is not None and body is not None:
            found.append((start, body, row.name))
    return sorted(found)


def _body_of(unit: Unit, place: int, name: bytes) -> int | None:
    """The start of the body of the function or statement macro whose name is at a place."""
    for macro in macros_of(unit).named(name):
        if macro.place == place and _is_for_statements(unit, macro):
            return macro.start
    if not _may_head_body(unit, place + len(name)):
        return None
    function = functions_of(unit).at(place)
    is_named = function is not None and function.name == name and place < function.start
    return function.start if is_named and function is not None else None


def _may_head_body(unit: Unit, end: int) -> bool:
    """False for calls, and for names without parameters: most names need no search of the functions."""
    lexemes, data = unit.lexemes, unit.source.data
    opening = lexemes.after(end)
    if data[opening : opening + 1] != b"(":
        return data[opening : opening + 1] == b"<"
    closing = match_forward(lexemes, opening, lexemes.code_end(end))
    return closing is None or _AFTER_CALL.match(data, lexemes.after(closing[0] + 1)) is None


def _is_for_statements(unit: Unit, macro: Macro) -> bool:
    return macro.parameters is not None and unit.source.data[macro.start : macro.start + 1] == b"{"


def _definitions(unit: Unit) -> Iterator[tuple[bytes, int]]:
    """The names of the functions and statement macros that a source defines, each with its offset."""
    for function in functions_of(unit):
        yield function.name, function.start
    for macro in macros_of(unit).all():
        if _is_for_statements(unit, macro):
            yield macro.name, macro.place


def _symbol_ranges(unit: Unit) -> Ranges:
    """The ranges of known symbols and of header paths: their names are not signs."""
    return Ranges([*((use.start, use.end) for use in unit.uses), *((i.start, i.end) for i in unit.lexemes.includes)])


def _by_text(unit: Unit) -> Iterator[Sign]:
    data, lexemes = unit.source.data, unit.lexemes
    for match in _ERROR.finditer(data):
        if data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()].strip() == b"":
            yield Sign(match.start(), NEVER, "an #error")
    found = [(word, kind) for word in lexemes.words if (kind := _kind(word))]
    if not found:
        return
    symbols = _symbol_ranges(unit)
    done = converted(unit) if b"asm" in data else frozenset[int]()
    for word, kind in found:
        for place in lexemes.places(word):
            end = place + len(word)
            if kind == "reduce":
                yield Sign(place, PTX, word.decode())  # of the whole wavefront; shuffles have a width
            elif place in symbols:
                continue
            elif kind in ("hard", "copy"):
                if not _is_declared(unit, place, end):
                    # a copy becomes a plain one, which is better than none, but no better than one in C++
                    yield Sign(place, STRANGE if kind == "hard" else PTX, word.decode())
            elif kind == "asm":
                opening, statement = _statement(unit, end)
                hard = _HARD_PTX.search(statement)
                name = hard[1].decode() if hard else ""
                weight = HINT if name in _HINTS else HARD if hard else PTX
                if _BARE_STOP.match(data, lexemes.after(opening + 1)):
                    yield Sign(place, STOP, "a PTX stop")
                elif hard or place not in done:
                    yield Sign(place, weight, name + _IN_PTX if hard else "inline PTX")
            elif (call := _STOP_CALL.match(data, place)) is not None:
                yield Sign(place, STOP, call[0].decode().rstrip(" ("))


@lru_cache(maxsize=1 << 14)
def _kind(word: bytes) -> str:
    """The kind of sign that a word may be; empty for none."""
    match = _KINDS.fullmatch(word)
    return "" if match is None else str(match.lastgroup)


def _statement(unit: Unit, place: int) -> tuple[int, bytes]:
    """The brackets after `asm` and its qualifiers: their offset, and their text without comments."""
    lexemes, at = unit.lexemes, unit.lexemes.after(place)
    while (word := _NAME.match(unit.source.data, at)) is not None:
        at = lexemes.after(word.end())
    end = lexemes.code_end(place)
    found = match_forward(lexemes, at, end) if unit.source.data[at : at + 1] == b"(" else None
    return at, lexemes.code(at, min(lexemes.logical_line_end(at), end) if found is None else found[0])


def _is_declared(unit: Unit, place: int, end: int) -> bool:
    """Whether the name there is being declared, or is a type's or an object's: no evidence about the code around it."""
    data, lexemes = unit.source.data, unit.lexemes
    before, after = lexemes.before(place), lexemes.after(end)
    if data[after : after + 2] == b"->" or _AFTER_NO_CALL.match(data, after):
        return True
    is_on_its_line = b"\n" not in data[before:place]
    if is_on_its_line and lexemes.word_before(place) not in _BEFORE_USE:
        return True
    return _body_of(unit, place, data[place:end]) is not None


def _by_flags(unit: Unit, content: Content, every: list[Section]) -> Iterator[Sign]:
    """A flag is as good as the code that it guards; where that is in another file, its name is the evidence."""
    guarded: dict[bytes, list[tuple[Branch, Section]]] | None = None
    for define in unit.lexemes.defines:
        if not _FLAG.match(unit.source.data, define.end):
            continue
        if guarded is None:
            guarded = _guarded_branches(unit, every)
        name = define.text.decode()
        asking = guarded.get(define.text, ())
        against = [(sign, others) for branch, others in asking for sign in content.signs(branch.body, branch.end)]
        if against:
            worst = max((sign for sign, _ in against), key=lambda sign: sign.weight)
            is_spared = all(
                sign.weight <= STOP or any(content.does_work(other.body, other.end) for other in others)
                for sign, others in against
            )
            yield Sign(define.start, worst.weight, worst.what, name, is_spared)
        elif _HARD_FLAG.search(define.text):
            yield Sign(define.start, STRANGE, name, name)


def _guarded_branches(unit: Unit, every: list[Section]) -> dict[bytes, list[tuple[Branch, Section]]]:
    """The branches that are compiled where a flag is set, by flag, each with those after it."""
    found: dict[bytes, list[tuple[Branch, Section]]] = {}
    for section in every:
        for at, branch in enumerate(section):
            text = condition(unit.source.data, branch)
            if b"!" not in text and branch.word != b"else":
                for name in set(_NAME.findall(text)):
                    found.setdefault(name, []).append((branch, section[at + 1 :]))
    return found


def _by_tables(unit: Unit) -> Iterator[Sign]:
    """Symbols that HIP lacks. (Macros are not code: those in conditions are decided elsewhere.)"""
    for use in unit.uses:
        if use.row.kind != "macro" and (use.row.is_unsupported or use.row.has_forms):
            row = effective_row(unit, use)
            if row.is_unsupported:
                yield Sign(use.start, HINT if row.name in _HINTS else HARD, row.name)
    for include in unit.lexemes.includes:
        row_or_none = unit.catalog.row(include.path.encode("utf-8", "surrogateescape"))
        family = unit.catalog.family(include.path, header=True)
        if family is not None or (row_or_none is not None and row_or_none.is_unsupported):
            yield Sign(include.start, HARD, f"<{include.path}>")
    for offset, name, _ in unit.unmapped_candidates:
        yield Sign(offset, SUSPECT, name)
