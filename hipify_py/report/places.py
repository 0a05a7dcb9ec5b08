"""Where a finding stands, in the terms of the programs that show it beside the code."""

from __future__ import annotations

import os
from typing import NamedTuple

from hipify_py.findings import Finding
from hipify_py.report.document import shown_path

_BOM = "\ufeff"
_REPLACED = "\ufffd"
"""What stands in a line for bytes that are no UTF-8; how many, it does not tell."""


class Span(NamedTuple):
    """Lines and columns, from 1; columns count UTF-16 code units, and the end's is behind the last.

    The columns are 0 where they are not known: in a line that is too long to be kept, or is no UTF-8.
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
    end_line = max(finding.end_line, finding.line)
    column = _unit(finding, finding.column)
    end_column = _unit(finding, finding.end_column) if end_line == finding.line else 0
    if not column or not end_column:
        column = end_column = 0
    return Span(finding.line, column, end_line, end_column)


def text_at(finding: Finding) -> str:
    """The text that a finding is about; empty where its columns are not known."""
    span = span_of(finding)
    if span is None or not span.column:
        return ""
    units = finding.source_line.removeprefix(_BOM).encode("utf-16-le", "replace")
    return units[2 * span.column - 2 : 2 * span.end_column - 2].decode("utf-16-le", "replace")


def _unit(finding: Finding, column: int) -> int:
    """A column that counts bytes as one that counts UTF-16 code units; 0 where that cannot be told."""
    before = finding.source_line.encode("utf-8", "replace")[: column - 1]
    if len(before) < column - 1:
        return 0
    text = before.decode("utf-8", "replace")
    if _REPLACED in text or not column:
        return 0
    return len(text.removeprefix(_BOM).encode("utf-16-le")) // 2 + 1
