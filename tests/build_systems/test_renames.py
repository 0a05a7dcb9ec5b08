"""Names of renamed files: in any build file (`new_spellings`), and in CMake's, with whole trees converted."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.build_systems.renames import masked, new_spelling, new_spellings
from hipify_py.core.project_context import NO_PROJECT, ProjectContext, new_ending
from hipify_py.core.renamed_paths import RenamedFiles
from hipify_py.project.api import convert

RENAMES = {
    "p/src/a.cu": "src/a.hip",
    "p/src/b.cu": "src/b.hip",
    "p/src/deep/c.cu": "src/deep/c.hip",
    "p/include/h.cuh": "include/h.hip.h",
}
KEPT = frozenset({"p/main.cpp", "main.cpp", "p/src/x.h", "src/x.h", "p/src/d.cc", "src/d.cc"})
FILES = KEPT | RENAMES.keys() | {path[2:] for path in RENAMES}
PROJECT = ProjectContext(local_headers=FILES, renames=RENAMES)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("src/a.cu", "src/a.hip"),
        ("./src/a.cu", "./src/a.hip"),
        ("src/../src/a.cu", "src/../src/a.hip"),
        ("include/h.cuh", "include/h.hip.h"),
        ("a.cu", "a.hip"),  # from another folder, such as one that a variable names
        ("src/*.cu", "src/*.hip"),
        ("src/?.cu", "src/?.hip"),
        ("src/[ab].cu", "src/[ab].hip"),
        ("src/[!a].cu", "src/[!a].hip"),
        ("**/*.cu", "**/*.hip"),
        ("*.cu", "*.hip"),
        ("src/*.cu*", "src/*.hip"),
        ("include/*.cu*", "include/*.hip.h"),
        ("main.cpp", None),
        ("src/generated.cu", None),
        ("src/[x-z].cu", None),
        ("src/*", None),
        ("src/a.*", None),
        ("src/*.cc", None),
        ("../../../src/a.cu", "../../../src/a.hip"),
        ("", None),
        (".", None),
        ("..", None),
        ("/", None),
        ("[", None),
    ],
)
def test_a_word_follows_the_files_that_it_names(word: str, expected: str | None) -> None:
    assert new_spelling(PROJECT, "p", word) == expected
    assert new_spelling(NO_PROJECT, "p", word) is None


def test_a_glob_over_several_endings_needs_several() -> None:
    assert new_spellings(PROJECT, "p", "*/*.cu*") == ("*/*.hip", "*/*.hip.h")
    assert new_spellings(PROJECT, "p", "src/*.c*") == ("src/*.c*", "src/*.hip")
    assert new_spelling(PROJECT, "p", "*/*.cu*") is None


def test_a_glob_that_would_name_others_has_none() -> None:
    taken = ProjectContext(local_headers=FILES | {"p/src/own.hip"}, renames=RENAMES)
    assert new_spellings(taken, "p", "src/*.cu") == ()
    assert new_spellings(PROJECT, "p", "src/*u") == ()


def test_what_is_not_known_of_a_word_may_be_anything() -> None:
    word = "${dir}/a.cu"
    assert new_spelling(PROJECT, "elsewhere", word, masked(word, [(0, 6)])) == "${dir}/a.hip"
    word = "src/${n}.cu"
    assert new_spelling(PROJECT, "p", word, masked(word, [(4, 8)])) == "src/${n}.hip"
    word = "${n}.cu"
    assert new_spelling(PROJECT, "p", word, masked(word, [(0, 4)])) == "${n}.hip"
    word = "${n}_test.cu"
    assert new_spelling(PROJECT, "p", word, masked(word, [(0, 4)])) is None
    word = "${here}/src/*.cu"
    assert new_spelling(PROJECT, "p", word, masked(word, [], [(0, 7)])) == "${here}/src/*.hip"


def test_globs_that_go_down() -> None:
    only = ProjectContext(local_headers=FILES, renames={"p/src/deep/c.cu": "src/deep/c.hip"})
    assert new_spellings(only, "p", "src/*.cu", is_deep=True) == ("src/*.cu", "src/*.hip")
    assert new_spellings(only, "p", "src/deep/*.cu", is_deep=True) == ("src/deep/*.hip",)
    assert new_spellings(only, "p", "src/*.cu") is None


def test_endings_by_themselves() -> None:
    assert new_ending(PROJECT, ".cu") == ".hip"
    assert new_ending(PROJECT, ".cuh") == ".hip.h"
    assert new_ending(PROJECT, ".cpp") is None
    mixed = ProjectContext(local_headers=FILES | {"p/kept.cu"}, renames=RENAMES)
    assert new_ending(mixed, ".cu") is None


_SOURCE = "__global__ void k() {}\n"


def _lists(tmp_path: Path, text: str, rename: bool | dict[str, str] = True) -> tuple[str, list[str]]:
    """What becomes of a list file beside a few sources, and the ids of its findings."""
    tree = tmp_path / "p"
    for name in ("src/a.cu", "src/b.cu", "src/deep/c.cu", "src/h.cuh"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(_SOURCE)
    (tree / "CMakeLists.txt").write_text(text)
    report = convert([tree], output=tmp_path / "out", rename=rename)
    findings = [found.id for result in report.results for found in result.findings if found.id.startswith("HIP6")]
    return (tmp_path / "out" / "CMakeLists.txt").read_text(), findings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add_executable(p src/a.cu src/b.cu)", "add_executable(p src/a.hip src/b.hip)"),
        ('add_library(p "${PROJECT_SOURCE_DIR}/src/a.cu")', 'add_library(p "${PROJECT_SOURCE_DIR}/src/a.hip")'),
        ("set(S src/a.cu;src/b.cu)", "set(S src/a.hip;src/b.hip)"),
        ("target_sources(p PRIVATE $<1:src/a.cu>)", "target_sources(p PRIVATE $<1:src/a.hip>)"),
        ("install(FILES src/h.cuh DESTINATION i)", "install(FILES src/h.hip.h DESTINATION i)"),
        ("file(GLOB S src/*.cu)", "file(GLOB S src/*.hip)"),
        ('file(GLOB S "src/*.cu*")', 'file(GLOB S "src/*.hip" "src/*.hip.h")'),
        ("file(GLOB_RECURSE S *.cu)", "file(GLOB_RECURSE S *.hip)"),
        ("file(GLOB S ${D}/*.cu ${D}/*.cpp)", "file(GLOB S ${D}/*.hip ${D}/*.cpp)"),
        ("foreach(f a b)\n  add(src/${f}.cu)\nendforeach()", "foreach(f a b)\n  add(src/${f}.hip)\nendforeach()"),
        ('list(FILTER S INCLUDE REGEX "\\\\.cu$")', 'list(FILTER S INCLUDE REGEX "\\\\.hip$")'),
        ('if(f MATCHES "[.](cu|cpp)$")\nendif()', 'if(f MATCHES "[.](hip|cpp)$")\nendif()'),
        ('string(REGEX REPLACE ".cuh$" "" o ${f})', 'string(REGEX REPLACE ".hip[.]h$" "" o ${f})'),
        ('if(e STREQUAL ".cu")\nendif()', 'if(e STREQUAL ".hip")\nendif()'),
        ("set(S ${CMAKE_BINARY_DIR}/generated.cu)", "set(S ${CMAKE_BINARY_DIR}/generated.cu)"),
        ('message(STATUS "src/a.cu")', 'message(STATUS "src/a.cu")'),
        ("# src/a.cu", "# src/a.cu"),
        ("set(S [[src/a.cu]])", "set(S [[src/a.cu]])"),
    ],
)
def test_list_files_follow(before: str, after: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, before + "\n") == (after + "\n", [])


def test_sources_that_cmake_knows_by_their_names_need_no_language(tmp_path: Path) -> None:
    text = "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CUDA)\n"
    out, _ = _lists(tmp_path, text + "file(GLOB S src/*.cu)\nadd_library(p ${S} src/a.cu)\n")
    assert out == text.replace("CUDA", "HIP") + "file(GLOB S src/*.hip)\nadd_library(p ${S} src/a.hip)\n"


def test_sources_of_another_ending_get_their_language_under_their_new_names(tmp_path: Path) -> None:
    text = "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CUDA)\nadd_library(p src/a.cu)\n"
    out, _ = _lists(tmp_path, text, {".cu": ".hip.cpp"})
    assert "add_library(p src/a.hip.cpp)\nset_source_files_properties(src/a.hip.cpp PROPERTIES LANGUAGE HIP)\n" in out
    out, _ = _lists(tmp_path, text.replace("src/a.cu", "${S}") + "file(GLOB S src/*.cu)\n", {".cu": ".hip.cpp"})
    assert '"([.]cu|[.]hip[.]cpp)$"' in out


@pytest.mark.parametrize(
    "text", ['list(FILTER S INCLUDE REGEX "[.]cuh?$")', 'install(DIRECTORY src FILES_MATCHING PATTERN "*.cu*")']
)
def test_what_cannot_follow_is_reported_and_stays(text: str, tmp_path: Path) -> None:
    assert _lists(tmp_path, text + "\n") == (text + "\n", ["HIP610"])


def test_a_project_with_a_build_for_hip_of_its_own_follows_too(tmp_path: Path) -> None:
    text = "project(p LANGUAGES CUDA HIP)\nadd_library(p src/a.cu)\n"
    assert _lists(tmp_path, text) == (text.replace("a.cu", "a.hip"), ["HIP607"])


def test_a_second_run_with_other_endings_forgets_what_was_kept(tmp_path: Path) -> None:
    text = "add_executable(p src/a.cu)\n"
    assert _lists(tmp_path, text, rename=False)[0] == text
    assert _lists(tmp_path, text)[0] == "add_executable(p src/a.hip)\n"
    assert _lists(tmp_path, text, {".cu": ".hpp"})[0] == "add_executable(p src/a.hpp)\n"


@given(st.text("ab*?[]-!", max_size=8), st.lists(st.text("ab-!]", max_size=8), min_size=1, max_size=8))
def test_globs_name_what_those_of_python_do(glob: str, names: list[str]) -> None:
    files = {f"{name}.cu": f"{name}.hip" for name in names}
    found = RenamedFiles(files, files).respelled("", f"{glob}.cu")
    if glob.strip("*?") and "**" not in glob and any(mark in glob for mark in "*?["):
        assert (found is not None) is any(fnmatchcase(name, f"{glob}.cu") for name in files)


@pytest.mark.parametrize("glob", ["[z-a]*.cu", "x[b-a].cu", "[z-ay-b].cu"])
def test_a_range_that_runs_backwards_is_no_character(glob: str) -> None:
    assert RenamedFiles({"a.cu", "b.cu"}, {"a.cu": "a.hip", "b.cu": "b.hip"}).respelled("", glob) is None


@pytest.mark.parametrize("glob", ["*a" * 40 + "b.cu", "**/" * 40 + "x.cu", "a**" * 40 + ".cu", "?*" * 40 + "b.cu"])
def test_hostile_globs_cost_no_more_than_others(glob: str) -> None:
    name = "a" * 200 + ".cu"
    assert RenamedFiles({name}, {name: "a" * 200 + ".hip"}).respelled("", glob) is None


def test_a_path_with_blanks_is_one_name(tmp_path: Path) -> None:
    tree = tmp_path / "p"
    (tree / "with space").mkdir(parents=True)
    (tree / "with space" / "a.cu").write_text("__global__ void k() {}\n")
    (tree / "CMakeLists.txt").write_text(
        'add_library(a "with space/a.cu" "${CMAKE_CURRENT_SOURCE_DIR}/with space/a.cu")\n'
    )
    convert([tree], output=tmp_path / "out", rename={".cu": ".hip"})
    text = (tmp_path / "out" / "CMakeLists.txt").read_text()
    assert text == 'add_library(a "with space/a.hip" "${CMAKE_CURRENT_SOURCE_DIR}/with space/a.hip")\n'
