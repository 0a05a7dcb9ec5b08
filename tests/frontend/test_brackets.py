"""Matching brackets and splitting arguments in the bytes themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.catalog import load_catalog
from hipify_py.frontend.brackets import enclosing_arguments, match_backward, match_forward, pieces, template_end, trim
from hipify_py.frontend.lexer import Lexemes
from hipify_py.translator.translate import lexer


def scan(text: bytes) -> Lexemes:
    return lexer(load_catalog()).scan(text)


def arguments(text: bytes) -> list[bytes] | None:
    """The arguments of the call that begins at the first parenthesis."""
    opening = text.index(b"(")
    found = match_forward(scan(text), opening, len(text))
    if found is None:
        return None
    closing, commas = found
    return [text[start:end].strip() for start, end in pieces(opening, closing, commas)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"f(a, b)", [b"a", b"b"]),
        (b"f(g(a, b), {c, d}, e[f, g])", [b"g(a, b)", b"{c, d}", b"e[f, g]"]),
        (b"f(k<a, b>(c), d)", [b"k<a, b>(c)", b"d"]),
        (b"f(k<a, b>{c}, d)", [b"k<a, b>{c}", b"d"]),
        (b"f(k<a, l<b, c>>(d), e)", [b"k<a, l<b, c>>(d)", b"e"]),
        (b"f(std::array<int, 3>::size, d)", [b"std::array<int, 3>::size", b"d"]),
        (b"f(a < b, c > d)", [b"a < b", b"c > d"]),
        (b"f(a < b, c)", [b"a < b", b"c"]),
        (b"f(a << 1, b >> 2)", [b"a << 1", b"b >> 2"]),
        (b"f(p->q, r)", [b"p->q", b"r"]),
        (b"f(\"a, b)\", '(', c)", [b'"a, b)"', b"'('", b"c"]),
        (b"f(a /* , ) */, b // )\n)", [b"a /* , ) */", b"b // )"]),
        (b"f([=](int x, int y) { return x, y; }, b)", [b"[=](int x, int y) { return x, y; }", b"b"]),
        (b'f(R"(a, b))", c)', [b'R"(a, b))"', b"c"]),
        (b"f(a, b", None),
        (b"f(a, b]", None),
        (b"f((a, b)", None),
        (b"f(a, {b)}", None),
    ],
)
def test_arguments_split_at_their_own_commas(text: bytes, expected: list[bytes] | None) -> None:
    assert arguments(text) == expected


def test_nothing_is_matched_beyond_the_limit() -> None:
    text = b"f(a, b)"
    assert match_forward(scan(text), 1, 5) is None


def test_empty_brackets_hold_one_empty_piece() -> None:
    assert pieces(1, 2, []) == [(2, 2)]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"k<a>(x)", 4),
        (b"k<a, b>(x)", 7),
        (b"k<a<b>>(x)", 7),
        (b"k<a<b<c>>>(x)", 10),
        (b"k<a, b>::c", 7),
        (b"k<sizeof(int)>(x)", 14),
        (b"k<a, b> d", None),
        (b"k<a; b>(x)", None),
        (b"k < a, b", None),
        (b"1 < a, b > (c)", None),
    ],
)
def test_template_arguments_end_where_something_can_follow_them(text: bytes, end: int | None) -> None:
    assert template_end(scan(text), text.index(b"<"), len(text)) == end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"f(a, (b), [c])", 1),
        (b"f<a, b>", 1),
        (b"f<a<b>>", 1),
        (b"f<(a > b)>", 1),
        (b"f<p->q>", 1),
        (b"f(a > b)", 1),
        (b"f(a < b)", 1),
        (b"f(a, \")\", ')')", 1),
        (b"f(a /* ( */)", 1),
        (b"f[g(h)]", 1),
        (b"a)", None),
        (b"a > b; c)", None),
        (b"{a)", None),
    ],
)
def test_brackets_match_backwards(text: bytes, expected: int | None) -> None:
    assert match_backward(scan(text), len(text) - 1) == expected


def test_trim_leaves_blanks_and_comments_out() -> None:
    text = b"( /* a */ b + c // d\n )"
    start, end = trim(scan(text), 1, len(text) - 1)
    assert text[start:end] == b"b + c"


def test_trim_of_nothing_but_a_comment_is_empty() -> None:
    start, end = trim(scan(b"( /* a */ )"), 1, 10)
    assert start == end


NESTED = st.recursive(
    st.sampled_from([b"a", b"b1", b"1.5f", b'"(,"', b"','", b"/*)*/ c"]),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: b"(" + b", ".join(parts) + b")"),
    max_leaves=12,
)


@given(st.lists(NESTED, min_size=1, max_size=5))
def test_forward_and_backward_agree_on_nested_brackets(parts: list[bytes]) -> None:
    text = b"f(" + b", ".join(parts) + b")"
    found = match_forward(scan(text), 1, len(text))
    assert found is not None
    assert found[0] == len(text) - 1
    assert len(found[1]) == len(parts) - 1
    assert match_backward(scan(text), len(text) - 1) == 1


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        (b"f(a, @)", 1),
        (b"f(a, g(b), @)", 1),
        (b"f(" + b"a, " * 3000 + b"@)", 1),
        (b"f(/* ( */ a, // (\n '(', \")\", @)", 1),
        (b"f((a, @))", 2),
        (b"f({a, @})", None),
        (b"for (a; b, @)", None),
        (b"f(a); b, @", None),
        (b"a, @", None),
        (b"f(\n#define M a, b)\n @)", 1),
        (b"(\n#define M a, @\n)", None),
        (b"#define M(a) f(a, @)\n", 14),
        (b"[a, @]", None),
        (b") a, @", None),
    ],
)
def test_the_argument_list_around_a_place(text: bytes, opening: int | None) -> None:
    assert enclosing_arguments(scan(text), text.index(b"@")) == opening
