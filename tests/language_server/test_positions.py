"""Positions of the protocol and byte offsets, against the characters of the text itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind, Range

from hipify_py.language_server.positions import Text

from .editor import CODECS, lines_of

PIECES = ("a", "\t", " ", "é", "e\u0301", "漢", "😀", "\u2028", "\f", "\x85", "\ufeff", "\ud83d", "\r\n", "\n", "\r")
"""Characters of one to four bytes, of two UTF-16 units, half of one, what Python alone ends lines at, and line endings."""

texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
encodings = st.sampled_from([*PositionEncodingKind])


def _position(text: str, index: int, encoding: PositionEncodingKind) -> Position:
    codec, width = CODECS[encoding]
    number, (start, line) = [entry for entry in enumerate(lines_of(text)) if entry[1][0] <= index][-1]
    return Position(number, len(line[: index - start].encode(codec, "surrogatepass")) // width)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@given(texts, encodings)
def test_every_character_of_a_line_has_its_place(text: str, encoding: PositionEncodingKind) -> None:
    known = Text.of(text)
    assert str(known) == text
    for start, line in lines_of(text):
        for index in range(start, start + len(line) + 1):
            offset, position = len(_bytes(text[:index])), _position(text, index, encoding)
            assert known.position(offset, encoding) == position
            assert known.offset(position, encoding) == offset


@given(texts, st.data(), texts, encodings)
def test_an_edit_replaces_what_lies_between(
    text: str, data: st.DataObject, new: str, encoding: PositionEncodingKind
) -> None:
    places = [index for start, line in lines_of(text) for index in range(start, start + len(line) + 1)]
    start, end = sorted(data.draw(st.tuples(st.sampled_from(places), st.sampled_from(places))))
    replaced = Range(_position(text, start, encoding), _position(text, end, encoding))
    assert Text.of(text).changed(replaced, new, encoding).data == _bytes(text[:start]) + _bytes(new) + _bytes(
        text[end:]
    )


@pytest.mark.parametrize(
    ("position", "offset"),
    [
        (Position(0, 99), 5),
        (Position(1, 0), 6),
        (Position(9, 0), 8),
        (Position(0, 2), 1),
        (Position(0, 3), 5),
    ],
)
def test_positions_outside_of_characters(position: Position, offset: int) -> None:
    """Behind the line, behind the text, between two surrogates."""
    assert Text.of("a😀\nbc").offset(position, PositionEncodingKind.Utf16) == offset


def test_a_place_in_a_line_ending_is_the_end_of_the_line() -> None:
    text = Text.of("ab\r\ncd")
    assert text.position(3, PositionEncodingKind.Utf16) == Position(0, 2)
    assert text.position(4, PositionEncodingKind.Utf16) == Position(1, 0)


def test_lines_of_findings_end_at_line_feeds_alone() -> None:
    assert Text.of("a\rb\nc漢d").offset_of(2, 5) == 8
    assert Text.of("a").offset_of(3, 1) == 1
