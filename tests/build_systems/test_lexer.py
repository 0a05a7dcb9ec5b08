"""The lexical grammar of CMake, and the words of arguments."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.lexer import read
from hipify_py.build_systems.cmake.words import words_of


def said(text: bytes) -> list[tuple[str, list[str]]]:
    return [(command.name, command.words) for command in read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"set(A b)", [("set", ["A", "b"])]),
        (b'SET ( A\n\t"b c" # note )\n)', [("set", ["A", "b c"])]),
        (b"a(#[[ b ]] c)b()", [("a", ["c"]), ("b", [])]),
        (b'a([=[ raw ]] " ]=])', [("a", [' raw ]] " '])]),
        (b'a("x\\"y" z\\ w)', [("a", ['x\\"y', "z\\ w"])]),
        (b'a(-Da="b c" $(MAKE))', [("a", ['-Da="b c"', "$(MAKE)"])]),
        (b"if(NOT (A AND B))", [("if", ["NOT", "(", "A", "AND", "B", ")"])]),
        (b"\xef\xbb\xbfa(b)", [("a", ["b"])]),
        (b"@PACKAGE_INIT@\na(b)", [("a", ["b"])]),
        (b"a(\xff)", [("a", ["\udcff"])]),
        (b"# set(A b)\n", []),
    ],
)
def test_commands_and_arguments(text: bytes, expected: list[tuple[str, list[str]]]) -> None:
    assert said(text) == expected
    assert read(text).broken == -1


@pytest.mark.parametrize(
    "text", [b'a(b)\nset(x "', b"a(b)\nset(x [[ ", b"a(b)\nset(x", b"a(b)\nset x", b"a(b)\n#[[", b"a(b)\n)"]
)
def test_what_is_whole_before_a_break_is_read(text: bytes) -> None:
    found = read(text)
    assert [command.name for command in found.commands] == ["a"]
    assert found.broken == 5


def test_places_are_exact() -> None:
    text = b'a( "b c"  [[d]] e )'
    for argument in read(text).commands[0].arguments:
        assert text[argument.inner : argument.inner_end].decode() == argument.text
    assert [text[a.start : a.end] for a in read(text).commands[0].arguments] == [b'"b c"', b"[[d]]", b"e"]


def test_functions_are_known() -> None:
    found = read(b"function(f)\na()\nmacro(m)\nb()\nendmacro()\nendfunction()\nc()").commands
    assert {command.name: command.block for command in found if len(command.name) == 1} == {
        "a": {"function"},
        "b": {"function", "macro"},
        "c": set(),
    }


def words(text: bytes) -> list[tuple[str, bool, bool]]:
    return [(word.text, word.is_plain, word.is_for_cuda) for word in words_of(text, read(text).commands[0].arguments)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            b'a("b c;d" ${X Y}e)',
            [("b", True, False), ("c", True, False), ("d", True, False), ("${X", True, False), ("Y}e", True, False)],
        ),
        (
            b"a($<$<COMPILE_LANGUAGE:CUDA>:-G;-x>)",
            [("COMPILE_LANGUAGE", False, False), ("CUDA", False, False), ("-G", True, True), ("-x", True, True)],
        ),
        (
            b"a($<$<COMPILE_LANGUAGE:CXX>:-G>)",
            [("COMPILE_LANGUAGE", False, False), ("CXX", False, False), ("-G", True, False)],
        ),
        (
            b"a($<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-G>)",
            [("NOT", False, False), ("COMPILE_LANGUAGE", False, False), ("CUDA", False, False), ("-G", True, False)],
        ),
        (b"a($<BUILD_INTERFACE:b>)", [("BUILD_INTERFACE", False, False), ("b", True, False)]),
        (b"a($<CONFIG:b>)", [("CONFIG", False, False), ("b", False, False)]),
    ],
)
def test_words_know_their_expressions(text: bytes, expected: list[tuple[str, bool, bool]]) -> None:
    assert words(text) == expected


def test_an_expression_goes_on_over_arguments() -> None:
    assert words(b"a($<$<COMPILE_LANGUAGE:CUDA>:-G -x> -y)")[2:] == [
        ("-G", True, True),
        ("-x", True, True),
        ("-y", True, False),
    ]
