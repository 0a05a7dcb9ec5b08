"""Build files that name CUDA."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify_py.build_systems.kinds import (
    AUTOCONF,
    BAZEL,
    CMAKE,
    DOCKER,
    MAKE,
    MESON,
    PYPROJECT,
    PYTHON,
    VISUAL_STUDIO,
    kind_of,
)
from hipify_py.project.api import convert_groups
from hipify_py.project.build_files import line_with_cuda
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group

NAMES = {
    CMAKE: "CMakeLists.txt",
    MAKE: "Makefile",
    PYTHON: "setup.py",
    MESON: "meson.build",
    BAZEL: "BUILD",
    DOCKER: "Dockerfile",
    AUTOCONF: "configure.ac",
    VISUAL_STUDIO: "a.vcxproj",
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CMakeLists.txt", CMAKE),
        ("FindThing.cmake", CMAKE),
        ("Makefile", MAKE),
        ("makefile", MAKE),
        ("Makefile.cuda", MAKE),
        ("rules.mk", MAKE),
        ("setup.py", PYTHON),
        ("pyproject.toml", PYPROJECT),
        ("meson.build", MESON),
        ("BUILD", BAZEL),
        ("BUILD.bazel", BAZEL),
        ("defs.bzl", BAZEL),
        ("Dockerfile", DOCKER),
        ("Dockerfile.gpu", DOCKER),
        ("gpu.dockerfile", DOCKER),
        ("configure.ac", AUTOCONF),
        ("m4/cuda.m4", AUTOCONF),
        ("m4/libtool.m4", ""),
        ("thing.vcxproj", VISUAL_STUDIO),
        ("build", ""),
        ("README.md", ""),
        ("main.cu", ""),
        ("Makefiles", ""),
    ],
)
def test_build_files_are_known_by_their_names(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        (CMAKE, b"cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES CXX CUDA)\n", 2),
        (CMAKE, b"project(x\n  CXX\n  CUDA)\n", 3),
        (CMAKE, b"enable_language( CUDA )\n", 1),
        (CMAKE, b"target_link_libraries(a\n  CUDA::cublas)\n", 2),
        (CMAKE, b"set_target_properties(a PROPERTIES CUDA_ARCHITECTURES 80)\n", 1),
        (CMAKE, b"# find_package(CUDA)\nproject(x CXX)\n", 0),
        (CMAKE, b"project(x CXX)\nmessage(STATUS CUDATHING)\n", 0),
        (CMAKE, b"find_package(CUDAToolkit)\nif(USE_HIP)\n  enable_language(HIP)\nendif()\n", 0),
        (CMAKE, b"find_package(CUDAToolkit)  # no hipcc yet\n", 1),
        (MAKE, b"CC = gcc\n%.o: %.cu\n\tnvcc -c $<\n", 3),
        (MAKE, b"LIBS = -lm -lcudart\r\n", 1),
        (MAKE, b"CC = gcc # not nvcc\n", 0),
        (MAKE, b"CC = hipcc\nLIBS = -lcudart\n", 0),
        (PYTHON, b"import torch\nx = CUDAExtension('x', ['a.cu'], libraries=['cublas'])\n", 2),
        (PYTHON, b"libraries=['cudart', 'cublas']\n", 1),
        (PYTHON, b"keywords = ['cuda', 'gpu']\n", 0),
        (MESON, b"project('x', 'cpp',\n  'cuda')\n", 1 + 1),
        (BAZEL, b'load("@rules_cuda//cuda:defs.bzl", "cuda_library")\n', 1),
        (DOCKER, b"# FROM nvidia/cuda\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n", 2),
        (DOCKER, b"FROM debian\n", 0),
        (AUTOCONF, b"dnl nvcc\nAC_PATH_PROG([NVCC], [nvcc])\n", 2),
        (VISUAL_STUDIO, b"<Project>\n<CudaCompile Include='a.cu' />\n", 2),
        (VISUAL_STUDIO, b"<a><!-- <CudaCompile/> --></a>\n", 0),
        (CMAKE, b"", 0),
        (CMAKE, b"\xff\xfe\0CUDA::x", 0),
    ],
)
def test_the_line_that_names_cuda(kind: str, text: bytes, line: int) -> None:
    assert line_with_cuda(text, NAMES[kind]) == line


@pytest.mark.parametrize("kind", [CMAKE, MAKE, PYTHON, MESON, BAZEL, DOCKER, AUTOCONF, VISUAL_STUDIO])
@pytest.mark.parametrize(
    "piece", [b"project(", b"LANGUAGES ", b"#", b" #", b"find_package ", b"dnl", b"-", b"<!--", b" "]
)
def test_hostile_build_files_are_read_in_no_time(kind: str, piece: bytes) -> None:
    assert line_with_cuda(piece * (200_000 // len(piece)), NAMES[kind]) == 0


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "a.cu": b"void f() { cudaFree(0); }\n",
        "CMakeLists.txt": b"project(x CUDA)\n",
        "lib/CMakeLists.txt": b"add_library(x)\n",
        "lib/Makefile": b"all:\n\tnvcc a.cu\n",
        "lib/app.vcxproj": b'<Project>\n<CudaCompile Include="a.cu"/>\n',
        "gone/Makefile": b"all:\n\tnvcc a.cu\n",
        ".gitignore": b"gone/\n",
        "large.mk": b"# nvcc" * 250_000,
    }
    for name, data in files.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path / "src"


def test_a_run_finds_those_of_its_folders(tree: Path) -> None:
    (report,) = convert_groups([Group([str(tree)])], look_at_builds=True)
    assert not report.build_files
    (left,) = convert_groups([Group([str(tree)], selection=Selection(build_files=False))], look_at_builds=True)
    assert [(Path(build.path).relative_to(tree).as_posix(), build.kind, build.line) for build in left.build_files] == [
        ("CMakeLists.txt", CMAKE, 1),
        ("lib/Makefile", MAKE, 2),
        ("lib/app.vcxproj", VISUAL_STUDIO, 2),
    ]
    (unasked,) = convert_groups([Group([str(tree)])])
    assert not unasked.build_files
    (single,) = convert_groups([Group([str(tree / "a.cu"), str(tree / "CMakeLists.txt")])], look_at_builds=True)
    assert not single.build_files


def test_a_build_file_that_cannot_be_read_fails_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = open

    def refuse(path: str, *arguments: str, **more: str) -> object:
        if str(path).endswith("CMakeLists.txt"):
            raise PermissionError(13, "no")
        return real(path, *arguments, **more)

    monkeypatch.setattr("hipify_py.project.build_files.open", refuse, raising=False)
    (report,) = convert_groups([Group([str(tree)], selection=Selection(build_files=False))], look_at_builds=True)
    assert [build.kind for build in report.build_files] == [MAKE, VISUAL_STUDIO]
    assert not report.failed
