"""Parses a source as the compiler would: what the grammars cannot parse is rewritten first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from tree_sitter import Parser, Tree

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import Source
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.chevrons import join_chevrons
from hipify_py.frontend.comments import strip_comments
from hipify_py.frontend.declarator_macros import ARGUMENTS, MACRO, blank_declarator_macros, blank_ranges
from hipify_py.frontend.fragments import Fragments
from hipify_py.frontend.grammars import CPP, CUDA, parser_of
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.parsing import cut_open_comment, parse, parse_again

if TYPE_CHECKING:
    from tree_sitter import Node
if TYPE_CHECKING:
    from tree_sitter import Node


# Declarations whose type has a scope and a number: `cg::thread_block_tile<32> tile = f();`.

_SCOPED = lazy_pattern(
    rb"::[ \t]*(\w{1,200})(?:\s|/\*[^*]{0,200}\*/){0,20}<[^;{}<>]{0,200}(?:\b[0-9]|\btrue\b|\bfalse\b|\bsizeof\b|')"
)
"""The pattern of a candidate: a name with a scope before `<`, and a literal after it."""


def blank_template_scopes(data: bytes, node_at: Callable[[int, int], Node | None]) -> bytes:
    """A copy of the source without the scopes of such types, else itself.

    Args:
        data: the source as the grammar can parse it.
        node_at: looks up a byte range in its tree.
    """
    return blank_ranges(data, _scopes(data, node_at))


def _scopes(data: bytes, node_at: Callable[[int, int], Node | None]) -> Iterator[tuple[int, int]]:
    for match in _SCOPED.finditer(data):
        start, end = match.span(1)
        whole = node_at(start, end)
        while whole is not None and whole.parent is not None and whole.parent.type == "qualified_identifier":
            whole = whole.parent
        if whole is not None and whole.start_byte < start and _is_comparison_chain(whole):
            yield whole.start_byte, start


def _is_comparison_chain(name: Node) -> bool:
    """Whether a name begins a statement that compares it twice, and does not use the result."""
    first = name.parent
    second = first.parent if first is not None else None
    if first is None or second is None or first.start_byte != name.start_byte or second.start_byte != name.start_byte:
        return False
    if [_operator(first), _operator(second)] != ["<", ">"]:
        return False
    statement = second.parent
    while statement is not None and statement.type == "comma_expression":
        statement = statement.parent
    return statement is not None and statement.type == "expression_statement"


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return operator.type if operator is not None else ""


# Macros that are whole statements without a semicolon: `cudaFree(p); CHECK_LAST`.

_STATEMENT_WORD = lazy_pattern(rb"[A-Za-z_]\w*")
_STATEMENT = lazy_pattern(
    rb"(?s)(?:\{|(?:if|for|while|do|switch|return|goto|break|continue|throw)\b).*|.*[;}]|([A-Za-z_][\w:]*)\s*\(.*\)",
)
_NO_CALLS = frozenset(
    b"__attribute__ __declspec alignas __align__ __launch_bounds__ decltype defined _Pragma __pragma sizeof".split()
)
_LINE_END = rb"[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*)?\r?(?=\n\s*[A-Za-z_])"
# One for each end of a statement: the engine finds a single byte in a third of the time that a set of two takes.
_AFTER_STATEMENT = tuple(lazy_pattern(end + rb"[ \t]*([A-Za-z_]\w*)" + _LINE_END) for end in (b";", b"}"))
_OWN_LINE = lazy_pattern(rb"\n[ \t]*([A-Z][A-Z0-9_]{2,})" + _LINE_END)
_BEFORE = frozenset(b";{}):")
_BEFORE_WORDS = frozenset({b"else", b"do"})
_STATEMENT_KEYWORDS = frozenset(
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
    macros = statement_macros(lexemes)
    if not macros:
        return set()
    data = lexemes.data
    words = re.compile(rb"\b(?:" + b"|".join(map(re.escape, macros)) + rb")\b")
    return {
        match.span()
        for match in words.finditer(data)
        if _begins_statement(lexemes, match.start())
        and _STATEMENT_WORD.match(data, lexemes.after(match.end())) is not None
        and lexemes.non_code_at(match.start()) is None
    }


def _begins_statement(lexemes: Lexemes, start: int) -> bool:
    before = lexemes.before(start)
    return before >= 0 and (lexemes.data[before] in _BEFORE or lexemes.word_before(start) in _BEFORE_WORDS)


def _at_line_ends(lexemes: Lexemes, leaf: Leaf) -> set[tuple[int, int]]:
    data = lexemes.data
    matches = chain.from_iterable(pattern.finditer(data) for pattern in _AFTER_STATEMENT)
    places = {match.span(1) for match in matches if _is_code(lexemes, match)}
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
        match[1] not in _STATEMENT_KEYWORDS
        and lexemes.non_code_at(start) is None
        and lexemes.non_code_at(match.start()) is None
        and lexemes.define_around(start) is None
    )


def _is_in_body(node: Node | None) -> bool:
    """Whether the nearest scope is the body of a function."""
    while node is not None and node.type not in _SCOPES:
        node = node.parent
    return node is not None and node.type in ("compound_statement", "case_statement")


# Macros that expand to the specifiers of a function: `DEV_INLINE int f() {…}` with `__device__ __forceinline__`.

_SPECIFIER = b"inline"
_MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{5,99}"  # at least as long as its replacement
_SCOPE = rb"(?:\w+(?:<[^;{}()\n]{0,200}>)?::){0,4}"
# Most lines begin with none of the letters that the look-ahead has, and need no further check.
_MACROS = lazy_pattern(
    rb"\n[ \t]*(?=[A-Z_stiecvf\[])(?:(?:static|inline|constexpr|explicit|virtual|friend|extern|\[\[[^\]\n]{0,200}\]\]"
    rb"|template[ \t]*<[^;{}()\n]{0,500}>)\s{1,99}){0,4}((?:" + _MACRO + rb"\s{1,99}){1,3})"
)
_SPECIFIER_WORD = lazy_pattern(_MACRO)
_CONSTRUCTOR = lazy_pattern(
    rb"(?:(?:explicit|constexpr|inline)\s{1,99}){0,3}(?P<scope>" + _SCOPE + rb")~?(?P<name>[A-Za-z_]\w*)[ \t]*\("
)
_FUNCTION = lazy_pattern(
    rb"(?:(?:const|volatile|unsigned|signed|long|short|static|inline|explicit|constexpr|virtual|typename|friend)\s{1,99})"
    rb"{0,4}(?:operator\b|(?P<type>[A-Za-z_]\w*)(?:::\w+){0,4}(?:<[^;{}()\n]{0,200}>)?(?:::\w+){0,4}"
    rb"(?:[ \t]+const\b)?[\s*&]{1,99}(?:const\b[\s*&]{0,99})?"
    + _SCOPE
    + rb"(?:operator\b|(?P<name>[A-Za-z_]\w*)[ \t]*\())"
)
_WITH_BODY = lazy_pattern(rb"[^;{}]{0,1000}\)\s{0,99}(?:(?:const|noexcept|override|final)\b\s{0,99}){0,4}(?:\{|:(?!:))")
_CLASS = lazy_pattern(rb"\b(?:class|struct)\s+(?:[A-Z_][A-Z0-9_]*\s+)?(\w+)")
_TYPE_OR_MACRO = lazy_pattern(rb"[A-Z][A-Z0-9_]{2,}")
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
        for word in _SPECIFIER_WORD.finditer(data, start, end):
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


# Macros that write the head of a function: `TEMPLATE_TEST_CASE("sums", "[gpu]", float, double) {…}`.

_HEAD = lazy_pattern(rb'\n[A-Z][A-Z0-9_]{3,99}[ \t]*\((?=\s{0,99}")')


def blank_function_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for the arguments of each macro that a body follows, else itself.

    Such a macro begins a line, and its first argument is a string, which is not a parameter.
    """
    return blank_ranges(data, _function_macro_places(lexemes, data))


def _function_macro_places(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
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


# Macros between the keyword and the name of a class: `class API Node : public Base {…}`.

_MACROS_BEFORE_NAME = (
    rb"\s{1,99}((?:" + MACRO + ARGUMENTS + rb"\s{1,99}){1,3})"
    rb"(?=(?:[A-Za-z_]\w*::){0,4}[A-Za-z_]\w*(?:<[^;{}()\n]{0,200}>)?\s{0,99}(?:final\s{0,99})?(?:\{|:(?!:)))"
)
_KEYWORDS = (b"class", b"struct", b"union")
# One for each: what begins with one text is found in a fraction of the time.
_CLASSES = {keyword: lazy_pattern(keyword + _MACROS_BEFORE_NAME) for keyword in _KEYWORDS}
_WORD = lazy_pattern(MACRO)
_UP_TO_MEMBER = lazy_pattern(rb"\{[^;{}]*")
_PARENTHESIS = 0x28


def blank_class_macros(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for macros before the names of classes, else itself."""
    return blank_ranges(data, _class_macro_places(lexemes, data))


def _class_macro_places(lexemes: Lexemes, data: bytes) -> Iterator[tuple[int, int]]:
    classes: dict[bytes, bool] = {}
    for keyword, pattern in _CLASSES.items():
        for match in pattern.finditer(data) if keyword in lexemes.words else ():
            start, end = match.span()
            if lexemes.non_code_at(start) is not None or not _defines_class(lexemes, start, end):
                continue
            for word in _WORD.findall(match[1]):
                if word not in classes:
                    classes[word] = _is_class(lexemes, word)
                if classes[word]:
                    break  # what follows is a variable of that class
            else:
                yield match.span(1)


def _defines_class(lexemes: Lexemes, start: int, end: int) -> bool:
    """Whether a class is defined, not a variable: neither `struct NODE n{1, 2};` nor `for (struct NODE n : list)`."""
    data = lexemes.data
    before = lexemes.before(start)
    if before >= 0 and data[before] == _PARENTHESIS:
        return False
    if lexemes.word_before(start) == b"enum":
        return True
    body = _UP_TO_MEMBER.search(data, end)
    return body is not None and (data[body.end() : body.end() + 1] != b"}" or not body[0][1:].strip())


def _is_class(lexemes: Lexemes, word: bytes) -> bool:
    """Whether the source declares a class of that name."""
    for place in lexemes.places(word):
        following = lexemes.after(place + len(word))
        if lexemes.data[following : following + 1] in (b"{", b":", b";") and lexemes.word_before(place) in _KEYWORDS:
            return True
    return False


# CUDA attributes that the grammar does not have: `__shared__ __align__(16) float a[4]`.

_WITH_ARGUMENTS = frozenset(
    {b"__align__", b"__builtin_align__", b"__block_size__", b"__cluster_dims__", b"__maxnreg__"}
)


def blank_attributes(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for such attributes and their arguments, else itself."""
    return blank_ranges(data, _places(lexemes))


def _places(lexemes: Lexemes) -> Iterator[tuple[int, int]]:
    for word in _WITH_ARGUMENTS & lexemes.words:
        for place in lexemes.places(word):
            opening = lexemes.after(place + len(word))
            if lexemes.data[opening : opening + 1] != b"(":
                continue
            found = match_forward(lexemes, opening, len(lexemes.data))
            if found is not None:
                yield place, found[0] + 1


def parse_source(source: Source, lexemes: Lexemes) -> tuple[str, Tree | None, Fragments]:
    """The grammar of a source, its tree and those of its macros' bodies; None as the tree where it cannot be parsed."""
    grammar = CUDA if _has_cuda_syntax(source) else CPP
    parser = parser_of(grammar)
    data = replace_specifier_macros(lexemes, join_chevrons(lexemes))
    data = blank_attributes(lexemes, blank_class_macros(lexemes, blank_function_macros(lexemes, data)))
    return grammar, _tree(parser, lexemes, data), Fragments(source, lexemes, data, parser)


def _has_cuda_syntax(source: Source) -> bool:
    """Whether the text has kernels: headers of any name may, so the text decides where the suffix does not."""
    return source.is_cuda or b"<<<" in source.data or b"__global__" in source.data or b"__device__" in source.data


def _tree(parser: Parser, lexemes: Lexemes, data: bytes) -> Tree | None:
    """The tree of a source, in which statement macros do not parse as types; None where it cannot be parsed."""
    data = cut_open_comment(lexemes, data)
    tree = parse(parser, data, 0, len(data))
    if tree is None:
        return None
    node_at = tree.root_node.descendant_for_byte_range
    readable = blank_template_scopes(replace_statement_macros(lexemes, data, node_at), node_at)
    if tree.root_node.has_error:
        readable = blank_declarator_macros(lexemes, readable)
    return tree if readable is data else parse_again(parser, tree, data, readable)
