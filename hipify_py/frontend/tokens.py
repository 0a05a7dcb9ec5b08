"""The tokens of code that is in no tree: the body of a macro, a directive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

_TOKEN = lazy_pattern(rb"\w+|##|::|->|\+\+|--|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|[^\s\w\\]")

_SLASH = 0x2F
_LITERALS = b"\"'RuUL"
_BEGINNINGS = _LITERALS + b"/"
"""The prefixes of comments and literals."""


class Token(NamedTuple):
    """A token at `[start, end)`."""

    text: bytes
    start: int
    end: int


def tokens(lexemes: Lexemes, start: int, end: int) -> Iterator[Token]:
    """The tokens in a range, without comments and line continuations; a string is one token, and so is `>>`."""
    data, at = lexemes.data, start
    while at < end:
        for match in _TOKEN.finditer(data, at, end):
            text = match[0]
            skip = lexemes.non_code_at(match.start()) if text[0] in _BEGINNINGS else None
            if skip is not None:
                at = skip[1]
                if data[skip[0]] != _SLASH:
                    yield Token(data[skip[0] : at], *skip)
                break
            yield Token(text, match.start(), match.end())
        else:
            return


def texts(lexemes: Lexemes, start: int, end: int) -> list[bytes]:
    """The texts of the tokens in a range: the text between comments and literals is split in one go."""
    data, found, at = lexemes.data, list[bytes](), start
    is_plain = lexemes.non_code_at(start) is None
    for first, last in lexemes.comments_and_literals_in(start, end) if is_plain else ():
        found += _TOKEN.findall(data, at, first)
        if data[first] in _LITERALS:
            found.append(data[first:last])
        elif data[first] != _SLASH:
            is_plain = False  # the text of a directive
            break
        at = last
    if not is_plain:
        return [token.text for token in tokens(lexemes, start, end)]
    return found + _TOKEN.findall(data, at, end)
