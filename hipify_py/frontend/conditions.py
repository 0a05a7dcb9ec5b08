"""Conditional sections (`#if` to `#endif`), and what their conditions come to.

Conditions are evaluated in three values: a macro of which nothing is known makes the parts that hang on it unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes

_TOKEN = re.compile(
    rb"\s*(?:(0[xX][0-9a-fA-F]+|[0-9][0-9']*)[uUlL]*|([A-Za-z_]\w*)|(&&|\|\||<<|>>|[<>=!]=|[-+*/%<>!()&|^~?:,])|(\S))"
)
_NAME = re.compile(rb"[A-Za-z_]")
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_WORD = re.compile(rb"#[ \t]*[a-z]+")
_DEEPEST = 30  # brackets and operators within each other
_LEVELS: tuple[frozenset[bytes], ...] = (
    frozenset((b"||",)),
    frozenset((b"&&",)),
    frozenset((b"|",)),
    frozenset((b"^",)),
    frozenset((b"&",)),
    frozenset((b"==", b"!=")),
    frozenset((b"<", b">", b"<=", b">=")),
    frozenset((b"<<", b">>")),
    frozenset((b"+", b"-")),
    frozenset((b"*", b"/", b"%")),
)
_COMPARISONS = _LEVELS[5] | _LEVELS[6]

Macro = Callable[[bytes], "int | None"]
"""What a macro's name comes to as a number: 0 where it is not defined, None where nobody knows."""


class Branch(NamedTuple):
    """A branch of a conditional section: its directive, and the lines up to the next one.

    Attributes:
        start: where the directive begins.
        body: where the lines behind it begin.
        end: where the next directive of the section begins.
        word: `if`, `ifdef`, `ifndef`, `elif` or `else`.
    """

    start: int
    body: int
    end: int
    word: bytes


Section = tuple[Branch, ...]
"""The branches from an `#if` to its `#endif`."""


def sections(lexemes: Lexemes) -> list[Section]:
    """The conditional sections of a source by their ends; one that is never closed ends with the source."""
    found: list[Section] = []
    stack: list[list[Branch]] = []
    for start, word in lexemes.directives:
        if word == b"pragma":
            continue
        if word in (b"elif", b"else", b"endif"):
            if not stack:
                continue
            stack[-1][-1] = stack[-1][-1]._replace(end=start)
            if word == b"endif":
                found.append(tuple(stack.pop()))
                continue
        else:
            stack.append([])
        stack[-1].append(Branch(start, lexemes.logical_line_end(start), len(lexemes.data), word))
    while stack:
        found.append(tuple(stack.pop()))
    return found


def condition(data: bytes, branch: Branch) -> bytes:
    """A branch's condition as an expression of `#if`; of an `#else`, which has none, `1`."""
    if branch.word == b"else":
        return b"1"
    text = data[branch.start : branch.body]
    text = _COMMENT.sub(b" ", _WORD.sub(b"", text, count=1).replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")).strip()
    if branch.word == b"ifdef":
        return b"defined " + text
    return b"!defined " + text if branch.word == b"ifndef" else text


class Expression:
    """A condition, taken apart once and evaluated as often as there are settings to try."""

    __slots__ = ("_at", "_comparisons", "_defined", "_depth", "_macro", "_tokens", "has_alone", "names", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.has_alone = False
        """The last question was about a name that stands outside of any comparison."""
        tokens: list[int | bytes] = []
        for number, name, sign, other in _TOKEN.findall(text):
            if other:
                tokens = [b"?"]  # nothing that `#if` could evaluate
                break
            tokens.append(
                int(number.replace(b"'", b""), 16 if b"x" in number.lower() else 10) if number else name or sign
            )
        self._tokens = tokens
        self.names = frozenset(token for token in tokens if isinstance(token, bytes) and _NAME.match(token))
        """The macros that the condition speaks of, and `defined`."""

    def value(self, macro: Macro, defined: Macro) -> int | None:
        """What the condition comes to, or None where that hangs on something unknown."""
        return self.comparisons(macro, defined, frozenset())[0]

    def comparisons(self, macro: Macro, defined: Macro, names: frozenset[bytes]) -> tuple[int | None, list[int | None]]:
        """What the condition comes to, and what each comparison within it that speaks of one of the names does.

        Where one of them stands for itself, outside of any comparison, the whole condition counts as one.
        """
        self._at, self._depth, self._macro, self._defined = 0, 0, macro, defined
        self._comparisons: list[tuple[int, int, int | None]] = []
        try:
            result = self._binary(0)
        except (_Unreadable, OverflowError, ZeroDivisionError, ValueError):
            return None, [None]
        if self._at != len(self._tokens):
            return None, [None]
        if names.isdisjoint(self.names):
            return result, []
        places = {at for at, token in enumerate(self._tokens) if token in names and not self._is_asked_for(at)}
        asked = []
        for start, end, value in self._comparisons:
            if not places.isdisjoint(range(start, end)):
                asked.append(value)
        for start, end, _ in self._comparisons:
            places.difference_update(range(start, end))
        self.has_alone = bool(places)
        whole = None if result is None else int(result != 0)
        return result, [*asked, whole] if places else asked

    def _is_asked_for(self, at: int) -> bool:
        """The name there is an operand of `defined`."""
        before = self._tokens[max(at - 2, 0) : at]
        return before[-1:] == [b"defined"] or before == [b"defined", b"("]

    def _next(self) -> int | bytes:
        if self._at == len(self._tokens):
            raise _Unreadable
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> int | bytes:
        return self._tokens[self._at] if self._at < len(self._tokens) else b""

    def _binary(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self._unary()
        start = self._at
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            sign = self._next()
            left = combined(sign, left, self._binary(level + 1))
            if sign in _COMPARISONS:
                self._comparisons.append((start, self._at, left))
        return left

    def _unary(self) -> int | None:
        token = self._next()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        try:
            return self._operand(token)
        finally:
            self._depth -= 1

    def _operand(self, token: int | bytes) -> int | None:
        if isinstance(token, int):
            return token
        if token in (b"!", b"-", b"+", b"~"):
            inner = self._unary()
            return None if inner is None else {b"!": int(not inner), b"-": -inner, b"+": inner, b"~": ~inner}[token]
        if token == b"(":
            inner = self._binary(0)
            if self._next() != b")":
                raise _Unreadable
            return inner
        if token == b"defined":
            name = self._next()
            if name == b"(":
                name = self._next()
                if self._next() != b")":
                    raise _Unreadable
            return self._defined(name) if isinstance(name, bytes) else None
        if not _NAME.match(token):
            raise _Unreadable
        if self._peek() == b"(":
            self._skip_arguments()
            return None
        return {b"true": 1, b"false": 0}.get(token, self._macro(token))

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            depth += {b"(": 1, b")": -1}.get(self._next(), 0)  # type: ignore[arg-type]  # a number is none of them
            if not depth:
                return


class _Unreadable(Exception):
    """No expression of `#if`."""


def combined(sign: int | bytes, left: int | None, right: int | None) -> int | None:
    """What an operator makes of two values, None standing for one that is not known."""
    if sign == b"&&":
        return 0 if left == 0 or right == 0 else None if left is None or right is None else 1
    if sign == b"||":
        return 1 if left or right else None if left is None or right is None else 0
    if left is None or right is None:
        return None
    match sign:
        case b"==":
            return int(left == right)
        case b"!=":
            return int(left != right)
        case b"<":
            return int(left < right)
        case b">":
            return int(left > right)
        case b"<=":
            return int(left <= right)
        case b">=":
            return int(left >= right)
        case b"+":
            return left + right
        case b"-":
            return left - right
        case b"*":
            return left * right
        case b"/" if right:
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case b"%" if right:
            return left % right
        case b"&":
            return left & right
        case b"|":
            return left | right
        case b"^":
            return left ^ right
        case b"<<" if 0 <= right < 64:
            return left << right
        case b">>" if 0 <= right < 64:
            return left >> right
    return None
