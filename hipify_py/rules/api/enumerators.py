"""Numbers used in place of an enumerator that has another number in HIP."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache

from hipify_py.catalog import Catalog, Row
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.unit import Unit, Use
from hipify_py.frontend.words import words
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.integer_literals import LITERAL, value_of

_COMPUTES = tuple(bytes([sign]) for sign in b"<>+-*/%&|^")
"""What makes another operator of a `=`."""
_ALIAS = lazy_pattern(rb"\b(?:typedef|using)\b")
_STATEMENT = lazy_pattern(rb"[^;{}]*")
_OPERAND_BEFORE = lazy_pattern(rb"(?<![\w.>:])([A-Za-z_]\w*)\s*[=!]?=\s*-?\s*$")
"""A variable before a number, which is no member and has no scope."""
_OPERAND_AFTER = lazy_pattern(rb"\s*[=!]=\s*([A-Za-z_]\w*)\b(?!\s*(?:[.(\[:]|->))")
_NUMBER = lazy_pattern(rb"[0-9](?<![\w.][0-9])\w*")
"""The regex engine skips to the next digit, and looks back there."""


class EnumeratorNumbers(Rule):
    """Some enumerators have another value in HIP, so an integer used instead means another enumerator, or none.

    hipify-py checks casts and initialisations of such an enumeration, comparisons and assignments of its variables,
    and arguments of functions that take it. It translates the names, but only reports a number.
    """

    id = "HIP114"
    triggers = facts(Fact.ENUMERATOR_NUMBERS)
    VALID = (
        Example("int f(int kind) { return kind == 100; }"),
        Example("hiprandRngType_t kind = HIPRAND_RNG_PSEUDO_DEFAULT;"),
    )
    INVALID = (Example("auto kind = (curandRngType_t)100;", "auto kind = (hiprandRngType_t)100;", ("HIP114",)),)

    def apply(self, unit: Unit) -> Iterator[Finding]:
        types = {use.row.name: use.row for use in unit.uses if "values" in use.row.details}
        places = _numbers(unit, types)
        if not places:
            types = {}
        starts = [start for start, _ in places]
        for use in unit.uses:
            if use.row.name in types:
                following = bisect_left(starts, use.end)
                if following == len(starts) or b";" in unit.source.data[use.end : starts[following]]:
                    continue  # no number in this statement
                from hipify_py.rules.api.enumerator_literals import literals_of_type

                for text, place in literals_of_type(unit.tree.leaf(use.start, use.end)):
                    yield from _finding(unit, use.row, text, place)
            elif "enums" in use.row.details:
                yield from _arguments(unit, use)
        yield from _variables(unit, types, places)


def _numbers(unit: Unit, types: Mapping[str, Row]) -> list[tuple[int, int]]:
    """The offsets of numbers that mean another enumerator of one of the types: without one no tree is needed."""
    wanted = {number.removeprefix("-") for row in types.values() for number in row.details["values"]}
    if not wanted:
        return []
    relevant: dict[bytes, bool] = {}
    places = []
    for match in _NUMBER.finditer(unit.source.data):
        text = match[0]
        if text not in relevant:
            relevant[text] = str(value_of(text)) in wanted
        if relevant[text]:
            places.append(match.span())
    return places


def _arguments(unit: Unit, use: Use) -> Iterator[Finding]:
    call = call_at(unit, use.end)
    if call is None:
        return
    for position, type in use.row.details["enums"].items():
        row = unit.catalog.row(type.encode())
        if row is not None and int(position) < len(call.arguments):
            start, end = call.arguments[int(position)]
            text = unit.source.data[start:end]
            if LITERAL.fullmatch(text) and effective_row(unit, use).hip is not None:
                yield from _finding(unit, row, text, (start, end))


def _variables(unit: Unit, types: Mapping[str, Row], places: Iterable[tuple[int, int]]) -> Iterator[Finding]:
    """Numbers that variables of the types are compared with, or set to."""
    if not places:
        return
    from hipify_py.rules.api.enumerator_literals import compared_literals

    variables = _declared_names(unit, types)
    for start, end in places:
        if _is_by_operator(unit.lexemes, start, end) and _may_be_beside(unit, start, end, variables):
            found = compared_literals(unit, start, end)
            row = types.get(found[1]) if found is not None else None
            if found is not None and row is not None:
                yield from _finding(unit, row, *found[0])


def _declared_names(unit: Unit, types: Container[str]) -> frozenset[bytes] | None:
    """The words of all statements that declare something with a type, or by `auto`; None after a `typedef`."""
    data = unit.source.data
    places = [use.start for use in unit.uses if use.row.name in types]
    if any(_ALIAS.search(data[max(data.rfind(b";", 0, place), 0) : place]) for place in places):
        return None
    found, end = set[bytes](), 0
    for place in sorted([*places, *unit.lexemes.places(b"auto")]):
        statement = _STATEMENT.match(data, place) if place >= end else None  # else in the statement before
        if statement is not None:
            found.update(words(statement[0]))
            end = statement.end()
    return frozenset(found)


def _may_be_beside(unit: Unit, start: int, end: int, variables: Container[bytes] | None) -> bool:
    """Whether one of some variables may be on the other side of the operator beside a number: by the words alone."""
    if variables is None:
        return True
    data, lexemes = unit.source.data, unit.lexemes
    left, right = _OPERAND_BEFORE.search(data, max(start - 80, 0), start), _OPERAND_AFTER.match(data, end)
    names = [match[1] for match in (left, right) if match is not None]
    return not names or any(name in variables or lexemes.definitions(name) for name in names)


def _is_by_operator(lexemes: Lexemes, start: int, end: int) -> bool:
    """Whether a number, possibly with a sign, is next to `=`, `==` or `!=`."""
    data, before = lexemes.data, lexemes.before(start)
    if data[before : before + 1] == b"-":
        before = lexemes.before(before)
    if data[before : before + 1] == b"=" and data[before - 1 : before] in _COMPUTES:
        return False
    after = lexemes.after(end)
    return data[before : before + 1] == b"=" or data[after : after + 1] == b"=" or data[after : after + 2] == b"!="


def _finding(unit: Unit, row: Row, text: bytes, range: tuple[int, int]) -> Iterator[Finding]:
    """The finding for a number whose meaning differs; none for the others."""
    place = range[0]
    if unit.lexemes.non_code_at(place) is not None:
        return
    values = row.details.get("values", {})
    number = value_of(text)
    if str(number) not in values:
        return
    enumerators_meant, fix = values[str(number)], []
    if enumerators_meant is None:
        detail = f"{row.hip} has no such enumerator"
    else:
        name, _, other = enumerators_meant.partition("=")
        enumerators = _named_alike(unit.catalog).get((row.library, name), ())
        if len(enumerators) == 1:  # if there are several, each has its own number in CUDA
            fix = [Edit(*range, enumerators[0].encode())]
        detail = f"it means {name}, whose value is {other}"
    yield unit.finding("HIP114", place, name=row.name, library=row.library, target=str(number), detail=detail, fix=fix)


@lru_cache(maxsize=2)
def _named_alike(catalog: Catalog) -> dict[tuple[str, str], list[str]]:
    """CUDA's enumerators by library and HIP name."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in catalog.rows():
        if row.kind == "enumerator" and row.hip is not None:
            found.setdefault((row.library, row.hip), []).append(row.name)
    return found
