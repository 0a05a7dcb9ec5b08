"""Where in a source only one warp of a block gets."""

from __future__ import annotations

import re
from functools import cached_property

from hipify_py.analysis.warp.branches import IF, Branch, branches_of
from hipify_py.analysis.warp.lane_arithmetic import THREAD_NAME, WARP, LaneArithmetic
from hipify_py.analysis.warp.warp_constants import THIRTY_TWO
from hipify_py.semantics.functions import Function

_RETURNS = re.compile(rb"[\s{]*return\b")


class SingleWarpRegion:
    """The conditions of one source that hold for a single warp of a block. Found once, when first asked for."""

    def __init__(self, arithmetic: LaneArithmetic) -> None:
        self.data = arithmetic.data
        self.lexemes = arithmetic.lexemes
        self.arithmetic = arithmetic

    def reaches(self, place: int, function: Function | None) -> bool:
        """Only the first (or last) 32 threads of a block get to a place: half of their wavefront is idle there."""
        return function is not None and any(start <= place <= end for start, end in self._single_warp_region(function))

    def branches_to(self, place: int, function: Function) -> bool:
        """As `reaches`, while the others of the block are still there: they have not returned."""
        warps = {site.given for site in self.arithmetic.sites_in(function) if site.kind == WARP and site.given}
        return any(
            start <= place <= end and self._first_warp_says(condition, warps) is True
            for condition, start, end in self.conditions(function)
        )

    def _single_warp_region(self, function: Function) -> list[tuple[int, int]]:
        """Where in a function only the first (or last) 32 threads of a block get."""
        found = self._first_warps.get(function.start)
        if found is None:
            warps = {
                site.given
                for site in self.arithmetic.sites_in(function)
                if site.kind == WARP and site.given and site.counted_in == THIRTY_TWO
            }
            found = self._first_warps[function.start] = []
            for condition, start, end in self.conditions(function):
                says = self._first_warp_says(condition, warps)
                if says is True:
                    found.append((start, end))
                elif says is False and _RETURNS.match(self.data, start, end):
                    found.append((end, function.end))
        return found

    def conditions(self, function: Function) -> list[tuple[bytes, int, int]]:
        """The conditions of a function, without their blanks, and the range of what stands under each."""
        return [(found.condition, found.start, found.end) for found in self.branches(function) if found.keyword == IF]

    def branches(self, function: Function) -> list[Branch]:
        """The branches and loops of a function."""
        found = self._branches.get(function.start)
        if found is None:
            found = self._branches[function.start] = branches_of(self.lexemes, function)
        return found

    @cached_property
    def _first_warps(self) -> dict[int, list[tuple[int, int]]]:
        return {}

    @cached_property
    def _branches(self) -> dict[int, list[Branch]]:
        return {}

    def _first_warp_says(self, condition: bytes, warps: set[bytes]) -> bool | None:
        """True where a condition holds for the first 32 threads alone, False where it holds for all others alone."""
        if b"||" in condition:
            return None
        for part in condition.split(b"&&"):
            match = re.fullmatch(rb"\(*([\w.]+?)\)*(<|>=|==|!=|>)\(?([\w:]+)\)?", part)
            if match is None:
                if part.startswith(b"!") and part[1:] in warps:
                    return True
                if part in warps:
                    return False
                if re.fullmatch(rb"\(?[\w.]+(?:/32|>>5)\)?==0", part) or self._is_last_warp(part):
                    return True
                continue
            left, sign, right = match.groups()
            if left in warps and sign in (b"==", b"!="):
                return sign == b"=="
            if left in warps and sign == b">" and right.rstrip(b"uU") == b"0":
                return False
            is_thread = left.startswith(b"threadIdx.") or THREAD_NAME.fullmatch(left) is not None
            if (
                is_thread
                and b"lane" not in left.lower()
                and (right.rstrip(b"uU") == b"32" or self.arithmetic.constants.counted_in(right) == THIRTY_TWO)
            ):
                return {b"<": True, b">=": False}.get(sign)
        return None

    def _is_last_warp(self, condition: bytes) -> bool:
        """`threadIdx.x >= threads - 32`: the last 32 threads of a block, the other half of whose wavefront is idle."""
        match = re.fullmatch(rb"\(*([\w.]+)\)*>=\(*[\w.:]+-([\w:]+)\)*", condition)
        return (
            match is not None
            and (match[1] == b"threadIdx.x" or THREAD_NAME.fullmatch(match[1]) is not None)
            and b"lane" not in match[1].lower()
            and (match[2].rstrip(b"uU") == b"32" or self.arithmetic.constants.counted_in(match[2]) == THIRTY_TWO)
        )
