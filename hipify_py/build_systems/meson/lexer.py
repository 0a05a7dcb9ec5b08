"""The tokens of Meson's language, by its reference manual."""

from __future__ import annotations

from typing import NamedTuple

from hipify_py.build_systems.file import Range

ID, NUMBER, STRING, OPERATOR, NEWLINE = "id", "number", "string", "operator", "newline"

_LONG = (b"==", b"!=", b"<=", b">=", b"+=")
_SINGLE = b"+-*/%<>=()[]{},.:?"
_OPENING, _CLOSING = b"([{", b")]}"


class Token(NamedTuple):
    """One token.

    Attributes:
        inner: the text between the quotes of a string.
        is_format: whether it is a string whose `@name@` are replaced by values.
    """

    kind: str
    text: str
    start: int
    end: int
    inner: Range = (0, 0)
    is_format: bool = False


class Lexed(NamedTuple):
    """The tokens and the comments of a file, and where it stops being Meson (-1: nowhere)."""

    tokens: list[Token]
    comments: list[Range]
    broken: int


def tokens_of(data: bytes) -> Lexed:
    """The tokens; newlines within brackets are not tokens. The text after a character that no token has is left out."""
    tokens: list[Token] = []
    comments: list[Range] = []
    depth, at, size = 0, 3 if data.startswith(b"\xef\xbb\xbf") else 0, len(data)
    while at < size:
        byte = data[at]
        if byte in b" \t\r":
            at += 1
        elif byte == 0x5C and data[at + 1 : at + 3].lstrip(b"\r")[:1] == b"\n":  # a continued line
            at = data.find(b"\n", at) + 1
        elif byte == 0x0A:
            if not depth and tokens and tokens[-1].kind != NEWLINE:
                tokens.append(Token(NEWLINE, "", at, at + 1))
            at += 1
        elif byte == 0x23:
            end = data.find(b"\n", at)
            end = size if end < 0 else end
            comments.append((at, end - data[at:end].endswith(b"\r")))
            at = end
        elif byte == 0x27 or (byte == 0x66 and data[at + 1 : at + 2] == b"'"):
            token = _string(data, at)
            if token is None:
                return Lexed(tokens, comments, at)
            tokens.append(token)
            at = token.end
        elif _is_of_name(byte):
            end = at + 1
            while end < size and _is_of_name(data[end]):
                end += 1
            kind = NUMBER if 0x30 <= byte <= 0x39 else ID
            tokens.append(Token(kind, data[at:end].decode("ascii"), at, end))
            at = end
        elif data[at : at + 2] in _LONG or byte in _SINGLE:
            end = at + (2 if data[at : at + 2] in _LONG else 1)
            depth += (byte in _OPENING) - (byte in _CLOSING and depth > 0)
            tokens.append(Token(OPERATOR, data[at:end].decode("ascii"), at, end))
            at = end
        else:
            return Lexed(tokens, comments, at)
    return Lexed(tokens, comments, -1)


def _is_of_name(byte: int) -> bool:
    return byte == 0x5F or 0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A


def _string(data: bytes, start: int) -> Token | None:
    """A string with its quotes; None for one that does not end."""
    is_format = data[start] == 0x66
    first = start + is_format
    if data.startswith(b"'''", first):
        end = data.find(b"'''", first + 3)
        return None if end < 0 else _token(data, start, end + 3, (first + 3, end), is_format)
    at = first + 1
    while at < len(data) and data[at] not in b"'\n":
        at += 2 if data[at] == 0x5C else 1
    return _token(data, start, at + 1, (first + 1, at), is_format) if data[at : at + 1] == b"'" else None


def _token(data: bytes, start: int, end: int, inner: Range, is_format: bool) -> Token:
    return Token(STRING, data[slice(*inner)].decode("utf-8", "surrogateescape"), start, end, inner, is_format)
