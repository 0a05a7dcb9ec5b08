"""One build file on its way through the rules: its commands, and what they make of it."""

from __future__ import annotations

from bisect import bisect_right

from hipify_py.build_systems.cmake.lexer import Argument, Command, ListFile
from hipify_py.build_systems.cmake.words import Word, words_of
from hipify_py.build_systems.facts import Facts
from hipify_py.catalog import Catalog
from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.options import Options
from hipify_py.project_context import BuildContext
from hipify_py.source import Source
from hipify_py.translation import CONVERTED, UNSUPPORTED, Reference

_INDENTS = frozenset({b" ", b"\t"})
_BLANKS = frozenset({b" ", b"\t", b"\r"})

LIBRARY = "cmake"
"""What the names of build files are counted under."""


class BuildFile:
    """A build file, and the edits, findings and references that rules add to it."""

    def __init__(
        self, source: Source, read: ListFile, facts: Facts, catalog: Catalog, options: Options, told: BuildContext
    ) -> None:
        self.source = source
        self.read = read
        self.facts = facts
        self.catalog = catalog
        self.options = options
        self.told = told
        self.edits: list[Edit] = []
        self.findings: list[Finding] = []
        self.references: list[Reference] = []
        self.gone: list[tuple[int, int, str]] = []
        """Ranges that are taken out, or replaced as a whole: nothing else is edited in them."""
        self._words: dict[int, list[Word]] = {}
        self._comment_ends = {end for _, end in read.comments}
        self._behind: dict[int, list[str]] = {}

    @property
    def commands(self) -> list[Command]:
        """The commands of the file, in their order."""
        return self.read.commands

    def words(self, command: Command) -> list[Word]:
        """The words of a command's arguments."""
        found = self._words.get(command.start)
        if found is None:
            found = self._words[command.start] = words_of(self.source.data, command.arguments)
        return found

    def replace(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a range."""
        self.edits.append(Edit(start, end, _bytes(text)))

    def drop(self, command: Command) -> None:
        """Take a command out, with its line where it has one to itself."""
        data = self.source.data
        start, end = command.start, command.end
        first, last = self._blank_before(start), end
        while data[last : last + 1] in _BLANKS:
            last += 1
        if first is not None and data[last : last + 1] in {b"\n", b""}:
            start, end = first, min(last + 1, len(data))
        self.gone.append((start, end, ""))

    def write_instead(self, command: Command, lines: list[str]) -> None:
        """Write lines in place of a command, indented like it."""
        newline, indent = self._layout(command)
        self.gone.append((command.start, command.end, (newline + indent).join(lines)))

    def drop_argument(self, argument: Argument) -> None:
        """Take an argument out, with the blanks before it."""
        data, start = self.source.data, argument.start
        while data[start - 1] in b" \t\r\n":
            start -= 1
        if start in self._comment_ends or data[start - 1] == 0x28:
            start = argument.start
        self.gone.append((start, argument.end, ""))

    def insert_behind(self, command: Command, lines: list[str]) -> None:
        """Write lines behind a command, indented like it."""
        self._behind.setdefault(command.start, []).extend(lines)

    def insert_before(self, command: Command, lines: list[str]) -> None:
        """Write lines before a command, indented like it."""
        newline, indent = self._layout(command)
        text = "".join(f"{line}{newline}{indent}" if line else newline for line in lines)
        self.replace(command.start, command.start, text)

    def _layout(self, command: Command) -> tuple[str, str]:
        first = self._blank_before(command.start)
        indent = "" if first is None else self.source.data[first : command.start].decode("ascii")
        return self.source.newline.decode(), indent

    def _blank_before(self, place: int) -> int | None:
        """The start of a place's line where only blanks stand before it."""
        data, first = self.source.data, place
        while data[first - 1 : first] in _INDENTS and first:
            first -= 1
        return first if first == 0 or data[first - 1] == 0x0A else None

    def finish(self) -> list[Edit]:
        """All edits, without those in what is taken out."""
        for command in self.commands:
            lines = self._behind.get(command.start)
            if lines:
                newline, indent = self._layout(command)
                text = "".join(f"{newline}{indent}{line}" if line else newline for line in lines)
                place = self._line_end(command)
                self.replace(place, place, text)
        whole: list[tuple[int, int, str]] = []
        for start, end, text in sorted(set(self.gone), key=lambda part: (part[0], -part[1])):
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

    def _line_end(self, command: Command) -> int:
        """Where a line may be added behind a command: behind a comment that follows it on its line."""
        data, end = self.source.data, command.end
        stop = data.find(b"\n", end)
        stop = len(data) if stop < 0 else stop
        stop -= data[stop - 1 : stop] == b"\r" and stop > end
        rest = data[end:stop].lstrip(b" \t")
        return stop if not rest or (rest.startswith(b"#") and stop in self._comment_ends) else end

    def finding(self, id: str, offset: int, name: str, detail: str = "") -> None:
        """Add a finding of the register about a name at a place."""
        entry = self.catalog.diagnostic(id)
        line, column = self.source.position(offset)
        message = entry.message.format(name=name, detail=detail)
        self.findings.append(
            Finding(id, entry.severity, entry.effort, message, self.source.path, offset, line, column, name, LIBRARY)
        )

    def converted(self, offset: int, name: str, kind: str) -> None:
        """Account for a name that is translated."""
        self.references.append(Reference(offset, name, LIBRARY, kind, CONVERTED))

    def left(self, id: str, offset: int, name: str, kind: str, detail: str, outcome: str = UNSUPPORTED) -> None:
        """Account for a name without a counterpart, and report it."""
        self.references.append(Reference(offset, name, LIBRARY, kind, outcome))
        self.finding(id, offset, name, detail)


def _apart(edits: list[Edit]) -> list[Edit]:
    """The edits in their order, without those that lie within a larger one."""
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
