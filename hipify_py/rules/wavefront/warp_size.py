"""Reports constants that fix the warp size at 32."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule, Unit

_CONSTANT = re.compile(
    rb"#[ \t]*define[ \t]+((?:\w*_)?WARP_?SIZE(?:_\w+)?|WARP_THREADS|LANES_PER_WARP)[ \t]+\(?32u?\)?(?!\w)"
    rb"|\b(?:constexpr|const|enum)\b[^;{}()]*?\b(\w*(?i:warp_?size|warp_?threads)\w*)\s*(?:=\s*|\{\s*)32u?\b"
)


class WarpSizeLiterals(Rule):
    """A constant called `WARP_SIZE` with the value 32 is wrong on gfx9, whose wavefronts have 64 lanes."""

    id = "HIP302"
    VALID = (Example("#define TILE 32\n__global__ void k() {}"),)
    INVALID = (Example("#define WARP_SIZE 32\n__global__ void k() {}", None, ("HIP302",)),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        for match in _CONSTANT.finditer(unit.source.data):
            if unit.lexemes.skip_at(match.start()) is None:
                name = (match[1] or match[2]).decode(errors="replace")
                place = match.start(1) if match[1] else match.start(2)
                yield unit.finding("HIP302", place, name=name, library="device", detail=f"{name} = 32")
