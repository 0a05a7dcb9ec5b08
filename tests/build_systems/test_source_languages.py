"""C++ sources that list files give to nvcc: what it includes by itself, HIP's compiler is told to."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.cmake.translate import translate
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.targeting import Targeting

HEAD = "project(x CXX CUDA)\n"
INCLUDED = "APPEND PROPERTY COMPILE_OPTIONS -include hip/hip_runtime.h)\n"


def _out(text: str) -> str:
    done = translate((HEAD + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().partition(HEAD.replace("CUDA", "HIP"))[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)\nset_property(SOURCE a.cpp " + INCLUDED,
        ),
        (
            "set_source_files_properties(${S} b.cu PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(${S} b.cu PROPERTIES LANGUAGE HIP)\nset_property(SOURCE ${S} b.cu " + INCLUDED,
        ),
        (
            'set_source_files_properties("a b.cc"\n  c.cc TARGET_DIRECTORY t PROPERTIES LANGUAGE CUDA)\n',
            'set_source_files_properties("a b.cc"\n  c.cc TARGET_DIRECTORY t PROPERTIES LANGUAGE HIP)\n'
            'set_property(SOURCE "a b.cc" c.cc TARGET_DIRECTORY t ' + INCLUDED,
        ),
        (
            "set_property(SOURCE a.cpp PROPERTY LANGUAGE CUDA)\n",
            "set_property(SOURCE a.cpp PROPERTY LANGUAGE HIP)\nset_property(SOURCE a.cpp " + INCLUDED,
        ),
        (
            "if(GPU)\n  set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\nendif()\n",
            "if(GPU)\n  set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)\n  set_property(SOURCE a.cpp "
            + INCLUDED
            + "endif()\n",
        ),
        (
            "set_source_files_properties(\n  s.cpp # ours\n  t.cpp\n  PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(\n  s.cpp # ours\n  t.cpp\n  PROPERTIES LANGUAGE HIP)\n"
            "set_property(SOURCE s.cpp t.cpp " + INCLUDED,
        ),
        (
            "set_source_files_properties(s.cpp #[[ours (]] t.cpp # last\n  PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(s.cpp #[[ours (]] t.cpp # last\n  PROPERTIES LANGUAGE HIP)\n"
            "set_property(SOURCE s.cpp t.cpp " + INCLUDED,
        ),
        (
            'set_source_files_properties("a  b.cpp" [=[c  d.cpp]=] $<1:e.cpp> PROPERTIES LANGUAGE CUDA)\n',
            'set_source_files_properties("a  b.cpp" [=[c  d.cpp]=] $<1:e.cpp> PROPERTIES LANGUAGE HIP)\n'
            'set_property(SOURCE "a  b.cpp" [=[c  d.cpp]=] $<1:e.cpp> ' + INCLUDED,
        ),
        (
            "set_property(SOURCE f.cpp APPEND PROPERTY LANGUAGE CUDA)\n",
            "set_property(SOURCE f.cpp APPEND PROPERTY LANGUAGE HIP)\nset_property(SOURCE f.cpp " + INCLUDED,
        ),
        (
            "set_property(SOURCE f.cpp # ours\n  DIRECTORY .. APPEND_STRING PROPERTY LANGUAGE CUDA)\n",
            "set_property(SOURCE f.cpp # ours\n  DIRECTORY .. APPEND_STRING PROPERTY LANGUAGE HIP)\n"
            "set_property(SOURCE f.cpp DIRECTORY .. " + INCLUDED,
        ),
    ],
)
def test_the_runtimes_header_is_included(before: str, after: str) -> None:
    assert _out(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "set_source_files_properties(a.cu PROPERTIES LANGUAGE CUDA)\n",
        "set_target_properties(t PROPERTIES LINKER_LANGUAGE CUDA)\n",
        "set_property(TARGET t PROPERTY LINKER_LANGUAGE CUDA)\n",
        "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CXX)\n",
    ],
)
def test_nothing_is_added_to_others(text: str) -> None:
    assert _out(text) == text.replace("CUDA", "HIP")


def test_append_is_no_source() -> None:
    out = _out("set_property(SOURCE a.cu APPEND PROPERTY LANGUAGE CUDA)\n")
    assert out.endswith("set_property(SOURCE a.cu APPEND PROPERTY LANGUAGE HIP)\n")


@pytest.mark.parametrize(
    ("rocm", "macro"),
    [
        ("6.1", ""),
        ("6.2", "-DHIP_ENABLE_WARP_SYNC_BUILTINS= "),
        ("6.4", "-DHIP_ENABLE_WARP_SYNC_BUILTINS= "),
        ("7.0", ""),
    ],
)
def test_the_sync_built_ins_are_declared_where_the_runtime_comes_first(rocm: str, macro: str) -> None:
    """A `#define` in the source would come too late for it."""
    options = Options(targeting=Targeting(rocm=rocm))
    text = HEAD + "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n"
    output = translate(text.encode(), "CMakeLists.txt", options).output.decode()
    assert f"COMPILE_OPTIONS {macro}-include hip/hip_runtime.h)\n" in output
