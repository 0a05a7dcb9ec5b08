"""Distinguishes device code from host code."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import CUDA_SUFFIXES
from hipify_py.frontend.bodies import Bodies
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.open_statements import OpenStatements
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.macros import macros_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DEVICE_WORDS = frozenset((b"__device__", b"__global__"))
_QUALIFIERS = frozenset(("__device__", "__global__"))
_UPPER_CASE = lazy_pattern(rb"[A-Z_][A-Z0-9_]*")
_PERHAPS_DEVICE = lazy_pattern(rb"__device__|__global__|[A-Z][A-Z0-9_]{2,}")
_WORD = lazy_pattern(rb"\w+")
_BRACES = lazy_pattern(rb"[{}]")
_RECORD = lazy_pattern(rb"\b(?:struct|class|union)\b")
_PARENTHESIS = 0x29
_NEXT_DECLARATION = lazy_pattern(rb"(?!catch\b)\w|[}#~]|\Z")
_DEVICE_ONLY = lazy_pattern(rb"threadIdx|blockIdx|__syncwarp|__syncthreads|__activemask|__(?:shfl|ballot|any|all)\w*")


class _Places:
    """The offsets of words in a unit's code that show on which side it runs."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.qualifiers = self._all(_DEVICE_WORDS)

    @cached_property
    def device_only(self) -> list[int]:
        """The offsets of names that only device code can use."""
        return self._all(word for word in self._unit.lexemes.words if _DEVICE_ONLY.fullmatch(word) is not None)

    @cached_property
    def macros(self) -> list[int]:
        """The offsets of uses of the source's macros that have a qualifier in their bodies."""
        lexemes = self._unit.lexemes
        around = [lexemes.define_around(place) for place in self.qualifiers]
        return self._all({define.text for define in around if define is not None})

    @cached_property
    def heads(self) -> OpenStatements:
        """Declarations that have a qualifier, with their bodies."""
        return OpenStatements(self._unit.lexemes, self.qualifiers, _ends_declaration)

    @cached_property
    def heads_or_macros(self) -> OpenStatements:
        """Those, and the ones that have such a macro."""
        if not self.macros:
            return self.heads
        return OpenStatements(self._unit.lexemes, [*self.qualifiers, *self.macros], _ends_declaration)

    def _all(self, words: Iterable[bytes]) -> list[int]:
        return sorted(place for word in words for place in self._unit.lexemes.places(word))


def _ends_declaration(lexemes: Lexemes, opening: int, closing: int) -> bool:
    """Whether a declaration ends here: with a semicolon, or with a function's body, which follows a parenthesis.

    Where more of the same declaration follows, it does not end: `S() : a(f){1}, b{2} {…}`, `try {…} catch`.
    """
    if opening == closing:
        return True
    data = lexemes.data
    after = lexemes.after(closing + 1)
    return (
        data[lexemes.before(opening)] == _PARENTHESIS
        and _NEXT_DECLARATION.match(data, after) is not None
        and b"requires" not in lexemes.words
    )


def is_device_source(unit: Unit) -> bool:
    """Whether this is a CUDA source, or a header with device code, which only a CUDA source includes."""
    return unit.source.suffix in CUDA_SUFFIXES or any(use.row.name in _QUALIFIERS for use in unit.uses)


def is_surely_no_device_code(unit: Unit, place: int) -> bool:
    """Whether a place is certainly in no function with a qualifier, nor in a macro's body where one can begin.

    This needs no tree, so that small sources need none; False where it cannot be decided.
    """
    return not unit.analysis(_Places).heads.may_contain(place)


def is_surely_device_code(unit: Unit, place: int) -> bool:
    """Whether a place is certainly in the body of a `__global__` or `__device__` function that is not `__host__` too.

    This needs no tree either; False where it cannot be decided.
    """
    if not unit.analysis(_Places).qualifiers:
        return False
    function = function_bodies(unit).at(place)
    if function is None or place <= function.start:
        return False
    head = unit.lexemes.code(function.head, function.start)
    is_device = b"__global__" in head or (b"__device__" in head and b"__host__" not in head)
    return is_device and _RECORD.search(unit.source.data, function.start, place) is None


def function_bodies(unit: Unit) -> Bodies:
    """The bodies of a unit's functions, read from its braces."""
    return unit.analysis(_bodies)


def _bodies(unit: Unit) -> Bodies:
    return Bodies(unit.lexemes)


def in_device_code(unit: Unit, place: int) -> bool:
    """Whether a place is in the body of a `__global__` or `__device__` function (that is not `__host__` as well).

    The innermost function around a place is checked first: that needs no list of all functions, and rules out nearly
    all
    host code.
    """
    if not unit.analysis(_Places).qualifiers:
        return False
    if not unit.tree.is_parsed and is_surely_no_device_code(unit, place):
        return False
    function = ancestor(unit.tree.leaf(place, place + 1), "function_definition")
    body = function.child_by_field_name("body") if function is not None else None
    if function is None or body is None:
        return False
    head = unit.lexemes.code(function.start_byte, body.start_byte)
    is_device = b"__global__" in head or (b"__device__" in head and b"__host__" not in head)
    return is_device and _is_in_device_function(unit, place)


def _is_in_device_function(unit: Unit, place: int) -> bool:
    """Whether the outermost function around a place is marked for the device, or contains one that is."""
    if not unit.analysis(_Places).qualifiers:
        return False
    from hipify_py.semantics.functions import functions_of

    function = functions_of(unit).at(place)
    if function is None:
        return False
    places = unit.analysis(_Places).qualifiers
    return bisect_left(places, function.head) < bisect_left(places, place)


def may_run_on_device(unit: Unit, place: int) -> bool:
    """Whether a place is in a function for the device, also one for the host as well, or in a macro that one uses."""
    return _may_run_on_device(unit, place, set())


def _may_run_on_device(unit: Unit, place: int, macros: set[bytes]) -> bool:
    define = unit.lexemes.define_around(place)
    if define is not None:
        if define.text in macros:
            return False
        macros.add(define.text)
        return any(
            use != define.start and _may_run_on_device(unit, use, macros) for use in unit.lexemes.places(define.text)
        )
    if (
        not unit.tree.is_parsed
        and not unit.analysis(_Places).heads_or_macros.may_contain(place)
        and not _may_be_device_code(unit, place)
    ):
        return False
    function = ancestor(unit.tree.leaf(place, place + 1), "function_definition", "lambda_expression")
    while function is not None:
        body = function.child_by_field_name("body")
        if body is not None and body.start_byte <= place and _names_device(unit, function.start_byte, body.start_byte):
            return True
        if function.has_error and _may_be_device_code(unit, place):
            return True  # the grammar does not parse `[] __device__(int i) {…}`
        function = ancestor(function.parent, "function_definition", "lambda_expression")
    return False


def _names_device(unit: Unit, start: int, end: int) -> bool:
    """Whether a function's head has `__device__` or `__global__`, or a macro of the source that expands to one."""
    words = set(_WORD.findall(unit.lexemes.code(start, end)))
    if words & _DEVICE_WORDS:
        return True
    macros = macros_of(unit)
    return any(
        token.text in _DEVICE_WORDS
        for word in words
        if _UPPER_CASE.fullmatch(word) is not None
        for macro in macros.named(word)
        for token in tokens(unit.lexemes, macro.start, macro.end)
    )


def in_kernel_body(unit: Unit, place: int) -> bool:
    """Whether a place is in the body of a `__global__` function itself, not in a lambda or a local class within it."""
    if not _is_in_device_function(unit, place):
        return False
    function = ancestor(unit.tree.leaf(place, place + 1), "function_definition", "lambda_expression")
    body = function.child_by_field_name("body") if function is not None else None
    if function is None or body is None or function.type == "lambda_expression":
        return False
    return b"__global__" in unit.lexemes.code(function.start_byte, body.start_byte)


def is_surely_host_code(unit: Unit, node: Node) -> bool:
    """Whether a function is certainly host code: no `__device__` in its head, and no macro that may expand to it.

    It contains nothing that only device code can call either, and the place is not in a lambda for the device.
    """
    function: Node | None = ancestor(node, "function_definition")
    if function is None:
        return False
    inner: Node | None = node
    while inner is not None and inner.id != function.id:
        if inner.type == "lambda_expression" and _is_marked_for_device(unit, inner):
            return False
        inner = inner.parent
    return not _is_marked_for_device(unit, function)


def _is_marked_for_device(unit: Unit, function: Node) -> bool:
    part = function.child_by_field_name("declarator") or function
    while part.type != "function_declarator" and (inner := part.child_by_field_name("declarator")) is not None:
        part = inner
    name, body = part.child_by_field_name("declarator"), function.child_by_field_name("body")
    end = name if name is not None else body  # types of parameters are not macros, whatever their names
    head_end = end.start_byte if end is not None else function.end_byte
    words = _WORD.findall(unit.lexemes.code(function.start_byte, head_end))
    if any(_PERHAPS_DEVICE.fullmatch(word) is not None for word in words):
        return True
    places = unit.analysis(_Places).device_only
    return bisect_left(places, function.start_byte) < bisect_left(places, function.end_byte)


def _may_be_device_code(unit: Unit, place: int) -> bool:
    """Whether more brackets open than close between the nearest `__global__` or `__device__` and the place."""
    data, lexemes = unit.source.data, unit.lexemes
    places = unit.analysis(_Places).qualifiers
    before = bisect_left(places, place)
    if not before:
        return False
    depth = 0
    for mark in _BRACES.finditer(data, places[before - 1], place):
        if lexemes.non_code_at(mark.start()) is None:
            depth += 1 if mark[0] == b"{" else -1
            if depth == 0:
                return False  # the function's body has ended
    return depth > 0
