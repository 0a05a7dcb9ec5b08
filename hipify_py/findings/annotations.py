"""Writes findings as comments into the output: `// HIP301: …` above the line that each one is about.

A note is directly above its line, is written once per line and id, and is recognised by its form. Notes describe a
translation. If there is nothing left to translate, existing notes stay as they are, and HIP code gets none: findings in
translated code use other names, and may differ from those in the CUDA code. Then only notes about symbols that are
still CUDA's are written and updated.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from hipify_py.core.edits import Edit, ordered
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import BOM
from hipify_py.core.terminal_escape import visible
from hipify_py.core.translation import UNKNOWN, UNSUPPORTED, Reference
from hipify_py.frontend.unit import Unit

_NOTE = lazy_pattern(rb"[ \t]*(?://|/\*) (HIP\d{3}): [^\r\n]*")
_NOTE_LINE = lazy_pattern(rb"^(?:\xef\xbb\xbf)?" + _NOTE.pattern, re.MULTILINE)
_HOW_MANY = lazy_pattern(rb" \(and \d+ more in this file\)")
"""How many places a note represents: the translation may have removed some of them."""
_INDENT = lazy_pattern(rb"[ \t]*")
_C_SUFFIXES = frozenset({".c"})
_MOST_ABOVE = 20  # notes that one line may have above it


def with_notes(unit: Unit, edits: list[Edit], findings: list[Finding], references: Iterable[Reference]) -> list[Edit]:
    """The edits, plus those that write the findings above their lines, in order.

    No note goes into a literal, a comment or a macro's body: it moves up to the line where this begins.
    """
    if not edits and (unit.is_hip or _has_notes(unit)):
        remaining = {reference.offset for reference in references if reference.outcome in (UNSUPPORTED, UNKNOWN)}
        findings = [finding for finding in findings if finding.offset in remaining]
    places = _Places(unit, edits)
    notes: dict[int, dict[str, list[str]]] = {}
    for finding in findings:
        if finding.offset >= 0 and finding.id[3] != "9":  # the tool's own findings are about the run, not the port
            texts = notes.setdefault(places.above(finding.offset), {}).setdefault(finding.id, [])
            if finding.message not in texts:
                texts.append(finding.message)
    front: list[Edit] = []
    behind: list[Edit] = []
    lines = [_Line(unit, place, by_id) for place, by_id in notes.items()]
    elsewhere = _texts(unit) if not edits else Counter()
    for line in lines:
        elsewhere.subtract(line.texts[id] for id in line.there.keys() & line.texts.keys())
    for place, line in zip(notes, lines, strict=True):
        for edit in line.edits(elsewhere, is_done=not edits):
            (front if places.inserts_code(place) else behind).append(edit)
    return ordered([*front, *edits, *behind])


def _has_notes(unit: Unit) -> bool:
    """Whether the source contains a note of an earlier translation."""
    return any(unit.lexemes.non_code_at(match.end() - 1) is not None for match in _NOTE_LINE.finditer(unit.source.data))


class _Places:
    """Where a whole comment line may be inserted, given the other edits."""

    def __init__(self, unit: Unit, edits: list[Edit]) -> None:
        self._unit = unit
        self._edits = edits
        self._starts = [edit.start for edit in edits]
        self._found: dict[int, int] = {}

    def above(self, offset: int) -> int:
        """The start of the nearest line, at or above the one of `offset`, that a comment may precede."""
        line = self._line_start(offset)
        if line not in self._found:
            self._found[line] = self._search(line)
        return self._found[line]

    def _search(self, offset: int) -> int:
        data, lexemes = self._unit.source.data, self._unit.lexemes
        while True:
            start = self._line_start(offset)
            define = lexemes.define_around(start) if start else None
            skip = lexemes.non_code_at(start) if start else None
            if define is not None and self._line_start(define.start) < start:
                offset = define.start
            elif skip is not None and skip[0] < start:
                offset = skip[0]
            elif _continues(data, start):
                offset = start - 1
            elif (edit := self._across(start)) is not None:
                offset = edit.start
            elif (colons := lexemes.before(start)) > 0 and data[colons - 1 : colons + 1] == b"::":
                offset = colons  # a comment within a qualified name would hide the name from readers
            else:
                return len(BOM) if start == 0 and data.startswith(BOM) else start

    def inserts_code(self, place: int) -> bool:
        """Whether an edit inserts text at this place that does not end its line."""
        at = bisect_right(self._starts, place)
        while at and self._edits[at - 1].start == place:
            at -= 1
            edit = self._edits[at]
            if edit.end == place and not edit.text.endswith(b"\n"):
                return True
        return False

    def _line_start(self, offset: int) -> int:
        return offset - self._unit.source.position(offset)[1] + 1

    def _across(self, place: int) -> Edit | None:
        """An edit that removes at least the line ending before `place`."""
        at = bisect_right(self._starts, place - 1) - 1
        edit = self._edits[at] if at >= 0 else None
        if edit is None or edit.end < place or (edit.end == place and edit.text.endswith(b"\n")):
            return None
        return edit


def _continues(data: bytes, start: int) -> bool:
    """Whether a backslash at its end continues the previous line here."""
    return data[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\")


def _texts(unit: Unit) -> Counter[bytes]:
    """How often each note occurs in the source."""
    found = _NOTE_LINE.finditer(unit.source.data)
    return Counter(match[0].strip() for match in found if unit.lexemes.non_code_at(match.end() - 1) is not None)


class _Line:
    """The notes of one line: the required and the existing ones."""

    def __init__(self, unit: Unit, place: int, by_id: dict[str, list[str]]) -> None:
        self._unit = unit
        self._place = place
        in_c = unit.source.suffix in _C_SUFFIXES
        self.texts = {id: _comment(id, "; ".join(texts), in_c=in_c) for id, texts in sorted(by_id.items())}
        self.there = {id: (start, end) for id, start, end in _notes_above(unit.source.data, place)}

    def edits(self, elsewhere: Counter[bytes], *, is_done: bool) -> Iterator[Edit]:
        """The edits that write the missing notes and correct the existing ones.

        A note that is `elsewhere` was written for this line: a line may have become several. Once the translation is
        done, a note may cover more than what is left, and that of the line before also this one: rocBLAS takes some
        arguments twice.
        """
        data = self._unit.source.data
        newline = _newline(data, self._place) or self._unit.source.newline
        indent = _INDENT.match(data, self._place)
        lead = b"" if indent is None else indent[0]
        for id, text in self.texts.items():
            if id in self.there:
                start, end = self.there[id]
                old, new = _HOW_MANY.sub(b"", data[start:end]), _HOW_MANY.sub(b"", text)
                if old != new and not (is_done and _words(new) in old):
                    yield Edit(start, end, text)
            elif elsewhere[text] > 0:
                elsewhere[text] -= 1
            elif not (is_done and self._has_line_before(text)):
                yield Edit(self._place, self._place, lead + text + newline)

    def _has_line_before(self, text: bytes) -> bool:
        """Whether a note stands above the line before."""
        data = self._unit.source.data
        before = data.rfind(b"\n", 0, max(self._place - 1, 0)) + 1
        return before < self._place and any(data[start:end] == text for _, start, end in _notes_above(data, before))


def _words(note: bytes) -> bytes:
    """The words of a note, without its id and the comment around it."""
    return note.partition(b": ")[2].removesuffix(b" */")


def _notes_above(data: bytes, place: int) -> Iterator[tuple[str, int, int]]:
    """Id and bounds of the notes in the lines directly above a line's start."""
    for _ in range(_MOST_ABOVE):
        above = data.rfind(b"\n", 0, max(place - 1, 0)) + 1
        match = _NOTE.match(data, above) if above < place else None
        if match is None:
            return
        yield match[1].decode(), match.start() + len(match[0]) - len(match[0].lstrip()), match.end()
        place = above


def _newline(data: bytes, place: int) -> bytes:
    """The line ending at `place`; empty for a last line without one."""
    end = data.find(b"\n", place)
    if end < 0:
        return b""
    return b"\r\n" if data[end - 1 : end] == b"\r" else b"\n"


def _comment(id: str, message: str, *, in_c: bool) -> bytes:
    """A one-line comment, whatever the message contains."""
    words = visible(" ".join(message.replace("*/", "* /").replace("??/", "? ?/").split())).rstrip("\\ ")
    text = f"/* {id}: {words} */" if in_c else f"// {id}: {words}"
    return text.encode("utf-8", "replace")
