"""The extents of a source's functions, read from its braces: for code that is in no tree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.lexer import Lexemes

# Each alternative looks back at the byte that the engine has skipped to.
_MARKS = lazy_pattern(
    rb"[{};_\#](?:(?<=[{};])|(?<=_)(?<!\w_)(_global__)\b|(?<=\#)[ \t]*(if|ifdef|ifndef|elif|else|endif|define)\b)"
)
_KERNEL, _DIRECTIVE = 1, 2
_OPENING, _SEMICOLON = b"{;"
_CONTAINER = lazy_pattern(
    rb"(?:template\s*<[^{}]*>\s*)?(?:(?:typedef|static|inline|const|constexpr)\s+)*"
    rb"(?:namespace|struct|class|union|enum|extern\s*\")"
)
_PARTS = lazy_pattern(rb"([A-Za-z_]\w*)\s*\(|[()]")
_NO_NAMES = frozenset({b"__launch_bounds__", b"__align__", b"__attribute__", b"decltype", b"alignas", b"__declspec"})
_KEYWORDS = frozenset({b"if", b"for", b"while", b"switch", b"catch"})


class Body(NamedTuple):
    """A function with its body: the declaration begins at `head`, the braces are at `start` and `end`."""

    name: bytes
    head: int
    start: int
    end: int


class Bodies:
    """The outermost functions of a source, in order; lambdas and local classes belong to the function around them.

    Reads braces only, so that macros and unknown attributes do no harm; every branch of an `#if` continues from the
    depth
    before it. Linear, and never fails: an unclosed function extends to the end of the source.
    """

    def __init__(self, lexemes: Lexemes) -> None:
        self._all = list(_functions(lexemes))
        self._starts = [function.head for function in self._all]

    def __iter__(self) -> Iterator[Body]:
        return iter(self._all)

    def at(self, offset: int) -> Body | None:
        """The function whose head or body contains a place."""
        index = bisect_right(self._starts, offset) - 1
        return self._all[index] if index >= 0 and offset <= self._all[index].end else None


def _functions(lexemes: Lexemes) -> Iterator[Body]:
    data, at = lexemes.data, 0
    depth, head = 0, 0  # depth counts braces within a function; 0 is outside
    opened: tuple[bytes, int, int] | None = None
    branches: list[int] = []
    for mark in _MARKS.finditer(data):
        start, kind = mark.start(), mark.lastindex
        if start < at or (kind == _DIRECTIVE and not lexemes.begins_line(start)):
            continue
        at = mark.end()
        skip = lexemes.non_code_at(start)
        if skip is not None:
            at = skip[1]
        elif kind == _DIRECTIVE:
            end = lexemes.logical_line_end(at)
            if opened is None:
                at = head = end
            elif mark[_DIRECTIVE] == b"define":
                at = end
            else:
                depth = _branch(mark[_DIRECTIVE], branches, depth)
        elif kind == _KERNEL:
            if opened is not None and depth > 0:  # kernels do not nest: a brace was missing before it
                yield Body(*opened, start - 1)
                opened, depth, head = None, 0, start
                branches.clear()
        elif opened is None:
            if data[start] == _OPENING and (name := _function_name(lexemes, head, start)) is not None:
                opened, depth = (name, lexemes.after(head), start), 1
                branches.clear()
            else:
                head = at
        elif data[start] != _SEMICOLON:
            depth += 1 if data[start] == _OPENING else -1
            if depth <= 0:
                yield Body(*opened, start)
                opened, depth, head = None, 0, at
    if opened is not None:
        yield Body(*opened, len(data))


def _branch(directive: bytes, branches: list[int], depth: int) -> int:
    """The depth at which the code after a directive continues."""
    if directive in (b"if", b"ifdef", b"ifndef"):
        branches.append(depth)
    elif branches and directive in (b"else", b"elif"):
        return branches[-1]
    elif branches and directive == b"endif":
        branches.pop()
    return depth


def _function_name(lexemes: Lexemes, head: int, brace: int) -> bytes | None:
    """The name of the function whose body opens here; None for namespaces, classes and initializers."""
    start = lexemes.after(head)
    text = lexemes.code(start, brace)
    if (
        b"(" not in text
        or text.rstrip().endswith(b"=")
        or (_CONTAINER.match(text) and not text.rstrip().endswith(b")"))
    ):
        return None
    name = next((name for name in _outer_names(text) if name not in _NO_NAMES), None)
    return None if name in _KEYWORDS else name


def _outer_names(text: bytes) -> Iterator[bytes]:
    """The names with an argument list that are not in an argument list themselves."""
    depth = 0
    for match in _PARTS.finditer(text):
        if match[1] is not None and depth == 0:
            yield match[1]
        depth += (match[0][-1:] == b"(") - (match[0] == b")")
