"""Macros of a source's own that stand for a vendor: `MINE_CUDA` where CUDA's compiler is, `MINE_HIP` where HIP's is.

They are known as such where a condition has them as alternatives, `defined(MINE_CUDA) || defined(MINE_HIP)`: the source
serves both vendors then, though it asks for their compilers in sections apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from hipify_py.core.unit import Unit
from hipify_py.frontend.alternatives import alternatives
from hipify_py.frontend.conditions import Branch, Expression, condition, sections

COMPILER_OR_PLATFORM = re.compile(rb"__HIP(?:CC)?__|__HIP_PLATFORM_\w+")
"""The macros that HIP's compiler defines, or who builds with it."""
_DEVICE_PASS = b"__HIP_DEVICE_COMPILE__"


class VendorMacros:
    """Those of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        every = sections(unit.lexemes) if b"__HIP" in unit.source.data else ()
        self._branches = sorted(branch for section in every for branch in section if branch.word != b"else")
        asking = filter(self._asks_for_hip, self._branches)
        self._of_hip = frozenset(name for branch in asking for name in self._made(branch))
        self._of_cuda: dict[bytes, bool] = {}

    def are_made(self, place: int) -> bool:
        """CUDA's macro at a place, in a condition or a macro's body, makes one that a macro of HIP's stands beside."""
        if not self._of_hip:
            return False
        define = self._unit.lexemes.define_around(place)
        if define is not None:
            return self._is_beside(define.text)
        at = bisect_right(self._branches, place, key=lambda branch: branch.start) - 1
        if at < 0 or place >= self._branches[at].body:
            return False
        return any(map(self._is_beside, self._made(self._branches[at])))

    def _asks_for_hip(self, branch: Branch) -> bool:
        """The branch is compiled only where one of HIP's macros is defined."""
        text = self._unit.source.data[branch.start : branch.body]
        return b"__HIP" in text and Expression(condition(self._unit.source.data, branch)).value(_without, _without) == 0

    def _made(self, branch: Branch) -> list[bytes]:
        """The macros that a branch defines."""
        defines = self._unit.lexemes.defines
        first = bisect_right(defines, branch.body, key=lambda define: define.start)
        last = bisect_right(defines, branch.end, key=lambda define: define.start)
        return [define.text for define in defines[first:last]]

    def _is_beside(self, name: bytes) -> bool:
        if name not in self._of_cuda:
            lexemes = self._unit.lexemes
            self._of_cuda[name] = name not in self._of_hip and any(
                one.name in self._of_hip
                for place in lexemes.places(name)
                if lexemes.in_condition(place)
                for one in alternatives(lexemes, place)
            )
        return self._of_cuda[name]


def _without(name: bytes) -> int | None:
    """What macros come to where HIP's are not defined."""
    return 0 if name == _DEVICE_PASS or COMPILER_OR_PLATFORM.fullmatch(name) else None
