"""Every warp operation of a unit, with its outcome.

Each has exactly one: kept at 32 lanes, native by proof, the author's own, reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.warp.decisions import KEPT, NATIVE, REPORTED, warp_decisions, warp_uses
from hipify_py.analysis.warp.host_reads import QUERIES, size_fields
from hipify_py.analysis.warp.native_proof import LANES_IN_PTX
from hipify_py.analysis.warp.pasted_built_ins import pasted_built_ins
from hipify_py.frontend.unit import Unit
from hipify_py.ptx.statement import statements
from hipify_py.semantics.group_types import VOTES, group_calls, is_group, may_use_groups
from hipify_py.semantics.symbols import names_of

_COLLECTIVES = VOTES | frozenset({b"shfl", b"shfl_up", b"shfl_down", b"shfl_xor"})
_MEMBER = re.compile(rb"\s+")


class WarpOperation(NamedTuple):
    """A warp operation.

    Attributes:
        offset: its start.
        end: the end of its name.
        name: its name.
        library: the table that has it, or `ptx`.
        outcome: one of the constants of `decisions`.
        contradicts: it is over the wavefront in a branch for AMD GPUs, and the warps around it have 32 lanes.
    """

    offset: int
    end: int
    name: str
    library: str
    outcome: str
    contradicts: bool = False

    @property
    def is_field(self) -> bool:
        """Whether it reads `warpSize` of a device's properties."""
        return self.library == "runtime" and self.name.endswith("warpSize")

    @property
    def is_on_host(self) -> bool:
        """Whether host code reads the size of the device's warps."""
        return self.is_field or self.name in QUERIES


def warp_operations(unit: Unit) -> list[WarpOperation]:
    """The warp operations of a unit in source order."""
    return unit.analysis(_census)


def _of_groups(unit: Unit) -> Iterator[WarpOperation]:
    """The collectives of tiles and coalesced groups, whose threads are the same on any GPU."""
    if unit.is_hip or not may_use_groups(unit):
        return
    decisions, names = warp_decisions(unit), names_of(unit)
    for call, group, name in group_calls(unit, _COLLECTIVES):
        if is_group(names, group):
            outcome = decisions.at(call.start_byte)
            outcome = NATIVE if outcome == REPORTED else outcome
            yield WarpOperation(call.start_byte, call.end_byte, name.decode(), "cooperative_groups", outcome)


def _census(unit: Unit) -> list[WarpOperation]:
    decisions, data = warp_decisions(unit), unit.source.data
    found = [
        WarpOperation(*use[:2], use.row.name, use.row.library, decisions.outcome(use), decisions.contradicts(use))
        for use in warp_uses(unit)
    ]
    found += _of_groups(unit)
    for member in size_fields(unit):
        name = _MEMBER.sub(b" ", data[member.start_byte : member.end_byte]).decode(errors="replace")
        outcome = decisions.host_outcome(member.start_byte)
        found.append(WarpOperation(member.start_byte, member.end_byte, name, "runtime", outcome))
    for piece in pasted_built_ins(unit):
        outcome = decisions.at(piece.start)
        outcome = REPORTED if outcome == KEPT and not unit.options.support else outcome
        found.append(WarpOperation(piece.start, piece.end, f"{piece.text.decode()}##", "device", outcome))
    if b"asm" in data and LANES_IN_PTX.search(data):
        for statement in statements(unit.lexemes):
            match = LANES_IN_PTX.search(statement.template.encode(errors="replace"))
            if match is not None:
                name = match[0].decode().rstrip(".")
                outcome = decisions.ptx_outcome(statement.start)
                found.append(WarpOperation(statement.start, statement.end, name, "ptx", outcome))
    return sorted(found)
