"""The instructions of a Dockerfile with their bytes, by Docker's reference.

An instruction ends with its line, but for lines that end in the escape character; comments and empty lines within it do
not count. Here-documents belong to the instruction that begins them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(rb"[^\n]*(?:\n|\Z)")
_DIRECTIVE = re.compile(rb"#[ \t]*(\w+)[ \t]*=[ \t]*(\S*)[ \t]*\r?\n?", re.IGNORECASE)
_NAME = re.compile(rb"[ \t]*([A-Za-z]+)(?=\s|\Z|\\)")
_HERE = re.compile(rb"(?<![^\s\d])<<(-?)(?:\"([^\"\n]+)\"|'([^'\n]+)'|([A-Za-z_]\w*))")
_WITH_DOCUMENTS = frozenset({"RUN", "COPY", "ADD"})


class Instruction(NamedTuple):
    """An instruction.

    Attributes:
        name: its name, in capitals.
        start: where it begins.
        body: where what follows the name begins.
        end: where it ends, without its line break and its here-documents.
        documents: the lines of its here-documents, without the last ones.
    """

    name: str
    start: int
    body: int
    end: int
    documents: tuple[tuple[int, int], ...] = ()


class Dockerfile(NamedTuple):
    """What a Dockerfile says.

    Attributes:
        instructions: in their order.
        comments: where its comments are, those within instructions too.
        text: its bytes, where comments and empty lines within instructions are continued lines as all others.
        escape: the character that continues a line.
    """

    instructions: list[Instruction]
    comments: list[tuple[int, int]]
    text: bytes
    escape: bytes


def read(data: bytes) -> Dockerfile:
    """Read a Dockerfile."""
    return _Reading(data).read()


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = bytearray(data)
        self.at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.comments: list[tuple[int, int]] = []
        self.escape = b"\\"

    def read(self) -> Dockerfile:
        self._directives()
        instructions = []
        while self.at < len(self.data):
            start, line = self._line()
            if not line.strip():
                continue
            if line.lstrip().startswith(b"#"):
                self._comment(start, line)
                continue
            instructions.append(self._instruction(start, line))
        return Dockerfile(instructions, self.comments, bytes(self.text), self.escape)

    def _directives(self) -> None:
        """Directives stand before all else."""
        while match := _DIRECTIVE.match(self.data, self.at):
            if match[1].lower() == b"escape" and match[2] == b"`":
                self.escape = b"`"
            self.comments.append((match.start(), match.start() + len(match[0].rstrip())))
            self.at = match.end()

    def _line(self) -> tuple[int, bytes]:
        match = _LINE.match(self.data, self.at)
        assert match is not None
        self.at = match.end()
        return match.start(), match[0]

    def _comment(self, start: int, line: bytes) -> None:
        self.comments.append((start + len(line) - len(line.lstrip()), start + len(line.rstrip())))

    def _instruction(self, start: int, line: bytes) -> Instruction:
        match = _NAME.match(line)
        name = match[1].decode().upper() if match is not None else ""
        body = start + (match.end() if match is not None else 0)
        end = start + len(line.rstrip(b"\r\n"))
        while line.rstrip().endswith(self.escape) and self.at < len(self.data):
            begins, line = self._line()
            stripped = line.strip()
            if not stripped or stripped.startswith(b"#"):
                if stripped:
                    self._comment(begins, line)
                self._blank(begins, line)
                line = self.escape
                continue
            end = begins + len(line.rstrip(b"\r\n"))
        documents = self._documents(body, end) if name in _WITH_DOCUMENTS else ()
        return Instruction(
            name, start + len(self.data[start:body]) - len(self.data[start:body].lstrip()), body, end, documents
        )

    def _blank(self, start: int, line: bytes) -> None:
        """A line that does not count reads as a continued one."""
        length = len(line.rstrip(b"\r\n"))
        if length:
            self.text[start : start + length] = b" " * (length - 1) + self.escape

    def _documents(self, body: int, end: int) -> tuple[tuple[int, int], ...]:
        found = []
        for match in _HERE.finditer(self.data, body, end):
            last = match[2] or match[3] or match[4]
            start = self.at
            while self.at < len(self.data):
                begins, line = self._line()
                said = line.rstrip(b"\r\n")
                if (said.lstrip(b"\t") if match[1] else said) == last:
                    found.append((start, begins))
                    break
            else:
                found.append((start, self.at))
        return tuple(found)
