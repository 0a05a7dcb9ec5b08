"""Conditional sections, and conditions in three values."""

from __future__ import annotations

import pytest

from hipify_py.frontend.conditions import Expression, condition, sections
from hipify_py.frontend.lexer import Lexer

KNOWN = {b"ONE": 1, b"TEN": 10, b"NONE": 0}


def lexemes(text: bytes):  # type: ignore[no-untyped-def]
    return Lexer(frozenset()).scan(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"1", 1),
        (b"TEN >= 0x0a", 1),
        (b"TEN * 2 + 1 == 21", 1),
        (b"!defined(ONE) || TEN < 3", 0),
        (b"defined ONE && (TEN % 3) == 1", 1),
        (b"UNKNOWN > 3", None),
        (b"UNKNOWN && NONE", 0),
        (b"UNKNOWN || ONE", 1),
        (b"UNKNOWN && ONE", None),
        (b"-1 < 0", 1),
        (b"1'000 == 1000UL", 1),
        (b"CALL(1, (2)) > 3 || ONE", 1),
        (b"CALL(1, (2)) > 3", None),
        (b"1 / NONE", None),
        (b"1 ? 2 : 3", 2),
        (b"(defined(NOT_THERE) ? TEN : 3) >= 4", None),
        (b"(defined(ONE) ? TEN : 3) >= 4", 1),
        (b"NONE ? 1 : ONE ? 7 : 8", 7),
        (b"UNKNOWN ? 1 : 1", None),
        (b"1 ? 2", None),
        (b"1 ? 2 : 3 4", None),
        (b"1 ? " * 500 + b"1" + b" : 2" * 500, None),
        (b"(1", None),
        (b"", None),
        (b"1 << 99999999999", None),
        (b"(" * 500 + b"1" + b")" * 500, None),
        (b"!" * 5000, None),
    ],
)
def test_values(text: bytes, value: int | None) -> None:
    assert Expression(text).value(KNOWN.get, lambda name: 1 if name in KNOWN else None) == value


def test_sections_nest() -> None:
    data = b"#if A\n#ifdef B\nb\n#endif\na\n#elif C\nc\n#else\nd\n#endif\n"
    inner, outer = sections(lexemes(data))
    assert [branch.word for branch in outer] == [b"if", b"elif", b"else"]
    assert [condition(data, branch) for branch in outer] == [b"A", b"C", b"1"]
    assert [data[branch.body : branch.end].strip() for branch in inner] == [b"b"]


def test_conditions_without_comments_and_line_ends() -> None:
    data = b"#if A /* or\n not */ && \\\n B // c\nx\n#endif"
    (section,) = sections(lexemes(data))
    assert condition(data, section[0]).split() == [b"A", b"&&", b"B"]


@pytest.mark.parametrize("splice", [b"\\\n", b"\\\r\n", b"\\ \n", b"\\\t\r\n"])
def test_conditions_of_several_lines(splice: bytes) -> None:
    data = b"#if A " + splice + b" && B // it is " + splice + b" C\n#endif\n"
    (section,) = sections(lexemes(data))
    assert condition(data, section[0]).split() == [b"A", b"&&", b"B"]


@pytest.mark.parametrize("data", [b"#endif\n#else\n", b"#if\n", b"#if A\n#if B\n", b"#elif X\n#if Y\n#endif\n#endif"])
def test_unbalanced(data: bytes) -> None:
    for section in sections(lexemes(data)):
        assert all(branch.start <= branch.body for branch in section)


@pytest.mark.parametrize(
    "text",
    [
        b"#if " + b"NONE || " * 2000 + b"ONE\n#endif\n",
        b"#if \\\n" + b"NONE || \\\n" * 1000 + b"ONE\n#endif\n",
        b"#if /* " + b"as it was " * 1000 + b"*/ ONE\n#endif\n",
        b"#if NONE // " + b"as it was " * 1000 + b"\\\n still\n#else\n#endif\n",
        b"#if " + b"(TEN > 3) && " * 1000 + b"ONE\n#endif\n",
    ],
)
def test_a_condition_may_be_as_long_as_it_likes(text: bytes) -> None:
    (section,) = sections(lexemes(text))
    value = Expression(condition(text, section[0])).value(lambda name: KNOWN.get(name, 0), lambda name: 1)
    assert value == (0 if b"still" in text else 1)


@pytest.mark.parametrize(
    ("text", "found", "is_alone"),
    [
        (b"A >= 7 && B < 2", (1, [1]), False),
        (b"A >= 7 && A < 8", (0, [1, 0]), False),
        (b"B < 2", (1, []), False),
        (b"defined(A) && A > 9", (0, [0]), False),
        (b"A && A > 9", (0, [0, 0]), True),
        (b"!A", (0, [0]), True),
        (b"A > UNKNOWN", (None, [None]), False),
        (b"A >", (None, [None]), True),
    ],
)
def test_comparisons_that_speak_of_a_name(
    text: bytes, found: tuple[int | None, list[int | None]], is_alone: bool
) -> None:
    values = {b"A": 8, b"B": 1}
    expression = Expression(text)
    names = frozenset({b"A"})
    for _ in range(2):  # asked again, it says the same
        assert expression.comparisons(values.get, lambda name: int(name in values), names) == found
    assert expression.has_bare_name(names) is is_alone


def test_the_parts_of_a_condition_have_their_places() -> None:
    text = b"A && (0x10UL <= TEN || !defined ( B ))"
    expression = Expression(text)
    assert expression.whole is not None
    both = expression.whole.parts[1].parts[0]
    assert (expression.whole.kind, both.kind, [part.kind for part in both.parts]) == (b"&&", b"||", [b"<", b"!"])
    places = expression.places()
    shown = [text[places[part.first][0] : places[part.last - 1][1]] for part in both.parts]
    assert [each.replace(b"UL", b"") for each in shown] == [b"0x10 <= TEN", b"!defined ( B )"]
    assert expression.values_used(both) == {b"TEN"}
    assert expression.names_in(both) == {b"TEN", b"defined", b"B"}
