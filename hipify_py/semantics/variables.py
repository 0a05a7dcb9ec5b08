"""Variables and parameters that a source declares with a type of the tables, and where their names mean them."""

import re
from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.unit import Unit

_DECLARATOR = re.compile(rb"\s*[*&]?\s*(?:const\s+)?(?:__restrict(?:__)?\s+)?([A-Za-z_]\w*)\s*(?:[;=,)\[{]|$)")
_FUNCTION = re.compile(rb"\s+([A-Za-z_]\w*)\s*\(")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_BRACKETS = re.compile(rb"[(){};]")
_ALIAS = re.compile(
    rb"\btypedef\s+(?:const\s+)?\Z|\busing\s+(\w+)\s*=\s*(?:const\s+)?\Z|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\Z",
    re.MULTILINE,
)
_ALIAS_TAIL = re.compile(rb"\s+([A-Za-z_]\w*)\s*;")
NUMBER_ADDRESS = "number *"
"""What `by_type` calls the address of an integer or floating-point number of the language's own types."""
_NUMBER = re.compile(
    rb"(?:(?:un)?signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|float|double"
    rb"|(?:u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)"
)
_LONGEST_ALIAS = 80  # bytes in front of the type
_NEXT_DECLARATOR = re.compile(rb"\s*,\s*[*&]*\s*([A-Za-z_]\w*)\s*(?=[;=,)\[{])")


class Variable(NamedTuple):
    """A variable or parameter of a type of the tables; `[start, end)` is where its name means it."""

    name: bytes
    type: bytes
    start: int
    end: int


class Variables:
    """The variables and parameters that a unit declares with one of some types or an alias of it; with `functions`,
    what returns one."""

    def __init__(self, unit: Unit, types: Container[bytes], *, functions: bool = False) -> None:
        self._by_name: dict[bytes, list[Variable]] = {}
        aliases: dict[bytes, bytes] = {}
        for use in unit.uses:
            type = use.row.name.encode()
            if use.row.kind != "type" or type not in types:
                continue
            alias = _alias(unit.source.data, use.start, use.end)
            if alias:
                aliases[alias] = type
            else:
                self._declared_behind(unit, use.end, type, functions)
        if aliases:
            names = re.compile(rb"(?<![\w.>])(?:" + b"|".join(map(re.escape, aliases)) + rb")(?!\w)")
            for name in names.finditer(unit.source.data):
                if unit.lexemes.non_code_at(name.start()) is None:
                    self._declared_behind(unit, name.end(), aliases[name[0]], functions)

    def _declared_behind(self, unit: Unit, place: int, type: bytes, functions: bool) -> None:
        """Take up what is declared behind the name of a type that ends at a place."""
        data = unit.source.data
        match = _DECLARATOR.match(data, place) or (_FUNCTION.match(data, place) if functions else None)
        while match is not None:
            end = scope_end(unit.lexemes, match.end(1))
            self._by_name.setdefault(match[1], []).append(Variable(match[1], type, match.start(1), end))
            match = _NEXT_DECLARATOR.match(data, match.end(1))

    def __bool__(self) -> bool:
        return bool(self._by_name)

    @property
    def pattern(self) -> bytes:
        """A regular expression for their names."""
        return b"|".join(sorted(map(re.escape, self._by_name), reverse=True))

    def type_at(self, name: bytes, place: int) -> bytes | None:
        """The type of the innermost variable of that name at a place; None where the name is another's."""
        inside = [variable for variable in self._by_name.get(name, ()) if variable.start < place < variable.end]
        return max(inside, key=lambda variable: variable.start).type if inside else None


def _alias(data: bytes, start: int, end: int) -> bytes:
    """The name that a typedef, a `using` or a macro gives to the type that stands in `[start, end)`; else nothing."""
    head = _ALIAS.search(data, max(start - _LONGEST_ALIAS, 0), start)
    if head is None:
        return b""
    if head[1] or head[2]:
        return head[1] or head[2]
    tail = _ALIAS_TAIL.match(data, end)
    return tail[1] if tail is not None else b""


def types_of(unit: Unit, arguments: list[tuple[int, int]], wanted: frozenset[str]) -> dict[int, str]:
    """What `by_type` goes by, by position: a type of the tables, an enumerator itself, `{}`, or `number *`.

    Args:
        unit: the source.
        arguments: the places of a call's arguments.
        wanted: the types and enumerators that matter.
    """
    known, places = _declared(unit, wanted)
    data, found = unit.source.data, {}
    for position, (start, end) in enumerate(arguments):
        if data[start : start + 1] == b"{":
            found[position] = "{}"
        elif NUMBER_ADDRESS in wanted and _points_to_number(unit, start, end):
            found[position] = NUMBER_ADDRESS
            continue
        head = _NAME.match(data, start, end)
        if head is None:
            continue
        type = known.type_at(head[0], start)
        name = places.get((start, head.end()))
        if name is not None and (head.end() == end or data[unit.lexemes.after(head.end())] in b"({"):
            found[position] = name  # an enumerator, or `type{...}`
        elif type is not None:
            found[position] = type.decode()
    return found


def _points_to_number(unit: Unit, start: int, end: int) -> bool:
    """The expression there is an address of a number of the language's own types, as far as the source tells."""
    from hipify_py.semantics.expression_types import pointee_of
    from hipify_py.semantics.symbols import names_of

    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return False
    return _NUMBER.fullmatch(b" ".join(pointee_of(names_of(unit), node).split())) is not None


@lru_cache(maxsize=4)
def _declared(unit: Unit, wanted: frozenset[str]) -> tuple[Variables, dict[tuple[int, int], str]]:
    """A unit's variables of the wanted types, and where the wanted names stand; gathered once a unit."""
    places = {(use.start, use.end): use.row.name for use in unit.uses if use.row.name in wanted}
    return Variables(unit, frozenset(name.encode() for name in wanted)), places


def scope_end(lexemes: Lexemes, place: int) -> int:
    """Where the block around a declaration ends; for a parameter, the body of its function."""
    data, depth, is_parameter = lexemes.data, 0, False
    for mark in _BRACKETS.finditer(data, place):
        if lexemes.non_code_at(mark.start()) is not None:
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
