"""What GCC leaves to link time is no matter for HIP's compiler, which links targets with device code."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.load import build_contexts
from hipify_py.build_systems.cmake.translate import translate
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_BUILD, ProjectContext
from hipify_py.core.translation import Translation

HEAD = "project(x CXX CUDA)\n"
OFF = (
    'if(CMAKE_HIP_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")\n'
    "  # HIP's compiler links, and cannot read what GCC leaves to link time.\n"
    "  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)\n"
    "endif()\n"
)


def _done(text: str, head: str = HEAD) -> Translation:
    done = translate((head + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    again = translate(done.output, "CMakeLists.txt", DEFAULT_OPTIONS)
    assert (again.output, [found.id for found in again.findings]) == (done.output, [])
    return done


@pytest.mark.parametrize("command", ["pybind11_add_module(m MODULE ${S})\n", "pybind11_add_module(m THIN_LTO m.cpp)\n"])
def test_pybind11s_own_is_turned_off_where_hip_is_on(command: str) -> None:
    assert _done(command).output.decode().endswith(OFF + command)


@pytest.mark.parametrize(
    ("head", "command"),
    [
        (HEAD, "pybind11_add_module(m NO_EXTRAS m.cpp)\n"),
        ("project(x CXX)\n# cuda\n", "pybind11_add_module(m m.cpp)\n"),
        (HEAD, "set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)\n"),
        (HEAD, "nanobind_add_module(LTO m.cpp)\n"),
        (HEAD, "message(INTERPROCEDURAL_OPTIMIZATION TRUE)\n"),
    ],
)
def test_others_stay_without_a_word(head: str, command: str) -> None:
    done = _done(command, head)
    assert done.output.decode().endswith("\n" + command)
    assert "leaves to link time" not in done.output.decode()
    assert [found.id for found in done.findings] == []


@pytest.mark.parametrize(
    "command",
    [
        "set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\n",
        "set_target_properties(x PROPERTIES PREFIX lib INTERPROCEDURAL_OPTIMIZATION TRUE)\n",
        "set_property(TARGET x PROPERTY INTERPROCEDURAL_OPTIMIZATION_RELEASE ON)\n",
        "nanobind_add_module(m STABLE_ABI LTO m.cpp)\n",
    ],
)
def test_what_the_project_asks_for_is_reported(command: str) -> None:
    done = translate((HEAD + command).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode().endswith("\n" + command)
    assert [(found.id, found.line) for found in done.findings] == [("HIP601", 2)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "pybind11_add_module(a a.cpp)\npybind11_add_module(b b.cpp)\n",
            OFF + "pybind11_add_module(a a.cpp)\npybind11_add_module(b b.cpp)\n",
        ),
        (
            "pybind11_add_module(a NO_EXTRAS a.cpp)\npybind11_add_module(b b.cpp)\npybind11_add_module(c c.cpp)\n",
            "pybind11_add_module(a NO_EXTRAS a.cpp)\n"
            + OFF
            + "pybind11_add_module(b b.cpp)\npybind11_add_module(c c.cpp)\n",
        ),
    ],
)
def test_it_is_turned_off_once(before: str, after: str) -> None:
    assert _done(before).output.decode().endswith("\n" + after)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("if(A)\n{0}endif()\n{0}", 2),
        ("if(A)\n{0}{0}else()\n{0}endif()\n", 2),
        ("if(A)\n{0}elseif(B)\n{0}endif()\n", 2),
        ("if(A)\n  {0}  if(B)\n    {0}  endif()\n{0}endif()\n", 1),
        ("{0}if(A)\n{0}else()\n{0}endif()\n{0}", 1),
        ("foreach(x a b)\n{0}{0}endforeach()\n{0}", 2),
        ("function(f)\n{0}{0}endfunction()\n{0}", 2),
        ("{0}function(f)\n{0}endfunction()\nmacro(g)\n{0}endmacro()\n", 3),
        ("block()\n{0}endblock()\n{0}", 2),
        ("{0}set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)\n{0}", 1),
    ],
)
def test_each_scope_turns_it_off_where_none_around_it_has(text: str, times: int) -> None:
    output = _done(text.format("pybind11_add_module(m m.cpp)\n")).output
    assert output.count(b"set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)") - text.count("OPTIMIZATION OFF") == times


def test_what_the_project_turns_on_between_two_modules_is_reported() -> None:
    command = "pybind11_add_module(m m.cpp)\n"
    on = "set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\n"
    done = translate((HEAD + command + on + command).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode().endswith("\n" + OFF + command + on + command)
    assert [found.id for found in done.findings] == ["HIP601"]


def test_list_files_that_do_not_name_cuda_are_heeded_too() -> None:
    files = {
        "CMakeLists.txt": HEAD.encode() + b"add_subdirectory(python)\nadd_subdirectory(nano)\n",
        "python/CMakeLists.txt": b"pybind11_add_module(m m.cpp)\n",
        "nano/CMakeLists.txt": b"nanobind_add_module(m LTO m.cpp)\n",
        "other/CMakeLists.txt": b"add_library(o o.cpp)\n",
    }
    told = build_contexts(files, DEFAULT_OPTIONS)
    assert sorted(told) == ["CMakeLists.txt", "nano/CMakeLists.txt", "python/CMakeLists.txt"]
    done = {
        path: translate_build_file(data, path, DEFAULT_OPTIONS, ProjectContext(build=told.get(path, NO_BUILD)))
        for path, data in files.items()
    }
    assert done["python/CMakeLists.txt"].output.decode() == OFF + "pybind11_add_module(m m.cpp)\n"
    assert [found.id for found in done["nano/CMakeLists.txt"].findings] == ["HIP601"]
    assert done["other/CMakeLists.txt"].output == files["other/CMakeLists.txt"]
    again = build_contexts({path: translation.output for path, translation in done.items()}, DEFAULT_OPTIONS)
    assert "python/CMakeLists.txt" not in again


def test_a_project_without_cuda_keeps_its_link_time_optimisation() -> None:
    files = {"CMakeLists.txt": b"project(x CXX)\n", "python/CMakeLists.txt": b"pybind11_add_module(m m.cpp)\n"}
    assert build_contexts(files, DEFAULT_OPTIONS) == {}
