"""The braces around a place, and what they begin."""

from __future__ import annotations

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.rules.headers.enclosed import LINKAGE, NAMESPACE, OTHER, Brace, brace_kind, braces_around
from hipify_py.translator.translate import lexer
from tests.growth import assert_linear

PLACE = b"HERE"


def around(text: bytes, *left_out: bytes) -> list[bytes]:
    """The lines up to the braces around the place, the innermost first; those that nothing closes end in `?`."""
    lexemes = lexer(load_catalog()).scan(text)
    ends = [text.index(line) + len(line) for line in left_out]
    (brace,), closed = braces_around(lexemes, [text.index(PLACE)], lambda place: place + 1 in ends)
    found = []
    while brace is not None:
        line = text[text.rfind(b"\n", 0, brace.opening) + 1 : brace.opening + 1]
        found.append(line if brace.opening in closed else line + b"?")
        brace = brace.around
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a {\nb {\n} HERE }", [b"a {"]),
        (b"a {\nb { HERE", [b"b {?", b"a {?"]),
        (b"}\na { HERE }", [b"a {"]),
        (b"a { /* } */ \"}\" '}' // }\n#define E }\nHERE }", [b"a {"]),
        (b'a { R"(})" HERE }', [b"a {"]),
        (b"#ifdef A\na {\n#else\nb {\n#endif\nHERE }", [b"a {"]),
        (b"#ifdef A\na {\n#elif B\nHERE }\n#endif\n", []),
        (b"a {\n#ifdef A\n}\nb {\n#else\n}\nc { HERE\n#endif\n}", [b"c {?"]),
        (b"#ifdef A\na {\n#endif\nHERE\n#ifdef A\n}\n#endif\n", [b"a {"]),
        (b"#ifdef A\n#else\na {\n#endif\nHERE }", [b"a {"]),
        (b"#else\n#endif\na { HERE }", [b"a {"]),
    ],
)
def test_branches_comments_and_macros_hide_no_brace(text: bytes, expected: list[bytes]) -> None:
    assert around(text) == expected


def test_a_branch_that_is_left_out_opens_nothing() -> None:
    text = b"#ifdef A\na {\n#else\nb {\n#endif\nHERE }"
    assert around(text, b"a {\n") == [b"b {"]
    assert around(text, b"a {\n", b"b {\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"namespace a {", (NAMESPACE, b"a")),
        (b"namespace a::b /* c */ {", (NAMESPACE, b"a::b")),
        (b"namespace a::inline b {", (NAMESPACE, b"a::inline b")),
        (b"inline namespace\n{", (NAMESPACE, b"")),
        (b'extern /* C */ "C"\n{', (LINKAGE, b"")),
        (b'extern "C" void f() {', (OTHER, b"")),
        (b'x = "C" {', (OTHER, b"")),
        (b"struct a {", (OTHER, b"")),
        (b"using namespace a; struct b {", (OTHER, b"")),
        (b"namespace a [[deprecated]] {", (OTHER, b"")),
        (b"{", (OTHER, b"")),
    ],
)
def test_what_a_brace_begins(text: bytes, expected: tuple[str, bytes]) -> None:
    assert brace_kind(lexer(load_catalog()).scan(text), text.rindex(b"{")) == expected


@pytest.mark.parametrize(
    "line", [b"{\n", b"{\n#if A\n", b"#if A\n{\n#else\n}\n#endif\n", b"{ }\n", b"namespace a {\n#define B }\n"]
)
def test_it_takes_time_by_the_size_of_the_source(line: bytes) -> None:
    def work(text: bytes) -> tuple[list[Brace | None], frozenset[int]]:
        lexemes = lexer(load_catalog()).scan(text)
        return braces_around(lexemes, range(0, len(text), 50), lambda place: False)

    assert_linear(work, lambda count: line * count, 300)
