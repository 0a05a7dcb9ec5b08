"""The macros that a condition tests as alternatives: `defined(A) || defined(B)`, `!defined(A) && !defined(B)`,
`A || B`, and `defined(B) ? 1 : A`, where `A` counts only if `B` is not defined; and those that it tests together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.tokens import Token, tokens

_DIRECTIVES = frozenset((b"if", b"elif"))


class TestedMacro(NamedTuple):
    """A macro that is tested, with the offset of its name."""

    name: bytes
    place: int


_Operand = list[TestedMacro | Token]
_NOTHING = Token(b"", -1, -1)


def alternatives(lexemes: Lexemes, place: int) -> tuple[TestedMacro, ...]:
    """The alternatives in the condition at `place`, or in its part in brackets: at least one must be defined, or none.

    They are in source order. A condition is that of an `#if`, or a macro's body. The macro at `place` is one of them;
    empty where it has no alternative, and where more is tested than whether it is defined.
    """
    return _find_beside(lexemes, place, _operands_beside)


def joint_tests(lexemes: Lexemes, place: int) -> tuple[TestedMacro, ...]:
    """The macros that a condition, or its part in brackets, tests together: `defined(A) && !defined(B)`.

    The macro at `place` is one of them; empty where more is tested than whether it is defined.
    """
    return _find_beside(lexemes, place, _named_macros)


def _find_beside(
    lexemes: Lexemes, place: int, find: Callable[[list[_Operand], int], tuple[TestedMacro, ...]]
) -> tuple[TestedMacro, ...]:
    """The operands beside a place in the innermost brackets that have any."""
    start, end = condition_around(lexemes, place)
    groups: list[list[_Operand]] = [[[]]]
    for token in tokens(lexemes, start, end):
        if token.text in _DIRECTIVES:
            continue
        if token.text == b"(":
            groups.append([[]])
        elif token.text == b")" and len(groups) > 1:
            group = groups.pop()
            found = find(group, place)
            if len(found) > 1:
                return found
            _close(groups[-1][-1], group)
        elif token.text == b"||":
            groups[-1].append([])
        else:
            _add(groups[-1][-1], token)
    return find(groups[0], place)


def condition_around(lexemes: Lexemes, place: int) -> tuple[int, int]:
    """The range of the condition or the macro's body around a place; empty for code."""
    define = lexemes.define_around(place)
    if define is not None:
        return define.end, lexemes.body_end(define)
    at = bisect_right(lexemes.directives, place, key=lambda directive: directive[0]) - 1
    if at < 0:
        return place, place
    start = lexemes.directives[at][0]
    return lexemes.data.index(b"#", start) + 1, lexemes.logical_line_end(start)


def _add(operand: _Operand, token: Token) -> None:
    """Add a token to an operand; `defined A` becomes one token."""
    if operand and operand[-1][0] == b"defined":
        operand[-1] = TestedMacro(token.text, token.start)
    else:
        operand.append(token)


def _close(operand: _Operand, group: list[_Operand]) -> None:
    """Add the contents of brackets to the operand that holds them."""
    inner = group[0][0] if len(group) == 1 and len(group[0]) == 1 else _NOTHING
    if operand and operand[-1][0] == b"defined":
        operand[-1] = TestedMacro(inner[0], inner[1])
    else:
        operand.append(inner if isinstance(inner, TestedMacro) else _NOTHING)


def _operands_beside(group: list[_Operand], place: int) -> tuple[TestedMacro, ...]:
    """The operands beside a place that is in one of them."""
    for found in (tuple(_single(group)), *map(tuple, map(_negated, group)), *map(_stand_in, group)):
        if any(one.place == place for one in found):
            return found
    return ()


def _single(group: list[_Operand]) -> Iterator[TestedMacro]:
    """The operands that are one macro alone."""
    for operand in group:
        if len(operand) == 1:
            yield TestedMacro(*operand[0][:2])


def _negated(operand: _Operand) -> Iterator[TestedMacro]:
    """The macros of which none may be defined: `!defined(A) && !defined(B)`."""
    for part in _conjuncts(operand):
        if len(part) == 2 and part[0][0] == b"!":
            yield TestedMacro(*part[1][:2])


def _named_macros(group: list[_Operand], place: int) -> tuple[TestedMacro, ...]:
    """The macros that the operand around a place names by themselves, negated or not."""
    for operand in group:
        parts = [part[1:] if part and part[0][0] == b"!" else part for part in _conjuncts(operand)]
        found = tuple(TestedMacro(*part[0][:2]) for part in parts if len(part) == 1)
        if any(one.place == place for one in found):
            return found
    return ()


def _conjuncts(operand: _Operand) -> Iterator[_Operand]:
    """The parts of an operand that `&&` joins."""
    start = 0
    for at in range(len(operand) + 1):
        if at == len(operand) or operand[at][0] == b"&&":
            yield operand[start:at]
            start = at + 1


def _stand_in(operand: _Operand) -> tuple[TestedMacro, ...]:
    """A macro that counts only if the other is not defined, and that other: `defined(B) ? 1 : A`."""
    if len(operand) < 5 or not isinstance(operand[0], TestedMacro) or operand[1][0] != b"?" or operand[-2][0] != b":":
        return ()
    return operand[0], TestedMacro(*operand[-1][:2])
