"""Precompiled headers: which are made, and that none changes what is said of a source."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hipify_py.clang import precompiled
from hipify_py.clang.pch_jobs import Beginnings, Pass
from hipify_py.clang.precompile import words_of
from hipify_py.clang.precompiled import NOTHING, Precompiled, PrecompiledHeaders
from hipify_py.clang.protocol import DONE, Job
from hipify_py.clang.worker_pool import Asker
from tests.growth import assert_linear

FILES = {
    "a.h": "#pragma once\nstruct A {};\n",
    "b.h": "#pragma once\n#include <a.h>\n#ifdef WIDE\nusing B = long;\n#else\nusing B = int;\n#endif\n",
    "c.h": "#pragma once\n#define C_IS_HERE\nstruct C { A a; };\n",
    "unguarded.h": "struct Unguarded {};\n",
    "again.h": "extern int again;\n",
    "wrong.h": "#pragma once\nint wrong = nothing;\n",
}
A, B, C = (f"#include <{name}.h>\n".encode() for name in "abc")


class Recorder(PrecompiledHeaders):
    """Makes nothing; knows what it was asked to make."""

    def __init__(self) -> None:
        self.made: list[bytes] = []
        self.is_again = False

    def was_wanted(self, arguments: Sequence[str], lines: Sequence[bytes], after: Precompiled | None = None) -> bool:
        return self.is_again

    def find(self, arguments: Sequence[str], lines: Sequence[bytes], after: Precompiled | None = None) -> Precompiled:
        had = [made for made in self.made if b"".join(lines).startswith(made)]
        most = max(map(len, had), default=-1)
        return Precompiled("x", b"".join(lines)[:most].count(b"\n"), ()) if had else NOTHING

    def make(
        self,
        arguments: Sequence[str],
        lines: Sequence[bytes],
        before: Precompiled = NOTHING,
        *,
        has_words: bool = False,
    ) -> Precompiled:
        self.made.append(b"".join(lines))
        return Precompiled("x", len(lines), ())


def made(*openings: str, is_again: bool = False) -> list[str]:
    """What is made for sources that begin with headers of one letter each."""
    recorder = Recorder()
    recorder.is_again = is_again
    names = {"h": b"#include <hip/hip_runtime.h>\n"}
    passes = [Pass(("-x",), tuple(names.get(name, name.encode() + b"\n") for name in text)) for text in openings]
    Beginnings(recorder, 1).prepare(passes)
    back = {b"#include <hip/hip_runtime.h>": "h"}
    return ["".join(back.get(line, line.decode()) for line in text.splitlines()) for text in recorder.made]


def test_a_few_are_made_as_a_whole_and_up_to_the_runtime() -> None:
    assert made("hab") == ["", "h", "hab"]
    assert made("ahb", "ahb") == ["", "ah", "ahb"]


def test_what_several_begin_with_is_made_once() -> None:
    assert sorted(made("abc", "abd", "abd")) == ["", "ab", "abc", "abd"]
    assert made("ab", "abc") == ["", "ab", "abc"]


def test_what_many_begin_with_alone_is_not_made() -> None:
    assert made(*(f"ha{letter}" for letter in "bcdefgijkl")) == ["", "h", "ha"]
    assert made(*"bcdefgijkl") == [""]


def test_what_many_begin_with_alone_is_made_when_it_is_asked_for_again() -> None:
    assert sorted(made(*(f"ha{letter}" for letter in "bcdefgijkl"), is_again=True)) == sorted(
        ["", "h", "ha", *(f"ha{letter}" for letter in "bcdefgijkl")]
    )
    assert made(*(chr(200 + i) for i in range(100)), is_again=True) == [""]


def test_other_arguments_are_another_header() -> None:
    recorder = Recorder()
    Beginnings(recorder, 1).prepare([Pass(("-DX",)), Pass(("-DY",)), Pass(("-DX",), (), ("-Iown",))])
    assert recorder.made == [b""] or recorder.made == [b"", b""]


@pytest.fixture
def headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("clang.cindex", exc_type=ImportError)
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "headers"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def common(folder: Path, *more: str) -> tuple[str, ...]:
    return ("-x", "c++", "-nostdinc", "-nostdinc++", "-isystem", str(folder), *more)


def said(one: Pass, text: str, beginnings: Beginnings) -> list[str]:
    """The errors of a source that is parsed with its precompiled header."""
    path = os.path.abspath("x.cpp")
    answer = Asker(1).ask(Job("messages", path, [beginnings.arguments(one)], {path: text.encode()}))
    assert answer.status == DONE, answer.detail
    return [message["text"] for message in answer.values[0]["messages"] if message["severity"] == "error"]


def prepared(*passes: Pass) -> Beginnings:
    beginnings = Beginnings(PrecompiledHeaders(Asker(2), ""), 2)
    beginnings.prepare(passes)
    return beginnings


def count() -> int:
    return len([*Path(precompiled.folder()).glob("*.pch")])


def test_one_goes_on_from_another(headers: Path) -> None:
    short, long = Pass(common(headers), (A, B)), Pass(common(headers), (A, B, C))
    beginnings = prepared(short, long)
    assert count() == 3
    assert [os.path.basename(file) for file in beginnings.header(long).files] == ["a.h", "b.h", "c.h"]
    text = "#include <a.h>\n#include <b.h>\n#include <c.h>\nC c; B b; int x = no;\n"
    assert said(long, text, beginnings) == ["use of undeclared identifier 'no'"]
    assert said(short, text, beginnings) == ["use of undeclared identifier 'no'"]
    # without its beginning a source would not have what it does not ask for
    assert prepared(long).header(long) == beginnings.header(long)


def test_macros_and_conditions_count(headers: Path) -> None:
    condition = b"#ifdef C_IS_HERE\n#include <b.h>\n#endif\n"
    wide, narrow = (Pass(common(headers, *more), (A, C, condition)) for more in (("-DWIDE",), ()))
    beginnings = prepared(wide, narrow)
    text = (A + C + condition).decode() + 'static_assert(sizeof(B) == 8, "narrow");\n'
    assert said(wide, text, beginnings) == []
    assert [message for message in said(narrow, text, beginnings) if "narrow" in message] != []
    assert beginnings.header(wide).lines == 3


def test_a_header_that_minds_being_asked_for_twice_is_left_out(headers: Path) -> None:
    one = Pass(common(headers), (A, b"#include <unguarded.h>\n"))
    text = "#include <a.h>\n#include <unguarded.h>\nUnguarded u; A a;\n"
    beginnings = prepared(one)
    assert beginnings.header(one).lines == 0
    assert said(one, text, beginnings) == []
    changed = [(path.name, path.stat().st_mtime_ns) for path in Path(precompiled.folder()).glob("*.bin")]
    prepared(one)  # it is not tried anew
    assert {*changed} & {(path.name, path.stat().st_mtime_ns) for path in Path(precompiled.folder()).glob("*.bin")}
    (headers / "unguarded.h").write_text("#pragma once\nstruct Unguarded {};\n")
    assert prepared(one).header(one).lines == 2


def test_a_header_without_a_guard_may_be_fine(headers: Path) -> None:
    one = Pass(common(headers), (b"#include <again.h>\n",))
    beginnings = prepared(one)
    assert beginnings.header(one).lines == 1
    assert said(one, "#include <again.h>\nint *p = &again;\n", beginnings) == []


def test_a_header_that_is_not_there_is_told_by_the_source(headers: Path) -> None:
    one = Pass(common(headers), (A, b"#include <absent.h>\n", B))
    beginnings = prepared(one)
    text = "#include <a.h>\n#include <absent.h>\n#include <b.h>\nB b;\n"
    assert said(one, text, beginnings) == ["'absent.h' file not found"]
    (headers / "absent.h").write_text("struct Absent {};\n")
    assert said(one, text + "Absent absent;\n", prepared(one)) == []


def test_what_changed_is_made_anew_and_the_old_one_goes(headers: Path) -> None:
    one = Pass(common(headers), (A, B))
    prepared(one)
    (headers / "a.h").write_text("#pragma once\nstruct A {}; struct New {};\n")
    beginnings = prepared(one)
    assert said(one, "#include <a.h>\n#include <b.h>\nNew n;\n", beginnings) == []
    assert count() == 2


@pytest.mark.parametrize(
    ("name", "place"),
    [("b.h", "first/b.h"), ("b.h", "first/a.h"), ("deep/d.h", "first/deep/d.h"), ("deep/d.h", "there/deep/d.h")],
)
def test_a_header_that_comes_earlier_on_the_search_path_makes_it_anew(headers: Path, name: str, place: str) -> None:
    folders = [headers.parent / name for name in ("first", "there")]
    for folder in (*folders, folders[1] / "deep", headers / "deep"):
        folder.mkdir()
    (headers / "deep" / "d.h").write_text("#pragma once\nstruct B {};\n")
    before = [word for folder in folders for word in ("-isystem", str(folder))]
    one = Pass(
        ("-x", "c++", "-nostdinc", "-nostdinc++", *before, "-isystem", str(headers)), (f"#include <{name}>\n".encode(),)
    )
    text = f"#include <{name}>\nHere here;\n"
    old = prepared(one)
    assert said(one, text, old) == ["unknown type name 'Here'"]
    assert prepared(one).header(one) == old.header(one)
    path = headers.parent / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("#pragma once\nstruct A {};\nstruct Here {};\n")
    assert said(one, text, prepared(one)) == []


@pytest.mark.parametrize("damage", ["cut", "empty", "gone"])
def test_a_damaged_one_is_made_anew(headers: Path, damage: str) -> None:
    one = Pass(common(headers), (A, B))
    path = prepared(one).header(one).path
    if damage == "gone":
        os.unlink(path)
    else:
        Path(path).write_bytes(Path(path).read_bytes()[:100] if damage == "cut" else b"")
    beginnings = prepared(one)
    assert beginnings.header(one).path == path
    assert said(one, "#include <a.h>\n#include <b.h>\nint x = no;\n", beginnings) == [
        "use of undeclared identifier 'no'"
    ]


def test_runs_at_the_same_time_do_not_mind_each_other(headers: Path) -> None:
    one, other = Pass(common(headers), (A, B)), Pass(common(headers), (A, B, C))
    with ThreadPoolExecutor(4) as pool:
        runs = [*pool.map(prepared, [one, other, one, other])]
    text = "#include <a.h>\n#include <b.h>\n#include <c.h>\nC c; B b;\n"
    for each, run in zip([one, other, one, other], runs, strict=True):
        assert run.header(each).lines == len(each.opening)
        assert said(each, text, run) == []


LINES = (A, B)


def asked(*arguments: str, lines: Sequence[bytes] = LINES) -> bool:
    """Whether a new run finds that the lines were asked for before."""
    return PrecompiledHeaders(Asker(1), "").was_wanted(arguments, lines)


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what was asked for."""
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    return Path(precompiled.folder())


def test_what_was_asked_for_once_is_known(lists: Path) -> None:
    assert [asked(), asked(), asked("-DX"), asked(lines=(A,)), asked("-DX")] == [False, True, False, False, True]
    assert len([*lists.iterdir()]) == 3
    assert all(path.suffix == ".bin" for path in lists.iterdir())


def test_a_damaged_note_of_what_was_asked_for_is_written_anew(lists: Path) -> None:
    asked()
    (path,) = lists.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    assert [asked(), asked()] == [False, True]


def test_what_another_run_has_made_meanwhile_stays(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    (path,) = lists.iterdir()
    written = precompiled.write_file

    def write_second(temporary: str, body: bytes) -> None:
        written(str(path), b'{"size": 1}')
        written(temporary, body)

    path.unlink()
    monkeypatch.setattr(precompiled, "write_file", write_second)
    assert not asked()
    assert precompiled.read_file(str(path)) == b'{"size": 1}'
    assert [*lists.iterdir()] == [path]


def test_only_the_last_that_were_asked_for_once_are_kept(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled, "_MOST_WANTED", 3)
    for number in range(6):
        assert not asked(f"-DN={number}")
        for path in lists.iterdir():  # each is older than the next
            os.utime(path, ns=(0, path.stat().st_mtime_ns - 10**9))
    assert len([*lists.iterdir()]) == 3
    assert [asked(f"-DN={number}") for number in (3, 4, 5)] == [True] * 3


def test_making_room_for_what_was_asked_for_leaves_what_was_made(
    headers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Pass(common(headers), (A, B))
    path = prepared(one).header(one).path
    monkeypatch.setattr(precompiled, "_MOST_WANTED", 0)
    asked("-DX")
    assert prepared(one).header(one).path == path
    assert not asked("-DX")


WORDS = {
    'const char *g = "/*"; int a = MINE;': True,
    'const char *u = "http://x"; int a = MINE;': True,
    'const char *e = "\\"/*"; int a = MINE;': True,
    "char c = '\"'; int a = MINE; /* \" */": True,
    'const char *r = R"(a" /* b)"; int a = MINE;': True,
    'const char *r = u8R"x(a)" /* b)x"; int a = MINE;': True,
    "int i = 1'000; /* it's\n // so */ int a = MINE;": True,
    "int a = 0; // don't \"\nint b = MINE;": True,
    "#if 0\nit isn't /* so\n#endif\nint a = MINE;": True,
    '/* "open */ int a = MINE;': True,
    "int a; // MINE\n/* MINE */": False,
    'const char *s = "s"; /* MINE\n */ int a; // "MINE"': False,
}


@pytest.mark.parametrize(("text", "is_there"), WORDS.items())
def test_words_of_a_header_are_those_outside_comments(text: str, is_there: bool) -> None:
    assert (b"MINE" in words_of(text.encode())) is is_there


@pytest.mark.parametrize("piece", ['"\\', "'\\", 'R"(', "/* ", "1'1", 'R"'])
def test_words_are_read_in_linear_time(piece: str) -> None:
    assert_linear(words_of, lambda count: (piece * count).encode(), 2000)


def test_those_used_last_stay(headers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Pass(common(headers, "-DOLD"), (A, B)), Pass(common(headers, "-DNEW"), (A, B))
    prepared(old)
    for path in Path(precompiled.folder()).glob("*.bin"):
        os.utime(path, (1, 1))
    monkeypatch.setattr(
        precompiled, "LARGEST", sum(path.stat().st_size for path in Path(precompiled.folder()).iterdir()) + 1
    )
    beginnings = prepared(new)
    assert beginnings.header(new).lines == 2
    assert PrecompiledHeaders(Asker(1), "").find(old.common, old.opening) == NOTHING
