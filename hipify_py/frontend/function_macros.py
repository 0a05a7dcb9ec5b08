"""Macros that write the head of a function: `TEMPLATE_TEST_CASE("sums", "[gpu]", float, double) {…}`.

Strings and types side by side are a syntax error for the grammar, which spoils the whole body. So the parser gets a
copy of the source in which the arguments are blank: the macro parses as a function without parameters, and all offsets
stay valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.frontend.blanking import blank_ranges
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes

_HEAD = re.compile(rb'\n[A-Z][A-Z0-9_]{3,99}[ \t]*\((?=\s{0,99}")')


def blank_function_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for the arguments of each macro that a body follows, else itself.

    Such a macro begins a line, and its first argument is a string, which is not a parameter.
    """
    return blank_ranges(data, _places(lexemes, data))


def _places(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    for match in _HEAD.finditer(data):
        opening = match.end() - 1
        if lexemes.non_code_at(opening) is not None:
            continue
        found = match_forward(lexemes, opening, len(data))
        if found is None or not found[1]:
            continue  # a string alone is not an error for the grammar
        closing = found[0]
        following = lexemes.after(closing + 1)
        if data[following : following + 1] == b"{" and b"#" not in data[opening:closing]:
            yield opening + 1, closing
