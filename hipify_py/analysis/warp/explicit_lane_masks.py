"""Masks that name just the lanes that get to where they are used."""

from __future__ import annotations

import re

from hipify_py.analysis.warp.context import warp_context
from hipify_py.unit import Unit

_FIRST_LANES = re.compile(rb"\(?\(1[uUlL]*<<\(?([\w:.]+)\)?\)-1[uUlL]*\)?")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_FIRST_THREADS = re.compile(rb"\(*([\w.]+)<([\w:.]+?)[uUlL]?\)*")
_REACH = 6000  # bytes in front of a use in which its mask is set


def names_active_lanes(unit: Unit, place: int, mask: bytes) -> bool:
    """A mask `(1u << n) - 1` at a place that only the first `n` threads of a block get to: on any wavefront right."""
    context = warp_context(unit)
    function = context.functions.at(place)
    if function is None:
        return False
    match = _FIRST_LANES.fullmatch(b"".join(_set_to(unit.source.data, mask, place).split()))
    return match is not None and any(
        start <= place <= end and any(_is_below(unit, part, match[1], place) for part in condition.split(b"&&"))
        for condition, start, end in context.single_warp_region.conditions(function)
    )


def _set_to(data: bytes, mask: bytes, place: int) -> bytes:
    """What a name was set to before its use; any other expression is itself."""
    if _NAME.fullmatch(mask) is None:
        return mask
    setting = re.compile(rb"\b" + mask + rb"\s*=(?!=)\s*([^;{}]{1,200});")
    found = b""
    for match in setting.finditer(data, max(place - _REACH, 0), place):
        found = match[1]
    return found


def _is_below(unit: Unit, condition: bytes, count: bytes, place: int) -> bool:
    """A condition says that the number of the thread is below a count."""
    match = _FIRST_THREADS.fullmatch(condition)
    if match is None or match[2] != count:
        return False
    if match[1] == b"threadIdx.x":
        return True
    is_thread = re.compile(rb"\b" + re.escape(match[1]) + rb"\s*=\s*(?:\(\w+\)\s*)?threadIdx\.x\s*[;,]")
    return is_thread.search(unit.source.data, max(place - 2 * _REACH, 0), place) is not None
