"""Loops that do nothing but wait: for a lock, or for what another thread is to write."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.analysis.warp.branches import DO, FOR, WHILE
from hipify_py.analysis.warp.context import WarpContext
from hipify_py.semantics.functions import Function

LOCK, FLAG = "lock", "flag"

_NOTHING = re.compile(
    rb"\s*(?:;|\{(?:\s*(?:__nanosleep|__threadfence|__threadfence_block|__builtin_amdgcn_s_sleep)\s*\([^;{}]*\)\s*)?;?\s*\}?)\s*"
)
_LEAVES = re.compile(rb"\s*\{?\s*if\s*\(((?:[^;{}]){1,200})\)\s*\{?\s*break\s*;\s*\}?\s*\}?\s*")
_SETS = re.compile(rb"\s*\{\s*(?:[\w ]+\s)?([A-Za-z_]\w*)\s*=(?!=)([^;{}]{1,200});\s*\}?\s*")
_CHANGES = re.compile(rb"\+\+|--|[^=!<>]=[^=]")
_FREE = rb"(?:-?\d+[uU]?|0[xX][0-9a-fA-F]+[uU]?|[A-Z_][A-Z0-9_]*|k[A-Z]\w*)"
_TAKES = re.compile(
    rb"\batomicCAS(?:_block|_system)?\([^;{}]{1,120},(?P<free>" + _FREE + rb"),(?P<taken>[^;{},]{1,40}?)\)"
    rb"|\batomicExch(?:_block|_system)?\([^;{}]{1,120},(?:1[uU]?|true|[A-Z_][A-Z0-9_]*)\)"
)
_READS = re.compile(
    rb"[!(]*(?:\((?:const)?volatile\w*\*\)\(?&?)?(?:"
    rb"atomic(?:Add|Or|CAS)\(&?(?P<atomic>[A-Za-z_]\w*)(?:\[(?P<at>[^\[\]]{1,80})\]|\+(?P<plus>[^,]{1,80}))?,0[uU]?(?:,0[uU]?)?\)"
    rb"|(?P<array>[A-Za-z_]\w*)\)*\[(?P<inner>[^\[\]]{1,80})\](?:\.load\([\w:.]*\))?"
    rb"|\*\(?(?P<pointer>[A-Za-z_]\w*)(?:\+(?P<step>[^()]{1,80})\))?"
    rb"|(?P<plain>[A-Za-z_]\w*)"
    rb")\)*(?:(?:[!=]=|<=?|>=?)[-\w.:]+)?\)*"
)


class SpinLoop(NamedTuple):
    """A loop that waits; `name` and `element` say what for where it is a flag in memory."""

    place: int
    kind: str
    name: bytes = b""
    element: bytes = b""


def spin_loops_in(context: WarpContext, function: Function) -> list[SpinLoop]:
    """The loops of a function that only wait."""
    found = []
    for branch in context.single_warp_region.branches(function):
        if branch.keyword not in (WHILE, DO, FOR):
            continue
        body = context.data[branch.start : min(branch.end + 1, branch.start + 400)]
        condition = _waits_for(branch.keyword, branch.condition, body)
        if condition is None:
            continue
        takes = _TAKES.search(condition)
        if takes is not None and (takes["free"] is None or takes["free"] != takes["taken"]):
            found.append(SpinLoop(branch.start, LOCK))
            continue
        reads = _READS.fullmatch(condition) if _CHANGES.search(condition) is None else None
        if reads is not None:
            name = reads["atomic"] or reads["array"] or reads["pointer"] or reads["plain"]
            element = reads["at"] or reads["plus"] or reads["inner"] or reads["step"] or b""
            found.append(SpinLoop(branch.start, FLAG, name, element))
    return found


def _waits_for(keyword: bytes, condition: bytes, body: bytes) -> bytes | None:
    """The condition that such a loop looks at each time; None for one that does something."""
    if keyword != FOR and _NOTHING.fullmatch(body):
        return condition if condition not in (b"1", b"true") else None
    if condition in (b"1", b"true", b";;"):
        leaves = _LEAVES.fullmatch(body)
        return None if leaves is None else b"".join(leaves[1].split())
    sets = _SETS.fullmatch(body)
    if keyword != FOR and sets is not None and re.search(rb"\b" + re.escape(sets[1]) + rb"\b", condition):
        return b"".join(sets[2].split())
    return None
