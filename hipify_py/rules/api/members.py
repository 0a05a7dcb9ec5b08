"""Members of CUDA structs that HIP spells differently or does not have."""

import re
from collections.abc import Iterator

from hipify_py.catalog import Row
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts


class StructMembers(Rule):
    """Most CUDA structs have the same members in HIP; a few members are missing or named differently.

    A member belongs to a CUDA struct if the source shows that its object has that type: a variable, an element, a
    member of another struct, or the object behind a smart pointer or an `auto`.
    A separate rule covers cooperative groups.
    """

    id = "HIP106"
    triggers = facts(Fact.USED_TYPES)
    VALID = (
        Example("struct Mine { int clockRate; }; int f(Mine prop) { return prop.clockRate; }"),
        Example("struct Mine { int clockRate; }; int f(std::vector<Mine> v) { return v[0].clockRate; }"),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        catalog = unit.catalog
        types = {use.row.name.encode() for use in unit.uses if use.row.kind == "type"} & catalog.members.keys()
        words = unit.lexemes.words
        fields = {field for type in types for field in catalog.members[type] if field in words}
        if not fields:
            return
        accesses = re.compile(rb"(?:\.|->|::|,)\s*(" + b"|".join(sorted(fields)) + rb")\b")
        for match in accesses.finditer(unit.source.data):
            place, end = match.span(1)
            if unit.lexemes.non_code_at(match.start()) is None:
                row = _row(unit, place, end)
                if row is not None:
                    yield from _items(unit, row, place, end)


def _row(unit: Unit, start: int, end: int) -> Row | None:
    """The row of a member's name, if some table has one."""
    from hipify_py.semantics.accesses import owner_at

    struct = owner_at(unit, start, end)
    if struct is None or struct.startswith(b"cooperative_groups::"):
        return None
    return unit.catalog.member(struct, unit.source.data[start:end])


def _items(unit: Unit, row: Row, start: int, end: int) -> Iterator[Edit | Finding | Reference]:
    if row.hip is None:
        yield Reference(start, row.name, row.library, row.kind, UNSUPPORTED)
        yield unit.finding("HIP106", start, name=row.name, library=row.library, detail=row.remedy)
    else:
        yield Reference(start, row.name, row.library, row.kind, CONVERTED)
        yield Edit(start, end, row.hip.encode())
