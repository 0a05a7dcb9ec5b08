"""Includes of headers that HIP's compiler rejects within the braces around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge
from typing import NamedTuple

from hipify_py.analysis.preprocessor.compiled import inactive_ranges
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.headers import RUNTIME

# The braces that are open at a place, whatever branches of an `#if` precede it; computed without a tree.

LINKAGE, CPP_LINKAGE, NAMESPACE, OTHER = 'extern "C"', 'extern "C++"', "namespace", ""
"""What a brace begins: a linkage specification, a namespace, or anything else."""

_BRACES = re.compile(rb"[{}]")
_LINKAGES = {b'"C"': LINKAGE, b'"C++"': CPP_LINKAGE}
_OPENING, _CLOSING, _QUERY, _BODY, _IF, _ELSE, _ENDIF = range(7)
_BRANCHES = {b"if": _IF, b"ifdef": _IF, b"ifndef": _IF, b"elif": _ELSE, b"else": _ELSE, b"endif": _ENDIF}
_MOST_NAMES = 32
"""Words and colons between `namespace` and its brace."""


class Brace(NamedTuple):
    """An open brace: its offset, and the one around it."""

    opening: int
    around: Brace | None


class _Section:
    """The branches of an `#if` that have been read."""

    __slots__ = ("after", "before", "is_decided")

    def __init__(self, before: Brace | None) -> None:
        self.before = before
        """The braces that are open before the `#if`."""
        self.after = before
        """The braces that are open after the `#endif`."""
        self.is_decided = False
        """Whether a branch has determined that."""


def braces_around(
    lexemes: Lexemes, places: Iterable[int], is_inactive: Callable[[int], bool]
) -> tuple[list[Brace | None], frozenset[int]]:
    """For each of the sorted places, the innermost open brace; and the braces that are closed again.

    Each branch of an `#if` begins with the braces that are open before it. After the `#endif` these are open again, or
    those that the first compiled branch with another result has left open. Braces that a macro opens or closes are not
    visible: one that the source does not close may have been closed so.

    Args:
        lexemes: those of the source.
        places: the places, in ascending order.
        is_inactive: whether the code at a place is compiled nowhere; only called at the ends of branches that close
            what they have not opened, or open what they do not close.
    """
    found: list[Brace | None] = []
    closed = set[int]()
    inner: Brace | None = None
    sections: list[_Section] = []
    in_body = False
    for place, kind in _events(lexemes, places):
        if kind == _BODY:
            in_body = not in_body
        elif kind == _QUERY:
            found.append(inner)
        elif in_body:
            continue
        elif kind == _OPENING:
            inner = Brace(place, inner)
        elif kind == _CLOSING:
            if inner is not None:
                closed.add(inner.opening)
                inner = inner.around
        elif kind == _IF:
            sections.append(_Section(inner))
        elif sections:
            section = sections[-1]
            if inner is not section.before and not section.is_decided and not is_inactive(place - 1):
                section.after, section.is_decided = inner, True
            inner = section.before if kind == _ELSE else sections.pop().after
    return found, frozenset(closed)


def _events(lexemes: Lexemes, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The braces in code, the directives of conditions, the ends of macros' bodies and the places, in order."""
    data = lexemes.data
    braces = (
        (mark.start(), _OPENING if data[mark.start()] == 0x7B else _CLOSING)
        for mark in _BRACES.finditer(data)
        if lexemes.non_code_at(mark.start()) is None
    )
    bodies = ((place, _BODY) for define in lexemes.defines for place in (define.end, lexemes.body_end(define)))
    directives = ((place, _BRANCHES[word]) for place, word in lexemes.directives if word in _BRANCHES)
    return merge(braces, bodies, directives, ((place, _QUERY) for place in places))


def brace_kind(lexemes: Lexemes, opening: int) -> tuple[str, bytes]:
    """What the brace at a place begins, and the name of a namespace (empty for one without).

    Anything but words and colons between a namespace's name and its brace, such as attributes, makes it `OTHER`.
    """
    last = lexemes.before(opening)
    if last < 0:
        return OTHER, b""
    literal = lexemes.non_code_at(last)
    if literal is not None:
        kind = _LINKAGES.get(lexemes.data[slice(*literal)], OTHER)
        return (kind if lexemes.word_before(literal[0]) == b"extern" else OTHER), b""
    name = b""
    at = opening
    for _ in range(_MOST_NAMES):
        word = lexemes.word_before(at)
        if word == b"namespace":
            return NAMESPACE, name
        if not word and lexemes.data[lexemes.before(at) : lexemes.before(at) + 1] != b":":
            break
        at = lexemes.before(at) + 1 - (len(word) or 1)
        name = (word or b":") + (b" " if word == b"inline" else b"") + name
    return OTHER, b""


_FILE, _RUNTIME = "file", "runtime"
"""What headers demand (`demands` of the tables): no braces at all, or C++ linkage unless the runtime's header has been
included before. All others that demand anything demand C++ linkage.
"""


class Enclosure(NamedTuple):
    """The braces around an include, all of them of namespaces and linkage specifications.

    Attributes:
        opening: the offset of the innermost brace.
        is_alone: there is no other.
        has_c_linkage: what is declared there has C linkage.
        namespace: the innermost namespace in words; empty where there is none.
    """

    opening: int
    is_alone: bool
    has_c_linkage: bool
    namespace: str

    @property
    def inside(self) -> str:
        """A description of the braces in which headers are rejected."""
        return LINKAGE if self.has_c_linkage else self.namespace


def rejecting_braces(unit: Unit, place: int, header: str, before: list[str]) -> Enclosure | None:
    """The braces around an include in which HIP's header is rejected; None where there are none, or they are unknown.

    Args:
        unit: the source.
        place: the start of the include's path.
        header: the header of HIP.
        before: the headers of HIP that are certain to have been included before.
    """
    demands = unit.catalog.demands
    demand = demands.get(header, "")
    if not demand or _are_demands_met(demands, header, before):
        return None
    around = unit.analysis(_Braces).around(place)
    if around is None or around.has_c_linkage or (demand == _FILE and around.namespace):
        return around
    return None


def namespace_around(unit: Unit, place: int) -> str:
    """The innermost namespace around an include, in words; empty where there is none, or the braces are unknown."""
    around = unit.analysis(_Braces).around(place)
    return around.namespace if around is not None else ""


def _are_demands_met(demands: Mapping[str, str], header: str, before: list[str]) -> bool:
    """Whether headers before a header include it, or what it needs, or may do so.

    Those that demand only the runtime's include some of that, and none of those that demand more.
    """
    if header == RUNTIME:
        return RUNTIME in before
    if demands[header] == _RUNTIME:
        return bool(before)
    return any(demands.get(path) != _RUNTIME for path in before)


class _Braces:
    """The braces around the includes of a source."""

    def __init__(self, unit: Unit) -> None:
        self._lexemes = unit.lexemes
        places = [include.start for include in unit.lexemes.includes]
        found, self._closed = braces_around(unit.lexemes, places, lambda place: place in inactive_ranges(unit))
        self._innermost = dict(zip(places, found, strict=True))
        self._known: dict[int, Enclosure | None] = {}

    def around(self, place: int) -> Enclosure | None:
        """The braces around the include at a place; None for none, unclosed braces and those of other code."""
        waiting: list[Brace] = []
        brace = self._innermost[place]
        while brace is not None and brace.opening not in self._known:
            waiting.append(brace)
            brace = brace.around
        is_outermost = brace is None
        found = None if brace is None else self._known[brace.opening]
        for inner in reversed(waiting):
            found = self._within(inner, found) if is_outermost or found is not None else None
            self._known[inner.opening] = found
            is_outermost = False
        return found

    def _within(self, brace: Brace, around: Enclosure | None) -> Enclosure | None:
        kind, name = brace_kind(self._lexemes, brace.opening)
        if kind == OTHER or brace.opening not in self._closed:
            return None
        has_c_linkage, namespace = (False, "") if around is None else (around.has_c_linkage, around.namespace)
        if kind == NAMESPACE:
            namespace = f"namespace {name.decode(errors='replace')}" if name else "an unnamed namespace"
        else:
            has_c_linkage = kind == LINKAGE
        return Enclosure(brace.opening, around is None, has_c_linkage, namespace)
