"""Lane arithmetic: expressions that make a lane, a warp's index or a number of warps of a thread's index."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import NamedTuple

from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, WarpConstants
from hipify_py.semantics.functions import Function, Functions
from hipify_py.unit import Unit

LANE, WARP, COUNT = "lane", "warp", "count"
"""What arithmetic makes of a thread index or a block size: a lane, a warp's index, the number of warps."""

_ARITHMETIC = re.compile(
    rb"(?P<op>(?<!&)&(?!&)|%|>>|/)\s*(?:(?P<number>31|32|5|0x1[fF]|0x20)[uU]?(?![\w.'])"
    rb"|\(\s*(?P<less>[A-Za-z_][\w:]*)\s*-\s*1[uU]?\s*\)|(?P<name>[A-Za-z_][\w:]*)\b(?!\s*[(.\[]))"
)
_OPERATORS = {
    (b"&", b"31"): LANE,
    (b"&", b"0x1f"): LANE,
    (b"%", b"32"): LANE,
    (b"%", b"0x20"): LANE,
    (b">>", b"5"): WARP,
    (b"/", b"32"): WARP,
    (b"/", b"0x20"): WARP,
}
_OPERAND = re.compile(rb"[A-Za-z_][\w.]*\s*\Z")
_WORD = re.compile(rb"[A-Za-z_]\w*")
THREAD_NAME = re.compile(
    rb"(?:\w*_)?(?:tid|tx|lane)(?:_\w*)?|\w*[tT]hread_?(?:[iI]dx?|[iI]ndex|[rR]ank)\w*|\w*[lL]ane_?[iI]d"
)
_BLOCK = re.compile(
    rb"\bblockDim\b|\b(?:block_?(?:size|dim)|n?_?threads|num_?threads|block_?threads)\w*\b", re.IGNORECASE
)
_GIVEN_TO = re.compile(rb"([A-Za-z_]\w*)\s*(?:=(?!=)|[({])\s*(?:\([\w\s]*\)\s*|\w+_cast<[\w\s]*>\s*)?[(\s]*\Z")
_THREAD_VARIABLE = re.compile(rb"([A-Za-z_]\w*)\s*=(?!=)[^=;{}]*\Z")
_RETURNED = re.compile(rb"\breturn\b[(\s]*\Z")
_LONGEST_OPERAND = 200  # bytes looked at in front of an operator


class Site(NamedTuple):
    """Lane arithmetic at a place: `[start, end)` is the whole expression, `given` the name that takes its value."""

    start: int
    end: int
    kind: str
    counted_in: str
    given: bytes


class LaneArithmetic:
    """The lane arithmetic of one source. Found once, when first asked for."""

    def __init__(self, unit: Unit, functions: Functions, constants: WarpConstants) -> None:
        self.data = unit.source.data
        self.lexemes = unit.lexemes
        self.functions = functions
        self.constants = constants

    @cached_property
    def sites(self) -> list[Site]:
        """The lane arithmetic of the source in the order of its places."""
        return [site for match in _ARITHMETIC.finditer(self.data) if (site := self._site(match)) is not None]

    def _site(self, match: re.Match[bytes]) -> Site | None:
        number = match["number"]
        if number is None and match["name"] is not None and match["op"] in (b"&", b">>"):
            value = self.constants.values.get(match["name"].rsplit(b":", 1)[-1])
            number = None if value is None else str(value).encode()
        if number is not None:
            kind, counted = _OPERATORS.get((match["op"], number.lower())), THIRTY_TWO
        else:
            name = match["less"] or match["name"]
            known = self.constants.counted_in(name)
            if known is None:
                return None
            lane = (b"&", True) if match["less"] else (b"%", False)
            kind = LANE if (match["op"], bool(match["less"])) == lane else None
            if match["op"] == b"/" and not match["less"]:
                kind = WARP
            counted = known
        if kind is None or self.lexemes.non_code_at(match.start()) is not None:
            return None
        function = self.functions.at(match.start())
        start, operand = self._operand(match.start())
        if not operand:
            return None
        if not self.is_thread(operand, function):
            if kind != WARP or not _BLOCK.search(operand):
                return None
            kind = COUNT
        given = _GIVEN_TO.search(self.data, max(start - _LONGEST_OPERAND, 0), start)
        name = given[1] if given is not None else b""
        if given is None and function is not None and _RETURNED.search(self.data, max(start - 40, 0), start):
            name = function.name
        return Site(start, match.end(), kind, counted, name)

    def _operand(self, end: int) -> tuple[int, bytes]:
        """What stands in front of an operator: a name, or a bracketed expression."""
        floor = max(end - _LONGEST_OPERAND, 0)
        text = self.data[floor:end].rstrip()
        if text.endswith(b")"):
            depth = 0
            for at in range(len(text) - 1, -1, -1):
                depth += (text[at] == 0x29) - (text[at] == 0x28)
                if depth == 0:
                    return floor + at, text[at:]
            return end, b""
        match = _OPERAND.search(text)
        return (end, b"") if match is None else (floor + match.start(), match[0])

    def is_thread(self, operand: bytes, function: Function | None) -> bool:
        """The expression is a thread's index: `threadIdx`, or variables computed from it."""
        if b"threadIdx" in operand:
            return True
        words = _WORD.findall(operand)
        if any(_BLOCK.fullmatch(word) for word in words):
            return False
        known = self._thread_variables.get(function.start, set()) if function is not None else set()
        return any(word in known or THREAD_NAME.fullmatch(word) for word in words)

    @cached_property
    def _thread_variables(self) -> dict[int, set[bytes]]:
        """By function (its body's place): the variables that are set to an expression with `threadIdx`."""
        found: dict[int, set[bytes]] = {}
        for match in re.finditer(rb"\bthreadIdx\b", self.data):
            function = self.functions.at(match.start())
            if function is None or self.lexemes.non_code_at(match.start()) is not None:
                continue
            head = _THREAD_VARIABLE.search(self.data, max(match.start() - _LONGEST_OPERAND, 0), match.start())
            if head is not None:
                found.setdefault(function.start, set()).add(head[1])
        return found

    @cached_property
    def _site_starts(self) -> list[int]:
        return [site.start for site in self.sites]

    def sites_in(self, function: Function) -> list[Site]:
        """The lane arithmetic of one function."""
        first, last = bisect_left(self._site_starts, function.head), bisect_right(self._site_starts, function.end)
        return self.sites[first:last]

    @cached_property
    def lane_functions(self) -> dict[bytes, tuple[str, str]]:
        """Functions that return a lane or a warp's index: what they count in, and which of the two."""
        return {
            function.name: (site.counted_in, site.kind)
            for site in self.sites
            if (function := self.functions.at(site.start)) is not None and site.given == function.name
        }

    def counts(self, function: Function | None) -> frozenset[str]:
        """What a function counts lanes in: by its own arithmetic, and by the functions that it asks for its lane."""
        if function is None:
            return frozenset()
        kinds = self.kinds(function)
        return kinds[LANE] | kinds[WARP]

    def kinds(self, function: Function) -> dict[str, frozenset[str]]:
        """What a function counts lanes in, and what the warps of its block; by the functions that it asks, too."""
        known = self._kinds.get(function.start)
        if known is None:
            found: dict[str, set[str]] = {LANE: set(), WARP: set()}
            for site in self.sites_in(function):
                if site.kind != COUNT:
                    found[site.kind].add(site.counted_in)
            body = self.data[function.start : function.end]
            for name, (counted, kind) in self.lane_functions.items():
                if name != function.name and re.search(rb"\b" + re.escape(name) + rb"\s*[(<]", body):
                    found[kind].add(counted)
            known = self._kinds[function.start] = {kind: frozenset(counted) for kind, counted in found.items()}
        return known

    @cached_property
    def _kinds(self) -> dict[int, dict[str, frozenset[str]]]:
        return {}

    def has_lane(self, text: bytes, function: Function) -> bool:
        """A text names a lane that its function counts."""
        return self._names(text, function, LANE)

    def has_warp(self, text: bytes, function: Function) -> bool:
        """A text names a warp's index within its block."""
        return self._names(text, function, WARP)

    def _names(self, text: bytes, function: Function, kind: str) -> bool:
        known, texts = self._named(function, kind)
        if any(word in known for word in _WORD.findall(text)):
            return True
        compact = b"".join(text.split())
        return any(site in compact for site in texts)

    def _named(self, function: Function, kind: str) -> tuple[set[bytes], set[bytes]]:
        """The names that stand for lanes or warps in a function, and the expressions that compute them."""
        found = self._names_known.get((function.start, kind))
        if found is None:
            sites = [site for site in self.sites_in(function) if site.kind == kind]
            names = {site.given for site in sites if site.given}
            names.update(name for name, (_, what) in self.lane_functions.items() if what == kind)
            texts = {b"".join(self.data[site.start : site.end].split()) for site in sites}
            found = self._names_known[function.start, kind] = names, texts
        return found

    @cached_property
    def _names_known(self) -> dict[tuple[int, str], tuple[set[bytes], set[bytes]]]:
        return {}
