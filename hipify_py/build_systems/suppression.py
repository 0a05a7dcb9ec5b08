"""Findings of build files that a comment (`# hipify: ignore[HIP602]`) or the configuration suppresses.

A comment holds for its line where it stands behind a statement; on a line of its own, for the whole statement that
follows.
"""

from __future__ import annotations

from bisect import bisect_right

from hipify_py.build_systems.file import BuildFile, Range
from hipify_py.core.findings import BY_COMMENT, Finding
from hipify_py.core.suppression import (
    ALL,
    BEGIN,
    END,
    FILE,
    INVALID,
    LINE,
    MARK,
    UNUSED,
    WORDS,
    Silenced,
    by_configuration,
    read_directive,
)


def silence(file: BuildFile, findings: list[Finding]) -> Silenced:
    """Tell suppressed findings from the others."""
    result = _by_comments(file, findings) if MARK in file.source.data else Silenced(findings, [])
    return by_configuration(result, file.options, file.source.path)


def _by_comments(file: BuildFile, findings: list[Finding]) -> Silenced:
    known = {entry.id for entry in file.catalog.diagnostics()}
    spans: list[tuple[int, int, tuple[str, ...], int]] = []
    opened: dict[tuple[str, ...], int] = {}
    before = len(file.findings)
    for start, end in file.comments:
        data = file.source.data
        match = WORDS.search(data, start, end)
        if match is None or data[start : match.start()].strip(file.marks):
            continue
        kind, ids, wrong = read_directive(match, known)
        if wrong:
            file.finding(INVALID, match.start(), f"hipify: {match[1].decode()}", wrong)
        if not kind or not ids:
            continue
        if kind == FILE:
            spans.append((-1, len(data) + 1, ids, match.start()))
        elif kind == BEGIN:
            opened.setdefault(ids, match.start())
        elif kind == END and ids in opened:
            first = opened.pop(ids)
            spans.append((first, match.start(), ids, first))
        elif kind == LINE:
            spans.append((*_lines(file, start, end), ids, match.start()))
    spans += [(first, len(file.source.data) + 1, ids, first) for ids, first in opened.items()]
    reported, suppressed, used = list[Finding](), list[Finding](), set[int]()
    waiting = sorted(spans, reverse=True)
    active: list[tuple[int, int, tuple[str, ...], int]] = []
    for finding in sorted(findings, key=lambda finding: finding.offset):
        while waiting and waiting[-1][0] <= finding.offset:
            active.append(waiting.pop())
        active = [span for span in active if finding.offset < span[1]]
        marks = [place for _, _, ids, place in active if finding.id in ids or ids == (ALL,)]
        used.update(marks)
        if marks:
            suppressed.append(finding._replace(suppression=BY_COMMENT))
        else:
            reported.append(finding)
    for _, _, ids, place in spans:
        if place not in used and (file.references or findings):
            said = "" if ids == (ALL,) else f"[{', '.join(ids)}]"
            file.finding(UNUSED, place, f"hipify: ignore{said}")
    reported += file.findings[before:]
    return Silenced(reported, suppressed)


def _lines(file: BuildFile, start: int, end: int) -> tuple[int, int]:
    """What a comment holds for: its line, or the next statement."""
    first, last = file.source.line_bounds(start)
    if file.source.data[first:start].strip():
        return first, last
    statements = file.statements
    at = bisect_right(statements, end, key=_end_of)
    if at == len(statements):
        return last, len(file.source.data) + 1
    first, stop = statements[at]
    if first < start:  # within a statement: the next line
        return last, file.source.line_bounds(min(last, len(file.source.data) - 1))[1]
    return end, file.source.line_bounds(stop - 1)[1]


def _end_of(statement: Range) -> int:
    return statement[1]
