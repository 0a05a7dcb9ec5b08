"""Macros that expand to the specifiers of a function: `DEV_INLINE int f() {…}` with `__device__ __forceinline__`.

The grammar parses such a name as the function's type, and the type as an error; a constructor's initializers, or a
type with a scope, then spoil the whole class. So the parser gets a copy of the source in which `inline` replaces the
macro, and all offsets stay valid. The definition of the macro is often in another file: it is recognized by what
follows it, which cannot follow a type.
"""

from __future__ import annotations

import re

from hipify_py.frontend.lexer import Lexemes

_SPECIFIER = b"inline"
_MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{5,99}"  # at least as long as its replacement
_SCOPE = rb"(?:\w+(?:<[^;{}()\n]{0,200}>)?::){0,4}"
# Most lines begin with none of the letters that the look-ahead has, and need no further check.
_MACROS = re.compile(
    rb"\n[ \t]*(?=[A-Z_stiecvf\[])(?:(?:static|inline|constexpr|explicit|virtual|friend|extern|\[\[[^\]\n]{0,200}\]\]"
    rb"|template[ \t]*<[^;{}()\n]{0,500}>)\s{1,99}){0,4}((?:" + _MACRO + rb"\s{1,99}){1,3})"
)
_WORD = re.compile(_MACRO)
_CONSTRUCTOR = re.compile(
    rb"(?:(?:explicit|constexpr|inline)\s{1,99}){0,3}(?P<scope>" + _SCOPE + rb")~?(?P<name>[A-Za-z_]\w*)[ \t]*\("
)
_FUNCTION = re.compile(
    rb"(?:(?:const|volatile|unsigned|signed|long|short|static|inline|explicit|constexpr|virtual|typename|friend)\s{1,99})"
    rb"{0,4}(?:operator\b|(?P<type>[A-Za-z_]\w*)(?:::\w+){0,4}(?:<[^;{}()\n]{0,200}>)?(?:::\w+){0,4}"
    rb"(?:[ \t]+const\b)?[\s*&]{1,99}(?:const\b[\s*&]{0,99})?"
    + _SCOPE
    + rb"(?:operator\b|(?P<name>[A-Za-z_]\w*)[ \t]*\())"
)
_WITH_BODY = re.compile(rb"[^;{}]{0,1000}\)\s{0,99}(?:(?:const|noexcept|override|final)\b\s{0,99}){0,4}(?:\{|:(?!:))")
_CLASS = re.compile(rb"\b(?:class|struct)\s+(?:[A-Z_][A-Z0-9_]*\s+)?(\w+)")
_TYPE_OR_MACRO = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
_NO_TYPES = frozenset(
    b"""case class co_await co_return co_yield delete do else enum for goto if namespace new private protected public
    return struct switch template throw typedef union using while
    const constexpr explicit friend inline static typename virtual volatile""".split()
)
"""Words that begin a statement or another declaration, and those that may follow a type."""


def replace_specifier_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with a specifier for each macro that precedes a function, else itself."""
    masked: bytearray | None = None
    classes: frozenset[bytes] | None = None
    for match in _MACROS.finditer(data):
        start, end = match.span(1)
        constructor = _CONSTRUCTOR.match(data, end)
        if constructor is None:
            if not _is_function(data, end):
                continue
        else:
            if classes is None:
                classes = frozenset(_CLASS.findall(data))
            if constructor["name"] not in classes and constructor["name"] not in _words(constructor["scope"]):
                continue
        if b"\n" in match[1] and _WITH_BODY.match(data, end) is None:
            continue  # a macro on a line of its own, and perhaps a statement
        if lexemes.non_code_at(start) is not None or lexemes.define_around(start) is not None:
            continue
        if masked is None:
            masked = bytearray(data)
        for word in _WORD.finditer(data, start, end):
            first, last = word.span()
            masked[first:last] = _SPECIFIER.ljust(last - first)
    return data if masked is None else bytes(masked)


def _is_function(data: bytes, place: int) -> bool:
    """Whether a type and a function's name are at a place: what precedes them is not a type."""
    match = _FUNCTION.match(data, place)
    if match is None:
        return False
    kind = match["type"]
    # Of two names in capitals the first may be the type, and the second a calling convention.
    return kind is None or not (kind in _NO_TYPES or match["name"] in _NO_TYPES or _TYPE_OR_MACRO.fullmatch(kind))


def _words(scope: bytes) -> list[bytes]:
    return re.findall(rb"\w+", scope)
