"""Who calls the functions and macros of a unit that use warp operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from functools import cache

from hipify_py.frontend.words import WORD_BYTES, words
from hipify_py.records import NamedTuple
from hipify_py.semantics.expressions import call_of, is_launch
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

# Looks at the bytes of many files, of which only those that these find are read: they may find too much.
_NEXT_END = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|([;{}])", re.DOTALL)
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+")
_BEHIND = re.compile(rb"[\s\\]*(?:[(<]|/[/*])")
_OF_NAMES = frozenset(WORD_BYTES)
_LONG = 4
"""Letters of a name that stands in few places: those are looked at before a pattern for it would have been made."""
_FEW = 50
"""Names that a text is searched for one by one; of more of them, only its own words are."""
_DEEPEST = 4
"""Functions that call each other, one within the other, until one is looked at no more."""


class Caller(NamedTuple):
    """A function calls a helper at a place, itself or through a macro."""

    place: int
    function: Function


def named_in(data: bytes, names: AbstractSet[bytes]) -> AbstractSet[bytes]:
    """Those of some functions and macros that a text may call: their names stand in it, brackets behind them."""
    if len(names) > _FEW:
        names = names & set(words(data))
    return frozenset(name for name in names if name in data and _is_called(data, name))


def _is_called(data: bytes, name: bytes) -> bool:
    """A name stands in a text by itself, and a bracket or comment behind it."""
    if len(name) < _LONG:
        return _call_of(name).search(data) is not None
    place = data.find(name)
    while place >= 0:
        is_whole = place == 0 or data[place - 1] not in _OF_NAMES
        if is_whole and _BEHIND.match(data, place + len(name)) is not None:
            return True
        place = data.find(name, place + 1)
    return False


@cache
def _call_of(name: bytes) -> re.Pattern[bytes]:
    return _with_name(name, _BEHIND.pattern)


@cache
def _word_of(name: bytes) -> re.Pattern[bytes]:
    return _with_name(name, rb"\b")


def _with_name(name: bytes, rest: bytes) -> re.Pattern[bytes]:
    # A pattern that begins with plain letters is found many times as fast as one that begins with `\b`.
    word = re.escape(name)
    return re.compile(word + rb"(?<=\b" + word + rb")" + rest)


def may_define(data: bytes, names: Iterable[bytes]) -> bool:
    """False only for a text that defines none of some functions and macros: a statement's end stands behind each."""
    return any(
        _is_macro(data, match.start()) or _is_before_body(data, match.end())
        for name in names
        for match in _word_of(name).finditer(data)
    )


def _is_macro(data: bytes, place: int) -> bool:
    """A `#define` stands before a place."""
    line = data.rfind(b"\n", 0, place) + 1
    directive = data.rfind(b"#", line, place)
    return directive >= 0 and _DEFINE.fullmatch(data, directive, place) is not None


def _is_before_body(data: bytes, place: int) -> bool:
    ends = (match[1] for match in _NEXT_END.finditer(data, place) if match[1] is not None)
    return next(ends, b"") == b"{"


class Callers:
    """The calls of some functions and macros of one unit, and of those that call them."""

    def __init__(self, unit: Unit, users: Iterable[bytes]) -> None:
        """`users` are the names of those that use warp operations themselves."""
        self._unit = unit
        self._calls: dict[bytes, list[Caller]] = {}
        self._within: dict[bytes, set[bytes]] = {}  # the macros that a helper stands in
        wanted, seen = set(users), set[bytes]()
        for _ in range(_DEEPEST):
            found: set[bytes] = set()
            for name in sorted(wanted):
                found |= self._find(name)
            seen |= wanted
            wanted = found - seen
        for _ in range(_DEEPEST):
            for name, macros in self._within.items():
                more = {call for macro in macros for call in self._calls.get(macro, ())}
                self._calls[name] = sorted(more.union(self._calls.get(name, ())), key=lambda call: call.place)

    def _find(self, name: bytes) -> set[bytes]:
        """Note the calls of a name; the result are the functions and macros that they stand in."""
        found: set[bytes] = set()
        functions, lexemes = functions_of(self._unit), self._unit.lexemes
        for leaf in names_of(self._unit).mentions(name):
            place = leaf.start_byte
            call = call_of(leaf)
            if call is None or is_launch(call):
                continue
            define = lexemes.define_around(place)
            if define is not None:
                if define.text != name:
                    self._within.setdefault(name, set()).add(define.text)
                    found.add(define.text)
                continue
            function = functions.at(place)
            if function is not None and place >= function.start:
                self._calls.setdefault(name, []).append(Caller(place, function))
                found.add(function.name)
        return found

    @property
    def names(self) -> Iterable[bytes]:
        """The helpers that are called in this unit."""
        return self._calls.keys()

    def of(self, name: bytes) -> list[Caller]:
        """The calls of a helper, in the order of the places; empty for one that nobody here calls."""
        return self._calls.get(name, [])

    def called_where(self, says: Callable[[int, Function], bool]) -> frozenset[bytes]:
        """The helpers that are called at a place of which `says` holds, through other helpers too."""
        found = {name for name, calls in self._calls.items() if any(says(*call) for call in calls)}
        pending = list(found)
        while pending:
            caller = pending.pop()
            more = {name for name, calls in self._calls.items() if any(f.name == caller for _, f in calls)} - found
            found |= more
            pending += more
        return frozenset(found)

    def all_of(self, names: Iterable[bytes]) -> frozenset[int]:
        """The functions, by the places of their bodies, that call one of the helpers, through others too."""
        found: set[int] = set()
        pending = list(names)
        seen = set(pending)
        while pending:
            for _, function in self.of(pending.pop()):
                found.add(function.start)
                if function.name not in seen:
                    seen.add(function.name)
                    pending.append(function.name)
        return frozenset(found)
