"""The identifiers that the lexical pass finds in code, and where they stand."""

from __future__ import annotations

import pytest

from hipify_py.frontend.lexer import Lexemes, Lexer


def _scan(source: str) -> Lexemes:
    return Lexer(frozenset()).scan(source.encode())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int a = b1 + 0x1f + 2_w;", {"int", "a", "b1"}),
        ("// a\n/* b */ c", {"c"}),
        ('"a" \'b\' R"(c)" d', {"d"}),
        ("#define A B\n", {"A", "B"}),
        ("#undef A\n", {"A"}),
        ("#ifdef A\n#elif defined(B)\n#endif\n", {"A", "defined", "B"}),
        ("#error a b\n", set()),
        ("#pragma unroll\n", {"unroll"}),
        ('#include <a/b.h>\n#include "c.h"\n', set()),
        ("#include HEADER\n", {"include", "HEADER"}),
        ("a##b", {"a", "b"}),
    ],
)
def test_words_of_code(source: str, words: set[str]) -> None:
    assert _scan(source).words == {word.encode() for word in words}


def test_places_are_those_of_the_whole_word_in_code() -> None:
    source = 'ab; a; /* a */ a1 = "a"; _a; a\n#define a a\n'
    places = [at for at in range(len(source)) if source.startswith("a", at)]
    found = list(_scan(source).places(b"a"))
    assert found == [4, 29, 39, 41]
    assert set(found) < set(places)
    assert list(_scan(source).places(b"c")) == []
