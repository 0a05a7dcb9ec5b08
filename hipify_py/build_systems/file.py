"""A build file that the rules of its build system translate: its bytes, and the edits and findings of the rules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from hipify_py.build_systems.facts import facts
from hipify_py.catalog import load_catalog
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.core.source import Source
from hipify_py.core.targeting import NEWEST_CUDA
from hipify_py.core.translation import CONVERTED, UNSUPPORTED, Reference

_INDENTS = frozenset({b" ", b"\t"})
_BLANKS = frozenset({b" ", b"\t", b"\r"})

Range = tuple[int, int]
"""Where something begins, and where it ends (exclusive), in bytes."""


class BuildFile:
    """A build file, and the edits, findings and references that rules add to it.

    Attributes:
        source: its bytes and its path.
        library: the kind under which its names are counted (`cmake`, `make`).
        comments: where its comments are, in order.
        statements: what a comment on its own line may be about, in order.
    """

    marks = b"# \t"

    def __init__(
        self,
        source: Source,
        library: str,
        options: Options,
        comments: Sequence[Range] = (),
        statements: Sequence[Range] = (),
    ) -> None:
        self.source = source
        self.library = library
        self.options = options
        self.comments = comments
        self.statements = statements
        self.facts = facts(options.targeting.rocm)
        self.catalog = load_catalog(options.targeting)
        self.edits: list[Edit] = []
        self.findings: list[Finding] = []
        self.references: list[Reference] = []
        self._whole: list[tuple[int, int, str]] = []
        self._comment_ends = {end for _, end in comments}
        self._behind: dict[Range, list[str]] = {}
        self._dedents: dict[int, int] = {}

    @property
    def cuda(self) -> str:
        """The build's version of CUDA: the same one decides the conditions in its sources."""
        return self.options.targeting.cuda or NEWEST_CUDA

    def replace(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a range."""
        self.edits.append(Edit(start, end, _bytes(text)))

    def replace_whole(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a range, and ignore all other edits within it."""
        self._whole.append((start, end, text))

    def drop(self, start: int, end: int) -> None:
        """Take a range out, and its line if nothing else is on it."""
        data = self.source.data
        first, last = self._blank_before(start), end
        while data[last : last + 1] in _BLANKS:
            last += 1
        if first is not None and data[last : last + 1] in {b"\n", b""}:
            start, end = first, min(last + 1, len(data))
        self.replace_whole(start, end, "")

    def drop_block(self, start: int, end: int) -> None:
        """Take out a range of whole lines, with the empty line after it if there is one before it, too."""
        data, newline = self.source.data, self.source.newline
        first = self._blank_before(start)
        is_after_empty = first is not None and (first == 0 or data.endswith(newline * 2, 0, first))
        self.drop(start, end + len(newline) if is_after_empty and data.startswith(newline * 2, end) else end)

    def drop_word(self, start: int, end: int) -> None:
        """Take a word out, with the blanks before it."""
        data, first = self.source.data, start
        while data[first - 1] in b" \t\r\n":
            first -= 1
        if first in self._comment_ends or data[first - 1] == 0x28:
            first = start
        self.replace_whole(first, end, "")

    def write_instead(self, start: int, end: int, lines: Sequence[str]) -> None:
        """Write lines in place of a range, indented like it."""
        newline, indent = self._layout(start)
        self.replace_whole(start, end, (newline + indent).join(lines))

    def insert_behind(self, start: int, end: int, lines: Sequence[str]) -> None:
        """Write lines after a statement, indented like it."""
        self._behind.setdefault((start, end), []).extend(lines)

    def insert_before(self, start: int, lines: Sequence[str]) -> None:
        """Write lines before a statement, indented like it."""
        newline, indent = self._layout(start)
        text = "".join(f"{line}{newline}{indent}" if line else newline for line in lines)
        self.replace(start, start, text)

    def dedent(self, start: int, count: int) -> None:
        """Move a line that begins at a place to the left, also what is written beside its statements later."""
        before = self._dedents.get(start, 0)
        self._dedents[start] = before + count
        self.replace(start + before, start + before + count, "")

    def _layout(self, start: int) -> tuple[str, str]:
        first = self._blank_before(start)
        indent = "" if first is None else self.source.data[first:start].decode("ascii")
        return self.source.newline.decode(), indent[self._dedents.get(-1 if first is None else first, 0) :]

    def _blank_before(self, place: int) -> int | None:
        """The start of a place's line if only blanks precede it."""
        data, first = self.source.data, place
        while data[first - 1 : first] in _INDENTS and first:
            first -= 1
        return first if first == 0 or data[first - 1] == 0x0A else None

    def finish(self) -> list[Edit]:
        """All edits, without those in ranges that are replaced as a whole."""
        for (start, end), lines in sorted(self._behind.items()):
            newline, indent = self._layout(start)
            text = "".join(f"{newline}{indent}{line}" if line else newline for line in lines)
            place = self._line_end(end)
            self.replace(place, place, text)
        whole: list[tuple[int, int, str]] = []
        for start, end, text in sorted(set(self._whole), key=lambda part: (part[0], -part[1])):
            if not whole or start >= whole[-1][1]:
                whole.append((start, end, text))
            elif end > whole[-1][1]:
                whole[-1] = (whole[-1][0], end, whole[-1][2])
        data = self.source.data
        starts = [start for start, _, _ in whole]
        kept = [
            edit
            for edit in dict.fromkeys(self.edits)
            if data[edit.start : edit.end] != edit.text and not _within(edit, whole, starts)
        ]
        return _apart([*kept, *(Edit(start, end, _bytes(text)) for start, end, text in whole)])

    def removed(self) -> list[Range]:
        """The ranges that the edits so far remove without a replacement, in order; those side by side are one."""
        found: list[Range] = []
        for start, end in sorted(
            [(edit.start, edit.end) for edit in self.edits if not edit.text and edit.start < edit.end]
            + [(start, end) for start, end, text in self._whole if not text]
        ):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found

    def writes_in(self, start: int, end: int) -> bool:
        """Whether an edit so far writes something in a range."""
        texts = [(edit.start, bool(edit.text)) for edit in self.edits]
        texts += [(place, bool(text)) for place, _, text in self._whole]
        texts += [(place, True) for place, _ in self._behind]
        whole = [(first, last) for first, last, text in self._whole if not text]
        return any(
            writes and start <= place < end and not any(first <= place < last for first, last in whole)
            for place, writes in texts
        )

    def _line_end(self, end: int) -> int:
        """Where a line may be added after a statement: after a comment that follows it on its line."""
        data = self.source.data
        stop = data.find(b"\n", end)
        stop = len(data) if stop < 0 else stop
        stop -= data[stop - 1 : stop] == b"\r" and stop > end
        rest = data[end:stop].lstrip(b" \t")
        return stop if not rest or stop in self._comment_ends else end

    def finding(self, id: str, offset: int, name: str, detail: str = "") -> None:
        """Add a registered finding about a name at a place."""
        entry = self.catalog.diagnostic(id)
        line, column = self.source.position(offset)
        message = entry.message.format(name=name, detail=detail)
        self.findings.append(
            Finding(
                id, entry.severity, entry.effort, message, self.source.path, offset, line, column, name, self.library
            )
        )

    def converted(self, offset: int, name: str, kind: str) -> None:
        """Record a translated name."""
        self.references.append(Reference(offset, name, self.library, kind, CONVERTED))

    def left(self, id: str, offset: int, name: str, kind: str, detail: str, outcome: str = UNSUPPORTED) -> None:
        """Record a name without a counterpart, and report it."""
        self.references.append(Reference(offset, name, self.library, kind, outcome))
        self.finding(id, offset, name, detail)

    def forget(self, start: int, end: int) -> None:
        """Take back what was said to be left in a range, which is removed after all."""
        self.references = [
            each for each in self.references if each.outcome == CONVERTED or not start <= each.offset < end
        ]
        self.findings = [each for each in self.findings if each.id == "HIP609" or not start <= each.offset < end]


def _apart(edits: list[Edit]) -> list[Edit]:
    """The edits in their order, without those within a larger one."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.start != edit.end, -edit.end)):
        if found and edit.start < found[-1].end:
            continue
        found.append(edit)
    return found


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _within(edit: Edit, ranges: list[tuple[int, int, str]], starts: list[int]) -> bool:
    at = bisect_right(starts, edit.start) - 1
    if at < 0:
        return False
    start, end, _ = ranges[at]
    return start < edit.start < end if edit.start == edit.end else edit.start < end
