"""Suppressed findings: `// hipify: ignore[HIP301]` in the source, `ignore` in the configuration.

A comment in the source is one of

- `hipify: ignore[HIP301, HIP305]`, or `hipify: ignore` for all: after code, it applies to its line; on a separate line,
  to the next line of code (for a macro, to the end of its definition);
- `hipify: ignore-file[HIP301]`, for the whole file;
- `hipify: ignore-begin[HIP301]` and `hipify: ignore-end[HIP301]`, for everything in between.

Anything may follow the bracket, preferably a reason.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.findings import BY_COMMENT, BY_CONFIGURATION, Finding
from hipify_py.core.options import FileIgnores, Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import BOM
from hipify_py.frontend.unit import Unit

if TYPE_CHECKING:
    import pathspec

MARK = b"hipify:"
INVALID, UNUSED = "HIP906", "HIP907"
OF_COMPILE_ONLY = frozenset({"HIP331"})
"""Findings of `compile` alone: a translation cannot tell whether their suppressions are used."""

WORDS = lazy_pattern(rb"hipify:[ \t]*(ignore[\w-]*)[ \t]*(?:\[([^\]\n]{0,400})\])?[ \t]*([^\s*]{0,20})")
_BARE_IDS = lazy_pattern(rb"[ \t]*[(,:]?[ \t]*(HIP\d{3}(?:[ \t]*,[ \t]*HIP\d{3})*)(?:[ \t]*\))?", re.IGNORECASE)
_BLANKS = lazy_pattern(rb"(?:[ \t\r\n\f\v]|\\\r?\n)*")
LINE, BEGIN, END, FILE = "ignore", "ignore-begin", "ignore-end", "ignore-file"
ALL = ""
_LINE_BLANKS = lazy_pattern(rb"[ \t\r\f\v\\]*")
_OPENING = (b" ", b"\t", b"(", b"[", b"{", b",", b";")
_DECORATION = frozenset(b" \t\r\f\v*/!")


class _Directive(NamedTuple):
    """One suppression: `kind` with the ids as written; `ids` is `("",)` for all ids."""

    place: int
    comment: tuple[int, int]
    kind: str
    ids: tuple[str, ...]


class _Span(NamedTuple):
    """Where one id of a directive applies; `place` is the directive's."""

    start: int
    end: int
    place: int


class Silenced(NamedTuple):
    """A unit's findings, split into those to report and those that were suppressed."""

    reported: list[Finding]
    suppressed: list[Finding]


def silence(unit: Unit, findings: list[Finding]) -> Silenced:
    """Split findings into reported and suppressed ones, and report suppressions that are wrong or unused."""
    result = _by_comments(unit, findings) if MARK in unit.source.data else Silenced(findings, [])
    return by_configuration(result, unit.options, unit.source.path)


def by_configuration(result: Silenced, options: Options, path: str) -> Silenced:
    """The findings of a file, with those that the configuration ignores suppressed."""
    ignored = options.ignore | ignored_in(options.file_ignores, path)
    if not ignored:
        return result
    reported, suppressed = [], list(result.suppressed)
    for finding in result.reported:
        if finding.id in ignored:
            suppressed.append(finding._replace(suppression=BY_CONFIGURATION))
        else:
            reported.append(finding)
    return Silenced(reported, suppressed)


def check_patterns(ignores: FileIgnores) -> None:
    """Check all patterns of a configuration.

    Raises:
        ValueError: for one that is not a valid `.gitignore` pattern.
    """
    _specs(ignores)


def ignored_in(ignores: FileIgnores, path: str) -> frozenset[str]:
    """The ids that a configuration's patterns suppress in a file."""
    if not ignores.patterns:
        return frozenset()
    relative = os.path.relpath(os.path.abspath(path), ignores.folder).replace(os.sep, "/")
    if relative.startswith("../"):
        return frozenset()
    return frozenset[str]().union(*(ids for spec, ids in _specs(ignores) if spec.match_file(relative)))


@lru_cache(maxsize=4)
def _specs(ignores: FileIgnores) -> list[tuple[pathspec.GitIgnoreSpec, frozenset[str]]]:
    import pathspec

    return [(pathspec.GitIgnoreSpec.from_lines([pattern]), ids) for pattern, ids in ignores.patterns]


def _by_comments(unit: Unit, findings: list[Finding]) -> Silenced:
    invalid: list[Finding] = []
    directives = list(_directives(unit, invalid))
    spans = _Spans(unit, directives, invalid)
    reported: list[Finding] = []
    suppressed: list[Finding] = []
    used: set[tuple[int, str]] = set()
    for finding in findings:
        marks = spans.covering(finding)
        used.update(marks)
        if marks:
            suppressed.append(finding._replace(suppression=BY_COMMENT))
        else:
            reported.append(finding)
    unused = [] if unit.is_hip else list(_unused(unit, directives, used))
    reported = sorted([*reported, *invalid, *unused], key=lambda finding: (finding.offset, finding.id))
    return Silenced(reported, suppressed)


def _unused(unit: Unit, directives: list[_Directive], used: set[tuple[int, str]]) -> Iterator[Finding]:
    bounds = _next_bounds(directives)
    for directive in directives:
        idle = [id for id in directive.ids if (directive.place, id) not in used and id not in OF_COMPILE_ONLY]
        if idle and directive.kind != END:
            name, fix = _spelled(directive.kind, idle), _without(unit, directive, bounds.get(directive.place), idle)
            yield unit.finding(UNUSED, directive.place, name=name, fix=fix)


def _next_bounds(directives: list[_Directive]) -> dict[int, _Directive]:
    """For each start of a region, the next begin or end with the same ids."""
    found: dict[int, _Directive] = {}
    following: dict[tuple[str, ...], _Directive] = {}
    for directive in reversed(directives):
        if directive.kind == BEGIN and directive.ids in following:
            found[directive.place] = following[directive.ids]
        if directive.kind in (BEGIN, END):
            following[directive.ids] = directive
    return found


def _without(unit: Unit, directive: _Directive, bound: _Directive | None, idle: list[str]) -> list[Edit]:
    """The edits that remove ids from a suppression, and from the end of a region that it begins."""
    if bound is not None and bound.kind == BEGIN:
        return []  # only the author knows to which of the two the next end belongs
    ended = [directive] if bound is None else [directive, bound]
    kept = [id for id in directive.ids if id not in idle]
    edits = [_list_edit(unit, one, kept) if kept else _removal(unit, one) for one in ended]
    return [edit for edit in edits if edit is not None] if None not in edits else []


def _list_edit(unit: Unit, directive: _Directive, ids: list[str]) -> Edit | None:
    match = WORDS.match(unit.source.data, directive.place)
    return None if match is None or match[2] is None else Edit(*match.span(2), ", ".join(ids).encode())


def _removal(unit: Unit, directive: _Directive) -> Edit | None:
    """An edit that removes a comment consisting of a suppression and its reason; None if the comment has more."""
    data, (start, end) = unit.source.data, directive.comment
    text = data[start:end].rstrip(b"\r\n")
    end = start + len(text)
    if b"\n" in text or data.find(MARK, directive.place + len(MARK), end) >= 0:
        return None
    if text.startswith(b"//"):
        start = data.rfind(b"//", start, directive.place)
        while start > directive.comment[0] and data[start - 1 : start] == b"/":
            start -= 1
    if not _DECORATION.issuperset(data[start : directive.place]):
        return None
    line, next_line = unit.source.line_bounds(start)
    ends_line, is_apart = not data[end:next_line].strip(), data[start - 1 : start] in _OPENING
    if ends_line and not data[line:start].strip():
        return Edit(line, next_line, b"")
    if ends_line:
        return Edit(line + len(data[line:start].rstrip()), end, b"")
    if is_apart or start == line:
        return Edit(start, end + len(data[end:next_line]) - len(data[end:next_line].lstrip()), b"")
    return Edit(start, end, b"" if data[end : end + 1] in (b" ", b"\t") else b" ")


def _spelled(kind: str, ids: list[str]) -> str:
    return f"hipify: {kind}" + ("" if ids == [ALL] else f"[{', '.join(ids)}]")


def _directives(unit: Unit, invalid: list[Finding]) -> Iterator[_Directive]:
    """The suppressions in a unit's comments, in order; findings about wrong ones are added to `invalid`."""
    data, known = unit.source.data, {entry.id for entry in unit.catalog.diagnostics()}
    place = data.find(MARK)
    while place >= 0:
        comment = unit.lexemes.non_code_at(place)
        match = WORDS.match(data, place)
        if match is not None and comment is not None and _begins_text(data, place, comment[0]):
            kind, ids, wrong = read_directive(match, known)
            if wrong:
                name, fix = f"hipify: {match[1].decode()}", _bracketed(data, match, known)
                invalid.append(unit.finding(INVALID, place, name=name, detail=wrong, fix=fix))
            if kind and ids:
                yield _Directive(place, comment, kind, ids)
        place = data.find(MARK, place + len(MARK))


def _bracketed(data: bytes, match: re.Match[bytes], known: set[str]) -> list[Edit]:
    """An edit that adds missing brackets around ids; empty if anything else is wrong."""
    listed = _BARE_IDS.match(data, match.end(1))
    if match[2] is not None or match[1].decode() not in (LINE, BEGIN, END, FILE) or listed is None:
        return []
    ids = [id.strip().upper().decode() for id in listed[1].split(b",")]
    return [Edit(*listed.span(), f"[{', '.join(ids)}]".encode())] if known.issuperset(ids) else []


def _begins_text(data: bytes, place: int, comment: int) -> bool:
    """Whether these are the first words of a comment or of one of its lines: prose may mention suppressions."""
    if data[comment : comment + 2] not in (b"//", b"/*"):
        return False
    at = place
    while at > comment and data[at - 1] in b" \t":
        at -= 1
    if data[max(at - 2, comment) : at] == b"//":
        return True
    while at > comment and data[at - 1] in _DECORATION:
        at -= 1
    return at == comment or data[at - 1] == 0x0A


def _is_blank(data: bytes, start: int, end: int) -> bool:
    """Whether a part of a line contains only blanks."""
    found = _LINE_BLANKS.match(data, start, end)
    return found is not None and found.end() == end


def read_directive(match: re.Match[bytes], known: set[str]) -> tuple[str, tuple[str, ...], str]:
    """A directive's kind and ids, and what is wrong with it; an empty kind means that it has no effect."""
    kind, inside, behind = match[1].decode(), match[2], match[3]
    if kind not in (LINE, BEGIN, END, FILE):
        return "", (), f"{kind} is not a directive; use ignore, ignore-file, ignore-begin or ignore-end"
    if inside is None:
        if behind.startswith(b"[") or re.match(rb"[(,:]?HIP\d", behind):
            return "", (), "write ids in brackets, as in ignore[HIP301]"
        return kind, (ALL,), ""
    words = [word.strip().upper() for word in inside.decode("ascii", "replace").split(",") if word.strip()]
    strange = [word for word in words if word not in known]
    ids = tuple(dict.fromkeys(word for word in words if word in known))
    if strange:
        return kind, ids, f"unknown: {', '.join(strange)}"
    return kind, ids, "" if ids else "its brackets are empty"


class _Spans:
    """Where directives apply, by kind and id: disjoint spans, so that each finding takes only a few bisections."""

    def __init__(self, unit: Unit, directives: list[_Directive], invalid: list[Finding]) -> None:
        self._by_key: dict[tuple[str, str], list[_Span]] = {}
        self._unit = unit
        self._regions(directives, invalid)
        ahead, code, line = -1, -1, (-1, -1)
        for directive in reversed(directives):  # from the end, so that a run of comments is scanned only once
            if directive.kind == FILE:
                self._add(FILE, directive, (-1, len(unit.source.data) + 1))
            elif directive.kind == LINE and (own := self._own_line(directive)) is not None:
                self._add("own line", directive, own)
            elif directive.kind == LINE:
                found = self._code_after(directive.comment[1], ahead, code)
                if found != code:
                    code, line = found, self._line_at(found)
                ahead = directive.comment[0]
                self._add("next line", directive, line)
        for spans in self._by_key.values():
            spans.sort()

    def covering(self, finding: Finding) -> list[tuple[int, str]]:
        """The directives (place, id) that apply to a finding."""
        marks = []
        for (_, id), spans in self._by_key.items():
            if id in (ALL, finding.id):
                at = bisect_right(spans, finding.offset, key=lambda span: span.start) - 1
                if at >= 0 and finding.offset < spans[at].end:
                    marks.append((spans[at].place, id))
        return marks

    def _add(self, scope: str, directive: _Directive, bounds: tuple[int, int]) -> None:
        for id in directive.ids:
            self._by_key.setdefault((scope, id), []).append(_Span(*bounds, directive.place))

    def _own_line(self, directive: _Directive) -> tuple[int, int] | None:
        """The line of a comment next to code, or None if the comment has a line to itself."""
        data, position, (start, end) = self._unit.source.data, self._unit.source.position, directive.comment
        line_end = data.find(b"\n", end) if data[end - 1 : end] != b"\n" else end
        line_end = len(data) if line_end < 0 else line_end
        line_start = start - position(start)[1] + 1
        if not line_start and data.startswith(BOM):
            line_start = len(BOM)
        if not _is_blank(data, line_start, start):
            return line_start, line_end
        if not _is_blank(data, end, line_end):
            return end - position(end)[1] + 1, line_end
        return None

    def _code_after(self, place: int, ahead: int, code: int) -> int:
        """The first code after a comment; `code` if there are only comments between it and the one at `ahead`."""
        data, lexemes = self._unit.source.data, self._unit.lexemes
        while True:
            match = _BLANKS.match(data, place)
            place = place if match is None else match.end()
            if place == ahead:
                return code
            comment = lexemes.non_code_at(place) if data[place : place + 2] in (b"//", b"/*") else None
            if comment is None:
                return place
            place = comment[1]

    def _line_at(self, place: int) -> tuple[int, int]:
        """The line of a place; for a directive, including its continuation lines."""
        data = self._unit.source.data
        start, end = self._unit.source.line_bounds(place)
        return start, self._unit.lexemes.logical_line_end(place) if data[place : place + 1] == b"#" else end

    def _regions(self, directives: list[_Directive], invalid: list[Finding]) -> None:
        """Pair `ignore-begin` with the next `ignore-end` of the same ids; an unclosed one applies to the file's end."""
        opened: dict[tuple[str, ...], _Directive] = {}
        for directive in directives:
            if directive.kind == BEGIN:
                opened.setdefault(directive.ids, directive)
            elif directive.kind == END:
                begin = opened.pop(directive.ids, None)
                if begin is None:
                    detail = "no ignore-begin with the same ids before it"
                    invalid.append(self._unit.finding(INVALID, directive.place, name=f"hipify: {END}", detail=detail))
                else:
                    self._add(BEGIN, begin, (begin.place, directive.place))
        for begin in opened.values():
            self._add(BEGIN, begin, (begin.place, len(self._unit.source.data) + 1))
