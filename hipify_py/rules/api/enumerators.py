"""Numbers that stand where an enumerator is meant whose number is another one in HIP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from hipify_py.catalog import Catalog, Row
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.frontend.lexer import Lexemes
from hipify_py.patterns import lazy
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import bare, compact, ends_with, entries_of, is_same, operator_of, text_of
from hipify_py.unit import Unit, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_LITERAL = lazy(rb"-?\s*(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_NUMBER = lazy(rb"[0-9](?<![\w.][0-9])\w*")
"""The engine skips to the next digit, and looks back there."""
_NO_DIGITS = lazy(rb"[\suUlL]")
_QUALIFIED = frozenset({"qualified_identifier"})
_OBJECTS = frozenset({"identifier", "field_identifier", "array_declarator"})
_AGAINST_NUMBERS = frozenset({"==", "!=", "="})
_COMPARED = frozenset({"binary_expression", "assignment_expression"})


class EnumeratorNumbers(Rule):
    """Some enumerators have another number in HIP, so an integer in their place names another one, or none.

    Looked at are casts and initialisations of such an enumeration, comparisons and assignments of its variables,
    and arguments of functions that take it. The names are translated; a number is only reported.
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
        for use in unit.uses:
            if use.row.name in types:
                for number in _of_type(unit.tree.leaf(use.start, use.end)):
                    yield from _finding(unit, use.row, compact(number), (number.start_byte, number.end_byte))
            elif "enums" in use.row.details:
                yield from _arguments(unit, use)
        yield from _variables(unit, types, places)


def _numbers(unit: Unit, types: Mapping[str, Row]) -> list[tuple[int, int]]:
    """Where numbers stand that mean another enumerator of one of the types: without one no tree is asked."""
    wanted = {number.removeprefix("-") for row in types.values() for number in row.details["values"]}
    if not wanted:
        return []
    meant: dict[bytes, bool] = {}
    places = []
    for match in _NUMBER.finditer(unit.source.data):
        text = match[0]
        if text not in meant:
            meant[text] = str(_value(text)) in wanted
        if meant[text]:
            places.append(match.span())
    return places


def _of_type(leaf: Node | None) -> Iterator[Node]:
    """The values that a type's name stands in front of: `(T)1`, `T(1)`, `T{1}`, `static_cast<T>(1)`, `T x = 1`."""
    node = ends_with(leaf, _QUALIFIED) if leaf is not None else None
    parent = node.parent if node is not None else None
    if node is None or parent is None:
        return
    if parent.type == "type_descriptor":
        if parent.child_by_field_name("declarator") is not None:
            return  # a pointer
        parent = parent.parent
        if parent is not None and parent.type == "template_argument_list":
            function = parent.parent
            is_cast = function is not None and text_of(function.child_by_field_name("name")).endswith(b"_cast")
            parent = function.parent if is_cast and function is not None else None
    if parent is None:
        return
    if parent.type == "call_expression":
        yield from _values(parent.child_by_field_name("arguments"))
    elif parent.type in ("cast_expression", "compound_literal_expression"):
        yield from _values(parent.child_by_field_name("value"))
    else:
        declared = parent.children_by_field_name("declarator")
        for declarator in declared:
            name = declarator.child_by_field_name("declarator")
            if declarator.type == "init_declarator" and name is not None and name.type in _OBJECTS:
                yield from _values(declarator.child_by_field_name("value"))
        if all(declarator.type in _OBJECTS for declarator in declared):
            yield from _values(parent.child_by_field_name("default_value"))


def _values(node: Node | None) -> Iterator[Node]:
    """The values of an initialiser, those of lists one by one."""
    if node is not None and node.type in ("argument_list", "initializer_list"):
        for entry in entries_of(node):
            yield from _values(entry)
    elif node is not None and _LITERAL.fullmatch(compact(bare(node))) is not None:
        yield bare(node)


def _arguments(unit: Unit, use: Use) -> Iterator[Finding]:
    call = call_at(unit, use.end)
    if call is None:
        return
    for position, type in use.row.details["enums"].items():
        row = unit.catalog.row(type.encode())
        if row is not None and int(position) < len(call.arguments):
            start, end = call.arguments[int(position)]
            text = unit.source.data[start:end]
            if _LITERAL.fullmatch(text) and effective_row(unit, use).hip is not None:
                yield from _finding(unit, row, text, (start, end))


def _variables(unit: Unit, types: Mapping[str, Row], places: Iterable[tuple[int, int]]) -> Iterator[Finding]:
    """Numbers that variables of the types are compared with, or set to."""
    for start, end in places:
        number = _compared(unit, start, end) if _is_by_operator(unit.lexemes, start, end) else None
        expression = number.parent if number is not None else None
        if number is None or expression is None or operator_of(expression) not in _AGAINST_NUMBERS:
            continue
        sides = [expression.child_by_field_name("left"), expression.child_by_field_name("right")]
        other = sides[1] if is_same(sides[0], number) else sides[0]
        found = expression_types(unit).of(other)
        row = types.get(found.name.decode(errors="replace")) if found is not None and not found.pointers else None
        if row is not None:
            yield from _finding(unit, row, text_of(number), (number.start_byte, number.end_byte))


def _is_by_operator(lexemes: Lexemes, start: int, end: int) -> bool:
    """A number, whose sign may stand in front of it, has `=`, `==` or `!=` at its side."""
    data, before = lexemes.data, lexemes.before(start)
    if data[before : before + 1] == b"-":
        before = lexemes.before(before)
    behind = lexemes.after(end)
    return data[before : before + 1] == b"=" or data[behind : behind + 1] == b"=" or data[behind : behind + 2] == b"!="


def _compared(unit: Unit, start: int, end: int) -> Node | None:
    """The number at a place, with its sign, where it is a side of a comparison or an assignment; none in directives."""
    lexemes = unit.lexemes
    if lexemes.in_directive(start) and not lexemes.in_condition(start):
        return None
    node = unit.tree.leaf(start, end)
    while node is not None and _LITERAL.fullmatch(text_of(node)) is not None:
        parent = node.parent
        if parent is not None and parent.type in _COMPARED:
            return node
        node = parent
    return None


def _finding(unit: Unit, row: Row, text: bytes, range: tuple[int, int]) -> Iterator[Finding]:
    """The finding for a number whose meaning differs; nothing for the others."""
    place = range[0]
    if unit.lexemes.non_code_at(place) is not None:
        return
    values = row.details.get("values", {})
    number = _value(text)
    if str(number) not in values:
        return
    meant, fix = values[str(number)], []
    if meant is None:
        detail = f"{row.hip} has no such enumerator"
    else:
        name, _, other = meant.partition("=")
        enumerators = _named_alike(unit.catalog).get((row.library, name), ())
        if len(enumerators) == 1:  # of several each has a number of its own in CUDA
            fix = [Edit(*range, enumerators[0].encode())]
        detail = f"the enumerator meant is {name}, whose number is {other}"
    yield unit.finding("HIP114", place, name=row.name, library=row.library, target=str(number), detail=detail, fix=fix)


@lru_cache(maxsize=2)
def _named_alike(catalog: Catalog) -> dict[tuple[str, str], list[str]]:
    """CUDA's enumerators by library and HIP name."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in catalog.rows():
        if row.kind == "enumerator" and row.hip is not None:
            found.setdefault((row.library, row.hip), []).append(row.name)
    return found


def _value(text: bytes) -> int:
    """A C integer literal's value."""
    digits = _NO_DIGITS.sub(b"", text).decode()
    is_octal = len(digits) > 1 and digits.lstrip("-").isdigit() and digits.lstrip("-").startswith("0")
    try:
        return int(digits, 8 if is_octal else 0)
    except ValueError:
        return 0  # `09` is no literal: the compiler says so
