"""Templates of the configuration of an installed CMake package."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert

LIST = """cmake_minimum_required(VERSION 3.21)
project(field LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(field field.cu)
target_link_libraries(field PUBLIC CUDA::cufft CUDA::cudart)
configure_file(field-config.cmake.in field-config.cmake @ONLY)
"""
CONFIGURATION = """@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency({})
include("${{CMAKE_CURRENT_LIST_DIR}}/field-targets.cmake")
"""


@pytest.mark.parametrize("words", ["CUDAToolkit", "CUDAToolkit 12.0", "CUDAToolkit REQUIRED"])
def test_who_uses_the_package_finds_what_its_targets_link(tmp_path: Path, words: str) -> None:
    source, output = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(LIST)
    (source / "field.cu").write_text("void f() {}\n")
    (source / "field-config.cmake.in").write_text(CONFIGURATION.format(words))
    report = convert([source], output=output)
    assert all(finding.severity == "note" for result in report.results for finding in result.findings)
    required = " REQUIRED" if words.endswith("REQUIRED") else ""
    text = (output / "field-config.cmake.in").read_text()
    assert text == CONFIGURATION.format(f"hip{required}").replace(
        f"(hip{required})\n", f"(hip{required})\nfind_dependency(hipfft)\n"
    )
    convert([output], output=tmp_path / "again")
    assert (tmp_path / "again" / "field-config.cmake.in").read_text() == text


def test_a_template_without_cuda_stays(tmp_path: Path) -> None:
    text = CONFIGURATION.format("Eigen3")
    (tmp_path / "field-config.cmake.in").write_text(text)
    assert [result.status for result in convert([tmp_path]).results] == ["unchanged"]
