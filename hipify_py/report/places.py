"""The location of a finding, in the terms of the programs that show it next to the code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.core.findings import Finding, Fix

_BOM = "\ufeff"
_REPLACED, _BYTE = "\ufffd", "\udc80"
"""What represents a byte that is not UTF-8 in a line, and what Python converts back to one byte."""


class Span(NamedTuple):
    """Lines and columns, from 1; columns count UTF-16 code units, and the end column is after the last.

    The columns are 0 where they are not known: beyond what is kept of a long line, and where more than a line is meant.
    """

    line: int
    column: int
    end_line: int
    end_column: int


def workspace_path(path: str) -> str:
    """A file as seen from the working folder, with slashes; an absolute path where it lies elsewhere."""
    shown = os.path.normpath(shown_path(path))
    if os.path.isabs(shown):
        inside = os.path.relpath(shown, shown_path(os.getcwd()))
        shown = shown if inside.startswith(os.pardir) else inside
    return shown.replace(os.sep, "/")


def span_of(finding: Finding) -> Span | None:
    """The place of a finding; None where it is about its file as a whole."""
    if finding.offset < 0:
        return None
    end_line, parts = max(finding.end_line, finding.line), line_parts(finding)
    if parts is None or end_line != finding.line:
        return Span(finding.line, 0, end_line, 0)
    before, about, _ = parts
    column = _units(before.removeprefix(_BOM)) + 1
    return Span(finding.line, column, end_line, column + _units(about))


def line_parts(finding: Finding) -> tuple[str, str, str] | None:
    """The line of a finding in what stands before, what it is about, and the rest; None where that is not known.

    Of a finding that goes on in other lines, it is about all the rest.
    """
    line = finding.source_line.replace(_REPLACED, _BYTE).encode("utf-8", "surrogateescape")
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    if finding.offset < 0 or not 0 <= start <= end <= len(line):
        return None
    before, about, behind = (_text(part) for part in (line[:start], line[start:end], line[end:]))
    # The character may have stood there itself, and is more than a byte then.
    if _REPLACED in before and not (finding.name and (about + behind).startswith(finding.name)):
        return None
    return before, about, behind


def fix_spans(fix: Fix) -> list[Span] | None:
    """The places of a fix's edits; None where a column cannot be told."""
    texts = {touched.line + index: line for touched in fix.lines for index, line in enumerate(touched.old)}
    spans = []
    for edit in fix.edits:
        start, end = _column(texts, edit.line, edit.column), _column(texts, edit.end_line, edit.end_column)
        if not start or not end:
            return None
        spans.append(Span(edit.line, start, edit.end_line, end))
    return spans


def _column(texts: Mapping[int, str], line: int, column: int) -> int:
    """A column in UTF-16 code units; 0 where that is not known."""
    if column == 1:
        return 1
    text = texts.get(line, "").replace(_REPLACED, _BYTE).encode("utf-8", "surrogateescape")
    before = _text(text[: column - 1])
    return _units(before.removeprefix(_BOM)) + 1 if len(text) >= column - 1 and _REPLACED not in before else 0


def _text(part: bytes) -> str:
    return part.decode("utf-8", "surrogateescape").replace(_BYTE, _REPLACED).encode("utf-8", "replace").decode("utf-8")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def shown_path(path: str) -> str:
    """JSON is Unicode: bytes of a name that are not UTF-8 appear as escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
