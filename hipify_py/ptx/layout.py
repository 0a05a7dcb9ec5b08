"""Lays out a multi-line replacement: indented, and in a macro's body with backslashes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hipify_py.frontend.lexer import Lexemes
from hipify_py.ptx.outcome import Piece

_BLANKS = re.compile(rb"[ \t]*")


def lay_out(lexemes: Lexemes, start: int, end: int, pieces: Iterable[str | Piece]) -> list[str | Piece]:
    """The pieces with their newlines adapted to the place `[start, end)` of the source."""
    data = lexemes.data
    line = data.rfind(b"\n", 0, start) + 1
    blanks = _BLANKS.match(data, line)
    indent = blanks[0].decode() if blanks is not None else ""
    step = "\t" if indent.startswith("\t") else "  " if len(indent) % 4 == 2 else "    "
    newline = "\r\n" if data[data.find(b"\n", start) - 1 : data.find(b"\n", start)] == b"\r" else "\n"
    in_macro = lexemes.define_around(start) is not None
    if in_macro:
        define = lexemes.define_around(start)
        is_long = define is not None and b"\n" in data[define.end : end]
        if not is_long:
            return [_one_line(piece) for piece in pieces]
        newline = " \\" + newline
    fitted: list[str | Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            piece = re.sub(r"\n((?:    )*)", lambda found: newline + indent + step * (len(found[1]) // 4), piece)
        fitted.append(piece)
    return fitted


def _one_line(piece: str | Piece) -> str | Piece:
    return re.sub(r"\n *", " ", piece) if isinstance(piece, str) else piece
