"""Checks that compile a source: `try_compile`, `try_run`."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS

HEAD = "project(x CXX {})\n"
COPY = '"${CMAKE_CURRENT_BINARY_DIR}/probe.hip"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "try_run(RAN BUILT ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/checks/probe.cu)\n",
            f'configure_file("${{CMAKE_CURRENT_SOURCE_DIR}}/checks/probe.cu" {COPY} COPYONLY)\n'
            f"try_run(RAN BUILT ${{CMAKE_BINARY_DIR}} {COPY})\n",
        ),
        (
            "if(A)\n  try_compile(OK ${DIR} SOURCES a.cpp probe.cu)\nendif()\n",
            f'if(A)\n  configure_file("probe.cu" {COPY} COPYONLY)\n  try_compile(OK ${{DIR}} SOURCES a.cpp {COPY})\nendif()\n',
        ),
        ("try_compile(OK ${DIR} SOURCES a.cpp)\n", "try_compile(OK ${DIR} SOURCES a.cpp)\n"),
    ],
)
def test_their_sources_have_an_ending_that_cmake_knows(before: str, after: str) -> None:
    done = translate_build_file((HEAD.format("CUDA") + before).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == HEAD.format("HIP") + after
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output


def test_a_source_that_is_not_known_is_reported() -> None:
    text = HEAD.format("CUDA") + "try_compile(OK ${DIR} ${NAME}.cu)\n"
    done = translate_build_file(text.encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert done.output.decode() == text.replace("CUDA", "HIP")
    assert [found.id for found in done.findings] == ["HIP605"]
