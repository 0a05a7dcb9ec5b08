"""A list file that is given by itself is told of those of its project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.project import build_contexts
from hipify_py.project.api import convert

TOP = "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nadd_subdirectory(lib)\n"
LIBRARY = "add_library(lib scale.cu)\ntarget_link_libraries(lib PRIVATE CUDA::cublas)\n"


def _tree(tmp_path: Path, **files: str) -> Path:
    tree = tmp_path / "p"
    for name, text in {"CMakeLists.txt": TOP, "lib/CMakeLists.txt": LIBRARY, **files}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    (tree / ".git").mkdir(exist_ok=True)
    return tree


def _alone(path: Path, tmp_path: Path) -> str:
    convert([path], output=tmp_path / "alone")
    return (tmp_path / "alone").read_text()


@pytest.mark.parametrize("name", ["CMakeLists.txt", "lib/CMakeLists.txt", "cmake/gpu.cmake", "src/deep/CMakeLists.txt"])
def test_it_comes_out_as_with_its_tree(name: str, tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": TOP + "include(cmake/gpu.cmake)\nadd_subdirectory(src/deep)\n",
        "cmake/gpu.cmake": "find_package(CUDAToolkit)\nset(GPU_FLAGS -O3 -gencode arch=compute_70,code=sm_70)\n",
        "src/deep/CMakeLists.txt": "set(SOURCES a.cu b.cu)\nadd_executable(deep ${SOURCES})\n",
    }
    tree = _tree(tmp_path, **files)
    convert([tree], output=tmp_path / "whole")
    assert _alone(tree / name, tmp_path) == (tmp_path / "whole" / name).read_text()


def test_variables_and_targets_of_others_are_the_projects(tmp_path: Path) -> None:
    tree = _tree(tmp_path, **{"lib/CMakeLists.txt": "add_library(cublas k.cu)\n"})
    (tree / "app").mkdir()
    (tree / "app" / "CMakeLists.txt").write_text("add_executable(app a.cu)\ntarget_link_libraries(app cublas)\n")
    assert "target_link_libraries(app cublas)" in _alone(tree / "app" / "CMakeLists.txt", tmp_path)


def test_what_lies_above_the_repository_does_not_count(tmp_path: Path) -> None:
    tree = _tree(tmp_path)
    (tree / "lib" / ".git").mkdir()
    assert _alone(tree / "lib" / "CMakeLists.txt", tmp_path) == LIBRARY.replace("CUDA::cublas", "roc::hipblas")


def test_builds_of_cmakes_do_not_count(tmp_path: Path) -> None:
    tree = _tree(
        tmp_path, **{"build/CMakeCache.txt": "", "build/gen/CMakeLists.txt": "find_package(hip)\nproject(x)\n"}
    )
    (tree / "build" / "CMakeLists.txt").write_text("find_package(hip)\n")
    assert "find_package(hipblas REQUIRED)" in _alone(tree / "CMakeLists.txt", tmp_path)


def test_a_build_for_hip_in_another_file_leaves_it_alone(tmp_path: Path) -> None:
    tree = _tree(tmp_path, **{"cmake/gpu.cmake": "find_package(hip)\n"})
    assert _alone(tree / "lib" / "CMakeLists.txt", tmp_path) == LIBRARY


def test_sources_that_are_given_with_it_tell_of_thrust(tmp_path: Path) -> None:
    tree = _tree(tmp_path, **{"CMakeLists.txt": TOP + "set(CMAKE_CUDA_STANDARD 14)\n"})
    (tree / "sort.cu").write_text("#include <thrust/sort.h>\n")
    convert([tree / "CMakeLists.txt", tree / "sort.cu"], output=tmp_path / "out")
    assert "set(CMAKE_HIP_STANDARD 17)" in (tmp_path / "out" / "CMakeLists.txt").read_text()


def test_files_of_one_project_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    for folder in ("", "a", "b"):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "CMakeLists.txt").write_text(f"project(x{folder} CUDA)\nadd_library(l{folder} x.cu)\n")
    (project / "b" / "gpu.cmake").write_text("find_package(CUDAToolkit)\n")
    places: list[str] = []
    original = build_contexts._read

    def read(path: str) -> bytes | None:
        places.append(os.path.abspath(path))
        return original(path)

    monkeypatch.setattr(build_contexts, "_read", read)
    monkeypatch.chdir(project)
    convert(["a/CMakeLists.txt", str(project / "b" / "gpu.cmake")], output=tmp_path / "out")
    files = ("CMakeLists.txt", "a/CMakeLists.txt", "b/CMakeLists.txt", "b/gpu.cmake")
    assert sorted(places) == [str(project / name) for name in files]
