"""Files of a tree that name CUDA and are not read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py.project import unread_files
from hipify_py.project.api import check, convert
from hipify_py.project.result import UNREAD


def unread(root: Path) -> list[tuple[str, int]]:
    return [
        (Path(result.path).relative_to(root).as_posix(), finding.line)
        for result in check([root]).results
        if result.status == UNREAD
        for finding in result.findings
        if finding.id == "HIP911"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpu/device.go", '// #include "driver.h"\nimport "C"\nfunc f() { C.cuDeviceGet(nil, 0) }\n'),
        ("gpu/link.go", "//#cgo linux LDFLAGS: -lcufft\n"),
        ("build.rs", 'cc::Build::new().cuda(true).compiler("nvcc");\n'),
        ("fields.jl", "using CUDA\n"),
        ("host/search.cpp.works", "void f() {\n  cudaGetDeviceCount(&n);\n}\n"),
        ("settings.cfg.in", "NVCC = /usr/local/cuda/bin/nvcc\n"),
        ("old.ptx", ".version 7.8\n.target sm_80\n"),
        ("demo.pc.in", "Libs: -lcudart\n"),
        ("configure", "#!/bin/sh\nnvcc --version\n"),
    ],
)
def test_a_file_that_names_cuda_is_a_finding(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    assert [path for path, _ in unread(tmp_path)] == [name]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README", "Needs nvcc and cudaMalloc().\n"),
        ("docs/port.md", "cudaMalloc(p, n)\n"),
        ("notes.txt", "nvcc a.cu\n"),
        ("model.py", "import torch\ntorch.cuda.synchronize()\n"),
        ("device.go", 'import "C"\nfunc f() { C.free(nil) }\n'),
        ("mesh.f90", "subroutine s\nend\n"),
        ("wrap.pyx", "def f():\n    return cudaEnabled()\n"),
        ("image.bin", "cudaMalloc(\0)"),
        (".clang-tidy", "# cudaMalloc(p)\n"),
        ("empty.go", ""),
    ],
)
def test_other_files_are_not(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    assert unread(tmp_path) == []


def test_a_conversion_copies_it_and_says_so(tmp_path: Path) -> None:
    source, output = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "link.go").write_text("package x\n//#cgo LDFLAGS: -lcuda\n")
    (result,) = convert([source], output=output).results
    assert (result.status, result.target) == (UNREAD, str(output / "link.go"))
    assert [finding.line for finding in result.findings] == [2]
    assert (output / "link.go").read_bytes() == (source / "link.go").read_bytes()


def test_who_chooses_the_files_knows_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaDeviceSynchronize(); }\n")
    (tmp_path / "b.cu").write_text("void g() { cudaDeviceSynchronize(); }\n")
    assert [Path(result.path).name for result in check([tmp_path], include=["a.cu"]).results] == ["a.cu"]


def test_a_file_that_is_given_by_itself_is_read(tmp_path: Path) -> None:
    (tmp_path / "host.Cuda").write_text("void f() { cudaDeviceSynchronize(); }\n")
    assert all(result.status != UNREAD for result in check([tmp_path / "host.Cuda"]).results)


def test_a_configure_script_is_made_from_a_file_that_is_translated(tmp_path: Path) -> None:
    (tmp_path / "configure").write_text("nvcc --version\n")
    (tmp_path / "configure.ac").write_text("AC_INIT(a, 1)\nAC_PATH_PROG(NVCC, nvcc)\n")
    (result,) = (result for result in check([tmp_path]).results if result.status == UNREAD)
    (finding,) = result.findings
    assert "autoreconf -fi makes it anew from configure.ac" in finding.message


def test_each_content_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    project, searched = tmp_path / "project", list[bytes]()
    search = unread_files._first_use

    def noted(data: bytes, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        searched.append(data)
        return search(data, pattern)

    monkeypatch.setattr(unread_files, "_first_use", noted)
    project.mkdir()
    (project / "step.jl").write_text("using CUDA\n")
    (project / "plain.jl").write_text("using LinearAlgebra\n")
    (project / "main.cu").write_text("int main() { cudaDeviceReset(); }\n")
    first, second = (check([project], jobs=1, cache=True).results for _ in range(2))
    assert first == second
    assert len(searched) == 2
    (project / "plain.jl").write_text("using CUDA\n")
    assert [r.path for r in check([project], jobs=1, cache=True).results if r.status == UNREAD] == [
        str(project / name) for name in ("plain.jl", "step.jl")
    ]
    assert len(searched) == 2, "the content is that of another file"
