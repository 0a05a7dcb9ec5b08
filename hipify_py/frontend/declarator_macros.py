"""Words in declarators that the grammar does not have, most of them macros; a tree that has them has errors.

In `[=] __device__(int i) {…}` they are the sides of a lambda, in `float *RESTRICT p` a pointer's qualifier, and in
`void CALLBACK done(…)` a calling convention. So the parser gets a copy of the source with blanks for them. The
definition of such a macro is often in another file: it is recognized by its position, among words that require it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

# A copy of a source with blanks for what the grammar cannot parse, so that all offsets stay valid.

_OTHERS = lazy_pattern(rb"(?!\\\r?\n)[^\r\n]")
"""Bytes that neither end a line nor join it to the next."""


def blank_ranges(data: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    """A copy with blanks in some ranges, the ends of lines kept; the source itself where there are none."""
    masked: bytearray | None = None
    for start, end in places:
        if masked is None:
            masked = bytearray(data)
        masked[start:end] = _OTHERS.sub(b" ", data[start:end])
    return data if masked is None else bytes(masked)


# The spelling of a macro that is recognized by its position only: capitals, as most macros of declarations have.

MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{2,99}\b"
"""Its name."""
ARGUMENTS = rb"(?:[ \t]*\([^()\n]{0,200}\))?"
"""Its possible arguments."""


_LAMBDA_SPECIFIER = lazy_pattern(rb"\]\s{0,99}((?:(?:__device__|__host__|" + MACRO + rb")\s{0,99}){1,3})(?=[({])")
# The engine skips to a byte that may begin a macro, and looks back from there.
_BEFORE_A_NAME = lazy_pattern(
    rb"[A-Z_](?<=[ \t*&][A-Z_])[A-Z0-9_]{2,99}\b"
    + ARGUMENTS
    + rb"\s{1,99}(?:"
    + MACRO
    + ARGUMENTS
    + rb"\s{1,99}){0,2}"
    + rb"(?=(?:const[ \t]+)?(?!(?:and|bitand|bitor|or|xor)\b)(?:[A-Za-z_]\w*::){0,4}~?[A-Za-z_]\w*[ \t]*([,;=)\[(]))"
)
_SUBSCRIPTED = lazy_pattern(rb"[\w)\]]")
_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_UPPER_CASE = lazy_pattern(rb"[A-Z_][A-Z0-9_]*")
_QUALIFIERS = (b"const", b"volatile")
_RETURNS = (b"return", b"co_return", b"co_yield")
_NO_TYPES = frozenset(
    b"""alignas auto case catch class co_await co_return co_yield const consteval constexpr constinit decltype delete do
    else enum explicit export extern for friend goto if inline mutable namespace new operator private protected public
    register return sizeof static struct switch template thread_local throw typedef typename union using virtual
    volatile while __device__ __global__ __host__ __forceinline__ __noinline__ __inline__ __inline __restrict__
    __shared__ __constant__ __managed__ __extension__""".split()
)
"""Words before which the next one may be a type."""
_LONGEST_CAPTURE = 1000
"""Maximum number of bytes of a lambda's captures."""
_BRACKETS_IN_CAPTURE = 8


def blank_declarator_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of a source that the grammar has found errors in, with blanks for such words, else itself.

    Args:
        lexemes: those of the source.
        data: the source as the grammar can parse it, so far.
    """
    places = chain(_lambda_specifiers(lexemes, data), _pointer_macros(lexemes, data))
    return blank_ranges(data, ((start, end) for start, end in places if lexemes.non_code_at(start) is None))


def _lambda_specifiers(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    for match in _LAMBDA_SPECIFIER.finditer(data):
        if _closes_captures(lexemes, match.start()):
            yield match.span(1)


def _closes_captures(lexemes: Lexemes, closing: int) -> bool:
    """Whether a bracket closes the captures of a lambda: neither a subscript nor an attribute."""
    data, opening = lexemes.data, closing
    for _ in range(_BRACKETS_IN_CAPTURE):
        opening = data.rfind(b"[", max(0, closing - _LONGEST_CAPTURE), opening)
        if opening < 0:
            return False
        if data.count(b"[", opening, closing) == data.count(b"]", opening, closing) + 1:
            break
    else:
        return False
    if data.startswith(b"[[", opening):
        return False
    before = lexemes.before(opening)
    return before < 0 or _SUBSCRIPTED.match(data, before) is None or lexemes.word_before(opening) in _RETURNS


def _pointer_macros(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    """Macros before the declared name: after `*` or `&`, or after the type of a function."""
    for match in _BEFORE_A_NAME.finditer(data):
        start, end = match.span()
        if _is_of_pointer(lexemes, start):
            is_macro = b"(" not in match[0] and b"\n" not in match[0]
        else:
            is_macro = match[1] == b"(" and _follows_type(lexemes, start)
        if is_macro:
            yield start, end


def _is_of_pointer(lexemes: Lexemes, start: int) -> bool:
    """Whether `*` or `&` precedes a place, perhaps with `const` and `volatile` between."""
    while (word := lexemes.word_before(start)) in _QUALIFIERS:
        start = lexemes.before(start) + 1 - len(word)
    before = lexemes.before(start)
    return before >= 0 and lexemes.data[before] in b"*&"


def _follows_type(lexemes: Lexemes, start: int) -> bool:
    """Whether the word before a place, on the same line, may be a type, and is in no directive."""
    data = lexemes.data
    word = lexemes.word_before(start)
    if word in _NO_TYPES or _NAME.fullmatch(word) is None or _UPPER_CASE.fullmatch(word) is not None:
        return False
    line = lexemes.logical_line_start(start)
    text = data[line:start].lstrip()
    return text != b"" and not text.startswith(b"#")
