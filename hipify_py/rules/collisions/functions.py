"""Functions that a source defines at file or namespace level, with their parameters and attributes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.frontend.words import words
from hipify_py.semantics.expressions import NAMES, entries_of, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.headers import branches_at
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

# Wraps a definition in a condition that leaves it out where HIP compiles for AMD.

GUARD = b"#ifndef __HIP__  // HIP has it"
HOST_GUARD = b"#if !defined(__HIP__) && !defined(__HIP_PLATFORM_AMD__)  // HIP has it"
"""The same for what HIP's headers have for host compilers too, which define the second macro only."""


def guarded(unit: Unit, ranges: Iterable[tuple[int, int]], guard: bytes = GUARD) -> Iterator[Edit]:
    """Put each range of whole lines between a guard and `#endif`; neighbours share one pair."""
    data, newline = unit.source.data, unit.source.newline
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and unit.lexemes.after(merged[-1][1]) >= start:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    for start, end in merged:
        line = data.rfind(b"\n", 0, start) + 1
        head = data[line:start].strip()
        yield Edit(start if head else line, start if head else line, (newline if head else b"") + guard + newline)
        stop = data.find(b"\n", end)
        stop = len(data) if stop < 0 else stop
        rest = unit.lexemes.after(end)
        if rest >= stop:  # only blanks and a comment that ends on this line
            stop -= data[stop - 1 : stop] == b"\r"
            skip = unit.lexemes.non_code_at(stop)
            if skip is None or skip[0] >= stop or data[skip[0] : skip[0] + 2] == b"//":
                yield Edit(stop, stop, newline + b"#endif")
                continue
        yield Edit(end, end, newline + b"#endif" + newline)


BOTH_SIDES = frozenset((b"__host__", b"__device__"))
"""The qualifiers of a function for both sides."""
VECTOR_OPERATORS = frozenset((b"*", b"/", b"*=", b"/=", b"+=", b"-=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>="))
"""The operators that HIP's vector types have for two vectors."""
_OPERATORS = "(function_declarator declarator: (operator_name) @name)"
_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "init_declarator"})
_INSIDE = ("field_declaration_list", "compound_statement", "friend_declaration", "preproc_def")
_WHOLE_TYPES = frozenset({"qualified_identifier", "template_type", "dependent_type"})
_QUALIFIERS = frozenset(
    (b"__device__", b"__host__", b"__forceinline__", b"__noinline__", b"__inline__", b"static", b"inline", b"constexpr")
)
_BEFORE_CALLS = frozenset(b"=;({}!?+-|<%^~[/")
_WORDS_BEFORE_CALLS = frozenset(b"return else do case and or not".split())
_AMD_CONDITION = re.compile(rb"__HIP|HIPCC|USE_ROCM|AMD")


class Parameter(NamedTuple):
    """A parameter: its type as written, without names of values, `const` of values and default arguments."""

    type: bytes
    name: bytes


class Function(NamedTuple):
    """A definition, or a declaration where `body` is None. All places are byte offsets.

    `[start, end)` spans from the template header or first attribute to the closing brace or semicolon; `head` is the
    code
    before the name with its macros expanded, and `text` the name as written.
    """

    start: int
    name: int
    text: bytes
    opening: int
    end: int
    body: Node | None
    head: bytes
    parameters: tuple[Parameter, ...]
    is_template: bool

    @property
    def on_device(self) -> bool:
        return b"__device__" in self.head


def named_functions(unit: Unit, names: Iterable[bytes]) -> Iterator[Function]:
    """The functions of some names that a source defines or declares outside of classes, macros and AMD branches."""
    lexemes, symbols = unit.lexemes, names_of(unit)
    declared = [
        name
        for name in lexemes.words.intersection(names)
        if any(_may_be_declared(lexemes, place) for place in lexemes.places(name))
    ]
    yield from _outside_classes(unit, [found.leaf for name in declared for found in symbols.functions(name)])


def _may_be_declared(lexemes: Lexemes, place: int) -> bool:
    """Whether a type may precede a name: nearly all places are calls, and need no tree."""
    before = lexemes.before(place)
    if before < 0 or lexemes.data[before] in _BEFORE_CALLS:
        return False
    return lexemes.word_before(place) not in _WORDS_BEFORE_CALLS


def operators(unit: Unit) -> Iterator[Function]:
    """The operators that a source defines or declares outside of classes, macros and AMD branches."""
    yield from _outside_classes(unit, unit.tree.captures(_OPERATORS).get("name", []))


def in_amd_branch(unit: Unit, place: int) -> bool:
    """Whether a place is within a condition that names HIP or AMD: such code is not changed."""
    return any(_is_amd(unit, directive) for directive in branches_at(unit, [place])[0])


def declared_function(unit: Unit, leaf: Node) -> Function | None:
    """The function that a declarator's name declares, wherever that is."""
    declarator = leaf.parent
    if declarator is None or declarator.type != "function_declarator":
        return None
    parameters = declarator.child_by_field_name("parameters")
    whole = declarator.parent
    while whole is not None and whole.type in _DECLARATORS:
        whole = whole.parent
    if parameters is None or whole is None or whole.type not in ("function_definition", "declaration"):
        return None
    body = whole.child_by_field_name("body")
    outer, is_template = whole, False
    while outer.parent is not None and outer.parent.type == "template_declaration":
        outer, is_template = outer.parent, True
    start = _start(unit, outer)
    head = _expand_macros(unit, unit.lexemes.code(start, leaf.start_byte))
    types = tuple(map(_parameter, entries_of(parameters)))
    if types == (Parameter(b"void", b""),):
        types = ()
    return Function(
        start, leaf.start_byte, text_of(leaf), parameters.start_byte, whole.end_byte, body, head, types, is_template
    )


def _outside_classes(unit: Unit, leaves: list[Node]) -> Iterator[Function]:
    places = sorted({leaf.start_byte: leaf for leaf in leaves if _is_outside(unit, leaf)}.items())
    functions = [found for _, leaf in places if (found := declared_function(unit, leaf)) is not None]
    for function, branch in zip(functions, branches_at(unit, [found.start for found in functions]), strict=True):
        if not any(_is_amd(unit, place) for place in (*branch, *_conditions_within(unit, function))):
            yield function


def _conditions_within(unit: Unit, function: Function) -> Iterator[int]:
    """The directives among a function's qualifiers, which choose between them."""
    directives = unit.lexemes.directives
    for index in range(bisect_left(directives, (function.start,)), len(directives)):
        if directives[index][0] >= function.name:
            break
        yield directives[index][0]


def _is_outside(unit: Unit, leaf: Node) -> bool:
    """Whether a declared name is in no class, function or macro; where the tree is broken, the braces decide."""
    if unit.lexemes.define_around(leaf.start_byte) is not None or ancestor(leaf, *_INSIDE) is not None:
        return False
    if ancestor(leaf, "ERROR") is None:
        return True
    around = functions_of(unit).at(leaf.start_byte)
    return around is None or leaf.start_byte < around.start


def _is_amd(unit: Unit, directive: int) -> bool:
    line = unit.lexemes.code(directive, unit.lexemes.logical_line_end(directive))
    return _AMD_CONDITION.search(line) is not None


def _start(unit: Unit, node: Node) -> int:
    """The start of a declaration, with the qualifiers that the tree attributes to a macro before it."""
    start = node.start_byte
    if node.prev_sibling is not None and node.prev_sibling.type == "ERROR":
        while (word := unit.lexemes.word_before(start)) in _QUALIFIERS or _QUALIFIERS & set(_bodies(unit, word)):
            start = unit.lexemes.before(start) + 1 - len(word)
    return start


def _expand_macros(unit: Unit, head: bytes) -> bytes:
    """The code before a name, with the source's own macros in it expanded (`#define DEVICE __device__`)."""
    bodies = [word for name in words(head) for word in _bodies(unit, name)]
    return b" ".join([head, *bodies])


def _bodies(unit: Unit, name: bytes) -> list[bytes]:
    """The words in a macro of the source, in all of its definitions; none for other names."""
    if not name:
        return []
    macros = (macro for macro in macros_of(unit).named(name) if macro.parameters is None)
    return [word for macro in macros for word in words(unit.lexemes.code(macro.start, macro.end))]


def _parameter(node: Node) -> Parameter:
    """`const float *__restrict__ x = 0` has the type `const float*` and the name `x`."""
    default, name = node.child_by_field_name("default_value"), _declared_name(node)
    tokens = [
        token
        for token in _tokens(node, {found.id for found in (default, name) if found is not None})
        if not token.startswith((b"__restrict", b"restrict")) and token not in (b"=", b"volatile", b"struct")
    ]
    last_pointer = max((at for at, token in enumerate(tokens) if token in (b"*", b"&")), default=-1)
    tokens = [token for at, token in enumerate(tokens) if token != b"const" or at < last_pointer]  # `float *const x`
    if b"const" in tokens[1:]:  # `float const &` is `const float &`
        at = tokens.index(b"const", 1)
        if at < min(tokens.index(mark) for mark in (b"*", b"&") if mark in tokens):
            tokens.insert(0, tokens.pop(at))
    words = [token for token in tokens if token not in (b"*", b"&")]
    marks = b"".join(token for token in tokens if token in (b"*", b"&"))
    return Parameter(b" ".join(words) + marks, text_of(name))


def _declared_name(node: Node) -> Node | None:
    leaf = node.child_by_field_name("declarator")
    while leaf is not None and leaf.type not in NAMES:
        inner = leaf.child_by_field_name("declarator")
        leaf = inner if inner is not None else next((c for c in reversed(leaf.named_children)), None)
    return leaf


def _tokens(node: Node, omitted: set[int]) -> Iterator[bytes]:
    """The tokens of a parameter's type; an array is the pointer to its first element."""
    if node.id in omitted or node.type == "comment":
        return
    if node.type in _WHOLE_TYPES:
        yield b"".join(text_of(node).split())
    elif node.type.endswith("array_declarator"):
        yield b"*"
        for child in node.children_by_field_name("declarator"):
            yield from _tokens(child, omitted)
    elif node.child_count == 0:
        yield text_of(node)
    else:
        for child in node.children:
            yield from _tokens(child, omitted)
