"""API names that a source passes to its macros, and what the macros make of them: strings, and pasted names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.name_lookups import has_name_lookups

_ENDS = frozenset(b";{}#")


class MacroArgument(NamedTuple):
    """A use of an API name as the whole argument of a macro, and the parameter that it is passed for."""

    use: Use
    macro: Macro
    parameter: bytes


class MacroArguments:
    """The functions of the tables that macros of one source get as arguments, directly or by a list (`LIST(X)`).

    Attributes:
        arguments: those that are uses.
        own: those that name something of the source's own, such as a pointer to the function.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._macros = macros_of(unit)
        self._cache: dict[tuple[bytes, int], list[tuple[int, bytes]]] = {}
        self.arguments = list(self._passed(unit.uses)) if unit.lexemes.defines else []

    @cached_property
    def own(self) -> list[MacroArgument]:
        unit = self._unit
        places = {use.start for use in unit.uses}
        rows = ((name, unit.catalog.row(name.text)) for name in unit.lexemes.names if name.start not in places)
        return list(self._passed(Use(name.start, name.end, row) for name, row in rows if row is not None))

    def _passed(self, uses: Iterable[Use]) -> Iterator[MacroArgument]:
        unit = self._unit
        for use in uses:
            callee = enclosing_call(unit.lexemes, use.start, use.end) if use.row.kind == "function" else None
            if callee is not None:
                name, position = callee
                for macro in self._resolve(name, use.start, set()):
                    if macro.parameters is not None and position < len(macro.parameters):
                        yield MacroArgument(use, macro, macro.parameters[position])

    def _resolve(self, name: bytes, place: int, visited: set[bytes]) -> Iterator[Macro]:
        """The macros that a name means at a place; a parameter of the macro around it means its arguments."""
        around = self._macros.around(place)
        if around is None or around.parameters is None or name not in around.parameters:
            yield from self._macros.named(name)
            return
        if around.name in visited:
            return
        position = around.parameters.index(name)
        for start, argument in self._arguments(around.name, position):
            yield from self._resolve(argument, start, visited | {around.name})

    def _arguments(self, macro: bytes, position: int) -> list[tuple[int, bytes]]:
        """The arguments of a macro's uses for a parameter, each with its place; read once per parameter."""
        cached = self._cache.get((macro, position))
        if cached is None:
            cached = self._cache[macro, position] = list(self._collect(macro, position))
        return cached

    def _collect(self, macro: bytes, position: int) -> Iterator[tuple[int, bytes]]:
        for place in self._unit.lexemes.places(macro):
            call = call_at(self._unit, place + len(macro))
            if call is not None and position < len(call.arguments):
                start, end = call.arguments[position]
                yield start, self._unit.source.data[start:end]


def enclosing_call(lexemes: Lexemes, start: int, end: int) -> tuple[bytes, int] | None:
    """The name before the argument list that `[start, end)` is a whole argument of, and the argument's position."""
    data = lexemes.data
    before, after = lexemes.before(start), lexemes.after(end)
    if data[before : before + 1] not in (b"(", b",") or data[after : after + 1] not in (b")", b","):
        return None
    depth = position = 0
    while before >= 0 and data[before] not in _ENDS:
        byte = data[before : before + 1]
        if byte == b"(" and depth == 0:
            name = lexemes.word_before(before)
            return (name, position) if name else None
        depth += (byte == b")") - (byte == b"(")
        position += byte == b"," and depth == 0
        before = lexemes.before(before)
    return None


CODE, MEMBER, TEXT, PASTED = "code", "member", "text", "pasted"
"""What a macro makes of an argument: a name in code, a member of an object, a string, a part of another name."""


def roles_of(unit: Unit, macro: Macro, parameter: bytes, visited: frozenset[bytes] = frozenset()) -> frozenset[str]:
    """What a macro makes of its arguments for a parameter, itself or by other macros that it passes them to."""
    found = set[str]()
    for token in tokens(unit.lexemes, macro.start, macro.end):
        if token.text != parameter:
            continue
        inner = enclosing_call(unit.lexemes, token.start, token.end)
        macros = macros_of(unit).named(inner[0]) if inner is not None and inner[0] not in visited else []
        for other in macros:
            if inner is not None and other.parameters is not None and inner[1] < len(other.parameters):
                found |= roles_of(unit, other, other.parameters[inner[1]], visited | {macro.name})
        if macros:
            continue
        before, after = unit.lexemes.before(token.start), unit.lexemes.after(token.end)
        sign = unit.lexemes.data[max(before - 1, 0) : before + 1]
        if sign == b"##" or unit.lexemes.data[after : after + 2] == b"##":
            found.add(PASTED)
        elif sign[-1:] == b"#":
            found.add(TEXT)
        else:
            found.add(MEMBER if sign == b"->" or (sign[-1:] == b"." and sign != b"..") else CODE)
    return frozenset(found)


def only_named(unit: Unit) -> frozenset[int]:
    """The offsets of functions that macros get as names only, of members or in strings: they are no references.

    A source that looks functions up by their names means the functions with them.
    """
    if has_name_lookups(unit):
        return frozenset()
    roles: dict[int, set[str]] = {}
    for use, macro, parameter in unit.analysis(MacroArguments).arguments:
        roles.setdefault(use.start, set()).update(roles_of(unit, macro, parameter))
    return frozenset(place for place, found in roles.items() if found and found <= {MEMBER, TEXT})


def passed_on(
    unit: Unit, macro: Macro, parameter: bytes, visited: frozenset[bytes] = frozenset()
) -> Iterator[tuple[Macro, bytes]]:
    """A macro with a parameter of its, and the macros that it passes its argument on to, with theirs."""
    yield macro, parameter
    for token in tokens(unit.lexemes, macro.start, macro.end):
        inner = enclosing_call(unit.lexemes, token.start, token.end) if token.text == parameter else None
        if inner is not None and inner[0] not in visited:
            for other in macros_of(unit).named(inner[0]):
                if other.parameters is not None and inner[1] < len(other.parameters):
                    yield from passed_on(unit, other, other.parameters[inner[1]], visited | {macro.name})


def is_stringized(unit: Unit, macro: Macro, parameter: bytes) -> bool:
    """Whether the macro has `#parameter`."""
    body = [token.text for token in tokens(unit.lexemes, macro.start, macro.end)]
    return (b"#", parameter) in pairwise(body)


def paste_context(unit: Unit, macro: Macro, parameter: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The texts before and after the parameter, where the macro pastes them together."""
    body = [b"", b"", *(token.text for token in tokens(unit.lexemes, macro.start, macro.end)), b"", b""]
    for at, text in enumerate(body):
        if text == parameter and b"##" in (body[at - 1], body[at + 1]):
            before = body[at - 2] if body[at - 1] == b"##" else b""
            after = body[at + 2] if body[at + 1] == b"##" else b""
            yield _word(before), _word(after)


def _word(text: bytes) -> bytes:
    return text if text.isalnum() or b"_" in text else b""
