"""Findings of build files that a comment (`# hipify: ignore[HIP602]`) or the configuration suppresses.

A comment holds for its line where it stands behind a command; on a line of its own, for the whole command that follows.
"""

from __future__ import annotations

from hipify_py.build_systems.model import BuildFile
from hipify_py.findings import BY_COMMENT, BY_CONFIGURATION, Finding
from hipify_py.suppression import INVALID, MARK, UNUSED, WORDS, Silenced, ignored_in, read_directive

_LINE, _BEGIN, _END, _FILE = "ignore", "ignore-begin", "ignore-end", "ignore-file"


def silence(file: BuildFile, findings: list[Finding]) -> Silenced:
    """Tell suppressed findings from the others."""
    reported, suppressed = findings, list[Finding]()
    if MARK in file.source.data:
        reported, suppressed = _by_comments(file, findings)
    ignored = file.options.ignore | ignored_in(file.options.file_ignores, file.source.path)
    left = []
    for finding in reported:
        if finding.id in ignored:
            suppressed.append(finding._replace(suppression=BY_CONFIGURATION))
        else:
            left.append(finding)
    return Silenced(left, suppressed)


def _by_comments(file: BuildFile, findings: list[Finding]) -> tuple[list[Finding], list[Finding]]:
    known = {entry.id for entry in file.catalog.diagnostics()}
    spans: list[tuple[int, int, tuple[str, ...], int]] = []
    opened: dict[tuple[str, ...], int] = {}
    before = len(file.findings)
    for start, end in file.read.comments:
        data = file.source.data
        match = WORDS.search(data, start, end)
        if match is None or data[start : match.start()].strip(b"# \t["):
            continue
        kind, ids, wrong = read_directive(match, known)
        if wrong:
            file.finding(INVALID, match.start(), f"hipify: {match[1].decode()}", wrong)
        if not kind or not ids:
            continue
        if kind == _FILE:
            spans.append((-1, len(data) + 1, ids, match.start()))
        elif kind == _BEGIN:
            opened.setdefault(ids, match.start())
        elif kind == _END and ids in opened:
            first = opened.pop(ids)
            spans.append((first, match.start(), ids, first))
        elif kind == _LINE:
            spans.append((*_lines(file, start, end), ids, match.start()))
    spans += [(first, len(file.source.data) + 1, ids, first) for ids, first in opened.items()]
    reported, suppressed, used = list[Finding](), list[Finding](), set[int]()
    waiting = sorted(spans, reverse=True)
    active: list[tuple[int, int, tuple[str, ...], int]] = []
    for finding in sorted(findings, key=lambda finding: finding.offset):
        while waiting and waiting[-1][0] <= finding.offset:
            active.append(waiting.pop())
        active = [span for span in active if finding.offset < span[1]]
        marks = [place for _, _, ids, place in active if finding.id in ids or ids == ("",)]
        used.update(marks)
        if marks:
            suppressed.append(finding._replace(suppression=BY_COMMENT))
        else:
            reported.append(finding)
    for _, _, ids, place in spans:
        if place not in used and (file.references or findings):
            said = "" if ids == ("",) else f"[{', '.join(ids)}]"
            file.finding(UNUSED, place, f"hipify: ignore{said}")
    reported += file.findings[before:]
    return reported, suppressed


def _lines(file: BuildFile, start: int, end: int) -> tuple[int, int]:
    """What a comment holds for: its line, or the next command."""
    first, last = file.source.line_bounds(start)
    if file.source.data[first:start].strip():
        return first, last
    following = next((command for command in file.commands if command.end > end), None)
    if following is None:
        return last, len(file.source.data) + 1
    if following.start < start:  # within a command: the next line
        return last, file.source.line_bounds(min(last, len(file.source.data) - 1))[1]
    return end, file.source.line_bounds(following.end - 1)[1]
