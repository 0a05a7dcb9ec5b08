"""Words that are split off are those that an expression would find."""

from __future__ import annotations

import random
import re

import pytest

from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.words import words


def test_words_are_what_the_expression_finds() -> None:
    chosen = random.Random(7)
    for _ in range(300):
        data = bytes(chosen.choices(range(256), k=80))
        assert words(data) == re.findall(rb"\w+", data)


@pytest.mark.parametrize(
    "source",
    [
        b"int a1 = 12 + 0x1F + 1.5e-3f + b_2;",
        b"x = 5'000'000u + 7;",
        b"\xc3\xa4b c\xffd",
        b"1" * 3000 + b"Free f(2)",
        b"a.b5 3a .5f 1..2 _9 9_",
    ],
)
def test_the_lexer_knows_no_numbers_as_words(source: bytes) -> None:
    found = Lexer(set()).scan(source)
    assert all(re.fullmatch(rb"[A-Za-z_]\w*", word) for word in found.words)


@pytest.mark.parametrize("behind", [b"", b" + cudaFree(0)"])
def test_what_follows_very_many_digits_is_no_name(behind: bytes) -> None:
    """A number so long is no token; the search for the name in it once went on for ever."""
    source = b"int x = " + b"1" * 3000 + b"cudaFree" + behind + b";"
    found = Lexer({b"cudaFree"}).scan(source)
    assert [name.start for name in found.names] == [place for place in [source.find(b"cudaFree(")] if place >= 0]
