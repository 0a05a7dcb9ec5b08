"""FindCUDA's commands, whose arguments CMake's own take in another order."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def translated(text: str) -> str:
    once = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS).output
    assert translate_build_file(once, "CMakeLists.txt", DEFAULT_OPTIONS).output == once
    return once.decode()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cuda_add_library(t ${S} STATIC)", "add_library(t STATIC ${S})"),
        ("cuda_add_library(t SHARED ${S})", "add_library(t SHARED ${S})"),
        ("cuda_add_library(t a.cpp\n  MODULE\n  b.cpp)", "add_library(t MODULE a.cpp\n  b.cpp)"),
        ("cuda_add_library(t EXCLUDE_FROM_ALL ${S} STATIC)", "add_library(t EXCLUDE_FROM_ALL STATIC ${S})"),
        ("cuda_add_executable(t ${S} EXCLUDE_FROM_ALL WIN32)", "add_executable(t WIN32 EXCLUDE_FROM_ALL ${S})"),
        ('cuda_add_library(t ${S} "STATIC")', 'add_library(t ${S} "STATIC")'),
        (
            "cuda_add_library(t ${S} STATIC OPTIONS -O2)",
            "add_library(t STATIC ${S})\ntarget_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>: -O2>)",
        ),
    ],
)
def test_what_kind_of_target_it_is_stands_behind_its_name(command: str, expected: str) -> None:
    assert translated(f"{command}\ntarget_link_libraries(t cudart)\n").partition("\ntarget_link_l")[0] == expected
