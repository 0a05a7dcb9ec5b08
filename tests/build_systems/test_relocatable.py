"""Relocatable device code that a folder below compiles: what links it knows HIP, wherever it is."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.load import build_contexts
from hipify_py.build_systems.cmake.translate import translate
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT

TOP = "cmake_minimum_required(VERSION 3.21)\nproject(top CXX)\nadd_subdirectory(lib)\n"
SEPARABLE = "add_library(x x.cu)\nset_target_properties(x PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"


def _top(files: dict[str, str]) -> str:
    """What becomes of the topmost file."""
    data = {path: text.encode() for path, text in files.items()}
    told = build_contexts(data, DEFAULT_OPTIONS)["CMakeLists.txt"]
    project = NO_PROJECT._replace(build=told)
    return translate(data["CMakeLists.txt"], "CMakeLists.txt", DEFAULT_OPTIONS, project).output.decode()


@pytest.mark.parametrize(
    "below",
    [
        "enable_language(CUDA)\n" + SEPARABLE,
        "project(lib CUDA)\n" + SEPARABLE,
        "find_package(CUDA)\nset(CUDA_SEPARABLE_COMPILATION ON)\ncuda_add_library(x x.cu)\n",
        "enable_language(CUDA)\nset(CMAKE_CUDA_SEPARABLE_COMPILATION ${SEPARABLE})\nadd_library(x x.cu)\n",
        "enable_language(CUDA)\nadd_library(x x.cu)\ntarget_compile_options(x PRIVATE -rdc=true)\n",
        "enable_language(CUDA)\nadd_library(x x.cu)\nset_property(TARGET x PROPERTY CUDA_SEPARABLE_COMPILATION TRUE)\n",
    ],
)
def test_the_language_is_turned_on_at_the_top(below: str) -> None:
    out = _top({"CMakeLists.txt": TOP, "lib/CMakeLists.txt": below})
    head, _, rest = out.partition("project(top CXX)\n")
    assert head + "project(top CXX)\n" + rest.partition("endif()\n")[2] == TOP
    assert "check_language(HIP)\nif(CMAKE_HIP_COMPILER)\n  enable_language(HIP)\nendif()\n" in rest


@pytest.mark.parametrize(
    ("top", "below"),
    [
        (TOP, "enable_language(CUDA)\nadd_library(x x.cu)\n"),
        (TOP, "enable_language(CUDA)\nset(CMAKE_CUDA_SEPARABLE_COMPILATION OFF)\nadd_library(x x.cu)\n"),
        (TOP.replace("top CXX", "top CXX CUDA"), SEPARABLE),
        (TOP + "if(GPU)\n  enable_language(CUDA)\nendif()\n", SEPARABLE),
    ],
)
def test_other_projects_turn_it_on_where_they_did(top: str, below: str) -> None:
    assert "check_language" not in _top({"CMakeLists.txt": top, "lib/CMakeLists.txt": below})


def test_a_module_may_be_included_at_the_top() -> None:
    files = {
        "CMakeLists.txt": TOP + "include(cmake/gpu.cmake)\n",
        "cmake/gpu.cmake": "enable_language(CUDA)\n",
        "lib/CMakeLists.txt": SEPARABLE,
    }
    assert "check_language" not in _top(files)


def test_interface_libraries_have_no_code_to_link() -> None:
    text = (
        "project(x CXX CUDA)\nadd_library(parts INTERFACE)\nadd_library(x x.cu)\n"
        "set_target_properties(parts x PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
        "set_property(TARGET parts PROPERTY CUDA_SEPARABLE_COMPILATION ON)\n"
    )
    out = _top({"CMakeLists.txt": text})
    assert "target_link_options(x " in out
    assert "(parts PRIVATE" not in out
    assert "(parts PUBLIC" not in out
    assert "SEPARABLE" not in out
