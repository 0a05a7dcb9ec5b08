"""Places in a text: byte offsets here, lines and code units in the protocol.

The protocol counts lines from 0 and knows three line endings: a line feed, a carriage return, and both together. In a
line it counts code units of the encoding that client and server have agreed on (LSP 3.17, `positionEncoding`).
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_FEED = re.compile(rb"\n")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_UTF8 = ("utf-8", "surrogatepass")
"""JSON can have halves of surrogate pairs, which stay what they are."""
_UTF16 = ("utf-16-le", "surrogatepass")


class Text:
    """The text of a document, as bytes of UTF-8.

    Attributes:
        data: the bytes.
    """

    __slots__ = ("_feeds", "_starts", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._feeds: list[int] | None = None
        self._starts: list[int] | None = None

    @classmethod
    def of(cls, text: str) -> Text:
        """A text as the protocol brings it."""
        return cls(text.encode(*_UTF8))

    def __str__(self) -> str:
        return decoded(self.data)

    def changed(self, range: Range, text: str, encoding: PositionEncodingKind | str) -> Text:
        """The text after a range of it has been replaced."""
        start, end = self.offset(range.start, encoding), self.offset(range.end, encoding)
        return Text(self.data[:start] + text.encode(*_UTF8) + self.data[max(start, end) :])

    def offset(self, position: Position, encoding: PositionEncodingKind | str) -> int:
        """The byte offset of a position; behind a line's or the text's end, that of the end.

        A position inside a character, such as between the halves of a surrogate pair, is that of the character.
        """
        starts = self._line_starts()
        if position.line >= len(starts):
            return len(self.data)
        start, end = self._bounds(position.line)
        line = self.data[start:end]
        if encoding == PositionEncodingKind.Utf8 or line.isascii():
            return self._character_start(start + min(position.character, len(line)))
        text = line.decode(*_UTF8)
        if encoding == PositionEncodingKind.Utf32:
            return start + len(text[: position.character].encode(*_UTF8))
        units = text.encode(*_UTF16)[: 2 * position.character]
        before = units.decode(*_UTF16)
        if text[len(before) - 1 : len(before)] != before[-1:]:
            before = before[:-1]  # half of a character
        return start + len(before.encode(*_UTF8))

    def position(self, offset: int, encoding: PositionEncodingKind | str) -> Position:
        """The position of a byte offset; inside a line ending, that of the line's end."""
        line = bisect_right(self._line_starts(), offset) - 1
        start, end = self._bounds(line)
        before = self.data[start : self._character_start(min(offset, end))]
        if encoding == PositionEncodingKind.Utf8 or before.isascii():
            return Position(line, len(before))
        text = before.decode(*_UTF8)
        return Position(line, len(text) if encoding == PositionEncodingKind.Utf32 else len(text.encode(*_UTF16)) // 2)

    def range(self, start: int, end: int, encoding: PositionEncodingKind | str) -> Range:
        """The range between two byte offsets."""
        return Range(self.position(start, encoding), self.position(end, encoding))

    def offset_of(self, line: int, column: int) -> int:
        """The byte offset of a line and a column as findings have them: from 1, and lines end at line feeds alone."""
        if self._feeds is None:
            self._feeds = [0, *(match.end() for match in _LINE_FEED.finditer(self.data))]
        start = self._feeds[line - 1] if line <= len(self._feeds) else len(self.data)
        return min(start + column - 1, len(self.data))

    def _character_start(self, offset: int) -> int:
        while 0 < offset < len(self.data) and self.data[offset] & 0xC0 == 0x80:
            offset -= 1
        return offset

    def _bounds(self, line: int) -> tuple[int, int]:
        """The byte range of a line without its ending."""
        starts = self._line_starts()
        end = starts[line + 1] if line + 1 < len(starts) else len(self.data)
        return starts[line], starts[line] + len(self.data[starts[line] : end].rstrip(b"\r\n"))

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.data))]
        return self._starts


def decoded(data: bytes) -> str:
    """Bytes of a text as the protocol has them."""
    try:
        return data.decode(*_UTF8)
    except UnicodeDecodeError:  # of a translation that cuts a character: one of our own faults
        return data.decode("utf-8", "replace")
