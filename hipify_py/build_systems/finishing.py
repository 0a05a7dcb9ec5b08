"""Turns the edits and findings of the rules into the `Translation` of a build file."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import partial
from operator import itemgetter

from hipify_py.build_systems.file import BuildFile
from hipify_py.core.edits import apply
from hipify_py.core.findings import BY_COMMENT, Finding, at_each_place, together
from hipify_py.core.translation import Translation
from hipify_py.findings.fingerprints import LONGEST_LINE, end_of_name, numbered, shown_line
from hipify_py.findings.selection import chosen
from hipify_py.findings.suppression import (
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

# Findings of build files that a comment (`# hipify: ignore[HIP602]`) or the configuration suppresses.


def silence(file: BuildFile, findings: list[Finding]) -> Silenced:
    """Separate suppressed findings from the others."""
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
            listed = "" if ids == (ALL,) else f"[{', '.join(ids)}]"
            file.finding(UNUSED, place, f"hipify: ignore{listed}")
    reported += file.findings[before:]
    return Silenced(reported, suppressed)


def _lines(file: BuildFile, start: int, end: int) -> tuple[int, int]:
    """What a comment applies to: its line, or the next statement."""
    first, last = file.source.line_bounds(start)
    if file.source.data[first:start].strip():
        return first, last
    statements = file.statements
    at = bisect_right(statements, end, key=itemgetter(1))
    if at == len(statements):
        return last, len(file.source.data) + 1
    first, stop = statements[at]
    if first < start:  # within a statement: the next line
        return last, file.source.line_bounds(min(last, len(file.source.data) - 1))[1]
    return end, file.source.line_bounds(stop - 1)[1]


_ONCE = frozenset({"HIP602", "HIP609", "HIP620", "HIP640", "HIP641", "HIP642", "HIP643", "HIP644"})
"""Findings that are reported once per file."""

_BY_NAME = frozenset({"HIP609", "HIP641", "HIP643", "HIP644"})
"""Those that are reported once per name."""

_BY_ADVICE = frozenset({"HIP640", "HIP642"})
"""Those that are reported once for all names with the same replacement."""


def finished(file: BuildFile) -> Translation:
    """The translation of a file that all rules have visited."""
    edits = file.finish()
    findings, suppressed = silence(
        file, sorted(dict.fromkeys(file.findings), key=lambda found: (found.offset, found.id))
    )
    findings, suppressed = _once(findings), _once(suppressed)
    findings = chosen(findings, file.options, file.catalog)
    suppressed = chosen(suppressed, file.options, file.catalog)
    place = partial(_placed, file, seen=Counter[str]())
    return Translation(
        apply(file.source.data, edits),
        edits,
        [at_each_place(found, place) for found in findings],
        sorted(dict.fromkeys(file.references)),
        suppressed=[at_each_place(found, place) for found in suppressed],
        evidence=(file.library,),
    )


def _once(findings: list[Finding]) -> list[Finding]:
    """One finding per file of those whose message is the same for every place."""
    same: dict[object, list[Finding]] = {}
    for found in findings:
        same.setdefault(_subject(found) if found.id in _ONCE else found, []).append(found)
    return [together(each) for each in same.values()]


def _subject(found: Finding) -> tuple[str, str]:
    if found.id in _BY_ADVICE:
        return found.id, found.message.replace(found.name, "", 1)
    return found.id, found.name if found.id in _BY_NAME else ""


def _placed(file: BuildFile, found: Finding, seen: Counter[str]) -> Finding:
    """A finding with its end, its line and its fingerprint, which is made of the words of its line."""
    data, source = file.source.data, file.source
    end_line, end_column = source.position(end_of_name(data, found))
    start = found.offset - found.column + 1
    stop = data.find(b"\n", found.offset, found.offset + LONGEST_LINE)
    stop = min(len(data), found.offset + LONGEST_LINE) if stop < 0 else stop
    context = b" ".join(data[max(start, found.offset - LONGEST_LINE) : stop].split())
    return found._replace(
        end_line=end_line,
        end_column=end_column,
        source_line=shown_line(data[start : min(stop, start + LONGEST_LINE)].rstrip(b"\r\n")),
        fingerprint=numbered(found, context, seen),
    )
