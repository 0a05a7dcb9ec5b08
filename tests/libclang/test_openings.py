"""What a source begins with: headers of others, seen through the project's files."""

from __future__ import annotations

import pytest

from hipify_py.clang.openings import FOREIGN, opening


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
