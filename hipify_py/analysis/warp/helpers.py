"""Who asks the functions and macros of a source that use warp built-ins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.semantics.functions import Function, Functions

TEMPLATE_ARGUMENTS = rb"(?:<(?:[\w\s,:*]|<[\w\s,:*]*>)*>\s*)?"
"""What may stand between a function's name and its arguments, as a pattern: one list within another at most."""

_SEVERAL = 256
_DEEPEST = 4
"""Functions that ask for each other, one within the other, until one is looked at no more."""


class Asking(NamedTuple):
    """A function asks for a helper at a place, itself or by a macro."""

    place: int
    function: Function


def asked_in(data: bytes, names: Iterable[bytes]) -> AbstractSet[bytes]:
    """Those of some functions and macros that stand with arguments in a text, in its comments too."""
    standing = frozenset(name for name in names if name in data)
    return frozenset(_asking(standing).findall(data)) if standing else standing


@lru_cache(maxsize=_SEVERAL)
def _asking(names: frozenset[bytes]) -> re.Pattern[bytes]:
    either = b"|".join(sorted(map(re.escape, names), reverse=True))
    return re.compile(rb"(?<![\w.>])(" + either + rb")\s*" + TEMPLATE_ARGUMENTS + rb"\(")


class Helpers:
    """The functions and macros of one source that use warp built-ins, themselves or through each other."""

    def __init__(self, lexemes: Lexemes, functions: Functions, users: Iterable[bytes]) -> None:
        """`users` are the names of those that use the built-ins themselves."""
        self._asked: dict[bytes, list[Asking]] = {}
        self._within: dict[bytes, set[bytes]] = {}  # the macros that a helper stands in
        wanted, seen = set(users), set[bytes]()
        for _ in range(_DEEPEST):
            found: set[bytes] = set()
            names = b"|".join(sorted(map(re.escape, wanted), reverse=True))
            pattern = rb"(?<![\w.>])(" + names + rb")\s*" + TEMPLATE_ARGUMENTS + rb"\("
            for match in re.finditer(pattern, lexemes.data) if wanted else ():
                function, place = functions.at(match.start()), match.start()
                if lexemes.non_code_at(place) is not None:
                    continue
                define = lexemes.define_around(place)
                if define is not None:
                    if define.text != match[1]:
                        self._within.setdefault(match[1], set()).add(define.text)
                        found.add(define.text)
                    continue
                if function is None or place < function.start:
                    continue
                self._asked.setdefault(match[1], []).append(Asking(place, function))
                found.add(function.name)
            seen |= wanted
            wanted = found - seen
        for _ in range(_DEEPEST):
            for name, macros in self._within.items():
                more = {asking for macro in macros for asking in self._asked.get(macro, ())}
                self._asked[name] = sorted(more.union(self._asked.get(name, ())))

    @property
    def names(self) -> Iterable[bytes]:
        """The helpers that are asked for in this source."""
        return self._asked.keys()

    def asking(self, name: bytes) -> list[Asking]:
        """Where a helper is asked for, in the order of the places; empty for one that nobody here asks."""
        return self._asked.get(name, [])

    def asked_where(self, says: Callable[[int, Function], bool]) -> frozenset[bytes]:
        """The helpers that are asked at a place of which `says` holds, through other helpers too."""
        found = {name for name, places in self._asked.items() if any(says(*asking) for asking in places)}
        pending = list(found)
        while pending:
            asking = pending.pop()
            more = {name for name, places in self._asked.items() if any(f.name == asking for _, f in places)} - found
            found |= more
            pending += more
        return frozenset(found)

    def askers(self, names: Iterable[bytes]) -> frozenset[int]:
        """The functions, by the places of their bodies, that ask for one of the helpers, through others too."""
        found: set[int] = set()
        pending = list(names)
        seen = set(pending)
        while pending:
            for _, function in self.asking(pending.pop()):
                found.add(function.start)
                if function.name not in seen:
                    seen.add(function.name)
                    pending.append(function.name)
        return frozenset(found)
