"""The tokens of code that no tree reads: the body of a macro, a directive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.patterns import lazy

_TOKEN = lazy(rb"\w+|##|::|->|\+\+|--|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|[^\s\w\\]")


class Token(NamedTuple):
    """A token: `[start, end)` is its place."""

    text: bytes
    start: int
    end: int


def tokens(lexemes: Lexemes, start: int, end: int) -> Iterator[Token]:
    """The tokens in a range. Comments and line continuations are none, a string is one; `>>` is one as well."""
    data, at = lexemes.data, start
    while (match := _TOKEN.search(data, at, end)) is not None:
        at = match.end()
        skip = lexemes.non_code_at(match.start()) if match[0][0] in b"\"'/RuUL" else None
        if skip is None:
            yield Token(match[0], *match.span())
            continue
        at = skip[1]
        if data[skip[0]] != 0x2F:
            yield Token(data[skip[0] : at], *skip)
