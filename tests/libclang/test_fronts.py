"""Headers behind a source's own code that are precompiled as if they came first, and what keeps one from it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.clang import precompiled
from hipify_py.clang.include_prefix import FOREIGN, opening
from hipify_py.clang.late_includes import HeadersBehind
from hipify_py.clang.pch_jobs import Beginnings, Pass
from hipify_py.clang.precompiled import PrecompiledHeaders
from hipify_py.clang.protocol import DONE, Job
from hipify_py.clang.worker_pool import Asker

FILES = {
    "a.h": "#pragma once\nstruct A { int a; };\n",
    "b.h": "#pragma once\n#include <a.h>\nstruct B { A a; };\n",
    "sized.h": "#pragma once\n#ifndef SIZE\n#define SIZE 1\n#endif\nstruct Sized { char bytes[SIZE]; };\n",
    "takes_sized.h": "#pragma once\n#include <sized.h>\n",
    "unguarded.h": "struct Unguarded {};\n",
    "wrong.h": "#pragma once\nint wrong = nothing;\n",
    "hip/hip_runtime.h": "#pragma once\ntypedef int hipStream_t;\n",
    "lib.h": "#pragma once\n#include <hip/hip_runtime.h>\nstruct Lib { hipStream_t stream; };\n",
}


@pytest.fixture
def headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("clang.cindex", exc_type=ImportError)
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "headers"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def one_pass(folder: Path, text: str) -> Pass:
    """The pass of a source that is a project by itself."""

    def leads(path: str, name: str, is_quoted: bool) -> str:
        return FOREIGN

    def text_of(path: str) -> bytes:
        return text.encode()

    begun = opening("x.cpp", text_of, leads)
    arguments = ("-x", "c++", "-nostdinc", "-nostdinc++", "-isystem", str(folder))
    return Pass(arguments, begun, (), HeadersBehind(text_of, leads).of("x.cpp", begun))


def parsed(folder: Path, text: str) -> tuple[list[str], list[str]]:
    """The headers that a source has precompiled, and its errors: the same with these headers as without them."""
    one = one_pass(folder, text)
    beginnings = prepared_again(one)
    made = {*Path(precompiled.folder()).iterdir()}
    again = prepared(one)
    assert again.header(one) == beginnings.header(one)
    assert {*Path(precompiled.folder()).iterdir()} == made, "nothing is tried a second time"
    errors = said(beginnings.arguments(one), text)
    assert errors == said(one.arguments, text)
    return [os.path.relpath(file, folder) for file in beginnings.header(one).files], errors


def prepared(*passes: Pass) -> Beginnings:
    beginnings = Beginnings(PrecompiledHeaders(Asker(1), ""), 1)
    beginnings.prepare(passes)
    return beginnings


def prepared_again(*passes: Pass) -> Beginnings:
    """What one source takes in alone is precompiled when it is asked for a second time."""
    before = prepared(*passes)
    assert all(before.header(one).lines == len(one.opening) for one in passes)
    return prepared(*passes)


def said(arguments: tuple[str, ...], text: str) -> list[str]:
    path = os.path.abspath("x.cpp")
    answer = Asker(1).ask(Job("messages", path, [arguments], {path: text.encode()}))
    assert answer.status == DONE, answer.detail
    return [
        f"{message['line']}: {message['text']}"
        for message in answer.values[0]["messages"]
        if message["severity"] == "error"
    ]


def test_headers_behind_code_are_precompiled(headers: Path) -> None:
    text = "#include <a.h>\nstruct Own { A a; };\n#include <b.h>\nB b; Own o; int x = no;\n"
    assert parsed(headers, text) == (["a.h", "b.h"], ["4: use of undeclared identifier 'no'"])


def test_nothing_comes_first_that_the_source_does_not_take_in(headers: Path) -> None:
    text = "int own;\n#ifdef NEVER\n#include <b.h>\n#endif\n#include <a.h>\nB b;\n"
    assert parsed(headers, text) == (["a.h"], ["6: unknown type name 'B'"])


def test_a_definition_comes_along_with_the_header_that_asks_for_it(headers: Path) -> None:
    text = '#define SIZE 8\n#include <a.h>\n#include <sized.h>\nstatic_assert(sizeof(Sized) == 8, "");\nint x = no;\n'
    assert parsed(headers, text) == (["a.h", "sized.h"], ["5: use of undeclared identifier 'no'"])


@pytest.mark.parametrize("name", ["sized", "takes_sized"])
@pytest.mark.parametrize(
    "own",
    [
        "#ifndef SIZE\n#define SIZE 8\n#endif\n",  # the code of the project hangs on it
        "#define SIZE 4\n#undef SIZE\n#define SIZE 8\n",
        "#define HALF 4\n#define SIZE HALF * 2\n",
    ],
)
def test_a_header_that_asks_for_a_macro_stays(headers: Path, name: str, own: str) -> None:
    text = f'{own}#include <{name}.h>\n#include <b.h>\nstatic_assert(sizeof(Sized) == 8, "");\nint x = no;\n'
    files, errors = parsed(headers, text)
    assert files == ["b.h", "a.h"]
    assert [error.partition(": ")[2] for error in errors] == ["use of undeclared identifier 'no'"]


def test_a_macro_that_comes_behind_a_header_does_not_matter(headers: Path) -> None:
    text = "int own;\n#include <b.h>\n#define A struct\n#include <sized.h>\nB b; Sized s;\n"
    assert parsed(headers, text) == (["b.h", "a.h", "sized.h"], [])


@pytest.mark.parametrize("name", ["unguarded", "wrong"])
def test_a_header_with_an_error_of_its_own_stays(headers: Path, name: str) -> None:
    files, errors = parsed(headers, f"int own;\n#include <{name}.h>\n#include <b.h>\nB b; int x = no;\n")
    assert files == ["b.h", "a.h"]
    assert errors[-1] == "4: use of undeclared identifier 'no'"


def test_headers_behind_one_that_is_not_there_stay(headers: Path) -> None:
    text = "int own;\n#include <a.h>\nint x = no;\n#include <absent.h>\n#include <b.h>\n"
    files, errors = parsed(headers, text)
    assert files == ["a.h"]
    assert errors == ["3: use of undeclared identifier 'no'", "4: 'absent.h' file not found"]


@pytest.mark.parametrize("name", ["hip/hip_runtime", "lib"])
def test_the_runtime_is_not_put_before_code_that_lacks_it(headers: Path, name: str) -> None:
    text = f"hipStream_t early;\n#include <a.h>\n#include <{name}.h>\nhipStream_t late;\n"
    assert parsed(headers, text) == (["a.h"], ["1: unknown type name 'hipStream_t'"])
    text = f"int own;\n#include <{name}.h>\nhipStream_t late;\n"
    assert "hip/hip_runtime.h" in parsed(headers, text)[0]


def test_sources_share_what_they_take_in_alike(headers: Path) -> None:
    texts = [f"int own{i};\n#include <a.h>\n#include <b.h>\n" for i in range(3)]
    passes = [one_pass(headers, text) for text in texts]
    beginnings = prepared(*passes)
    assert len({beginnings.header(one).path for one in passes}) == 1
    assert len([*Path(precompiled.folder()).glob("*.pch")]) == 2


def test_words_that_are_lost_are_gathered_anew(headers: Path) -> None:
    text = "int own;\n#include <b.h>\nB b;\n"
    parsed(headers, text)
    for path in Path(precompiled.folder()).glob("*.txt"):
        path.write_bytes(b"damaged")
    one = one_pass(headers, text)
    beginnings = prepared(one)
    assert said(beginnings.arguments(one), text) == []
