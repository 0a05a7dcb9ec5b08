"""What a name under the cursor becomes: the answer of `hipify-py query`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.language_server.analysis import Analysis
from hipify_py.report.explain import markdown
from hipify_py.report.query.account import ask, is_known
from hipify_py.report.query.lines import found_lines
from hipify_py.report.query.ptx import ask_ptx

_QUALIFIED = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_INCLUDE = re.compile(rb'[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]')
_PTX = re.compile(rb"%?%?[A-Za-z_][\w.:]*")
_OF_ASM = re.compile(rb"\basm\b|\b__asm\w*")
_NEAR = 4_000
"""Bytes before a string in which `asm` is looked for."""


class Hovered(NamedTuple):
    """A name, and the lines of text about it; `[start, end)` is where it is."""

    start: int
    end: int
    lines: list[str]


def hovered(analysis: Analysis, offset: int) -> Hovered | None:
    """What is known of the name at a place; None if nothing is."""
    if analysis.settings is None:
        return None
    catalog = load_catalog(analysis.settings.group.options.targeting)
    for start, end, name, is_ptx in _candidates(analysis, offset):
        if not (is_known(catalog, name) or (is_ptx and ask_ptx(name) is not None)):
            continue
        found = ask(catalog, name)
        if found.is_known:
            return Hovered(start, end, [*found_lines(catalog, found)])
    return None


def as_markdown(lines: Iterable[str]) -> str:
    """Lines of `query` as Markdown: a heading, a list, and declarations as code."""
    first, *rest = lines
    out = [f"**{markdown(first)}**", ""]
    code: list[str] = []
    for line in rest:
        text = line.strip()
        if line.startswith("    ") and not _IS_TOLD.match(text):
            code.append(text)
            continue
        out += _fenced(code)
        code = []
        label, colon, value = text.partition(": ")
        if colon and label in _CODE_LABELS:
            out.append(f"- {label}: {_span(value)}")
        else:
            out.append(f"- {markdown(text)}")
    return "\n".join([*out, *_fenced(code)])


_IS_TOLD = re.compile(r"(?:note|warning|error) HIP\d{3} |note: |support header: |with warps kept |and \d+ more$")
"""What is indented like declarations, and is text."""

_CODE_LABELS = frozenset({"example", "example (unchanged)", "becomes"})


def _fenced(code: list[str]) -> list[str]:
    return ["  ```cpp", *(f"  {line}" for line in code), "  ```"] if code else []


def _span(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _candidates(analysis: Analysis, offset: int) -> Iterator[tuple[int, int, str, bool]]:
    """Places and names that may be meant, the best first, and whether one can be PTX."""
    data = analysis.document.text.data
    references = analysis.result.references
    at = bisect_right(references, offset, key=lambda reference: reference.offset) - 1
    if at >= 0:
        name = references[at].name
        spelled = _QUALIFIED.match(data, references[at].offset)
        end = max(spelled.end() if spelled else 0, references[at].offset + len(name.rpartition("::")[2].encode()))
        if offset <= end:
            yield references[at].offset, end, name, False
    start = data.rfind(b"\n", 0, offset) + 1
    stop = data.find(b"\n", offset)
    stop = len(data) if stop < 0 else stop
    include = _INCLUDE.match(data, start, stop)
    if include is not None and include.start(1) <= offset <= include.end(1):
        yield (*include.span(1), _name(include[1]), False)
        return
    if _is_in_asm(analysis, offset):
        for match in _PTX.finditer(data, start, stop):
            if match.start() <= offset <= match.end():
                name = _name(match[0])
                yield (*match.span(), f"%{name.lstrip('%')}" if name.startswith("%") else name.rstrip("."), True)
    for match in _QUALIFIED.finditer(data, start, stop):
        if match.start() <= offset <= match.end():
            parts = [part.strip() for part in match[0].split(b"::")]
            yield (*match.span(), _name(b"::".join(parts)), False)
            yield from _word(match, offset)


def _word(match: re.Match[bytes], offset: int) -> Iterator[tuple[int, int, str, bool]]:
    """The part of a qualified name that is at a place."""
    for part in re.finditer(rb"\w+", match[0]):
        start, end = match.start() + part.start(), match.start() + part.end()
        if start <= offset <= end and part[0] != match[0]:
            yield start, end, _name(part[0]), False


def _is_in_asm(analysis: Analysis, offset: int) -> bool:
    """Whether a place is in a string of an `asm` statement."""
    data, lexemes = analysis.document.text.data, analysis.lexemes
    string = lexemes.non_code_at(offset)
    if string is None or data[string[0] : string[0] + 2] in (b"//", b"/*"):
        return False
    first = max(string[0] - _NEAR, 0)
    code = bytearray(data[first : string[0]])
    for start, end in lexemes.comments_and_literals_in(first, string[0]):
        code[start - first : end - first] = b" " * (end - start)
    *_, last = (None, *_OF_ASM.finditer(code))
    return last is not None and code.count(b"(", last.end()) > code.count(b")", last.end())


def _name(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
