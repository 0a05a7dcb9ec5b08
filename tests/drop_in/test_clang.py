"""The stand-in for hipify-clang: places, notes, refusals and exit statuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import Tool
from .samples import LAUNCH, LEFT, PLAIN, PLAIN_HIP, write


def test_the_output_is_beside_the_source(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    assert clang("a.cu") == (0, "", "")
    assert (tmp_path / "a.cu.hip").read_text() == PLAIN_HIP
    assert (tmp_path / "a.cu").read_text() == PLAIN


def test_output_file_and_folder(clang: Tool, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    write(tmp_path / "src", a=PLAIN, b=PLAIN)
    assert clang("src/a.cu", "-o", "x.hip").status == 0
    assert clang("src/a.cu", "src/b.cu", "-o-dir=out").status == 0
    assert clang("src/a.cu", "--o-dir", "out", "-o=y.hip").status == 0
    assert (tmp_path / "x.hip").read_text() == PLAIN_HIP
    assert sorted(os.listdir(tmp_path / "out")) == ["a.cu.hip", "b.cu.hip", "y.hip"]


def test_in_place_there_is_no_backup(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b=PLAIN)
    assert clang("-inplace", "a.cu", "b.cu") == (0, "", "")
    assert [path.read_text() for path in tmp_path.iterdir()] == [PLAIN_HIP, PLAIN_HIP]
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "b.cu"]


@pytest.mark.parametrize("options", [["-no-output"], ["-examine"], ["-examine", "-o", "x"], ["-examine", "-inplace"]])
def test_no_output_writes_nothing(clang: Tool, tmp_path: Path, options: list[str]) -> None:
    write(tmp_path, a=PLAIN)
    assert clang("a.cu", *options).status == 0
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.cu", PLAIN)]


def test_launches_libraries_and_experimental_names(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LAUNCH, b="#include <cublas_v2.h>\ncublasHandle_t handle;\n")
    clang("a.cu")
    assert "twice<<<1, 32>>>(x);" in (tmp_path / "a.cu.hip").read_text()
    clang("a.cu", "-hip-kernel-execution-syntax")
    assert "hipLaunchKernelGGL(twice" in (tmp_path / "a.cu.hip").read_text()
    clang("b.cu", "--roc", "-experimental")
    assert "rocblas_handle handle;" in (tmp_path / "b.cu.hip").read_text()


def test_warnings(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT)
    done = clang("a.cu")
    assert done.status == 0
    unknown, unsupported = done.warnings
    assert unknown.startswith("a.cu:3:5: warning: cudaNoSuchThing looks like a runtime symbol")
    assert unsupported.startswith(
        "a.cu:5:5: warning: cudaGraphConditionalHandleCreate (runtime) has no HIP counterpart"
    )
    assert unsupported.endswith(" [HIP101]")


def test_options_without_effect_are_told_once(clang: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b=PLAIN)
    options = [
        "--cuda-path=/usr/local/cuda",
        "-v",
        "--cuda-gpu-arch=sm_70",
        "--cuda-gpu-arch=sm_80",
        "-default-preprocessor",
    ]
    done = clang("a.cu", "b.cu", *options, "--", "-x", "cuda", "-std=c++17")
    names = "-cuda-gpu-arch, -cuda-path, -default-preprocessor, -v"
    assert done == (0, "", f"[HIPIFY] info: without effect in hipify-py: {names}\n")


@pytest.mark.parametrize(
    "options",
    [
        ["-perl"],
        ["-python"],
        ["-md"],
        ["-csv"],
        ["-md", "-doc-format=full"],
        ["-doc-roc=joint"],
        ["-o-hipify-perl-dir=x"],
    ],
)
def test_generators_are_refused(clang: Tool, tmp_path: Path, options: list[str]) -> None:
    write(tmp_path, a=PLAIN)
    done = clang("a.cu", *options)
    assert done.status == 1
    assert "is not for translating sources: it generates files of AMD's project" in done.err
    assert os.listdir(tmp_path) == ["a.cu"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "no source is given"),
        (["-no-such", "a.cu"], "unknown option -no-such"),
        (["a.cu", "b.cu", "-o", "x"], "-o is for one source, and there are several"),
        (["a.cu", "-inplace", "-o", "x"], "-o and -inplace exclude each other"),
        (["a.cu", "-no-output", "-o", "x"], "-no-output and -o exclude each other"),
        (["a.cu", "-no-output", "-inplace"], "-no-output and -inplace exclude each other"),
        (["a.cu", "-inplace", "-o-dir=x"], "-o-dir and -inplace exclude each other"),
        (["a.cu", "-o-dir=b.cu/x"], "cannot create the output folder b.cu/x"),
        (["-p", "nowhere"], "nowhere/compile_commands.json is not a compilation database"),
    ],
)
def test_wrong_command_lines(clang: Tool, tmp_path: Path, words: list[str], says: str) -> None:
    write(tmp_path, a=PLAIN, b=PLAIN)
    done = clang(*words)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("[HIPIFY] error: ")
    assert says in done.err
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "b.cu"]


def test_bad_files(clang: Tool, tmp_path: Path) -> None:
    """A source that does not exist is told, but does not count; one that cannot be read or written does."""
    write(tmp_path, a=PLAIN)
    (tmp_path / "folder").mkdir()
    (tmp_path / "wide.cu").write_bytes("#include <cuda.h>\n".encode("utf-16"))
    absent = clang("absent.cu", "a.cu")
    assert (absent.status, absent.err) == (0, "[HIPIFY] error: absent.cu does not exist\n")
    assert (tmp_path / "a.cu.hip").exists()
    assert clang("folder").status == 1
    assert clang("a.cu", "-o", "nowhere/x.hip").status == 1
    wide = clang("wide.cu", "-print-stats")
    assert wide.status == 1
    assert "UTF-16" in wide.err
    assert "  ERROR: Statistics is invalid due to failed hipification.\n" in wide.err
    assert not (tmp_path / "wide.cu.hip").exists()


def test_a_compilation_database(clang: Tool, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "build").mkdir()
    write(tmp_path / "src", a=PLAIN, b=PLAIN)
    entries = [
        {"directory": str(tmp_path), "file": f"src/{name}.cu", "command": f"nvcc -c src/{name}.cu"} for name in "ab"
    ]
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(entries))
    for options in (["-p", "build"], ["-p=build"], ["--p=build", "-o-dir=out"]):
        assert clang(*options).status == 0
    assert sorted(os.listdir(tmp_path / "src")) == ["a.cu", "a.cu.hip", "b.cu", "b.cu.hip"]
    assert sorted(os.listdir(tmp_path / "out")) == ["a.cu.hip", "b.cu.hip"]


def test_headers_are_searched_in_the_folders_of_the_compiler(clang: Tool, tmp_path: Path) -> None:
    """A header that is found says that a name like CUDA's is the project's own."""
    (tmp_path / "include").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "include" / "own.h").write_text("#pragma once\nvoid cudaOwnThing();\n")
    (tmp_path / "src" / "a.cu").write_text('#include "own.h"\nvoid f() { cudaOwnThing(); }\n')
    for options in (["-I", "include"], ["--", "-Iinclude"], ["--extra-arg=-Iinclude"]):
        assert clang("src/a.cu", "-no-output", *options).warnings == []


def test_local_headers(clang: Tool, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('#include "one.cuh"\n#include "absent.cuh"\nvoid f(void *p) { cudaFree(p); }\n')
    (tmp_path / "one.cuh").write_text('#pragma once\n#include "two.cuh"\n#include <cuda_runtime.h>\n')
    (tmp_path / "two.cuh").write_text('#pragma once\n#include "one.cuh"\n#include <cuda_runtime.h>\n')
    sources = ["a.cu", "one.cuh", "two.cuh"]
    clang("a.cu", "-local-headers", "-o", "a.hip")
    assert sorted(os.listdir(tmp_path)) == sorted([*sources, "a.hip", "one.cuh.hip"])
    clang("a.cu", "--local-headers-recursive", "-o", "a.hip")
    assert sorted(os.listdir(tmp_path)) == sorted([*sources, "a.hip", "one.cuh.hip", "two.cuh.hip"])
    assert "#include <hip/hip_runtime.h>" in (tmp_path / "two.cuh.hip").read_text()


def test_help_and_versions(clang: Tool, tmp_path: Path) -> None:
    assert clang("--help").out.startswith("hipify-py-clang translates CUDA to HIP")
    assert clang("--version").out.startswith("hipify-py ")
    done = clang("-versions")
    assert (done.status, done.out) == (0, "")
    assert done.err.startswith("[HIPIFY] Supports ROCm HIP from ")
