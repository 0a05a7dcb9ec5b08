"""The macros of which a condition asks whether any one is defined: `defined(A) || defined(B)`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.tokens import Token, tokens
from hipify_py.records import NamedTuple

_DIRECTIVES = frozenset((b"if", b"elif"))


class _Defined(NamedTuple):
    """`defined(name)`: the name stands at `place`."""

    name: bytes
    place: int


_Operand = list[_Defined | Token]
_NOTHING = Token(b"", -1, -1)


def alternatives(lexemes: Lexemes, place: int) -> frozenset[bytes]:
    """The macros of which the condition at `place`, or the part of it in brackets, needs one: `defined(A) || …`.

    The macro at `place` is one of them; empty where it is no such operand.
    """
    at = bisect_right(lexemes.directives, place, key=lambda directive: directive[0]) - 1
    if at < 0:
        return frozenset()
    start = lexemes.directives[at][0]
    groups: list[list[_Operand]] = [[[]]]
    behind_sign = lexemes.data.index(b"#", start) + 1
    for token in tokens(lexemes, behind_sign, lexemes.logical_line_end(start)):
        if token.text in _DIRECTIVES:
            continue
        if token.text == b"(":
            groups.append([[]])
        elif token.text == b")" and len(groups) > 1:
            group = groups.pop()
            if len(group) > 1 and any(found.place == place for found in _defined(group)):
                return frozenset(found.name for found in _defined(group))
            _close(groups[-1][-1], group)
        elif token.text == b"||":
            groups[-1].append([])
        else:
            _add(groups[-1][-1], token)
    found = list(_defined(groups[0]))
    return frozenset(one.name for one in found) if any(one.place == place for one in found) else frozenset()


def _add(operand: _Operand, token: Token) -> None:
    """One more token of an operand; `defined A` becomes one."""
    if operand and operand[-1][0] == b"defined":
        operand[-1] = _Defined(token.text, token.start)
    else:
        operand.append(token)


def _close(operand: _Operand, group: list[_Operand]) -> None:
    """What stood in brackets becomes part of the operand that holds them."""
    inner = group[0][0] if len(group) == 1 and len(group[0]) == 1 else _NOTHING
    if operand and operand[-1][0] == b"defined":
        operand[-1] = _Defined(inner[0], inner[1])
    else:
        operand.append(inner if isinstance(inner, _Defined) else _NOTHING)


def _defined(group: list[_Operand]) -> Iterator[_Defined]:
    """The operands that ask for one macro alone."""
    for operand in group:
        if len(operand) == 1 and isinstance(operand[0], _Defined):
            yield operand[0]
