"""What a source takes in behind code of its own: headers of others, and the macros that may change them."""

from __future__ import annotations

import pytest

from hipify_py.clang.include_prefix import FOREIGN, opening
from hipify_py.clang.late_includes import HeadersBehind, Item
from tests.growth import assert_linear


def items(text: str, **files: str) -> tuple[Item, ...]:
    """What a source takes in; other files of the project are given by their names without `.h`."""
    texts = {"a.cu": text, **{f"{name}.h": text for name, text in files.items()}}

    def leads(path: str, name: str, is_quoted: bool) -> str | None:
        return None if name == "unsure.h" else name if name in texts else FOREIGN

    def text_of(path: str) -> bytes:
        return texts[path].encode()

    return HeadersBehind(text_of, leads).of("a.cu", opening("a.cu", text_of, leads))


def lines(text: str, **files: str) -> list[str]:
    return [item.line.decode() for item in items(text, **files) if not item.macro]


CODE = "int x;\n"
A, B = "#include <a>\n", "#include <b/c.h>\n"


@pytest.mark.parametrize(
    "text",
    [
        CODE + A + B,
        CODE + A + CODE + B + CODE,
        CODE + A + A + B + A,
        "struct S { int x; };\n" + A + "void f() { if (x) { g(); } }\n" + B,
        CODE + "// #include <no>\n/*\n#include <no>\n*/\n# include \\\n <a> // for f\n" + '#include "b/c.h"\n',
        CODE + 'const char *s = "{ #include", c = \'{\', *r = R"({\n#include <no>\n)";\n' + A + B,
        CODE + "#pragma omp parallel\n#pragma unroll 4\n" + A + B,
        CODE + "#define M { {\n" + A + B,
        CODE + "#if 1\n" + A + "#endif\n" + B,
        CODE + "#define ON\n#ifdef ON\n" + A + "#else\n#include <no>\n#endif\n" + B,
        CODE + "#define N 3\n#undef N\n#ifdef N\n#include <no>\n#else\n" + A + B + "#endif\n",
        CODE + "#define ON 1\n#if !ON\n{\n#include <no>\n#elif ON\n" + A + "#endif\n" + B,
        CODE + 'extern "C" {\n#include <no>\n}\n' + A + B,
        CODE + "namespace n {\n#ifdef X\nint a() {\n#else\nint b() {\n#endif\n}\n#include <no>\n}\n" + A + B,
        "#ifndef A_H\n#define A_H\n" + CODE + A + B + "#endif\n",
    ],
)
def test_headers_behind_code(text: str) -> None:
    assert lines(text) == [A, B]


@pytest.mark.parametrize(
    "text",
    [
        "#include MACRO\n",
        "#include <unsure.h>\n",
        "#pragma pack(1)\n",
        '#pragma push_macro("x")\n',
        "#include_next <d>\n",
        "#ifdef X\nvoid f() {\n#else\n#endif\n",
        "}\n",
        "#endif\n",
    ],
)
def test_the_reading_ends_where_a_line_may_mean_anything(text: str) -> None:
    assert lines(CODE + A + text + B) == [A]


def test_what_comes_first_is_not_told_again() -> None:
    assert lines(A + "#ifdef X\n" + B + "#endif\n" + CODE + A + B + "#include <d>\n") == ["#include <d>\n"]
    assert items(A + B) == ()
    assert items(A + CODE + "#define M 1\n") == ()


def test_conditions_go_with_a_header() -> None:
    text = CODE + "#if defined(X) && Y > 2\n" + A + "#elif Z // or not\n" + B + "#else\n#include <d>\n#endif\n"
    first = "defined(X) && Y > 2"
    assert lines(text) == [
        f"#if {first}\n#include <a>\n#endif\n",
        f"#if !({first})\n#if Z\n#include <b/c.h>\n#endif\n#endif\n",
        f"#if !({first})\n#if !(Z)\n#include <d>\n#endif\n#endif\n",
    ]


@pytest.mark.parametrize(
    ("macro", "condition"),
    [
        ("L 16", "__cplusplus < 201703L"),
        ("u 7", "N > 5u"),
        ("x1 3", "N >= 0x1"),
        ("b10 3", "N == 0b10'b10"),
        ("L 16", "N == L'a'"),
        ("a 1", "N == 'a'"),
        ("n 1", "N == '\\n'"),
        ("ULL 1", "defined(X) && N > 1'000ULL"),
    ],
)
def test_what_is_part_of_a_number_or_a_character_is_no_macro(macro: str, condition: str) -> None:
    text = CODE + f"#define {macro}\n#if {condition}\n{A}#endif\n"
    assert lines(text) == [f"#if {condition}\n{A}#endif\n"]


@pytest.mark.parametrize(("condition", "kept"), [("N > M", "N > 16"), ("(M)>N", "(16)>N"), ("N+M-M==0", "N+16-16==0")])
def test_a_macro_that_is_a_number_is_replaced(condition: str, kept: str) -> None:
    assert lines(CODE + f"#define M 16\n#if {condition}\n{A}#endif\n") == [f"#if {kept}\n{A}#endif\n"]


@pytest.mark.parametrize(
    "condition",
    [
        '!__has_include("cfg.h")',
        "__has_include(<a>) && X",
        "__has_include_next(<a>)",
        "__COUNTER__ % 2",
        "__LINE__ > 100",
        "__INCLUDE_LEVEL__ == 0",
        "defined(X) && X(__FILE__)",
    ],
)
def test_a_condition_on_where_it_stands_keeps_its_headers(condition: str) -> None:
    assert lines(CODE + f"#if {condition}\n{A}#else\n#include <d>\n#endif\n{B}") == [B]


@pytest.mark.parametrize("name", ["__has_include", "__COUNTER__"])
def test_whether_something_of_the_place_is_there_is_the_same_everywhere(name: str) -> None:
    assert lines(CODE + f"#ifdef {name}\n{A}#endif\n") == [f"#if defined({name})\n{A}#endif\n"]


@pytest.mark.parametrize(
    "text",
    [
        "char c = u8'x'; namespace n {\n#include <no>\n}\n",
        "int f() { switch (c) { case'{': return'}'; } }\n",
        "int i = 1'000'000; namespace n { int j = 0xff'ff;\n#include <no>\n}\n",
        "#if 0\nit isn't so: {\n#endif\n",
        '#if 0\nan "open end {\n#endif\n',
        'const char *s = "{ \\\n {";\n',
    ],
)
def test_brackets_in_literals_are_none(text: str) -> None:
    assert lines(CODE + text + A) == [A]


@pytest.mark.parametrize(
    "condition",
    ["#ifdef M\n", "#if M > f(2)\n", "#ifndef X\n#else\n#if defined M\n", "#if X\n#define N\n#endif\n#ifdef N\n"],
)
def test_a_condition_on_a_macro_that_nobody_knows_keeps_its_headers(condition: str) -> None:
    end = "#endif\n" * (condition.count("#if") - condition.count("#endif"))
    assert lines(CODE + "#if X\n#define M 1\n#endif\n" + condition + A + end + B) == [B]


def test_macros_are_told_in_their_order() -> None:
    text = CODE + "#define M 1\n" + A + "#define F(x) x\n#undef G\n#define N M + 1\n" + B
    assert [(item.macro.decode(), item.line.decode()) for item in items(text)] == [
        ("M", "#define M 1\n"),
        ("", A),
        ("F", ""),
        ("G", ""),
        ("N", ""),
        ("", B),
    ]


def test_a_macro_that_code_of_the_project_asks_for_stays() -> None:
    text = CODE + "#ifndef LIMIT\n#define LIMIT 8\n#endif\n" + A
    assert [item.line.decode() for item in items(text)] == ["", A]
    guarded = "#ifndef OWN_H\n#define OWN_H\nint own;\n#endif\n"
    assert [item.line.decode() for item in items('#include "own.h"\n' + A, own=guarded)] == ["", A]


def test_the_projects_own_files_are_read_through() -> None:
    assert lines('#include "own.h"\n' + CODE + B, own="#pragma once\n" + CODE + A) == [A, B]
    both = '#ifdef X\n#include "own.h"\n#endif\n#include "own.h"\n'
    own = "#ifndef OWN_H\n#define OWN_H\n" + CODE + A + "#endif\n"
    assert lines(both, own=own) == [f"#if defined(X)\n{A}#endif\n", A]
    assert lines('#include "own.h"\n' + B, own=CODE + '#include "own.h"\n' + A) == [A, B]
    assert lines('namespace n {\n#include "own.h"\n}\n' + B, own=CODE + A) == [B]


@pytest.mark.parametrize(
    "word", ["hipStream_t s;", "dim3 grid;", "__global__ void k();", "float4 v;", "f(threadIdx.x);"]
)
def test_code_that_speaks_of_the_runtime_is_told(word: str) -> None:
    assert [item.tells_of_runtime for item in items(CODE + A + word + "\n" + B)] == [False, True]
    assert [item.tells_of_runtime for item in items(CODE + A + f"// {word}\n" + B)] == [False, False]


@pytest.mark.parametrize(
    "piece",
    [
        '"\\',
        "'\\",
        "1'1",
        '"abc\n',
        "/* ",
        "#if X\n{\n",
        '#define M "',
        "#include <a> // \\\n",
        "#if X\n#endif\n",
        "'",
        'R"(',
        "#define M\n",
    ],
)
def test_the_reading_takes_linear_time(piece: str) -> None:
    assert_linear(items, lambda count: CODE + piece * count, 400)


def test_many_conditions_and_many_macros_take_linear_time() -> None:
    def build(count: int) -> str:
        known = "".join(f"#define M{at} 1\n" for at in range(count))
        return CODE + known + "".join(f"#if M{at} && X\n#endif\n" for at in range(count))

    assert_linear(items, build, 200)
