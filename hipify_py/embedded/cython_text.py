"""The text of Cython: its statements, their words, and what stands around a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

COMMENT, STRING, WORD, OTHER = "comment", "string", "word", "other"
"""The kinds of tokens."""

_TOKEN = re.compile(
    rb"(?P<comment>\#[^\n]*)"
    rb"|(?P<string>(?P<prefix>[A-Za-z]{0,2})"
    rb"(?P<quoted>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    rb"|(?P<word>[A-Za-z_]\w*)|\d\w*|(?P<joint>\\\r?\n)|(?P<line>\n)|(?P<other>[=!<>:+*/%@&|^-]=|[^\s\w])",
    re.DOTALL,
)
_OPENING, _CLOSING = frozenset({b"(", b"[", b"{"}), frozenset({b")", b"]", b"}"})


class Token(NamedTuple):
    """A token: its kind, its place, and its bytes."""

    kind: str
    start: int
    end: int
    text: bytes

    @property
    def quoted(self) -> int:
        """Where a string's quotes begin; its prefix is before them."""
        return self.end - len(self.text.lstrip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))


class Statement(NamedTuple):
    """The tokens of a logical line, at least one, and the columns before it."""

    tokens: list[Token]
    indent: int


class Word(NamedTuple):
    """A word of code.

    Attributes:
        start: where it begins.
        end: where it ends.
        owner: the dotted name before the dot that it follows, empty for another expression; None if it follows none.
        is_keyword: whether it is the name of an argument: `f(word=1)`.
    """

    start: int
    end: int
    owner: bytes | None
    is_keyword: bool


def tokens_of(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a range; those of no interest (numbers) are left out, and each line end is one."""
    for match in _TOKEN.finditer(data, start, len(data) if end is None else end):
        group = match.lastgroup
        if group in {"comment", "word"}:
            yield Token(group, *match.span(), match[0])
        elif match["string"] is not None:
            yield Token(STRING, *match.span(), match[0])
        elif group in {"other", "line"}:
            yield Token(OTHER, *match.span(), match[0])


def statements_of(data: bytes) -> Iterator[Statement]:
    """The statements of a file; brackets and backslashes continue one, and a line with `;` counts as one."""
    tokens: list[Token] = []
    depth = 0
    for token in tokens_of(data):
        if token.kind == COMMENT:
            continue
        if token.text == b"\n":
            if tokens and not depth:
                yield Statement(tokens, _indent(data, tokens[0].start))
                tokens = []
            continue
        depth = max(0, depth + (token.text in _OPENING) - (token.text in _CLOSING))
        tokens.append(token)
    if tokens:
        yield Statement(tokens, _indent(data, tokens[0].start))


def words_of(data: bytes, statement: Sequence[Token]) -> Iterator[Word]:
    """The words of a statement, also those of the expressions in its f-strings."""
    brackets: list[bytes] = []
    owner = b""
    before = b""
    for at, token in enumerate(statement):
        after = statement[at + 1].text if at + 1 < len(statement) else b""
        if token.kind == WORD:
            is_member = before == b"."
            is_keyword = after == b"=" and brackets[-1:] == [b"("]
            yield Word(token.start, token.end, owner if is_member else None, is_keyword)
            owner = token.text if not is_member else owner + b"." + token.text if owner else b""
        elif token.text != b".":
            owner = b""
        if token.kind == STRING and b"f" in data[token.start : token.quoted].lower():
            for start, end in _expressions(data, token):
                yield from words_of(data, [*tokens_of(data, start, end)])
        elif token.text in _OPENING:
            brackets.append(token.text)
        elif token.text in _CLOSING and brackets:
            brackets.pop()
        before = token.text


def _expressions(data: bytes, string: Token) -> Iterator[tuple[int, int]]:
    """The expressions between the braces of an f-string, also those within a format specification."""
    quote = 3 if data[string.quoted : string.quoted + 3] in (b"'''", b'"""') else 1
    at, end = string.quoted + quote, string.end - quote
    specifications = 0
    while at < end:
        char = data[at : at + 1]
        if char == b"{" and (specifications or data[at + 1 : at + 2] != b"{"):
            stop = _expression_end(data, at + 1, end)
            yield at + 1, stop
            at = stop + 2 * (data[stop : stop + 1] == b"!")
            specifications += data[at : at + 1] == b":"
        elif char == b"{":
            at += 1
        elif char == b"}":
            specifications = max(0, specifications - 1)
        at += 1


def _expression_end(data: bytes, start: int, end: int) -> int:
    """Where an expression ends: before `}`, a conversion (`!r`) or a format specification (`:`)."""
    depth = 0
    for token in tokens_of(data, start, end):
        if not depth and token.text in {b"}", b":", b"!"}:
            return token.start
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
    return end


def _indent(data: bytes, place: int) -> int:
    start = data.rfind(b"\n", 0, place) + 1
    line = data[start:place]
    return len(line[: len(line) - len(line.lstrip())].expandtabs())


def cimported_modules(statements: Sequence[Statement]) -> frozenset[bytes]:
    """The names by which a file calls what it cimports: `a.b` of `cimport a.b`, `c` of `from a cimport b as c`."""
    return frozenset(chain.from_iterable(_cimported(statement.tokens) for statement in statements))


def _cimported(tokens: Sequence[Token]) -> Iterator[bytes]:
    words = [token.text for token in tokens if token.text not in {b"(", b")"}]
    if b"cimport" not in words or words[0] not in {b"from", b"cimport"}:
        return
    name: list[bytes] = []
    for word in (*words[words.index(b"cimport") + 1 :], b","):
        if word == b",":
            if name:
                yield b"".join(name)
            name = []
        elif word == b"as":
            name = []
        else:
            name.append(word)
