"""The statements of a Fortran source, as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.fortran.source_form import DIRECTIVE, is_fixed_form, lines_of

NAME, STRING, OTHER = "name", "string", "other"
"""The kinds of tokens."""

_TOKEN = re.compile(
    r"(?P<string>'(?:[^']|'')*'?|\"(?:[^\"]|\"\")*\"?)|(?P<name>[A-Za-z_]\w*)|(?P<number>\d[\w.]*)"
    r"|(?P<other><<<|>>>|::|=>|==|/=|<=|>=|\*\*|//|\S)"
)


class Token(NamedTuple):
    """A token.

    Attributes:
        text: a name in lower case, as Fortran does not distinguish cases; a string with its quotes.
        kind: `NAME`, `STRING` or `OTHER`.
        offset: where it begins in the file, in characters.
        written: the name as it is written.
    """

    text: str
    kind: str
    offset: int
    written: str


class Statement(NamedTuple):
    """A statement.

    Attributes:
        tokens: at least one.
        is_directive: it follows a `!$cuf`.
        is_conditional: it follows a `!@cuf`, which other compilers take for a comment.
    """

    tokens: list[Token]
    is_directive: bool = False
    is_conditional: bool = False

    @property
    def words(self) -> list[str]:
        """The texts of the tokens."""
        return [token.text for token in self.tokens]


def statements_of(path: str, text: str) -> Iterator[Statement]:
    """The statements of a source in their order; a label before one is left out."""
    pieces: list[tuple[str, int]] = []
    kind = ""
    goes_on = False
    for line in lines_of(text, fixed=is_fixed_form(path, text)):
        continues = bool(pieces) and line.kind == kind and (goes_on or line.continues)
        if not continues and pieces:
            yield from _statements(pieces, kind)
            pieces = []
        pieces.append((line.text, line.offset))
        kind, goes_on = line.kind, line.goes_on
    yield from _statements(pieces, kind)


def _statements(pieces: list[tuple[str, int]], kind: str) -> Iterator[Statement]:
    """The statements of lines that belong together; a semicolon separates them."""
    tokens: list[Token] = []
    for token in _tokens(pieces):
        if token.text == ";":
            yield from _statement(tokens, kind)
            tokens = []
        else:
            tokens.append(token)
    yield from _statement(tokens, kind)


def _statement(tokens: list[Token], kind: str) -> Iterator[Statement]:
    if tokens and tokens[0].text.isdigit():
        tokens = tokens[1:]
    if tokens:
        yield Statement(tokens, kind == DIRECTIVE, bool(kind) and kind != DIRECTIVE)


def _tokens(pieces: list[tuple[str, int]]) -> Iterator[Token]:
    """The tokens of a statement; one that a line break divides is one, as after `&` at both ends of the break."""
    whole = "".join(text for text, _ in pieces)
    starts: list[tuple[int, int]] = []
    length = 0
    for text, offset in pieces:
        starts.append((length, offset))
        length += len(text)
    at = 0
    for match in _TOKEN.finditer(whole):
        while at + 1 < len(starts) and starts[at + 1][0] <= match.start():
            at += 1
        begin, offset = starts[at]
        kind = NAME if match["name"] else STRING if match["string"] else OTHER
        text = match[0].lower() if kind == NAME else match[0]
        yield Token(text, kind, offset + match.start() - begin, match[0])
