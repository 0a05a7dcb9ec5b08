"""String literals of Python: the text that one stands for, and how a piece of that text is written in it."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from hipify_py.build_systems.expressions import Node
from hipify_py.core.edits import Edit

_ESCAPE = re.compile(
    rb"\\(?:(\r?\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]+)\})"
)
_LETTERS = {
    **dict(zip(b"\\'\"", b"\\'\"", strict=True)),
    **dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True)),
}
_PREFIX = re.compile(rb"([A-Za-z]*)('''|\"\"\"|'|\")")


Escape = Callable[[bytes, int], tuple[int, bytes]]
"""Reads the escape at a place: where it ends, and what it stands for."""


def pieces_with_escapes(data: bytes, start: int, end: int, escape: Escape) -> Iterator[tuple[int, int, bytes]]:
    """The ranges of a literal, each with the bytes that it stands for, in order: single bytes, and escapes."""
    place = start
    while place < end:
        stop = data.find(b"\\", place, end)
        stop = end if stop < 0 else stop
        for each in range(place, stop):
            yield each, each + 1, data[each : each + 1]
        place = stop
        if place < end:
            stop, text = escape(data, place)
            yield place, stop, text
            place = stop


class Unwritable(ValueError):
    """A raw literal has no way to write a text."""


class Literal:
    """One literal of Python, whose text is a part of a value.

    Attributes:
        start: where its text begins in the file, in bytes.
        end: where its text ends.
        quote: what it ends with.
        is_raw: whether a backslash stands for itself.
        is_bytes: whether its value is bytes, which have no escapes of Unicode.
    """

    def __init__(self, start: int, end: int, prefix: bytes, quote: bytes) -> None:
        self.start, self.end, self.quote = start, end, quote
        self.is_raw = b"r" in prefix.lower()
        self.is_bytes = b"b" in prefix.lower()

    @classmethod
    def of(cls, data: bytes, node: Node) -> Literal:
        """The literal of a node."""
        opening = _PREFIX.match(data, node.start)
        assert opening is not None, "a string begins with a quote"
        return cls(*node.inner, opening[1], opening[2])

    def part(self, start: int, end: int) -> Literal:
        """A part of its text, as a literal."""
        return Literal(start, end, b"r" * self.is_raw + b"b" * self.is_bytes, self.quote)

    def pieces(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """The ranges of the file, each with the bytes of the value that it stands for, in order."""
        if self.is_raw:
            return ((each, each + 1, data[each : each + 1]) for each in range(self.start, self.end))
        return pieces_with_escapes(data, self.start, self.end, self._escape)

    def _escape(self, data: bytes, place: int) -> tuple[int, bytes]:
        match = _ESCAPE.match(data, place, self.end)
        return (place + 1, b"\\") if match is None else (match.end(), self._value(match))

    def _value(self, match: re.Match[bytes]) -> bytes:
        if match[1]:
            return b""
        if match[2]:
            return bytes([_LETTERS[match[2][0]]])
        if match[3] or match[4]:
            number = int(match[3], 8) if match[3] else int(match[4], 16)
            return bytes([number & 0xFF]) if self.is_bytes else chr(number).encode()
        if self.is_bytes:
            return match[0]
        if match[7]:
            try:
                return unicodedata.lookup(match[7].decode("ascii")).encode()
            except (KeyError, UnicodeDecodeError):
                return match[0]
        number = int(match[5] or match[6], 16)
        return chr(number).encode("utf-8", "surrogatepass") if number <= 0x10FFFF else match[0]

    def written(self, text: bytes, newline: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
        """A piece of the value as this literal writes it.

        Args:
            text: the bytes of the value.
            newline: the line end of the file.
            before: the byte of the literal before it, if there is one.
            after: the bytes of the literal after it.

        Raises:
            Unwritable: where a raw literal cannot contain it.
        """
        is_long = len(self.quote) == 3
        if self.is_raw:
            around = before[-2:] + text + after
            ends_badly = not after and text.endswith((b"\\", self.quote[:1]))
            if (not is_long and b"\n" in text) or self.quote in around or ends_badly:
                raise Unwritable(f"a raw string in {self.quote.decode()} cannot contain what replaces it")
            return text.replace(b"\n", newline)
        escaped = text.replace(b"\\", b"\\\\")
        if not is_long:
            return escaped.replace(self.quote, b"\\" + self.quote).replace(b"\n", b"\\n")
        escaped = escaped.replace(self.quote, b"\\".join([b"", *(self.quote[:1],) * 3]))
        if escaped.endswith(self.quote[:1]):
            escaped = escaped[:-1] + b"\\" + self.quote[:1]
        return escaped.replace(b"\n", newline)


class Piece(Protocol):
    """A range of a file that a part of a value is written in."""

    start: int
    end: int

    def pieces(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """The ranges of the file, each with the bytes of the value that it stands for, in order."""

    def written(self, text: bytes, newline: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
        """A piece of the value as it is written there.

        Raises:
            Unwritable: where it cannot be.
        """


class Constant:
    """A range of a file that stands for a fixed text."""

    def __init__(self, start: int, end: int, text: bytes) -> None:
        self.start, self.end, self._text = start, end, text

    def pieces(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """The whole range with the text."""
        yield self.start, self.end, self._text

    def written(self, text: bytes, newline: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
        """Refuse any other text.

        Raises:
            Unwritable: always.
        """
        raise Unwritable("a fixed text cannot be changed")


class LiteralText:
    """The text of literals that stand side by side, with the places of its bytes in the file.

    Attributes:
        value: the text, as UTF-8 with `\\n` at line ends, as Python reads a file.
    """

    def __init__(self, data: bytes, literals: Sequence[Piece], newline: bytes = b"\n") -> None:
        self._data = data
        self._newline = newline
        self._literals = literals
        self._first: list[int] = []
        starts, ends = array("l"), array("l")
        value = bytearray()
        for literal in self._literals:
            self._first.append(len(value))
            for start, end, text in literal.pieces(data):
                if text == b"\r" and data[start : start + 2] == b"\r\n" and end == start + 1:
                    continue  # Python reads one line end, whatever the file has
                value += text
                for _ in text:
                    starts.append(start)
                    ends.append(end)
        self._starts, self._ends = starts, ends
        self.value = bytes(value)

    def place(self, offset: int) -> int:
        """The place in the file of a byte of the value; that of the end for its length."""
        if offset < len(self._starts):
            return self._starts[offset]
        return self._literals[-1].end

    def end_place(self, offset: int) -> int:
        """The place in the file just after the byte before `offset`."""
        return self._ends[offset - 1] if offset else self.place(0)

    def in_file(self, edits: Iterable[Edit]) -> list[Edit]:
        """Edits of the value as edits of the file.

        Raises:
            Unwritable: where a literal cannot contain what replaces a part of it.
        """
        return [part for edit in edits for part in self._in_file(edit)]

    def _in_file(self, edit: Edit) -> Iterator[Edit]:
        at = max(0, bisect_right(self._first, edit.start) - 1)
        literal = self._literals[at]
        last = self._first[at + 1] if at + 1 < len(self._first) else len(self.value)
        stop = min(edit.end, last)
        start = self.place(edit.start) if edit.start < last else literal.end
        end = self.end_place(stop) if stop > edit.start else start
        data = self._data
        text = literal.written(
            edit.text, self._newline, data[max(literal.start, start - 2) : start], data[end : min(end + 3, literal.end)]
        )
        yield Edit(start, end, text)
        while edit.end > last:  # the rest of what is replaced stands in the literals after it
            at += 1
            first, last = last, self._first[at + 1] if at + 1 < len(self._first) else len(self.value)
            stop = min(edit.end, last)
            if stop > first:
                yield Edit(self.place(first), self.end_place(stop), b"")
