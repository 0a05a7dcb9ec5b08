"""The macros that a unit defines: their parameters, and the expressions that they expand to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


class Macro(NamedTuple):
    """A macro's parameters (None for one without), the range of its body, and the offset of its name."""

    name: bytes
    parameters: tuple[bytes, ...] | None
    start: int
    end: int
    place: int


class Macros:
    """The macros that one source defines; a name may have several, in branches of an `#if`."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._by_name: dict[bytes, list[Macro]] = {}
        self._by_start: dict[int, Macro] = {}
        for define in unit.lexemes.defines:
            end = unit.lexemes.body_end(define)
            parameters, body = unit.lexemes.parameter_list(define) or (None, define.end)
            start = min(unit.lexemes.after(body), end)
            macro = Macro(define.text, parameters, start, _code_end(unit, start, end), define.start)
            self._by_name.setdefault(define.text, []).append(macro)
            self._by_start[define.start] = macro

    def named(self, name: bytes) -> list[Macro]:
        """The definitions of a name."""
        return self._by_name.get(name, [])

    def all(self) -> list[Macro]:
        """Every definition, in order."""
        return list(self._by_start.values())

    def around(self, place: int) -> Macro | None:
        """The macro whose body contains a place."""
        define = self._unit.lexemes.define_around(place)
        return None if define is None else self._by_start.get(define.start)

    def body(self, macro: Macro) -> Node | None:
        """The expression that a macro expands to; None for statements and for nothing."""
        if macro.start >= macro.end:
            return None
        node = self._unit.tree.leaf(macro.start, macro.end)
        while node is not None and node.type in ("translation_unit", "expression_statement", "ERROR"):
            if node.named_child_count != 1:
                return None
            node = node.named_children[0]
        is_whole = node is not None and (node.start_byte, node.end_byte) == (macro.start, macro.end)
        return node if is_whole else None


def _code_end(unit: Unit, start: int, end: int) -> int:
    """The end of a body's code, without the comments after it."""
    return max(unit.lexemes.before(end) + 1, start)


def becomes_member(unit: Unit, leaf: Node) -> bool:
    """Whether a macro makes a member, or a string, of its argument: `SHOW(warpSize)` as `prop.warpSize`."""
    arguments = leaf.parent
    call = arguments.parent if arguments is not None and arguments.type == "argument_list" else None
    name = call.child_by_field_name("function") if call is not None else None
    if arguments is None or name is None:
        return False
    around = macros_of(unit).around(leaf.start_byte)
    if around is not None and (name.text or b"") in (around.parameters or ()):
        return True  # a list of names, passed to a macro that uses each: `X(warpSize, WARP_SIZE)`
    position = [child.id for child in arguments.named_children].index(leaf.id)
    return _makes_member(unit, name.text or b"", position, frozenset())


def _makes_member(unit: Unit, name: bytes, position: int, visited: frozenset[bytes]) -> bool:
    for macro in macros_of(unit).named(name) if name not in visited else ():
        if macro.parameters is None or position >= len(macro.parameters):
            continue
        body, parameter = unit.source.data[macro.start : macro.end], re.escape(macro.parameters[position])
        if re.search(rb"(?:\.|->|#)\s*" + parameter + rb"\b", body) is not None:
            return True
        handed_on = re.findall(rb"\b(\w+)\(\s*" + parameter + rb"\s*[,)]", body)
        if any(_makes_member(unit, other, 0, visited | {name}) for other in handed_on):
            return True
    return False


def macros_of(unit: Unit) -> Macros:
    """The macros of a unit, read once."""
    return unit.analysis(Macros)
