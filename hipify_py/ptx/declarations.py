"""What a source says about the type of an operand that is a plain variable."""

from __future__ import annotations

import re
from functools import lru_cache

from hipify_py.frontend.lexer import Lexemes

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
_WORDS = (
    rb"unsigned\s+long\s+long(?:\s+int)?|unsigned\s+(?:int|short|long)|unsigned|long\s+long|long|short|int|float|double"
    rb"|(?:std::)?u?int(?:16|32|64)_t|uint"
)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_WINDOW = 4000  # bytes looked at in front of a statement


def type_of(lexemes: Lexemes, start: int, end: int) -> str:
    """The C++ type that the declarations in front of a place agree on for the variable at `[start, end)`.

    An empty string where the operand is no plain variable, or where they differ or are not to be seen.
    """
    name = lexemes.data[start:end]
    if _NAME.fullmatch(name) is None or lexemes.define_around(start) is not None:
        return ""
    head = max(start - _WINDOW, 0)
    closed = lexemes.data.rfind(b"\n}", head, start)
    found = {
        _TYPES.get(" ".join(match[1].decode().split()), "?")
        for match in _pattern(name).finditer(lexemes.data, max(head, closed), start)
        if lexemes.non_code_at(match.start()) is None
    }
    return found.pop() if len(found) == 1 and "?" not in found else ""


@lru_cache(maxsize=256)
def _pattern(name: bytes) -> re.Pattern[bytes]:
    """A declaration of a name with any type of one or more words, or as a later one of a list (which is unclear)."""
    return re.compile(
        rb"(?<![\w:])((?:" + _WORDS + rb")|[A-Za-z_][\w:]*(?:\s*[*&>])*)\s+(?:const\s+)?&?"
        rb"(?<!return\s)(?:\w+(?:\s*=\s*[\w.]+)?\s*,\s*){0,24}" + re.escape(name) + rb"(?=\s*[=;,)\[{])"
    )
