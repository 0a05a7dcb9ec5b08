"""Distinguishes most uses of a name from its declarations by the bytes around it, without a tree."""

from __future__ import annotations

from hipify_py.frontend.lexer import Lexemes, Name

KEYWORDS = frozenset(
    b"return else case goto throw new delete sizeof alignof typeid typename using namespace co_return co_yield co_await"
    b" do and or not public private protected struct class enum union typedef if while for switch defined"
    b" decltype template explicit friend virtual noexcept in".split()
)
TAGS = frozenset({b"struct", b"class", b"enum", b"union"})
"""What an elaborated type begins with (`struct T *p`)."""
_AFTER_DECLARED = frozenset(b"=;,)([{:>")


def may_declare(lexemes: Lexemes, name: Name) -> bool:
    """False only for a name that the bytes around it show to be used, not declared: that is so for most names."""
    data = lexemes.data
    following = lexemes.after(name.end)
    if following >= len(data) or data[following] not in _AFTER_DECLARED:
        return False
    place = lexemes.before(name.start)
    if place < 0:
        return False
    byte = data[place]
    if byte == 0x2C:
        return data[following] in b"=;"  # `int n = 4, warpSize = 16;`
    if byte in b"*&>":
        return data[place - 1 : place] != b"-"
    if not (chr(byte).isalnum() or byte == 0x5F):
        return False
    return lexemes.word_before(name.start) not in KEYWORDS
