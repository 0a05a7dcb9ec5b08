"""The names that a file of Cython gives to its own things: functions, parameters, variables, attributes, types."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from hipify_py.embedded.cython_text import OTHER, STRING, WORD, Statement, Token

_DECLARING = frozenset({b"cdef", b"cpdef", b"ctypedef"})
_MEMBERS = frozenset({b"struct", b"union", b"cppclass"})
_NO_NAMES = frozenset({b"not", b"or", b"None"})
_OPENING, _CLOSING = frozenset({b"(", b"[", b"{"}), frozenset({b")", b"]", b"}"})

_MODULE, _CLASS, _FUNCTION, _DECLARATIONS = "module", "class", "function", "declarations"
"""What a suite is: only those of functions and of modules have names that other statements use without a dot."""


class _Suite(NamedTuple):
    """A suite that statements are in: the columns of its head, what it is, where it begins, and the names in it."""

    indent: int
    kind: str
    start: int
    names: set[bytes]


class OwnNames:
    """The names that a file itself declares, and where they are meant."""

    def __init__(self, statements: Sequence[Statement], is_type: Callable[[bytes], bool]) -> None:
        """Read statements outside of `extern` blocks.

        Args:
            statements: those of the file, without those of its `extern` blocks.
            is_type: whether a name is a type of the API, which may stand for a parameter without a name.
        """
        self._module: set[bytes] = set()
        self._places: set[int] = set()
        self._local: dict[bytes, list[tuple[int, int]]] = {}
        self._suites: list[_Suite] = []
        self._is_type = is_type
        for statement in statements:
            self._close(statement.indent, statement.tokens[0].start)
            self._read(statement)
        self._close(-1, statements[-1].tokens[-1].end + 1 if statements else 0)
        self._local = {name: [*_outermost(ranges)] for name, ranges in self._local.items()}

    def has(self, name: bytes, place: int) -> bool:
        """Whether a name at a place is the file's own."""
        if name in self._module or place in self._places:
            return True
        ranges = self._local.get(name, [])
        last = bisect_right(ranges, place, key=itemgetter(0)) - 1
        return last >= 0 and place < ranges[last][1]

    def in_module(self, name: bytes) -> bool:
        """Whether the file declares a name for all of its code."""
        return name in self._module

    def _close(self, indent: int, place: int) -> None:
        while self._suites and self._suites[-1].indent >= indent:
            suite = self._suites.pop()
            if suite.kind == _FUNCTION:
                for name in suite.names:
                    self._local.setdefault(name, []).append((suite.start, place))

    def _read(self, statement: Statement) -> None:
        tokens = statement.tokens
        words = [token.text for token in tokens]
        first = words[1] if words[0] == b"async" and len(words) > 1 else words[0]
        opens = words[-1] == b":"
        if b"extern" in words[:3] or first in {b"from", b"import", b"cimport"}:
            return
        if first == b"class" or (first in _DECLARING and b"class" in words[:3]):
            self._add_first(declared(tokens))
            self._open(statement, _CLASS)
        elif first == b"def" or (first in _DECLARING and opens and b"(" in words):
            self._add_first(declared(tokens))
            if opens or first == b"def":
                self._open(statement, _FUNCTION).names.update(self._parameters(tokens, first == b"def"))
        elif first in _DECLARING:
            for name in declared(tokens):
                self._add(name)
            if opens:
                self._open(statement, _CLASS if _MEMBERS & set(words) else _DECLARATIONS)
        elif self._suites and self._suites[-1].kind == _DECLARATIONS:
            for name in declared(tokens):
                self._add(name)
        elif tokens[0].kind == WORD and words[1:2] in ([b"="], [b":"]):
            self._add(tokens[0])

    def _open(self, statement: Statement, kind: str) -> _Suite:
        suite = _Suite(statement.indent, kind, statement.tokens[0].start, set())
        self._suites.append(suite)
        return suite

    def _add_first(self, names: Iterator[Token]) -> None:
        for name in names:
            self._add(name)
            return

    def _add(self, name: Token) -> None:
        """A declared name, in the suite that encloses it."""
        suite = next((suite for suite in reversed(self._suites) if suite.kind != _DECLARATIONS), None)
        self._places.add(name.start)
        if suite is None:
            self._module.add(name.text)
        elif suite.kind == _FUNCTION:
            suite.names.add(name.text)

    def _parameters(self, tokens: Sequence[Token], is_python: bool) -> Iterator[bytes]:
        """The parameters of a function; a type alone is one only in a function of Python."""
        opening = next((at for at, token in enumerate(tokens) if token.text == b"("), len(tokens))
        for part in _parts(tokens[opening + 1 :]):
            names = _heads(part)
            if names and (is_python or len(names) > 1 or not self._is_type(names[-1].text)):
                yield names[-1].text


def _outermost(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The ranges of functions that are in none of the others, in order."""
    stop = 0
    for start, end in sorted(ranges):
        if start >= stop:
            yield start, end
            stop = end


def declared(tokens: Sequence[Token]) -> Iterator[Token]:
    """The names that a statement declares: the last word of each part before its arguments, value or name in C."""
    for part in _parts(tokens):
        at = next((at for at, token in enumerate(part) if token.text == b"("), -1)
        is_pointer = at >= 0 and at + 2 < len(part) and part[at + 1].text == b"*"
        names = _heads(part[at + 2 :] if is_pointer else part)
        if names:
            yield names[-1]


def arguments_of(tokens: Sequence[Token], at: int) -> list[list[Token]] | None:
    """The parameters in a declaration of the function whose name is at an index; None if it declares none."""
    if at + 1 >= len(tokens) or tokens[at + 1].text != b"(":
        return None
    return [part for part in _parts(tokens[at + 2 :]) if [token.text for token in part] not in ([], [b"void"])]


def _parts(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """What commas separate, up to a bracket that closes more than was opened."""
    part: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth < 0:
            break
        if token.text == b"," and not depth:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _heads(part: Sequence[Token]) -> list[Token]:
    """The words of a declaration before its arguments, its value or its name in C; brackets of types are left out."""
    names: list[Token] = []
    depth = 0
    for token in part:
        if not depth and (token.kind == STRING or token.text in {b"(", b"=", b":"} or token.text in _NO_NAMES):
            break
        if token.kind == OTHER:
            depth = max(0, depth + (token.text in _OPENING) - (token.text in _CLOSING))
        elif not depth and token.kind == WORD:
            names.append(token)
    return names
