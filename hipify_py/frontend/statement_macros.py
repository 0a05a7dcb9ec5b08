"""Macros that are whole statements without a semicolon: `cudaFree(p); CHECK_LAST`.

The grammar parses such a name as the type of a declaration, and what follows as its declarator. So the parser gets a
copy of the source in which an empty statement replaces it, and all offsets stay valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

from hipify_py.frontend.comments import strip_comments
from hipify_py.frontend.lexer import Lexemes

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(rb"[A-Za-z_]\w*")
_STATEMENT = re.compile(
    rb"(?s)(?:\{|(?:if|for|while|do|switch|return|goto|break|continue|throw)\b).*|.*[;}]|([A-Za-z_][\w:]*)\s*\(.*\)",
)
_NO_CALLS = frozenset(
    b"__attribute__ __declspec alignas __align__ __launch_bounds__ decltype defined _Pragma __pragma sizeof".split()
)
_LINE_END = rb"[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*)?\r?(?=\n\s*[A-Za-z_])"
# One for each end of a statement: the engine finds a single byte in a third of the time that a set of two takes.
_AFTER_STATEMENT = tuple(re.compile(end + rb"[ \t]*([A-Za-z_]\w*)" + _LINE_END) for end in (b";", b"}"))
_OWN_LINE = re.compile(rb"\n[ \t]*([A-Z][A-Z0-9_]{2,})" + _LINE_END)
_BEFORE = frozenset(b";{}):")
_BEFORE_WORDS = frozenset({b"else", b"do"})
_KEYWORDS = frozenset(
    b"""alignas alignof asm auto bool break case catch char class const constexpr consteval constinit continue co_await
    co_return co_yield decltype default delete do double else enum explicit export extern final float for friend goto
    if inline int long mutable namespace new noexcept operator override private protected public register requires
    restrict return short signed sizeof static static_assert struct switch template this thread_local throw try typedef
    typename union unsigned using virtual void volatile wchar_t while __device__ __host__ __global__ __shared__
    __constant__ __managed__ __forceinline__ __noinline__ __inline__ __inline __restrict__ __extension__""".split()
)
"""Words that may end a line before what they belong to."""
_SCOPES = frozenset(
    {"compound_statement", "field_declaration_list", "declaration_list", "translation_unit", "case_statement"}
)

Leaf = Callable[[int, int], "Node | None"]


def replace_statement_macros(lexemes: Lexemes, data: bytes, leaf: Leaf) -> bytes:
    """A copy of the source with an empty statement for each statement macro that has no semicolon, else itself.

    A macro is one by its definition, or, where another file defines it, by its position between a statement and a
    line's end. One on a line of its own may be a type before what it declares: `leaf` looks up a byte range in
    the tree, as only within a function's body it is not one.
    """
    places = _defined_macros(lexemes) | _at_line_ends(lexemes, leaf)
    if not places:
        return data
    masked = bytearray(data)
    for start, end in places:
        masked[start:end] = b";".ljust(end - start)
    return bytes(masked)


def statement_macros(lexemes: Lexemes) -> frozenset[bytes]:
    """The macros without parameters that a source defines as statements, or as calls."""
    bodies: dict[bytes, list[bytes]] = {}
    for define in lexemes.defines:
        if lexemes.data[define.end : define.end + 1] != b"(":
            bodies.setdefault(define.text, []).append(lexemes.data[define.end : lexemes.body_end(define)])
    found = {name for name, texts in bodies.items() if any(map(_is_statement, texts))}
    renamed: dict[bytes, list[bytes]] = {}
    for name, texts in bodies.items():
        for text in texts:
            renamed.setdefault(strip_comments(text).strip(), []).append(name)
    pending = list(found)
    while pending:
        more = [name for name in renamed.get(pending.pop(), ()) if name not in found]
        found.update(more)
        pending += more
    return frozenset(found)


def _is_statement(body: bytes) -> bool:
    match = _STATEMENT.fullmatch(strip_comments(body).strip())
    return match is not None and match[1] not in _NO_CALLS


def _defined_macros(lexemes: Lexemes) -> set[tuple[int, int]]:
    known = statement_macros(lexemes)
    if not known:
        return set()
    data = lexemes.data
    words = re.compile(rb"\b(?:" + b"|".join(map(re.escape, known)) + rb")\b")
    return {
        match.span()
        for match in words.finditer(data)
        if _begins_statement(lexemes, match.start())
        and _WORD.match(data, lexemes.after(match.end())) is not None
        and lexemes.non_code_at(match.start()) is None
    }


def _begins_statement(lexemes: Lexemes, start: int) -> bool:
    before = lexemes.before(start)
    return before >= 0 and (lexemes.data[before] in _BEFORE or lexemes.word_before(start) in _BEFORE_WORDS)


def _at_line_ends(lexemes: Lexemes, leaf: Leaf) -> set[tuple[int, int]]:
    data = lexemes.data
    behind = chain.from_iterable(pattern.finditer(data) for pattern in _AFTER_STATEMENT)
    places = {match.span(1) for match in behind if _is_code(lexemes, match)}
    ends = {end - 1 for _, end in places}
    for match in _OWN_LINE.finditer(data):
        before = lexemes.before(match.start(1))
        if before < 0 or not (data[before] in b";{}" or before in ends):
            continue
        if _is_code(lexemes, match) and _is_in_body(leaf(*match.span(1))):
            places.add(match.span(1))
            ends.add(match.end(1) - 1)
    return places


def _is_code(lexemes: Lexemes, match: re.Match[bytes]) -> bool:
    """Whether the word is a name in code: not a keyword, and not part of a comment, a string or a macro's body."""
    start = match.start(1)
    return (
        match[1] not in _KEYWORDS
        and lexemes.non_code_at(start) is None
        and lexemes.non_code_at(match.start()) is None
        and lexemes.define_around(start) is None
    )


def _is_in_body(node: Node | None) -> bool:
    """Whether the nearest scope is the body of a function."""
    while node is not None and node.type not in _SCOPES:
        node = node.parent
    return node is not None and node.type in ("compound_statement", "case_statement")
