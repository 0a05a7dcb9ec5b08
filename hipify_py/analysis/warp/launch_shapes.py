"""Kernels whose blocks are rows of 32 threads, as the source launches them."""

from __future__ import annotations

import re
from functools import cached_property

from hipify_py.analysis.warp.warp_constants import THIRTY_TWO, WarpConstants
from hipify_py.semantics.functions import Functions
from hipify_py.semantics.launches import Launch, launches_of
from hipify_py.unit import Unit

_KERNEL = re.compile(rb"([A-Za-z_]\w*)\s*(?:<[^;{}]*>)?\s*\Z")


class LaunchShapes:
    """The shapes of the blocks that one source launches. Found once, when first asked for."""

    def __init__(self, unit: Unit, functions: Functions, constants: WarpConstants) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.functions = functions
        self.constants = constants

    @cached_property
    def single_warp_kernels(self) -> frozenset[bytes]:
        """Kernels that this source launches with blocks of 32 threads in all."""
        return frozenset(name for name, shapes in self._launched.items() if shapes == {b"1"})

    @cached_property
    def row_kernels(self) -> frozenset[bytes]:
        """Kernels that this source launches with blocks of several rows of 32 threads."""
        return frozenset(
            name for name, shapes in self._launched.items() if b"rows" in shapes and shapes <= {b"1", b"rows"}
        )

    @cached_property
    def launches(self) -> list[tuple[bytes, Launch]]:
        """The launches of the source with the names of their kernels."""
        found = []
        for launch in launches_of(self.unit):
            if isinstance(launch, Launch):
                name = _KERNEL.search(self.data[max(launch.callee[0], launch.callee[1] - 300) : launch.callee[1]])
                if name is not None:
                    found.append((name[1], launch))
        return found

    @cached_property
    def _launched(self) -> dict[bytes, set[bytes]]:
        """The kernels that this source launches, with the shapes of their blocks."""
        found: dict[bytes, set[bytes]] = {}
        for name, launch in self.launches:
            block = self.data[slice(*launch.configuration[1])]
            found.setdefault(name, set()).add(self._shape(block, launch.opening))
        return found

    def _shape(self, block: bytes, place: int) -> bytes:
        """`1` for a block of one row of 32 threads, `rows` for several of them, empty for any other."""
        for _ in range(2):
            text = b"".join(block.split())
            rows = re.fullmatch(rb"(?:dim3)?[({]?([\w:]+?)[uU]?(?:,([\w:*/+-]+?)[uU]?)?(?:,(\w+))?[)}]?", text)
            if rows is None:
                return b""
            if rows[1] == b"32" or self.constants.counted_in(rows[1]) == THIRTY_TWO:
                return b"1" if rows[2] in (None, b"1") and rows[3] in (None, b"1") else b"rows"
            function = self.functions.at(place)
            if rows[2] is not None or function is None:
                return b""
            declared = re.compile(rb"\b" + re.escape(rows[1]) + rb"\s*(?:=\s*(?:dim3)?|(?=[({]))\s*([^;=]+);")
            values = declared.findall(self.data, function.start, place)
            if len(values) != 1:
                return b""
            block = values[0]
        return b""
