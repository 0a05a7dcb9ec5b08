"""API names that a source gives to its macros, and what those make of them: texts, and names put together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward, pieces, trim
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.unit import Unit, Use

_ENDS = frozenset(b";{}#")


class Given(NamedTuple):
    """A use of an API name as the whole argument of a macro, and the parameter that it is given for."""

    use: Use
    macro: Macro
    parameter: bytes


class MacroArguments:
    """The functions of the tables that macros of one source are given, directly or by a list (`LIST(X)`)."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._macros = macros_of(unit)
        self._known: dict[tuple[bytes, int], list[tuple[int, bytes]]] = {}
        self.given: list[Given] = []
        for use in unit.uses if unit.lexemes.defines else ():
            callee = self._callee(use) if use.row.kind == "function" else None
            if callee is not None:
                name, position = callee
                for macro in self._meant(name, use.start, set()):
                    if macro.parameters is not None and position < len(macro.parameters):
                        self.given.append(Given(use, macro, macro.parameters[position]))

    def _callee(self, use: Use) -> tuple[bytes, int] | None:
        """The name in front of the argument list that a use is a whole argument of, and the argument's position."""
        lexemes, data = self._unit.lexemes, self._unit.source.data
        before, behind = lexemes.before(use.start), lexemes.after(use.end)
        if data[before : before + 1] not in (b"(", b",") or data[behind : behind + 1] not in (b")", b","):
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

    def _meant(self, name: bytes, place: int, seen: set[bytes]) -> Iterator[Macro]:
        """The macros that a name means at a place; a parameter of the macro around it means what that is given."""
        around = self._macros.around(place)
        if around is None or around.parameters is None or name not in around.parameters:
            yield from self._macros.named(name)
            return
        if around.name in seen:
            return
        position = around.parameters.index(name)
        for start, argument in self._arguments(around.name, position):
            yield from self._meant(argument, start, seen | {around.name})

    def _arguments(self, macro: bytes, position: int) -> list[tuple[int, bytes]]:
        """What the uses of a macro give for a parameter, with the place of each; read once a parameter."""
        known = self._known.get((macro, position))
        if known is None:
            known = self._known[macro, position] = list(self._read(macro, position))
        return known

    def _read(self, macro: bytes, position: int) -> Iterator[tuple[int, bytes]]:
        lexemes, data = self._unit.lexemes, self._unit.source.data
        for match in re.finditer(rb"\b" + re.escape(macro) + rb"\s*\(", data):
            if lexemes.non_code_at(match.start()) is not None:
                continue
            found = match_forward(lexemes, match.end() - 1, lexemes.code_end(match.start()))
            ranges = [] if found is None else pieces(match.end() - 1, *found)
            if position < len(ranges):
                start, end = trim(lexemes, *ranges[position])
                yield start, data[start:end]


def makes_text(data: bytes, macro: Macro, parameter: bytes) -> bool:
    """The macro writes `#parameter`."""
    return re.search(rb"(?<!#)#\s*" + re.escape(parameter) + rb"\b", data[macro.start : macro.end]) is not None


def pasted_around(data: bytes, macro: Macro, parameter: bytes) -> Iterator[tuple[bytes, bytes]]:
    """What stands in front of the parameter and behind it, where the macro pastes them together."""
    word = rb"\b" + re.escape(parameter) + rb"\b"
    for match in re.finditer(rb"(?:(\w*)\s*##\s*)?" + word + rb"(?:\s*##\s*(\w*))?", data[macro.start : macro.end]):
        if match[1] is not None or match[2] is not None:
            yield match[1] or b"", match[2] or b""
