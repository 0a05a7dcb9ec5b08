"""Members of CUDA structs that HIP spells differently or does not have."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.lexer import Lexemes
from hipify_py.rules.base import Example, Rule
from hipify_py.translation import CONVERTED, UNSUPPORTED, Reference
from hipify_py.unit import Unit

_DECLARATOR = re.compile(rb"\s*[*&]?\s*(?:const\s+)?([A-Za-z_]\w*)\s*(?:[;=,)\[{]|$)")
_BRACKETS = re.compile(rb"[(){};]")
_NEXT_DECLARATOR = re.compile(rb"\s*,\s*[*&]*\s*([A-Za-z_]\w*)\s*(?=[;=,)\[{])")


class StructMembers(Rule):
    """Most CUDA structs have the same members in HIP; a few members are missing or named differently.

    A member belongs to a CUDA struct when the source declares the variable it is taken from with that type.
    """

    id = "HIP106"
    VALID = (Example("struct Mine { int clockRate; }; int f(Mine prop) { return prop.clockRate; }"),)

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | Reference]:
        variables = _variables(unit)
        if not variables:
            return
        names = b"|".join(sorted({re.escape(variable.name) for variable in variables}, reverse=True))
        access = re.compile(rb"(?<![\w.>])(" + names + rb")(?:\[[^\]]*\])?\s*(?:\.|->)\s*([A-Za-z_]\w*)")
        for match in access.finditer(unit.source.data):
            struct = _struct_of(variables, match[1], match.start())
            row = unit.catalog.member(struct, match[2]) if struct else None
            if row is None or unit.lexemes.skip_at(match.start()) is not None:
                continue
            place = match.start(2)
            if row.hip is None:
                yield Reference(place, row.name, row.library, row.kind, UNSUPPORTED)
                yield unit.finding("HIP106", place, name=row.name, library=row.library, detail=row.remedy)
            else:
                yield Reference(place, row.name, row.library, row.kind, CONVERTED)
                yield Edit(place, match.end(2), row.hip.encode())


class _Variable(NamedTuple):
    """A variable or parameter of a struct of the tables, and where its name means it."""

    name: bytes
    struct: bytes
    start: int
    end: int


def _variables(unit: Unit) -> list[_Variable]:
    data, found = unit.source.data, []
    for use in unit.uses:
        struct = use.row.name.encode()
        if use.row.kind != "type" or struct not in unit.catalog.members:
            continue
        match = _DECLARATOR.match(data, use.end)
        while match is not None:
            found.append(_Variable(match[1], struct, match.start(1), _scope_end(unit.lexemes, match.end(1))))
            match = _NEXT_DECLARATOR.match(data, match.end(1))
    return found


def _struct_of(variables: list[_Variable], name: bytes, place: int) -> bytes | None:
    """The struct of the innermost variable of that name at a place."""
    inside = [variable for variable in variables if variable.name == name and variable.start < place < variable.end]
    return max(inside, key=lambda variable: variable.start).struct if inside else None


def _scope_end(lexemes: Lexemes, place: int) -> int:
    """Where the block around a declaration ends; for a parameter, the body of its function."""
    data, depth, is_parameter = lexemes.data, 0, False
    for mark in _BRACKETS.finditer(data, place):
        if lexemes.skip_at(mark.start()) is not None:
            continue
        if mark[0] in b"({":
            depth += 1
            continue
        if mark[0] == b";":
            if is_parameter and depth == 0:
                return mark.start()  # a prototype's
            continue
        depth -= 1
        if depth < 0 and mark[0] == b")" and not is_parameter:
            depth, is_parameter = 0, True
        elif depth < 0 or (depth == 0 and is_parameter and mark[0] == b"}"):
            return mark.start()
    return len(data)
