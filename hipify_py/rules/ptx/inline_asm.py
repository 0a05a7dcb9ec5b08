"""Reports inline PTX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.unit import Unit

_ASM = re.compile(rb"\b(?:asm|__asm__|__asm)\b\s*(?:(?:volatile|__volatile__|inline)\b\s*)*\(")
_INSTRUCTION = re.compile(rb"(?:\A|[;{}]|\\n|\\t)\s*(?:@!?%?\w+\s+)?([a-z]\w*(?:\.[a-z_]\w*(?:::\w+)*)*)")
_DIRECTIVES = frozenset({b"reg", b"asm"})


class InlineAssembly(Rule):
    """PTX is NVIDIA's: an AMD compiler takes the template for GCN assembly and fails on it.

    A statement with an empty template is a compiler barrier and stays valid.
    """

    id = "HIP201"
    VALID = (Example('__device__ void f() { asm volatile("" ::: "memory"); }'),)
    INVALID = (
        Example('__device__ int f() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }', None, ("HIP201",)),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        data = unit.source.data
        if b"asm" not in data:
            return
        for match in _ASM.finditer(data):
            if unit.lexemes.skip_at(match.start()) is not None:
                continue
            template = _template(unit, match.end())
            if template.strip():
                yield unit.finding("HIP201", match.start(), name="asm", library="ptx", detail=_summary(template))


def _template(unit: Unit, place: int) -> bytes:
    """The adjacent string literals that make the template, joined."""
    lexemes, data = unit.lexemes, unit.source.data
    parts: list[bytes] = []
    while True:
        place = lexemes.after(place)
        skip = lexemes.skip_at(place)
        if skip is None or data[skip[0]] not in b'"R':
            return b"".join(parts)
        parts.append(data[skip[0] : skip[1]].partition(b'"')[2].rstrip(b'"'))
        place = skip[1]


def _summary(template: bytes) -> str:
    names = [name for name in _INSTRUCTION.findall(template) if name not in _DIRECTIVES]
    return ", ".join(dict.fromkeys(name.decode() for name in names)) or template.strip()[:40].decode(errors="replace")
