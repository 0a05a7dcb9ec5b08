"""What a terminal would obey or hide is written out."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.core.terminal_escape import log_line, visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain/ä/名前.cu", "plain/ä/名前.cu"),
        ("a\tb", "a\tb"),
        ("b\nfake.cu:1:1: error HIP999 x", "b\\nfake.cu:1:1: error HIP999 x"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb\u2066c\u200b", "a\\u202eb\\u2066c\\u200b"),
        ("\r\x0b\x0c\x85\u2028", "\\r\\x0b\\x0c\\x85\\u2028"),
        (os.fsdecode(b"\xff\x9b"), "\\xff\\x9b"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_only_printable_characters_and_tabs_are_left(text: str) -> None:
    assert all(c.isprintable() or c == "\t" for c in visible(text))


@given(st.text())
def test_printable_text_stays(text: str) -> None:
    printable = "".join(c for c in text if c.isprintable())
    assert visible(printable) == printable


@given(st.binary())
def test_lines_stay_lines(data: bytes) -> None:
    shown = visible_lines(data)
    assert shown.count(b"\n") == data.count(b"\n")
    assert visible_lines(b"int a;\r\n\tb\n") == b"int a;\r\n\tb\n"
    shown.decode()  # whatever the bytes were


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ##vso[task.x]b", "a #\\x23vso[task.x]b"),
        ("##TeamCity[x]", "#\\x23TeamCity[x]"),
        ("##[error]x", "#\\x23[error]x"),
        ("  ::error file=x::y", "  \\x3a:error file=x::y"),
        ("::set-output name=a::b", "\\x3a:set-output name=a::b"),
        ("a::error::b", "a::error::b"),
        ("::cudaMalloc(&p);", "::cudaMalloc(&p);"),
        ("#define CAT(a, b) a##b[0]", "#define CAT(a, b) a##b[0]"),
        ("\x1b\n", "\\x1b\\n"),
    ],
)
def test_a_line_of_a_log_is_no_command(text: str, shown: str) -> None:
    assert log_line(text) == shown
