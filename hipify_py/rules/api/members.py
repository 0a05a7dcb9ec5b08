"""Members of CUDA structs that HIP spells differently or does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.unit import Unit

_DECLARATOR = re.compile(rb"\s*[*&]?\s*(?:const\s+)?([A-Za-z_]\w*)\s*(?:[;=,)\[{]|$)")
_NEXT_DECLARATOR = re.compile(rb"\s*,\s*[*&]*\s*([A-Za-z_]\w*)\s*(?=[;=,)\[{])")


class StructMembers(Rule):
    """Most CUDA structs have the same members in HIP; a few members are missing or named differently.

    A member belongs to a CUDA struct when the source declares the variable it is taken from with that type.
    """

    id = "HIP106"
    VALID = (Example("struct Mine { int clockRate; }; int f(Mine prop) { return prop.clockRate; }"),)

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        fields_of = _variables(unit)
        if not fields_of:
            return
        names = b"|".join(sorted(map(re.escape, fields_of), reverse=True))
        access = re.compile(rb"(?<![\w.>])(" + names + rb")(?:\[[^\]]*\])?\s*(?:\.|->)\s*([A-Za-z_]\w*)")
        for match in access.finditer(unit.source.data):
            struct = fields_of[match[1]]
            row = unit.catalog.member(struct, match[2])
            if row is None or unit.lexemes.skip_at(match.start()) is not None:
                continue
            place = match.start(2)
            if row.hip is None:
                yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
                detail = f": {row.advice}" if row.advice else ""
                yield unit.finding("HIP106", place, name=row.name, library=row.library, detail=detail)
            else:
                yield Reference(place, row.name, row.library, row.kind, CONVERTED)
                yield Edit(place, match.end(2), row.hip.encode())


def _variables(unit: Unit) -> dict[bytes, bytes]:
    """Variables and parameters declared with a struct of the tables, and which one."""
    data, found = unit.source.data, {}
    for use in unit.uses:
        struct = use.row.name.encode()
        if use.row.kind != "type" or struct not in unit.catalog.members:
            continue
        match = _DECLARATOR.match(data, use.end)
        while match is not None:
            found[match[1]] = struct
            match = _NEXT_DECLARATOR.match(data, match.end(1))
    return found
