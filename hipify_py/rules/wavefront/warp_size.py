"""Reports constants that fix the warp size at 32."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit

_NAME = re.compile(rb"[Ww](?:ARP|arp)_?(?:SIZE|[Ss]ize|THREADS|[Tt]hreads)\w*|LANES_PER_WARP")
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+\w*$")
_DECLARED = re.compile(rb"\b(?:constexpr|const|enum)\b[^;()}]*[\s{,]\w*$")
_MACRO_VALUE = re.compile(rb"[ \t]+\(?32[uU]?\)?(?!\w)")
_CONSTANT_VALUE = re.compile(rb"\s*(?:=\s*|\{\s*)32[uU]?\b")


class WarpSizeLiterals(Rule):
    """A constant called `WARP_SIZE` with the value 32 is wrong on gfx9, whose wavefronts have 64 lanes."""

    id = "HIP302"
    VALID = (Example("#define TILE 32\n__global__ void k() {}"),)
    INVALID = (Example("#define WARP_SIZE 32\n__global__ void k() {}", None, ("HIP302",)),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        data = unit.source.data
        for match in _NAME.finditer(data):
            line_start = data.rfind(b"\n", 0, match.start()) + 1
            head = data[line_start : match.start()]
            is_constant = (_MACRO_VALUE.match(data, match.end()) and _DEFINED.search(head)) or (
                _CONSTANT_VALUE.match(data, match.end()) and _DECLARED.search(head)
            )
            if is_constant and unit.lexemes.skip_at(match.start()) is None:
                name = (re.split(rb"\W", head)[-1] + match[0]).decode(errors="replace")
                place = match.end() - len(name)
                yield unit.finding("HIP302", place, name=name, library="device", detail=f"{name} = 32")
