"""`#line` directives in a translation, so that compilers and debuggers show the places of the CUDA source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from hipify_py.catalog import load_catalog
from hipify_py.core.edits import Edit, apply, ordered
from hipify_py.core.source import BOM
from hipify_py.frontend.lexer import Lexemes
from hipify_py.translator.translate import lexer

_PARENTHESIS = re.compile(rb"[()]")


def with_line_directives(data: bytes, edits: Iterable[Edit], path: str) -> bytes:
    """The source that edits make of `data`, with directives that give each line its number in `data`.

    One is at the beginning, and one after each edit that adds or removes lines: at the next line where a directive may
    stand, which is not in a comment or literal, a continued line or the arguments of a call.

    Args:
        data: the CUDA source.
        edits: those that make HIP of it.
        path: the CUDA source's name, as compilers shall show it.
    """
    edits = ordered(edits)
    name = path.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogateescape")
    start = len(BOM) if data.startswith(BOM) else 0
    first = Edit(start, start, b'#line 1 "%b"\n' % name)
    places = _places(data, edits)
    return apply(data, [first, *edits, *(Edit(at, at, b'#line %d "%b"\n' % (line, name)) for at, line in places)])


def _places(data: bytes, edits: list[Edit]) -> Iterator[tuple[int, int]]:
    """Where lines begin whose numbers are others in the result, each after a change of the difference."""
    changes = [edit for edit in edits if edit.text.count(b"\n") != data.count(b"\n", edit.start, edit.end)]
    if not changes:
        return
    lexemes = lexer(load_catalog()).scan(data)
    edited = {edit.start for edit in edits if edit.start == edit.end}
    covered = iter([*edits, Edit(len(data) + 1, len(data) + 1, b"")])
    now = next(covered)
    pending = iter([*(edit.end for edit in changes), len(data) + 1])
    after = next(pending)
    for at, line in _safe_lines(lexemes):
        while now.end < at:
            now = next(covered)
        if at < after or at in edited or now.start < at < now.end:
            continue
        yield at, line
        while after <= at:
            after = next(pending)


def _safe_lines(lexemes: Lexemes) -> Iterator[tuple[int, int]]:
    """The lines that a directive may precede, each with its number."""
    data, depth, line, counted = lexemes.data, 0, 1, 0
    marks = chain((match.start() for match in _PARENTHESIS.finditer(data)), [len(data)])
    mark = next(marks)
    start = data.find(b"\n") + 1
    while 0 < start < len(data):
        while mark < start:
            if lexemes.non_code_at(mark) is None:
                depth = max(depth + (1 if data[mark] == 0x28 else -1), 0)
            mark = next(marks)
        line += data.count(b"\n", counted, start)
        counted = start
        if depth == 0 and lexemes.non_code_at(start - 1) is None and lexemes.logical_line_start(start) == start:
            yield start, line
        start = data.find(b"\n", start) + 1
