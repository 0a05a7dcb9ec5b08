"""Macros that write the head of a function: `TEMPLATE_TEST_CASE("sums", "[gpu]", float, double) {…}`.

The grammar takes strings and types side by side for an error, and with it the whole body. The parser is handed a copy
of the source in which the arguments are blank, so that the macro reads as a function without parameters, and every
offset holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.frontend.blanking import blanked
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes

_HEAD = re.compile(rb'\n[A-Z][A-Z0-9_]{3,99}[ \t]*\((?=\s{0,99}")')


def without_function_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for the arguments of each macro that a body follows, else itself.

    Such a macro begins a line, and its first argument is a string, which no parameter is.
    """
    return blanked(data, _places(lexemes, data))


def _places(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    for match in _HEAD.finditer(data):
        opening = match.end() - 1
        if lexemes.non_code_at(opening) is not None:
            continue
        found = match_forward(lexemes, opening, len(data))
        if found is None or not found[1]:
            continue  # with a string alone the grammar is content
        closing = found[0]
        following = lexemes.after(closing + 1)
        if data[following : following + 1] == b"{" and b"#" not in data[opening:closing]:
            yield opening + 1, closing
