"""Words of command lines, with their bytes."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py.build_systems.shell_words import MAKES_DOLLAR, OPERATOR, REDIRECTION, ShellText, assigned


def texts(text: bytes) -> list[str]:
    return [word.text for word in ShellText(text).words()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"nvcc -O2 a.cu", ["nvcc", "-O2", "a.cu"]),
        (b"a 'b c'\td", ["a", "b c", "d"]),
        (b'-L"$CUDA_HOME/lib 64"x', ["-L$CUDA_HOME/lib 64x"]),
        (b'"a\\"b" c\\ d', ['a"b', "c d"]),
        (b"a \\\n  b", ["a", "b"]),
        (b"a \\\r\n  b\r\n", ["a", "b", "\n"]),
        (b"ab\\\ncd", ["abcd"]),
        (b"a # b 'c\nd#e", ["a", "\n", "d#e"]),
        (b"a $(b 'c)' \"d)\") e", ["a", "$(b 'c)' \"d)\")", "e"]),
        (b"a `b c`d e", ["a", "`b c`d", "e"]),
        (b"a ${b:-c d} e", ["a", "${b:-c d}", "e"]),
        (b'"$(a "b c")" d', ['$(a "b c")', "d"]),
        (b"a&&b||c;d|e&f", ["a", "&&", "b", "||", "c", ";", "d", "|", "e", "&", "f"]),
        (b"(a) 2>&1 >/dev/null", ["(", "a", ")", "2>&", "1", ">", "/dev/null"]),
        (b"a $((1 << 2)) b", ["a", "$((1 << 2))", "b"]),
        (b"a $'b\\'c' d", ["a", "b\\'c", "d"]),
        (b"cat <<E >x\nnvcc 'a\nE\nb", ["cat", "<<", "E", ">", "x", "\n", "\n", "b"]),
        (b"cat <<-'E'\n\tnvcc\n\tE\nb", ["cat", "<<-", "E", "\n", "\n", "b"]),
        (b"a <<< 'b'\nc", ["a", "<<<", "b", "\n", "c"]),
        (b"a 'b", ["a", "b"]),
        (b'a "b $(c', ["a", "b $(c"]),
        (b"a \xff", ["a", "\udcff"]),
        (b"", []),
        (b"\\", [""]),
    ],
)
def test_words(text: bytes, expected: list[str]) -> None:
    assert texts(text) == expected


def test_quotes_and_their_places() -> None:
    text = b"a -DX='1 2'\"3\" b"
    word = ShellText(text).words()[1]
    assert text[word.start : word.end] == b"-DX='1 2'\"3\""
    assert [(quote.mark, text[quote.start : quote.end]) for quote in word.quotes] == [("'", b"1 2"), ('"', b"3")]
    assert not word.is_plain
    assert word.is_closed
    assert not ShellText(b"'a").words()[0].is_closed


def test_the_commands_of_a_substitution() -> None:
    text = b'A="$(dirname "$(which nvcc)")" B=`nvcc -V` c'
    shell = ShellText(text)
    first, second = shell.substitutions_in(0, len(text))
    assert [word.text for word in shell.words(first.inner, first.inner_end)] == ["dirname", "$(which nvcc)"]
    (inner,) = shell.substitutions_in(first.inner, first.inner_end)
    assert [word.text for word in shell.words(inner.inner, inner.inner_end)] == ["which", "nvcc"]
    assert text[second.inner : second.inner_end] == b"nvcc -V"


def test_simple_commands() -> None:
    text = b"if A=1 sudo -E nvcc -c a.cu > log 2>&1; then cd x && $NVCC b.cu; else B=2; fi"
    commands = ShellText(text).commands()
    assert [[word.text for word in command.words] for command in commands] == [
        ["nvcc", "-c", "a.cu"],
        ["cd", "x"],
        ["$NVCC", "b.cu"],
        [],
    ]
    assert [[assigned(word) for word in command.assignments] for command in commands] == [["A"], [], [], ["B"]]
    assert [word.text for word in commands[0].runners] == ["sudo", "-E"]
    assert commands[0].name == "nvcc"


def test_the_references_of_make_are_parts_of_words() -> None:
    text = b'$(NVCC) $(subst a ,b", $(X)) "$$(nvcc -V)" $${A} \'$(B C)\' $$X'
    opaque = {0: 7, 8: 28, text.index(b"$(B"): text.index(b"$(B") + 6}
    shell = ShellText(text, dollar=MAKES_DOLLAR, opaque=opaque)
    assert [word.text for word in shell.words()] == [
        *("$(NVCC)", '$(subst a ,b", $(X))', "$$(nvcc -V)", "$${A}", "$(B C)", "$$X")
    ]
    (found,) = shell.substitutions
    assert text[found.inner : found.inner_end] == b"nvcc -V"


def test_a_continued_line_of_make_ends_a_word() -> None:
    assert [word.text for word in ShellText(b"a\\\nb", continuation_ends=True).words()] == ["a", "b"]


def test_kinds() -> None:
    kinds = [word.kind for word in ShellText(b"a > b; c").words()]
    assert kinds == ["word", REDIRECTION, "word", OPERATOR, "word"]


PIECES = st.sampled_from(["a", "-Xcompiler", "=", " ", "\t", "'", '"', "\\", "x y", "é"])


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_words_are_those_of_the_standard_library(text: str) -> None:
    try:
        expected = shlex.split(text)
    except ValueError:
        return
    assert texts(text.encode()) == expected


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*"ab \t\n'\"`\\$(){}<>;&|#=\r", "$$(", "<<A", "\nA\n"]), max_size=40).map("".join))
def test_words_cover_the_text_in_order(text: str) -> None:
    data = text.encode()
    for dollar in (b"$", MAKES_DOLLAR):
        shell = ShellText(data, dollar=dollar)
        at = 0
        for word in shell.words():
            assert at <= word.start < word.end <= len(data)
            assert all(word.start <= quote.start <= quote.end <= word.end for quote in word.quotes)
            at = word.end
        for found in shell.substitutions:
            shell.commands(found.inner, found.inner_end)


@pytest.mark.parametrize("piece", [b"$(", b"`", b'"', b"'", b"${", b"(", b"<<A\n", b"\\", b"#", b"$((", b"a ", b'"$(`'])
def test_the_time_grows_with_the_length(piece: bytes) -> None:
    for dollar in (b"$", MAKES_DOLLAR):
        ShellText(piece * 20_000, dollar=dollar).commands()
