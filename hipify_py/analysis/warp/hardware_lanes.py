"""Where a source asks the hardware for a thread's lane, which goes to 63 on gfx9."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.semantics.functions import Function

if TYPE_CHECKING:
    from hipify_py.analysis.warp.context import WarpContext

_HARDWARE = re.compile(rb"%+laneid\b|\b(?:__lane_id|(?:hip)?cub::LaneId)\s*\(\s*\)")
_CUT = re.compile(rb"[\s)]*(?:&|%)\s*\(?\s*(\w[\w:]*)")
_OUTPUT = re.compile(rb'[^;]*?"=[rl]"\s*\(\s*([A-Za-z_]\w*)\s*\)')
_GIVEN = re.compile(
    rb"(?!(?:if|while|for|return|switch)\b)\b([A-Za-z_]\w*)\s*(?:=(?!=)|[({])\s*(?:\([\w\s]*\)\s*|\w+_cast<[\w\s]*>\s*)?[(\s]*(?:[\w]+::)*\Z"
)
_NUMBERS = frozenset({b"31", b"31u", b"0x1f", b"32", b"32u"})
_RETURNS = re.compile(rb"\breturn\b")
_LONGEST_GETTER = 400
_LONGEST_STATEMENT = 200


class HardwareLane(NamedTuple):
    """A place that asks the hardware for the lane, by `name`; the variable `given` takes it (empty: unknown)."""

    place: int
    name: bytes
    function: Function
    given: bytes


class HardwareLanes:
    """The lanes of one source that the hardware counts. Found once, when first asked for."""

    def __init__(self, context: WarpContext) -> None:
        self.context = context
        self.data = context.data
        self.lexemes = context.lexemes

    @cached_property
    def getters(self) -> frozenset[bytes]:
        """The functions of this source that return such a lane."""
        return frozenset(
            function.name for match in self._direct if (function := self._getter_around(match.start())) is not None
        )

    @cached_property
    def _direct(self) -> list[re.Match[bytes]]:
        """PTX and built-ins that ask the hardware itself, and whose answer is not cut to 32 lanes at once."""
        found: list[re.Match[bytes]] = []
        if not any(name in self.data for name in (b"laneid", b"__lane_id", b"LaneId")):
            return found
        for match in _HARDWARE.finditer(self.data):
            skip = self.lexemes.non_code_at(match.start())
            in_string = skip is not None and self.data[skip[0]] in b'"RuUL'
            if in_string == match[0].startswith(b"%") and not self.is_cut(match.end()):
                found.append(match)
        return found

    def is_cut(self, end: int) -> bool:
        """A value that ends at a place is brought down to the lane within 32: `& 31`, `% kWarpSize`."""
        cut = _CUT.match(self.data, end)
        if cut is None:
            return False
        return cut[1].lower() in _NUMBERS or self.context.constants.counted_in(cut[1]) is not None

    def _getter_around(self, place: int) -> Function | None:
        """The function that does no more than to return a lane."""
        function = self.context.functions.at(place)
        if function is None or place < function.start or function.end - function.start > _LONGEST_GETTER:
            return None
        body = self.data[function.start : function.end]
        returns = len(_RETURNS.findall(body)) == 1
        is_cut = any(self.is_cut(match.start()) for match in _CUT.finditer(self.data, function.start, function.end))
        is_kernel = b"__global__" in self.data[function.head : function.start]
        return function if returns and not is_cut and not is_kernel else None

    @cached_property
    def places(self) -> list[HardwareLane]:
        """Where functions ask for such lanes, but for the getters themselves."""
        found = [*self._asked_directly(), *self._asked_by_name()]
        return sorted(found)

    def _asked_directly(self) -> Iterator[HardwareLane]:
        for match in self._direct:
            function = self.context.functions.at(match.start())
            if function is None or self._getter_around(match.start()) is not None:
                continue
            if match[0].startswith(b"%"):
                given = _OUTPUT.match(self.data, match.end(), match.end() + _LONGEST_STATEMENT)
            else:
                given = _GIVEN.search(self.data, max(match.start() - _LONGEST_STATEMENT, 0), match.start())
            name = match[0].rstrip(b"() \t\r\n")
            yield HardwareLane(match.start(), name, function, given[1] if given is not None else b"")

    def _asked_by_name(self) -> Iterator[HardwareLane]:
        names = self.getters | (self.context.asked_elsewhere & self.context.unit.project.warp_helpers.lanes)
        if not names:
            return
        pattern = rb"(?<![\w.>])(" + b"|".join(sorted(map(re.escape, names))) + rb")\s*\(\s*\)"
        for match in re.finditer(pattern, self.data):
            function = self.context.functions.at(match.start())
            if function is None or match.start() < function.start or function.name == match[1]:
                continue
            if self.lexemes.non_code_at(match.start()) is None and not self.is_cut(match.end()):
                given = _GIVEN.search(self.data, max(match.start() - _LONGEST_STATEMENT, 0), match.start())
                yield HardwareLane(match.start(), match[1], function, given[1] if given is not None else b"")
