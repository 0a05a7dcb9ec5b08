"""Conditional sections (`#if` to `#endif`), and the values of their conditions.

Conditions are evaluated in three-valued logic: an unknown macro makes the parts that depend on it unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.comments import strip_comments
from hipify_py.frontend.lexer import Lexemes

_TOKEN = lazy_pattern(
    rb"\s*(?:(0[xX][0-9a-fA-F]+|[0-9][0-9']*)[uUlL]*|([A-Za-z_]\w*)|(&&|\|\||<<|>>|[<>=!]=|[-+*/%<>!()&|^~?:,])|(\S))"
)
_NAME = lazy_pattern(rb"[A-Za-z_]")
_WORD = lazy_pattern(rb"#\s*[a-z]+")
_MOST_DIGITS = 40
_LARGEST = 1 << 128  # more than any number that `#if` can hold
_DEEPEST = 30  # nested brackets and operators
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
_KINDS: dict[int | bytes, bytes] = {b"&&": b"&&", b"||": b"||", **dict.fromkeys(_COMPARISONS, b"<")}
_SIGNS: dict[bytes, Callable[[int], int]] = {
    b"!": lambda value: int(not value),
    b"-": lambda value: -value,
    b"+": lambda value: value,
    b"~": lambda value: ~value,
}
_OF_AMD = (b"AMD", b"HIP", b"ROCM", b"HCC", b"__gfx")
_TRUTH = {b"true": 1, b"false": 0}

Macro = Callable[[bytes], "int | None"]
"""The value of a macro's name as a number: 0 where it is not defined, None where it is unknown."""


_Evaluation = Callable[[Macro, Macro, "list[int | None]"], "int | None"]
"""Evaluates a part of a condition from the values of macros and whether they are defined; records each comparison."""


class Branch(NamedTuple):
    """A branch of a conditional section: its directive, and the lines up to the next one.

    Attributes:
        start: the start of the directive.
        body: the start of the lines after it.
        end: the start of the next directive of the section.
        word: `if`, `ifdef`, `ifndef`, `elif` or `else`.
    """

    start: int
    body: int
    end: int
    word: bytes


Section = tuple[Branch, ...]
"""The branches from an `#if` to its `#endif`."""


def may_have_amd_branches(data: bytes) -> bool:
    """False only for a text without a condition that tests for AMD GPUs."""
    return any(hint in data for hint in _OF_AMD)


def sections(lexemes: Lexemes) -> list[Section]:
    """The conditional sections of a source, sorted by their ends; one that is never closed ends with the source."""
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
    """A branch's condition as an expression of `#if`; for an `#else`, which has none, `1`."""
    if branch.word == b"else":
        return b"1"
    text = _WORD.sub(b"", strip_comments(data[branch.start : branch.body]), count=1).strip()
    if branch.word == b"ifdef":
        return b"defined " + text
    return b"!defined " + text if branch.word == b"ifndef" else text


class Part(NamedTuple):
    """A part of a condition.

    Attributes:
        kind: `(`, `!`, `defined`, `name`, `&&`, `||` or `<` (for all comparisons); empty for anything else.
        first: the place of its first token among those of the condition.
        last: the place after its last token.
        signs: the operators of a chain.
        parts: its operands, in order.
        evaluate: gives its value.
    """

    kind: bytes
    first: int
    last: int
    signs: tuple[int | bytes, ...]
    parts: tuple[Part, ...]
    evaluate: _Evaluation

    def value(self, macro: Macro, defined: Macro) -> int | None:
        """Its value, or None where it depends on something unknown."""
        try:
            return self.evaluate(macro, defined, [])
        except (OverflowError, ZeroDivisionError, ValueError):
            return None


class Expression:
    """A condition, parsed once and evaluated as often as there are settings to try."""

    __slots__ = ("_evaluate", "_spans", "_tokens", "names", "text", "whole")

    def __init__(self, text: bytes) -> None:
        self.text = text
        tokens: list[int | bytes] = []
        for number, name, sign, other in _TOKEN.findall(text):
            if other:
                tokens = [b"?"]  # nothing that `#if` could evaluate
                break
            tokens.append(_value(number) if number else name or sign)
        self._tokens = tokens
        self.whole, self._spans = _Reader(tokens).read()
        """The condition as a part; None if it is invalid."""
        self._evaluate = None if self.whole is None else self.whole.evaluate
        self.names = _names(tokens)
        """The macros in the condition, and `defined`."""

    def value(self, macro: Macro, defined: Macro) -> int | None:
        """The value of the condition, or None where it depends on something unknown."""
        return None if self.whole is None else self.whole.value(macro, defined)

    def tokens(self, first: int, last: int) -> list[int | bytes]:
        """The tokens from one place to another: numbers as such."""
        return self._tokens[first:last]

    def names_in(self, part: Part) -> frozenset[bytes]:
        """The macros in a part, and `defined`."""
        return _names(self._tokens[part.first : part.last])

    def values_used(self, part: Part) -> frozenset[bytes]:
        """The macros in a part whose values count, not only whether they are defined."""
        places = range(part.first, part.last)
        return _names(self._tokens[at] for at in places if not self._is_definedness_test(at)) - {b"defined"}

    def places(self) -> list[tuple[int, int]]:
        """The offsets in the text where each token begins and ends."""
        return [match.span(match.lastindex or 0) for match in _TOKEN.finditer(self.text)]

    def comparisons(self, macro: Macro, defined: Macro, names: frozenset[bytes]) -> tuple[int | None, list[int | None]]:
        """The value of the condition, and of each comparison in it that contains one of the names.

        Where one of them is used outside of any comparison, the whole condition counts as one.
        """
        values: list[int | None] = []
        try:
            result = None if self._evaluate is None else self._evaluate(macro, defined, values)
        except (OverflowError, ZeroDivisionError, ValueError):
            return None, [None]
        if self._evaluate is None:
            return None, [None]
        if names.isdisjoint(self.names):
            return result, []
        places = self._places(names)
        compared = [
            value for span, value in zip(self._spans, values, strict=True) if not places.isdisjoint(range(*span))
        ]
        whole = None if result is None else int(result != 0)
        return result, [*compared, whole] if self.has_bare_name(names) else compared

    def has_bare_name(self, names: frozenset[bytes]) -> bool:
        """Whether one of the names is used outside of any comparison."""
        places = self._places(names)
        for span in self._spans:
            places.difference_update(range(*span))
        return bool(places)

    def _places(self, names: frozenset[bytes]) -> set[int]:
        """The places where the value of one of the names is used."""
        return {at for at, token in enumerate(self._tokens) if token in names and not self._is_definedness_test(at)}

    def _is_definedness_test(self, at: int) -> bool:
        """Whether the name there is an operand of `defined`."""
        before = self._tokens[max(at - 2, 0) : at]
        return before[-1:] == [b"defined"] or before == [b"defined", b"("]


def _names(tokens: Iterable[int | bytes]) -> frozenset[bytes]:
    return frozenset(token for token in tokens if isinstance(token, bytes) and _NAME.match(token))


def _value(number: bytes) -> int | bytes:
    """The value of a literal; a question mark, which makes the condition invalid, for one that no type holds."""
    digits = number.replace(b"'", b"")
    if len(digits) > _MOST_DIGITS:
        return b"?"
    return int(digits, 16 if b"x" in digits.lower() else 10)


class _Reader:
    """Parses the tokens of one condition."""

    def __init__(self, tokens: list[int | bytes]) -> None:
        self._tokens = tokens
        self._at = self._depth = 0
        self._spans: list[tuple[int, int]] = []

    def read(self) -> tuple[Part | None, list[tuple[int, int]]]:
        """The condition, and the places of its comparisons in the order of evaluation; None if it is invalid."""
        try:
            whole = self._choice()
        except _Unreadable:
            return None, []
        return (whole, self._spans) if self._at == len(self._tokens) else (None, [])

    def _next(self) -> int | bytes:
        if self._at == len(self._tokens):
            raise _Unreadable
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> int | bytes:
        return self._tokens[self._at] if self._at < len(self._tokens) else b""

    def _part(self, kind: bytes, first: int, evaluate: _Evaluation, *parts: Part) -> Part:
        return Part(kind, first, self._at, (), parts, evaluate)

    def _choice(self) -> Part:
        """`a ? b : c`, or an expression without a question mark."""
        start = self._at
        test = self._binary(0)
        if self._peek() != b"?":
            return test
        self._next()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        first = self._choice()
        if self._next() != b":":
            raise _Unreadable
        second = self._choice()
        self._depth -= 1
        evaluate = _choice_evaluation(test.evaluate, first.evaluate, second.evaluate)
        return self._part(b"", start, evaluate, test, first, second)

    def _binary(self, level: int) -> Part:
        if level == len(_LEVELS):
            return self._unary()
        start = self._at
        first = self._binary(level + 1)
        others: list[tuple[int | bytes, Part]] = []
        while self._peek() in _LEVELS[level]:
            sign = self._next()
            others.append((sign, self._binary(level + 1)))
            if sign in _COMPARISONS:
                self._spans.append((start, self._at))
        if not others:
            return first
        evaluate = _chain(first.evaluate, [(sign, part.evaluate) for sign, part in others])
        signs, parts = zip(*others, strict=True)
        return Part(_KINDS.get(signs[0], b""), start, self._at, signs, (first, *parts), evaluate)

    def _unary(self) -> Part:
        token = self._next()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        found = self._operand(token)
        self._depth -= 1
        return found

    def _operand(self, token: int | bytes) -> Part:
        start = self._at - 1
        if isinstance(token, int):
            return self._part(b"", start, lambda macro, defined, values: token)
        if token in _SIGNS:
            inner = self._unary()
            return self._part(b"!" if token == b"!" else b"", start, _unary_evaluation(token, inner.evaluate), inner)
        if token == b"(":
            inner = self._choice()
            if self._next() != b")":
                raise _Unreadable
            return self._part(b"(", start, inner.evaluate, inner)
        if token == b"defined":
            evaluate = self._definedness()
            return self._part(b"defined", start, evaluate)
        if not _NAME.match(token):
            raise _Unreadable
        if self._peek() == b"(":
            self._skip_arguments()
            return self._part(b"", start, _unknown)
        if token in _TRUTH:
            number = _TRUTH[token]
            return self._part(b"", start, lambda macro, defined, values: number)
        return self._part(b"name", start, lambda macro, defined, values: macro(token))

    def _definedness(self) -> _Evaluation:
        name = self._next()
        if name == b"(":
            name = self._next()
            if self._next() != b")":
                raise _Unreadable
        return (lambda macro, defined, values: defined(name)) if isinstance(name, bytes) else _unknown

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            depth += {b"(": 1, b")": -1}.get(self._next(), 0)  # type: ignore[arg-type]  # a number is none of them
            if not depth:
                return


def _chain(first: _Evaluation, others: list[tuple[int | bytes, _Evaluation]]) -> _Evaluation:
    """Operators of one level, from left to right: a loop, as there may be thousands of them."""

    def evaluate(macro: Macro, defined: Macro, values: list[int | None]) -> int | None:
        left = first(macro, defined, values)
        for sign, right in others:
            left = combined(sign, left, right(macro, defined, values))
            if sign in _COMPARISONS:
                values.append(left)
        return left

    return evaluate


def _choice_evaluation(test: _Evaluation, first: _Evaluation, second: _Evaluation) -> _Evaluation:
    def evaluate(macro: Macro, defined: Macro, values: list[int | None]) -> int | None:
        holds = test(macro, defined, values)
        either = first(macro, defined, values), second(macro, defined, values)  # both: each comparison has a value
        return None if holds is None else either[0] if holds else either[1]

    return evaluate


def _unary_evaluation(sign: bytes, inner: _Evaluation) -> _Evaluation:
    apply = _SIGNS[sign]

    def evaluate(macro: Macro, defined: Macro, values: list[int | None]) -> int | None:
        value = inner(macro, defined, values)
        return None if value is None else apply(value)

    return evaluate


def _unknown(macro: Macro, defined: Macro, values: list[int | None]) -> None:
    return None


class _Unreadable(Exception):
    """Not an expression of `#if`."""


def combined(sign: int | bytes, left: int | None, right: int | None) -> int | None:
    """The result of an operator; None stands for an unknown value, or one that no type holds."""
    found = _combined(sign, left, right)
    return found if found is not None and -_LARGEST < found < _LARGEST else None


def _combined(sign: int | bytes, left: int | None, right: int | None) -> int | None:
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
