"""What GCC leaves to link time is no matter for HIP's compiler, which links targets with device code."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.translate import translate
from hipify_py.options import DEFAULT_OPTIONS
from hipify_py.translation import Translation

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
