"""What a source begins with: headers of others, seen through the project's files."""

from __future__ import annotations

import pytest

from hipify_py.clang.include_prefix import FOREIGN, opening
from tests.growth import assert_linear


def lines(text: str, **files: str) -> str:
    """The opening of a source, a line each; other files of the project are given by their names without `.h`."""
    texts = {"a.cu": text, **{f"{name}.h": text for name, text in files.items()}}

    def leads(path: str, name: str, is_quoted: bool) -> str | None:
        return None if name == "unsure.h" else name if name in texts else FOREIGN

    return b"".join(opening("a.cu", lambda path: texts[path].encode(), leads)).decode()


BOTH = "#include <a>\n#include <b/c.h>\n"


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        BOTH + "int x;\n#include <d>\n",
        "/* what\n it is */\n#include <a> // for f\n\n#include <b/c.h> /* and g */ // so\nint x;",
        "// #include <no>\n# include <a>\n#\tinclude\t<b/c.h>\nvoid f();",
        '#include "a"\r\n#include "b/c.h"\r\n#define X\r\n',
        "#pragma once\n" + BOTH,
        "#ifndef A_CU\n#define A_CU\n" + BOTH + "#endif // A_CU\n",
        "#if !defined(A_CU)\n#define A_CU 1\n" + BOTH + "#endif\n",
        "#include \\\n  <a>\n#include <b/c.h>\n#include MACRO\n#include <d>\n",
        BOTH + BOTH,
        BOTH + "#define NDEBUG\n#include <cassert>\n",
        BOTH + "#undef X\n#include <d>\n",
        BOTH + "#pragma pack(1)\n#include <d>\n",
        BOTH + "#include_next <d>\n",
        BOTH + "#include <d> int x;\n#include <e>\n",
        BOTH + "#include unknown\n#include <e>\n",
        BOTH + "#include <unsure.h>\n#include <e>\n",
        BOTH + "#import <d>\n",
        BOTH + "using namespace std;\n#include <d>\n",
    ],
)
def test_the_headers_that_come_before_all_else(text: str) -> None:
    assert lines(text) == BOTH


@pytest.mark.parametrize(
    "text", ["", "int x;\n" + BOTH, "#define X\n" + BOTH, 'extern "C" {\n' + BOTH + "}\n", "/* open\n" + BOTH]
)
def test_nothing_where_something_else_comes_first(text: str) -> None:
    assert lines(text) == ""


def test_the_projects_own_files_are_read_through() -> None:
    common = "#pragma once\n#include <a>\n"
    deep = '#ifndef DEEP_H\n#define DEEP_H\n#include "common.h"\n#include <b>\n#endif\n'
    assert (
        lines('#include "deep.h"\n#include <c>\n', common=common, deep=deep)
        == "#include <a>\n#include <b>\n#include <c>\n"
    )
    # what is guarded is read once
    assert (
        lines('#include "common.h"\n#include <common.h>\n#include <c>\n', common=common)
        == "#include <a>\n#include <c>\n"
    )


@pytest.mark.parametrize(
    "own",
    [
        "#pragma once\n#include <a>\nstruct S;\n",
        "#ifndef OWN_H\n#define OWN_H\n#include <a>\nint own();\n#endif\n",
        "#ifndef OWN_H\n#define OWN_H\n#include <a>\n#endif\nint own();\n",
        "#include <a>\n#define OWN 1\n",
        "#ifndef OWN_H\n#define OTHER_H\n#include <a>\n#endif\n#include <c>\n",
        '#include <a>\n#include "own.h"\n',
    ],
)
def test_the_reading_ends_in_a_file_of_the_project(own: str) -> None:
    assert lines('#include "own.h"\n#include <b>\n', own=own) == ("" if "OTHER" in own else "#include <a>\n")


def test_a_condition_around_headers_is_taken_along() -> None:
    block = "#ifdef _WIN32\n#include <windows.h>\n#elif defined(X) && X > 1\n#include <x>\n#else\n#if Y\n#include <y>\n#endif\n#endif\n"
    spaced = block.replace("#else", "  #else // others\n").replace("#include <x>", "  # include <x>  /* x */")
    assert lines("#include <a>\n" + spaced + "#include <b>\n") == "#include <a>\n" + block + "#include <b>\n"
    # its outcome may be another one the second time
    assert lines(block + "#include <b>\n" + block) == block + "#include <b>\n" + block


@pytest.mark.parametrize(
    "inner",
    [
        '#include "own.h"',
        "#define Y",
        "int x;",
        "#error no",
        "#include <z>\n#elifdef Y\n",
        "#include MACRO",
        "#if Z\nint z;\n#endif",
    ],
)
def test_a_condition_around_anything_else_ends_the_reading(inner: str) -> None:
    text = f"#include <a>\n#ifdef X\n#include <x>\n{inner}\n#endif\n#include <b>\n"
    assert lines(text, own="#pragma once\n") == "#include <a>\n"


def test_a_condition_without_an_end_ends_the_reading() -> None:
    assert lines("#include <a>\n#if X\n#include <x>\n") == "#include <a>\n"
    assert lines("#include <a>\n#endif\n#include <x>\n") == "#include <a>\n"


def nested(depth: int, inner: str = "#include <x>\n") -> str:
    return "#if A\n" * depth + inner + "#endif\n" * depth


@pytest.mark.parametrize("depth", [51, 3000, 20_000])
@pytest.mark.parametrize("inner", ["#include <x>\n", "#else\n#include <x>\n", "", "int x;\n"])
def test_conditions_that_are_nested_too_deeply_end_the_reading(depth: int, inner: str) -> None:
    assert lines("#include <a>\n" + nested(depth, inner) + "#include <b>\n") == "#include <a>\n"
    assert lines("#include <a>\n" + "#if A\n" * depth) == "#include <a>\n"


@pytest.mark.parametrize("depth", [1, 2, 15, 50])
def test_conditions_are_taken_along_as_deeply_as_programs_nest_them(depth: int) -> None:
    text = "#include <a>\n" + nested(depth, "#include <x>\n#else\n#include <y>\n") + "#include <b>\n"
    assert lines(text) == text


def test_conditions_one_after_the_other_are_not_nested() -> None:
    text = nested(2) + "".join(f"#if A > {i}\n{nested(1)}{nested(1)}#endif\n" for i in range(100))
    assert lines(text) == text


def chain(length: int) -> dict[str, str]:
    """Headers that include one another, with another project's header behind that."""
    files = {f"h{i}": f'#pragma once\n#include "h{i + 1}.h"\n#include <x{i}>\n' for i in range(length)}
    return files | {f"h{length}": "#pragma once\n#include <last>\n"}


@pytest.mark.parametrize("length", [60, 3000])
def test_files_that_are_read_through_one_another_too_deeply_end_the_reading(length: int) -> None:
    assert lines('#include <a>\n#include "h0.h"\n#include <b>\n', **chain(length)) == "#include <a>\n"


def test_files_are_read_through_one_another() -> None:
    found = lines('#include <a>\n#include "h0.h"\n#include <b>\n', **chain(40))
    assert found.split("\n")[:3] == ["#include <a>", "#include <last>", "#include <x39>"]
    assert found.endswith("#include <x0>\n#include <b>\n")


def test_files_without_guards_that_are_read_again_and_again_end_the_reading() -> None:
    files = {f"h{i}.h": f'#include "h{i + 1}.h"\n#include "h{i + 1}.h"\n'.encode() for i in range(40)}
    files |= {"a.cu": b'#include <a>\n#include "h0.h"\n#include <b>\n', "h40.h": b"#include <last>\n"}
    read: list[str] = []

    def text_of(path: str) -> bytes:
        read.append(path)
        assert len(read) < 10_000
        return files[path]

    assert opening("a.cu", text_of, lambda path, name, is_quoted: name if name in files else FOREIGN) == (
        b"#include <a>\n",
        b"#include <last>\n",
    )


def test_a_pragma_in_a_comment_does_not_make_a_file_be_read_once() -> None:
    own = "/* no\n#pragma once\n*/\n// #pragma once\n#if A\n#include <x>\n#endif\n"
    block = "#if A\n#include <x>\n#endif\n"
    text = '#include "own.h"\n#include <a>\n#include "own.h"\n'
    assert lines(text, own=own) == block + "#include <a>\n" + block
    assert lines(text, own="#pragma once // really\n" + own) == block + "#include <a>\n"


@pytest.mark.parametrize(
    "shape",
    [
        "#if a{0}\\x",
        "#ifdef a{0}/x",
        "#ifndef a{0}\\x",
        "#if !defined(a{0}\\x",
        "#if !defined(a){0}\\x",
        "#if{0}a{0}b{0}\\x",
        "#if a{0}\\\n{0}\\x",
        "#if a{0}/* {0}",
        "#if a{0}/* {0} */{0}\\x",
        "#if a\n#include <x>\n#else{0}\\x",
        "#if a\n#include <x>\n#elif b{0}\\x",
        "#if a\n#include <x>\n#endif c{0}\\x",
        "#ifndef a{0}\n#define a{0}\\x",
        "#include <a>{0}\\x",
        "#pragma{0}once{0}\\x",
    ],
)
@pytest.mark.parametrize("blank", [" ", " \r", "/**/", " \\\n"])
def test_blanks_are_read_in_time_that_grows_with_their_number(shape: str, blank: str) -> None:
    def build(size: int) -> str:
        return shape.format(blank * size)

    assert_linear(lines, build, 500)


@pytest.mark.parametrize("word", [" a", "a ", " (a", "a\t "])
def test_conditions_are_read_in_time_that_grows_with_their_length(word: str) -> None:
    assert_linear(lines, lambda size: f"#if a{word * size}\\x", 2000)


@pytest.mark.parametrize("text", ["# /*", "#pragma once /*", "#pragma /* once", "// #pragma\n", "/*/ # "])
def test_comments_are_read_in_time_that_grows_with_their_length(text: str) -> None:
    assert_linear(lines, lambda size: f"/*{text * size}*/\n#include <a>\n", 2000)
