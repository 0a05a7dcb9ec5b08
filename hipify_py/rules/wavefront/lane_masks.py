"""Reports 32-bit lane masks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.api.calls import call_at
from hipify_py.rules.base import Example, Rule, Unit

_MASKED = re.compile(r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|uni|match_any|match_all|reduce_\w+)_sync")
_LITERAL = re.compile(rb"(?:0[xX][0-9a-fA-F']+|~0|-1)([uUlL]*)")
_WIDE = 64


class LaneMasks(Rule):
    """HIP's lane masks have 64 bits, one for each lane of a gfx9 wavefront.

    A literal of 32 bits fails a static assertion in the `_sync` built-ins of ROCm 7, and leaves the upper
    half of the wavefront out where it compiles.
    """

    id = "HIP301"
    VALID = (Example("__device__ int f(int v) { return __shfl_sync(0xffffffffffffffffull, v, 0); }"),)
    INVALID = (Example("__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }", None, ("HIP301",)),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for use in unit.uses:
            if use.row.library != "device" or _MASKED.fullmatch(use.row.name) is None:
                continue
            call = call_at(unit, use.end)
            if call is None or not call.arguments:
                continue
            start, end = call.arguments[0]
            mask = unit.source.data[start:end]
            if _is_narrow(mask):
                yield unit.finding(
                    "HIP301", start, name=use.row.name, library="device", detail=mask.decode(errors="replace")
                )


def _is_narrow(mask: bytes) -> bool:
    """A literal without a 64-bit suffix or more than 32 bits, or a name that could be one."""
    literal = _LITERAL.fullmatch(mask)
    if literal is None:
        return re.fullmatch(rb"[A-Za-z_]\w*", mask) is not None and re.search(rb"(?i)mask|full|warp", mask) is not None
    if literal[1].lower().count(b"l") >= 2:
        return False
    digits = mask.lower().rstrip(b"ul").replace(b"'", b"")
    return not (digits.startswith(b"0x") and len(digits) - 2 > _WIDE // 8)
