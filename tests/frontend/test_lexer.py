"""The lexical pass: what is code, and what is a comment, a literal or a directive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.catalog import load_catalog
from hipify_py.frontend.lexer import Lexemes
from hipify_py.translator.translate import lexer

WORD = b"cudaFree"


def scan(text: bytes) -> Lexemes:
    return lexer(load_catalog()).scan(text)


def names(text: bytes) -> list[bytes]:
    return [name.text for name in scan(text).names]


@pytest.mark.parametrize(
    "text",
    [
        b"// cudaFree",
        b"// one \\\n   cudaFree",
        b"// one \\\r\n   cudaFree \\\r\n cudaFree",
        b"// one\\ \n   cudaFree",
        b"// one \\\t\r\n   isn't cudaFree",
        b"// one\\\\\n   cudaFree",
        b"/* cudaFree */",
        b"/* one\n * cudaFree\n */",
        b"/* cudaFree",
        b"/*/ cudaFree */",
        b'"cudaFree"',
        b'"a \\" cudaFree"',
        b'"a \\\\\\" cudaFree"',
        b'"one \\\n cudaFree"',
        b'"one \\\r\n cudaFree"',
        b'"one \\ \n cudaFree"',
        b'L"cudaFree" u8"cudaFree" u"cudaFree" U"cudaFree"',
        b"'cudaFree'",
        b'R"(cudaFree)"',
        b'R"x(cudaFree)" cudaFree )x"',
        b'u8R"-+-(cudaFree)-+-"',
        b'LR"(\n"cudaFree"\n)"',
        b'auto s = R"x(never closed; cudaFree',
        b'auto s = R"x(closed otherwise)y"; cudaFree; R"y(cudaFree)y"',
        b"#error don't call cudaFree",
        b"  #  warning isn't cudaFree \\\n cudaFree",
        b"#elseif cudaFree",
        b"# elsif defined(cudaFree)",
        b"#if 0\n#endif cudaFree",
        b"#if 0\n#endif / cudaFree",
        b'#if 0\n#else "/* cudaFree\n#endif',
        b"#if 0\n#else if cudaFree > 2\n#endif",
        b"#ifdef A\n#else !cudaFree\n#endif // cudaFree",
        b"#ifdef A\n  #  endif don't / cudaFree \\\n cudaFree",
        b"xcudaFree cudaFreeX1 _cudaFree",
        b"0x1cudaFree",
    ],
)
def test_no_name_is_seen_in(text: bytes) -> None:
    assert WORD not in names(text)


@pytest.mark.parametrize(
    "text",
    [
        b"// one\ncudaFree",
        b"// one\\ \n two\ncudaFree",
        b"// one\\\\\n two\ncudaFree",
        b'"one \\\r\n two" cudaFree "three"',
        b'"one \\ \n two" cudaFree "three"',
        b"// one \\\n two\ncudaFree",
        b"// one \\\r\n two\r\ncudaFree",
        b"/* one */ cudaFree",
        b"/* one **/cudaFree/* two */",
        b"/*/ one */ cudaFree",
        b'"a" cudaFree "b"',
        b"'\"' cudaFree '\"'",
        b"'\\'' cudaFree '\\''",
        b'"\\\\" cudaFree "\\\\"',
        b'R"(a)" cudaFree R"(b)"',
        b'R"x(a)y" )x" cudaFree',
        b"int n = 1'000'000; cudaFree(1'0);",
        b"0x1'FF cudaFree 'a'",
        b"#error don't\ncudaFree",
        b'#error of glob "/*"\ncudaFree',
        b"#error see /* cudaFree\n*/ cudaFree",
        b'#endif of glob "/*"\ncudaFree',
        b"#define S(error) f(#error, cudaFree)",
        b"#define S(warning) f(# warning, cudaFree)",
        b"#define S(ident) f(#ident, cudaFree) // cudaFree",
        b'#define S(region) f(#region, "cudaFree", cudaFree)',
        b"#define S(endregion) f(x, \\\n #endregion, cudaFree)",
        b"#define S(endif) f(#endif, cudaFree)",
        b'#define S(include) f(#include "cudaFree", cudaFree)',
        b"#warning it's \\\n isn't\ncudaFree 'x'",
        b"#if 0\ncudaFree\n#endif",
        b"#if 0\n#endif A\ncudaFree",
        b"#if 0\n#else /* cudaFree\n*/ cudaFree\n#endif",
        b"#if 0\n#else // isn't\ncudaFree 'x'\n#endif",
        b"#if 0\n#endif A /* one */ \ncudaFree",
        b"#ifdef A\n#endif_of cudaFree",
        b"#define FREE cudaFree",
        b"#define FREE(x) \\\n cudaFree(x)",
        b"#pragma omp parallel if(cudaFree)",
        b'char c = "unterminated;\ncudaFree',
        b"char c = 'unterminated;\ncudaFree",
        b"x = a\\\ncudaFree",
        b"cudaFree",
        b"(cudaFree)",
        b"1+cudaFree",
    ],
)
def test_the_name_is_seen_once_in(text: bytes) -> None:
    assert names(text).count(WORD) == 1


def test_names_carry_their_places() -> None:
    (name,) = scan(b"  cudaFree(p)").names
    assert (name.start, name.end, name.text) == (2, 10, WORD)


def test_raw_strings_carry_their_bodies() -> None:
    text = b'auto s = uR"ab(one)b" (two)ab";'
    (raw,) = scan(text).raw_strings
    assert text[raw.body : raw.body_end] == b'one)b" (two'
    assert text[raw.start : raw.end] == b'uR"ab(one)b" (two)ab"'


def test_a_quote_may_be_the_delimiter_of_a_raw_string() -> None:
    text = b'auto s = R""(cudaFree(p); ")" #include <x.h>\n)""; cudaFree(q);'
    (raw,) = scan(text).raw_strings
    assert text[raw.start : raw.end] == b'R""(cudaFree(p); ")" #include <x.h>\n)""'
    assert names(text) == [b"cudaFree"]


def test_an_empty_raw_string_has_an_empty_body() -> None:
    (raw,) = scan(b'R"()"').raw_strings
    assert raw.body == raw.body_end == 3


@pytest.mark.parametrize(
    ("text", "path", "quoted"),
    [
        (b"#include <cuda.h>", "cuda.h", False),
        (b'#include "cuda.h"', "cuda.h", True),
        (b"  #\tinclude<cuda.h> // c", "cuda.h", False),
        (b'#include_next "a b.h"', "a b.h", True),
        (b"#include /* which */ <cuda.h>", "cuda.h", False),
        (b"#include <cuda.h>\r\n", "cuda.h", False),
        (b"/* c */ #include <cuda.h>", "cuda.h", False),
        (b"int x;\n/* c\n */ /**/\\\n #include <cuda.h>", "cuda.h", False),
        (b"#\\\ninclude \\ \r\n <cuda.h>", "cuda.h", False),
        (b"# /* one\n two */ include/**/<cuda.h>", "cuda.h", False),
    ],
)
def test_an_include_is_read(text: bytes, path: str, quoted: bool) -> None:
    (include,) = scan(text).includes
    assert (include.path, include.quoted) == (path, quoted)
    assert text[include.start + 1 : include.end - 1].decode() == path


@pytest.mark.parametrize("between", [b"/* c */", b"/* c\n */", b"/* c */ \\\n"])
def test_a_comment_behind_code_begins_no_line(between: bytes) -> None:
    found = scan(b"int x; " + between + b"#define A 1\n")
    assert not found.defines


@pytest.mark.parametrize("gap", [b"/* c */", b"/* c\n */", b"\\\n", b" \\ \r\n"])
def test_the_words_of_a_directive_may_stand_apart(gap: bytes) -> None:
    found = scan(b"#" + gap + b"define" + gap + b" A 1\n#" + gap + b"ifdef" + gap + b"A\n#" + gap + b"endif\n")
    assert [define.text for define in found.defines] == [b"A"]
    assert [word for _, word in found.directives] == [b"ifdef", b"endif"]


def test_a_comment_joins_lines_to_one() -> None:
    text = b"int x;\n/* a\n b */ #define A /* c\n d */ b // e \\\n f\nint y;\n"
    found = scan(text)
    assert found.logical_line_end(text.index(b"#")) == text.index(b"\nint y")
    assert found.logical_line_start(text.index(b"f\n")) == text.index(b"/* a")
    assert found.define_around(text.index(b"b //")) == found.defines[0]


@pytest.mark.parametrize("text", [b"// #include <cuda.h>", b"/*\n#include <cuda.h>\n*/", b'R"(\n#include <cuda.h>\n)"'])
def test_no_include_is_read_in(text: bytes) -> None:
    assert scan(text).includes == []


def test_an_include_with_foreign_bytes_keeps_them() -> None:
    (include,) = scan(b'#include "caf\xe9.h"').includes
    assert include.path.encode("utf-8", "surrogateescape") == b"caf\xe9.h"


def test_defines_carry_their_names() -> None:
    found = scan(b"#define A 1\n # define cudaX(y) y\n#undef B\n")
    assert [define.text for define in found.defines] == [b"A", b"cudaX"]


def test_directives_are_in_order() -> None:
    found = scan(b"#ifdef A\n# if B\n#elif C\n#else\n#endif\n#pragma once\n")
    assert [word for _, word in found.directives] == [b"ifdef", b"if", b"elif", b"else", b"endif", b"pragma"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (b"k<<<1, 2>>>()", 1),
        (b"k<T><<<1, 2>>>()", 1),
        (b"k <<< 1, 2 >>> ()", 1),
        (b"a << 1 << 2", 0),
        (b"// k<<<1, 2>>>()", 0),
        (b'"k<<<1, 2>>>()"', 0),
        (b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", 0),
    ],
)
def test_launches_are_found(text: bytes, count: int) -> None:
    assert len(scan(text).launches) == count


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        (b"#ifdef CUDA_VERSION", True),
        (b"#if X && defined ( /* it */ CUDA_VERSION )", True),
        (b"#if !defined CUDA_VERSION", True),
        (b"#undef CUDA_VERSION", True),
        (b"#if (CUDA_VERSION)", False),
        (b"#if defined(X) && CUDA_VERSION", False),
        (b"CUDA_VERSION", False),
    ],
)
def test_it_is_known_where_a_macro_is_asked_for_its_definition(text: bytes, is_asked: bool) -> None:
    assert scan(text).in_defined(text.index(b"CUDA_VERSION")) is is_asked


def test_before_and_after_skip_blanks_comments_and_continuations() -> None:
    text = b"a /* b */ // c\n \\\n d"
    found = scan(text)
    assert found.after(1) == len(text) - 1
    assert found.before(len(text) - 1) == 0
    assert found.before(0) == -1
    assert found.after(len(text)) == len(text)


def test_word_before_reads_over_a_comment() -> None:
    assert scan(b"struct /* tag */ cudaX").word_before(17) == b"struct"


@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 129, 500])
@pytest.mark.parametrize("lead", [b"", b" ", b"x+", b"\xe9"])
def test_word_before_reads_words_of_any_length(size: int, lead: bytes) -> None:
    word = b"w_9" * size
    assert scan(lead + word + b" x").word_before(len(lead + word) + 1) == word


def test_logical_lines_end_at_the_first_newline_without_a_backslash() -> None:
    text = b"#define A \\\r\n b \\\n c\nd"
    assert scan(text).logical_line_end(0) == text.index(b"\nd")


SPLICES = [b"\\\n", b"\\\r\n", b"\\ \n", b"\\\t\r\n"]


@pytest.mark.parametrize("splice", SPLICES)
@pytest.mark.parametrize("directive", [b"define A", b"include <a.h>", b"if A"])
def test_a_directive_begins_no_line_that_goes_on_from_another(splice: bytes, directive: bytes) -> None:
    text = b"#define S(x) f(" + splice + b" #" + directive + b")\nint y;\n"
    found = scan(text)
    assert [define.text for define in found.defines] == [b"S"]
    assert not found.includes
    assert not found.directives
    assert found.body_end(found.defines[0]) == text.index(b"\nint")
    assert found.in_directive(text.index(directive))


@pytest.mark.parametrize("splice", SPLICES)
def test_a_directive_may_begin_behind_an_empty_line_that_goes_on(splice: bytes) -> None:
    assert [define.text for define in scan(splice + b" " + splice + b" #define A").defines] == [b"A"]


def test_define_around_knows_a_macros_body() -> None:
    text = b"#define A(x) \\\n x + 1\nint y;\n#define B 2\n"
    found = scan(text)
    around = found.define_around(text.index(b"x + 1"))
    assert around is not None
    assert around.text == b"A"
    assert found.define_around(text.index(b"int")) is None
    assert found.define_around(0) is None


@given(st.binary(max_size=200))
def test_any_bytes_can_be_scanned(text: bytes) -> None:
    found = scan(text)
    assert found.comments_and_literals == sorted(found.comments_and_literals)
    assert all(start < end <= len(text) for start, end in found.comments_and_literals)
    assert all(a[1] <= b[0] for a, b in zip(found.comments_and_literals, found.comments_and_literals[1:], strict=False))


PIECES = [
    b'"',
    b"'",
    b"\\",
    b"\n",
    b"\r\n",
    b"//",
    b"/*",
    b"*/",
    b'R"(',
    b')"',
    b"cudaFree",
    b" ",
    b"#error ",
    b"1'0",
    b"<<<",
    b">>>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join))
def test_names_never_lie_in_comments_or_literals(text: bytes) -> None:
    found = scan(text)
    assert all(found.non_code_at(name.start) is None for name in found.names)
    assert all(found.non_code_at(place) is None for place in found.launches)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        (b"#define M(a, b) a", (b"a", b"b")),
        (b"#define M( a , b ) a", (b"a", b"b")),
        (b"#define M(a, \\\n  b) a", (b"a", b"b")),
        (b"#define M(a /* the (first) */, b /* second */) a", (b"a", b"b")),
        (b"#define M(a /* " + b"of many words " * 300 + b"*/, b) a", (b"a", b"b")),
        (b"#define M(" + b"".join(b"a%d, " % at for at in range(1000)) + b"...) a", None),
        (b"#define M (a)", ()),
        (b"#define M(a\nint x = f(3)", ()),
    ],
)
def test_the_parameters_of_a_macro(text: bytes, parameters: tuple[bytes, ...] | None) -> None:
    lexemes = scan(text)
    found = lexemes.parameters(lexemes.defines[0])
    assert len(found) == 1001 if parameters is None else found == parameters
