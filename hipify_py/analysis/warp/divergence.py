"""Where the threads of a block part: what stands under conditions of their own, and behind early exits."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.branches import LOOPS, SWITCH, Branch
from hipify_py.analysis.warp.lane_arithmetic import THREAD_NAME, WARP
from hipify_py.analysis.warp.single_warp_region import SingleWarpRegion
from hipify_py.analysis.warp.warp_constants import FOLLOWS
from hipify_py.ranges import Ranges
from hipify_py.semantics.functions import Function

_ASSIGNED = re.compile(
    rb"\b([A-Za-z_]\w*)\s*(?:\[[^\[\]=;{}]{0,80}\]\s*)?(?:[-+*/%&|^]|<<|>>)?=(?!=)(?=([^;{}]{1,400}))"
)
_MARKS = re.compile(rb"[(),\[\]]")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_EXIT = re.compile(rb"\b(?:return|break|continue|goto)\b")
_OWN = re.compile(rb"\bthreadIdx\b|\.\s*thread_rank\b|\b__(?:shfl|ballot|any|all|match|activemask)|\blaneid\b")
_WHOLE_WAVEFRONTS = re.compile(rb"\(*threadIdx\.x\)*(?:<|>=)\(*(\d+)[uU]?\)*")
_CHOOSES = re.compile(rb"&&|\|\||\?")
_LEFT = LOOPS | {SWITCH}
_SET = re.compile(rb"[^=!<>]=(?!=)")
_LONGEST_STATEMENT = 400
_PASSES = 3
"""Times that the assignments of a function are gone through: values go around in its loops."""


class Divergence:
    """The places of a source that part of a wavefront may not get to. Found once a function, when first asked for.

    What a value depends on is read from the assignments: the index of a thread, and what is computed or loaded with
    it. A condition on the block or on a kernel's arguments holds for all threads alike.
    """

    def __init__(self, single_warp_region: SingleWarpRegion) -> None:
        self.data = single_warp_region.data
        self.lexemes = single_warp_region.lexemes
        self.arithmetic = single_warp_region.arithmetic
        self._single_warp_region = single_warp_region
        self._known: dict[int, Ranges] = {}
        self._values: dict[int, frozenset[bytes]] = {}

    def parts(self, place: int, function: Function) -> bool:
        """Some threads of a wavefront may get to a place without the others."""
        return place in self._ranges(function) or self._is_chosen(place, function)

    def _ranges(self, function: Function) -> Ranges:
        found = self._known.get(function.start)
        if found is None:
            branches = self._single_warp_region.branches(function)
            apart = [(b.start, b.end) for b in branches if self.is_own(b.condition, function)]
            behind = self._behind_exits(function, branches, Ranges(apart))
            found = self._known[function.start] = Ranges(apart + behind)
        return found

    def _behind_exits(self, function: Function, branches: list[Branch], apart: Ranges) -> list[tuple[int, int]]:
        """What is left to those who did not leave: the rest of the function or the loop, and its next rounds."""
        found: list[tuple[int, int]] = []
        around: list[Branch] = []
        pending = iter(branches)
        following = next(pending, None)
        for match in _EXIT.finditer(self.data, function.start, function.end):
            place = match.start()
            while following is not None and following.start <= place:
                around.append(following)
                following = next(pending, None)
            while around and around[-1].end < place:
                around.pop()
            if place not in apart or self.lexemes.non_code_at(place) is not None:
                continue
            if match[0] in (b"return", b"goto"):
                found.append((place, function.end))
                found += [(loop.start, loop.end) for loop in around if loop.keyword in LOOPS and loop.end >= place]
                continue
            left = next((b for b in reversed(around) if b.keyword in _LEFT and b.end >= place), None)
            if left is not None and left.keyword != SWITCH:
                found.append((place if match[0] == b"continue" else left.start, left.end))
        return found

    def is_own(self, condition: bytes, function: Function) -> bool:
        """A condition may hold for one thread of a wavefront and not for another."""
        whole = _WHOLE_WAVEFRONTS.fullmatch(condition)
        if whole is not None and int(whole[1]) % 64 == 0:
            return False
        if _OWN.search(condition):
            return True
        own = self._own_values(function)
        return any(word in own for word in _WORD.findall(condition))

    def _is_chosen(self, place: int, function: Function) -> bool:
        """`own && __any_sync(…)`: what stands in front of it in its statement decides who gets there."""
        floor = max(function.start, place - _LONGEST_STATEMENT)
        head = self.data[max(floor, *(self.data.rfind(mark, floor, place) + 1 for mark in (b";", b"{", b"}"))) : place]
        return _CHOOSES.search(head) is not None and self.is_own(_SET.split(head)[-1], function)

    def _own_values(self, function: Function) -> frozenset[bytes]:
        """The variables of a function that one thread may have otherwise than another of its wavefront."""
        known = self._values.get(function.start)
        if known is None:
            wavefronts = {
                site.given
                for site in self.arithmetic.sites_in(function)
                if (site.kind, site.counted_in) == (WARP, FOLLOWS)
            }
            head = _WORD.findall(self.data, function.head, function.start)
            own = {word for word in head if THREAD_NAME.fullmatch(word)}
            assigned = [
                (match[1], value, set(_WORD.findall(value)))
                for match in _ASSIGNED.finditer(self.data, function.start, function.end)
                if match[1] not in wavefronts and (value := first_expression(match[2]))
            ]
            for _ in range(_PASSES):
                before = len(own)
                own.update(name for name, value, words in assigned if words & own or _OWN.search(value))
                if len(own) == before:
                    break
            known = self._values[function.start] = frozenset(own)
        return known


def first_expression(text: bytes) -> bytes:
    """A text up to its first comma or closing bracket that is not within brackets of its own."""
    depth = 0
    for mark in _MARKS.finditer(text):
        depth += (mark[0] in b"([") - (mark[0] in b")]")
        if depth < 0 or (mark[0] == b"," and depth == 0):
            return text[: mark.start()]
    return text
