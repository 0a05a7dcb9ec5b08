"""Reports 32-bit lane masks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.api.calls import call_at
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit

_MASKED = re.compile(r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|uni|match_any|match_all|reduce_\w+)_sync")
_LITERAL = re.compile(rb"\(?\s*(?:0[xX][0-9a-fA-F']+|~0|-1)([uUlL]*)\s*\)?")
_NAME = re.compile(rb"[A-Za-z_]\w*")


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
            if _is_narrow(unit.source.data, mask):
                yield unit.finding(
                    "HIP301", start, name=use.row.name, library="device", detail=mask.decode(errors="replace")
                )


def _is_narrow(data: bytes, mask: bytes) -> bool:
    """A literal of 32 bits, or a name that this source gives such a literal or a 32-bit type."""
    literal = _LITERAL.fullmatch(mask)
    if literal is not None:
        digits = mask.lower().strip(b"() ").rstrip(b"ul").replace(b"'", b"")
        return literal[1].lower().count(b"l") < 2 and not (digits.startswith(b"0x") and len(digits) > len("0x") + 8)
    if _NAME.fullmatch(mask) is None:
        return False
    name = re.escape(mask)
    given = re.search(rb"\b" + name + rb"\b\s*(?:=\s*|\{\s*|[ \t]+)(\(?\s*(?:0[xX][0-9a-fA-F']+|~0|-1)[uUlL]*)", data)
    if given is not None and _is_narrow(data, given[1].strip(b"() ")):
        return True
    return re.search(rb"\b(?:unsigned(?:\s+int)?|int|uint32_t|uint)\s+" + name + rb"\b", data) is not None
