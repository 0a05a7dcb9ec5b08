"""The context of an `asm` statement, as far as its replacement depends on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.unit import Unit
from hipify_py.ptx.outcome import Piece
from hipify_py.semantics.expression_types import type_of as expression_type
from hipify_py.semantics.symbols import names_of

# Lays out a multi-line replacement: indented, and in a macro's body with backslashes.

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


# The types of operands by their declarations in the source.

_TYPES = {
    "unsigned": "unsigned",
    "unsigned int": "unsigned",
    "uint32_t": "unsigned",
    "uint": "unsigned",
    "std::uint32_t": "unsigned",
    "int": "int",
    "int32_t": "int",
    "std::int32_t": "int",
    "float": "float",
    "double": "double",
    "unsigned long long": "unsigned long long",
    "unsigned long long int": "unsigned long long",
    "long long": "long long",
    # The 64-bit types of <cstdint> are `long` on Linux: another type for an overload than `long long`.
    "unsigned long": "unsigned long",
    "uint64_t": "unsigned long",
    "std::uint64_t": "unsigned long",
    "long": "long",
    "int64_t": "long",
    "std::int64_t": "long",
    "unsigned short": "unsigned short",
    "uint16_t": "unsigned short",
    "short": "short",
    "int16_t": "short",
}


def type_of(unit: Unit, start: int, end: int) -> str:
    """The C++ type that the source declares the expression at `[start, end)` with.

    An empty string where it is not a number's, where declarations differ, and in a macro, whose names are its users'.
    """
    if unit.lexemes.define_around(start) is not None:
        return ""
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return ""
    return _TYPES.get(" ".join(expression_type(names_of(unit), node).decode("utf-8", "replace").split()), "")


class Carry(NamedTuple):
    """Where the carry flag of a statement is kept.

    Attributes:
        name: the variable that the statements of one chain share; empty where each statement has its own.
        is_declared: the statement declares that variable.
        is_incoming: the flag comes from another function or macro, through shared memory.
        is_outgoing: the flag is passed to another one.
    """

    name: str = ""
    is_declared: bool = False
    is_incoming: bool = False
    is_outgoing: bool = False

    @property
    def is_of_thread(self) -> bool:
        """Whether it is in shared memory, in a slot of the thread's own."""
        return self.is_incoming or self.is_outgoing


class AsmContext(NamedTuple):
    """The context of a statement.

    Attributes:
        in_macro: the operands may be a macro's parameters, which can be anything.
        in_kernel: it is in the body of a kernel itself, where `return` ends the thread.
        emulates_warp32: the program's warps stay at 32 lanes, two in a wavefront of 64.
        carry: where the carry flag is kept.
    """

    in_macro: bool = False
    in_kernel: bool = False
    emulates_warp32: bool = False
    carry: Carry = Carry()
