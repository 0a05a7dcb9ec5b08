"""Computes where a finding ends, its source line, and the fingerprint that identifies it when its file changes.

A fingerprint is computed from the finding's id and name and from the tokens of its statement: it stays the same when
lines move, indentation or comments change, or the file is renamed. Findings that agree in all of this are also numbered
within the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

from hipify_py.core.edits import Edit, SourceMap, apply, ordered
from hipify_py.core.findings import Finding, Fix, FixedLines, Replacement, at_each_place
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import Source
from hipify_py.frontend.tokens import texts
from hipify_py.frontend.unit import Unit

# The fixes of findings: where their edits are, which of them are applied together, and how they are shown.

LONGEST = 4000
"""Bytes of the lines shown for a fix; generated code has lines of megabytes."""

_Region = tuple[int, int, list[Edit]]


def edits_of(findings: Iterable[Finding]) -> list[Edit]:
    """The replacements of findings' fixes, as ordered edits of the source."""
    return ordered(
        Edit(*replacement[:3]) for finding in findings if finding.fix is not None for replacement in finding.fix.edits
    )


def shown(source: Source, fix: Fix, text: Callable[[bytes], str]) -> Fix:
    """A fix with the places of its edits and the lines that it touches, decoded by `text`."""
    edits = sorted(fix.edits, key=lambda edit: edit[:2])
    regions = _regions(source, edits)
    is_short = sum(end - start for start, end, _ in regions) <= LONGEST
    return fix._replace(
        edits=tuple(Replacement(*edit[:3], *source.position(edit.start), *source.position(edit.end)) for edit in edits),
        lines=tuple(_lines(source, region, text) for region in regions) if is_short else (),
    )


def moved(fix: Fix, distance: int) -> Fix:
    """A fix of a text that begins so many bytes into another one."""
    edits = (Replacement(edit.start + distance, edit.end + distance, edit.text) for edit in fix.edits)
    return fix._replace(edits=tuple(edits), lines=())


def shifted(fix: Fix, map: SourceMap) -> Fix | None:
    """A fix of an edited source, translated to the source before the edits; None if it touches edited text."""
    edits = []
    for replacement in fix.edits:
        start, end = map.to_input(replacement.start), map.to_input(replacement.end)
        if (map.to_output(start), map.to_output(end)) != (replacement.start, replacement.end):
            return None
        if end - start != replacement.end - replacement.start:
            return None
        edits.append(Replacement(start, end, replacement.text))
    return fix._replace(edits=tuple(edits), lines=())


def apart(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings whose fixes can be applied together, the first of overlapping ones, and the other findings.

    Insertions at one place are alternative answers to one question, so they overlap as well.
    """
    taken: list[tuple[int, int]] = []
    together: list[Finding] = []
    left: list[Finding] = []
    for finding in findings:
        ranges = [edit[:2] for edit in finding.fix.edits] if finding.fix is not None else []
        if not ranges:
            continue
        if any(_overlap(mine, other) for mine in ranges for other in taken):
            left.append(finding)
        else:
            together.append(finding)
            taken += ranges
    return together, left


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two ranges share a byte or the place of an insertion."""
    return one == other or (one[0] < other[1] and other[0] < one[1])


def _regions(source: Source, edits: Sequence[Replacement]) -> list[_Region]:
    """The whole lines that edits touch, each with its edits."""
    regions: list[_Region] = []
    for replacement in edits:
        edit = Edit(*replacement[:3])
        start = source.line_bounds(edit.start)[0]
        # An edit that removes whole lines does not touch the next line.
        is_whole = edit.start < edit.end and source.data[edit.end - 1 : edit.end] == b"\n" and not edit.text
        end = edit.end if is_whole and edit.start == start else source.line_bounds(edit.end)[1]
        if regions and start < regions[-1][1]:
            first, last, inside = regions.pop()
            regions.append((first, max(end, last), [*inside, edit]))
        else:
            regions.append((start, end, [edit]))
    return regions


def _lines(source: Source, region: _Region, text: Callable[[bytes], str]) -> FixedLines:
    start, end, edits = region
    old = source.data[start:end]
    new = apply(old, [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits])
    return FixedLines(source.position(start)[0], _split(old, text), _split(new, text))


def _split(data: bytes, text: Callable[[bytes], str]) -> tuple[str, ...]:
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return tuple(text(line.rstrip(b"\r")) for line in lines)


LONGEST_LINE = 400
"""Bytes of a line shown for a finding; generated code has lines of megabytes."""

_BOUNDS = (b";", b"{", b"}")
_BOUND = lazy_pattern(rb"[;{}]")
_DIRECTIVE = lazy_pattern(rb"[ \t]*#")
_WORD = lazy_pattern(rb"\w+")
_PATH = lazy_pattern(rb'"[^"\n]*"|<[^>\n]*>')


def placed(unit: Unit, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of a unit, with ends, lines and fingerprints."""
    statements, seen = _Statements(unit), Counter[str]()
    place = partial(_placed, unit, statements=statements, seen=seen)
    return [at_each_place(finding, place) for finding in findings]


def fingerprint(finding: Finding, context: bytes = b"", number: int = 0) -> str:
    """Identifies a finding by 16 hexadecimal digits.

    Args:
        finding: only its id, name and library matter, not its place.
        context: the digest of its statement.
        number: the number of findings before it that agree in all of this.
    """
    parts = (finding.id.encode(), *map(_bytes, (finding.name, finding.library)), context, b"%d" % number)
    return _digest(parts).hex()


def _placed(unit: Unit, finding: Finding, statements: _Statements, seen: Counter[str]) -> Finding:
    if finding.offset < 0:
        return finding._replace(fingerprint=numbered(finding, b"", seen))
    data, source = unit.source.data, unit.source
    end_line, end_column = source.position(max(end_of_name(data, finding), finding.offset))
    start = finding.offset - finding.column + 1
    stop = data.find(b"\n", finding.offset, start + LONGEST_LINE)
    line = data[start : start + LONGEST_LINE if stop < 0 else stop].rstrip(b"\r")
    known = numbered(finding, statements.digest(finding.offset), seen)
    fix = None if finding.fix is None else shown(source, finding.fix, shown_line)
    return finding._replace(
        end_line=end_line, end_column=end_column, source_line=shown_line(line), fingerprint=known, fix=fix
    )


def shown_line(line: bytes) -> str:
    """A line as text. Each byte that is not UTF-8 becomes one replacement character, so that columns can be counted."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("utf-8", "surrogateescape")
        return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)


def numbered(finding: Finding, context: bytes, seen: Counter[str]) -> str:
    """The fingerprint of a finding; `seen` counts the findings of its file that differ only in their number."""
    first = fingerprint(finding, context)
    seen[first] += 1
    number = seen[first] - 1
    return fingerprint(finding, context, number) if number else first


def end_of_name(data: bytes, finding: Finding) -> int:
    """The end of the name that a finding is about, or of the word or included path at its place."""
    name = _bytes(finding.name)
    if name and data.startswith(name, finding.offset):
        return finding.offset + len(name)
    found = _WORD.match(data, finding.offset) or _PATH.match(data, finding.offset)
    return found.end() if found is not None else min(finding.offset + 1, len(data))


class _Statements:
    """The tokens of statements, declarations and directives, each read once, however many findings it has."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._last = (0, 0, b"")

    def digest(self, place: int) -> bytes:
        """A digest of the tokens of the statement at a place."""
        start, end, digest = self._last
        if not start <= place < end:
            start, end = self._range(place)
            digest = _digest(texts(self._unit.lexemes, start, end))
            self._last = (start, max(end, place + 1), digest)
        return digest

    def _range(self, place: int) -> tuple[int, int]:
        lexemes = self._unit.lexemes
        define = lexemes.define_around(place)
        if define is not None:
            return define.start, lexemes.body_end(define)
        source = self._unit.source
        start = place - source.position(place)[1] + 1
        if _DIRECTIVE.match(source.data, start, place + 1) is not None:
            return start, lexemes.logical_line_end(place)
        return self._bound_before(place), self._bound_after(place)

    def _bound_before(self, place: int) -> int:
        lexemes, data = self._unit.lexemes, self._unit.source.data
        at = place
        while True:
            found = -1
            for bound in _BOUNDS:
                found = max(found, data.rfind(bound, found + 1, at))
            skip = lexemes.non_code_at(found) if found >= 0 else None
            if skip is None:
                return found + 1
            at = skip[0]

    def _bound_after(self, place: int) -> int:
        lexemes, data, at = self._unit.lexemes, self._unit.source.data, place
        while (found := _BOUND.search(data, at)) is not None:
            skip = lexemes.non_code_at(found.start())
            if skip is None:
                return found.start()
            at = skip[1]
        return len(data)


def _digest(parts: Sequence[bytes]) -> bytes:
    from hashlib import blake2b  # with all of OpenSSL, which files without findings need not wait for

    return blake2b(_framed(parts), digest_size=8).digest()


def _framed(parts: Sequence[bytes]) -> bytes:
    """The parts, each preceded by its length: different lists of parts never yield the same result."""
    pieces = [b""] * (2 * len(parts))
    pieces[::2] = map(_length, map(len, parts))
    pieces[1::2] = parts
    return b"".join(pieces)


@lru_cache(maxsize=256)
def _length(number: int) -> bytes:
    return b"%d:" % number


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
