"""Members of CUDA structs that HIP spells differently or does not have."""

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.variables import Variables
from hipify_py.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.unit import Unit


class StructMembers(Rule):
    """Most CUDA structs have the same members in HIP; a few members are missing or named differently.

    A member belongs to a CUDA struct when the source declares the variable it is taken from with that type.
    Cooperative groups have a rule of their own.
    """

    id = "HIP106"
    VALID = (Example("struct Mine { int clockRate; }; int f(Mine prop) { return prop.clockRate; }"),)

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        structs = {name for name in unit.catalog.members if not name.startswith(b"cooperative_groups::")}
        known = Variables(unit, structs)
        if not known:
            return
        access = re.compile(rb"(?<![\w.>])(" + known.pattern + rb")(?:\[[^\]]*\])?\s*(?:\.|->)\s*([A-Za-z_]\w*)")
        for match in access.finditer(unit.source.data):
            struct = known.type_at(match[1], match.start())
            row = unit.catalog.member(struct, match[2]) if struct else None
            if row is None or unit.lexemes.non_code_at(match.start()) is not None:
                continue
            place = match.start(2)
            if row.hip is None:
                yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
                yield unit.finding("HIP106", place, name=row.name, library=row.library, detail=row.remedy)
            else:
                yield Reference(place, row.name, row.library, row.kind, CONVERTED)
                yield Edit(place, match.end(2), row.hip.encode())
