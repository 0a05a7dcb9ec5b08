"""Targets that get `.cu` sources in variables: few are marked each, for many a function goes through all."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.load import build_contexts
from hipify_py.build_systems.cmake.translate import translate
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT

HEAD = "cmake_minimum_required(VERSION 3.21)\nproject(x CXX CUDA)\n"
FUNCTION = "function(hip_language_of_cu_sources directory)\n"


def _marks(name: str) -> str:
    return (
        "# To CMake .cu files are CUDA; those of this target are HIP.\n"
        f"get_target_property(hip_sources {name} SOURCES)\n"
        'list(FILTER hip_sources INCLUDE REGEX "[.]cu$")\n'
        "set_property(SOURCE ${hip_sources} PROPERTY LANGUAGE HIP)\n"
    )


def _outs(files: dict[str, str]) -> dict[str, str]:
    data = {path: text.encode() for path, text in files.items()}
    told = build_contexts(data, DEFAULT_OPTIONS)
    return {
        path: translate(data[path], path, DEFAULT_OPTIONS, NO_PROJECT._replace(build=context)).output.decode()
        for path, context in told.items()
    }


def _out(text: str) -> str:
    return _outs({"CMakeLists.txt": HEAD + text})["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("set(S a.cu b.cpp)\nadd_library(x ${S})\n", "add_library(x ${S})\n"),
        ("file(GLOB S src/*.cu)\nset(ALL m.cpp ${S})\nadd_executable(x ${ALL})\n", "add_executable(x ${ALL})\n"),
        ("add_library(x a.cu b.cu c.cu d.cu e.cu f.cu g.cu)\n", "d.cu e.cu f.cu g.cu)\n"),
        ("set(S a.cu)\nadd_library(x m.cpp)\ntarget_sources(x PRIVATE ${S})\n", "target_sources(x PRIVATE ${S})\n"),
        ("foreach(f a.cu b.cu)\nadd_executable(x ${f})\nendforeach()\n", "add_executable(x ${f})\n"),
    ],
)
def test_a_target_is_marked_after_the_command(text: str, command: str) -> None:
    out = _out(text)
    assert command + _marks("x") in out
    assert FUNCTION not in out


def test_functions_of_the_project_mark_their_targets() -> None:
    out = _outs(
        {
            "CMakeLists.txt": HEAD + "include(make.cmake)\nmake(one a.cu)\nmake(two b.cu c.cpp)\n",
            "make.cmake": "function(make name)\nadd_executable(${name} ${ARGN})\nendfunction()\n# nvcc\n",
        }
    )
    assert "add_executable(${name} ${ARGN})\n" + _marks("${name}") in out["make.cmake"]
    assert FUNCTION not in out["CMakeLists.txt"]


@pytest.mark.parametrize(
    "text",
    [
        "set(S a.cu)\n" + "".join(f"add_library({name} ${{S}})\n" for name in "pqrs"),
        "set(S a.cu)\ntarget_sources(other PRIVATE ${S})\n",
        "pybind11_add_module(x a.cu)\n",
        "set(S a.cu)\npybind11_add_module(x ${S})\n",
        "function(make name)\npybind11_add_module(${name} ${ARGN})\nendfunction()\nmake(x a.cu)\n",
        "set(S a.cu)\nset_property(GLOBAL APPEND PROPERTY SOURCES ${S})\n",
        'set(S a.cu)\nstring(REPLACE x y T "${S}")\nadd_library(x ${T})\n',
    ],
)
def test_what_is_not_followed_is_left_to_a_function(text: str) -> None:
    out = _out(text)
    assert FUNCTION in out
    assert _marks("x") not in out


def test_a_build_that_may_go_on_without_cuda_keeps_the_function() -> None:
    text = "project(x CXX)\nif(GPU)\n  enable_language(CUDA)\nendif()\nset(S a.cu)\nadd_library(x ${S})\n"
    assert FUNCTION in _outs({"CMakeLists.txt": text})["CMakeLists.txt"]
    text = "project(x CXX)\nfind_package(CUDA)\nset(S a.cu)\ncuda_add_library(x ${S})\n"
    assert FUNCTION in _outs({"CMakeLists.txt": text})["CMakeLists.txt"]
    text = text.replace("(CUDA)", "(CUDA REQUIRED)")
    assert FUNCTION not in _outs({"CMakeLists.txt": text})["CMakeLists.txt"]
